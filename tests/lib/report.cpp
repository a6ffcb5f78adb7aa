// SPDX-License-Identifier: GPL-2.0
#include "lib/report.hpp"
#include "lib/pattern.hpp"

#include <sstream>
#include <stdexcept>

// ---- reading ----

static std::string without_colors(const std::string &text)
{
	static const Pattern sequence("\x1b\\[[0-9;]*m");

	return sequence.replaced(text, "");
}

static std::string trimmed(const std::string &text)
{
	size_t first = text.find_first_not_of(' ');

	if (first == std::string::npos)
		return "";
	return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

static Words lines_of(const std::string &text)
{
	std::istringstream stream(text);
	Words lines;

	for (std::string line; std::getline(stream, line);)
		lines.push_back(line);
	return lines;
}

/* Joins lines that were broken to fit: the rest is indented by four blanks. */
static Words whole_lines(const Words &lines)
{
	static const Pattern may_be_long("^(  errors: |entered |returned |  [^ ]+  pid )");
	Words whole;

	for (const std::string &line : lines)
		if (!whole.empty() && line.compare(0, 4, "    ") == 0 &&
		    !may_be_long.find(whole.back()).empty())
			whole.back() += line.substr(3);
		else
			whole.push_back(line);
	return whole;
}

static bool is_divider(const std::string &line)
{
	return line.compare(0, 4, "----") == 0 && line.find_first_not_of("- ") == std::string::npos;
}

/* The cells of a line, cut at the columns of the divider; the last cell goes on to the end. */
static Words cells_of(const std::string &line, const std::string &divider)
{
	Words cells;

	for (size_t begin = 0; begin < divider.size();) {
		size_t end = std::min(divider.find(' ', begin), divider.size());
		size_t length = end == divider.size() ? std::string::npos : end - begin;

		cells.push_back(begin < line.size() ? trimmed(line.substr(begin, length)) : "");
		begin = end + 1;
	}
	return cells;
}

static uint64_t number(const std::string &text)
{
	return text.empty() ? 0 : std::stoull(text);
}

/* Reads one table, whose first divider is lines[i]; returns the index of its total row. */
static size_t read_table(Report &report, const Words &lines, size_t i, const std::string &abi)
{
	const std::string &divider = lines[i];

	report.headings = cells_of(lines[i - 1], divider);
	for (bool rows = true; ++i < lines.size();) {
		Row row;

		if (is_divider(lines[i])) {
			rows = false;
			continue;
		}
		Words cells = cells_of(lines[i], divider);
		for (size_t c = 0; c < cells.size(); c++)
			row.cells[report.headings[c]] = cells[c];
		row.calls = row.cells.count("calls") ? number(row.cells["calls"]) : 0;
		row.errors = row.cells.count("errors") ? number(row.cells["errors"]) : 0;
		if (!rows) {
			report.totals[abi] = row;
			return i;
		}
		report.order.push_back(row.cells["syscall"] + abi);
		if (!report.rows.emplace(report.order.back(), row).second)
			throw std::runtime_error("a row comes twice: " + report.order.back());
	}
	throw std::runtime_error("a table without an end:\n" + report.text);
}

/* Reads "write  1000 calls (998 timed)  4.0 MB". */
static bool read_figures_head(Report &report, const std::string &line, std::string &name)
{
	static const Pattern head("([^ ]+)  ([0-9]+) calls?( \\(([0-9]+) timed\\))?"
				  "(  ([0-9.-]+ [kMGTPE]?B))?");
	const Pattern::Match match = head.whole(line);

	if (match.empty())
		return false;
	name = match[1];
	Figures &figures = report.figures[name];
	figures.calls = number(match[2]);
	figures.timed = match[4].empty() ? figures.calls : number(match[4]);
	figures.bytes = match[6];
	return true;
}

/* Reads "  min 512ns  mean 702ns ...". */
static void read_latency(Figures &figures, const std::string &line)
{
	static const Pattern pair("  ([^ ]+) ([^ ]+)");

	for (const Pattern::Match &match : pair.all(line))
		figures.latency[match[1]] = match[2];
}

/* Reads "  errors: 3 ENOENT, 1 EACCES". */
static void read_errors(Figures &figures, const std::string &line)
{
	static const Pattern count("([0-9]+) ([^,]+)");

	for (const Pattern::Match &match : count.all(line))
		figures.errors[match[2]] = number(match[1]);
}

/* Reads "   512ns - 1.02us     984774 |@@@@    |". */
static void read_bar(std::map<std::string, uint64_t> &histogram, const std::string &line)
{
	std::string text = trimmed(line.substr(0, line.find('|')));
	size_t space = text.find_last_of(' ');

	histogram[trimmed(text.substr(0, space))] = number(text.substr(space + 1));
}

static bool read_accounting(Report &report, const std::string &line)
{
	static const Pattern known("entered ([0-9]+) !?= returned ([0-9]+) \\+ in flight ([0-9]+)"
				   "( \\+ died in call ([0-9]+))?; lost ([0-9]+)(.*)");
	static const Pattern unknown("returned ([0-9]+); entered and in flight not known; "
				     "lost ([0-9]+)(.*)");
	static const Pattern tasks(" and all calls of ([0-9]+) tasks?");
	Pattern::Match match;
	std::string rest;

	if (!(match = known.whole(line)).empty()) {
		report.entered_known = true;
		report.entered = number(match[1]);
		report.returned = number(match[2]);
		report.in_flight = number(match[3]);
		report.died = number(match[5]);
		report.lost = number(match[6]);
		rest = match[7];
	} else if (!(match = unknown.whole(line)).empty()) {
		report.returned = number(match[1]);
		report.lost = number(match[2]);
		rest = match[3];
	} else {
		return false;
	}
	if (!(match = tasks.whole(rest)).empty())
		report.lost_tasks = number(match[1]);
	return report.accounted = true;
}

Report parse_report(const std::string &text)
{
	static const Pattern mode("System call usage summary for (.*) mode:");
	static const std::map<std::string, std::string> suffixes = { { "64 bit", "" },
								     { "32 bit", "@32" },
								     { "x32", "@x32" } };
	std::string abi, name;
	bool sizes = false;
	Report report;

	report.text = without_colors(text);
	const Words lines = whole_lines(lines_of(report.text));
	for (size_t i = 0; i < lines.size(); i++) {
		const std::string &line = lines[i];
		const Pattern::Match match = mode.whole(line);

		if (!match.empty()) {
			abi = suffixes.at(match[1]);
		} else if (is_divider(line) && i) {
			i = read_table(report, lines, i, abi);
		} else if (read_accounting(report, line)) {
			name.clear();
		} else if (report.accounted) {
			if (line.compare(0, 2, "  ") == 0)
				report.in_flight_lines.push_back(line);
		} else if (read_figures_head(report, line, name)) {
			sizes = false;
		} else if (name.empty()) {
			continue;
		} else if (line.compare(0, 6, "  min ") == 0) {
			read_latency(report.figures[name], line);
		} else if (line.compare(0, 10, "  errors: ") == 0) {
			read_errors(report.figures[name], line.substr(10));
		} else if (line == "  bytes per call:") {
			sizes = true;
		} else if (line.find('|') != std::string::npos) {
			Figures &figures = report.figures[name];

			read_bar(sizes ? figures.sizes : figures.latencies, line);
		}
	}
	return report;
}

uint64_t Report::calls(const std::string &name) const
{
	auto row = rows.find(name);

	return row == rows.end() ? 0 : row->second.calls;
}

uint64_t Report::errors(const std::string &name) const
{
	auto row = rows.find(name);

	return row == rows.end() ? 0 : row->second.errors;
}

uint64_t Report::bytes(const std::string &name) const
{
	auto row = rows.find(name);

	return row == rows.end() ? 0 : number(row->second.cells.at("bytes"));
}

// ---- judging ----

static uint64_t sum(const std::map<std::string, uint64_t> &counts)
{
	uint64_t total = 0;

	for (const auto &[label, count] : counts)
		total += count;
	return total;
}

/* Returns "1.02us" in ns. Units are rounded, but the order is kept. */
static double in_ns(const std::string &text)
{
	static const std::map<std::string, double> units = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }
	};
	size_t used;
	double value = std::stod(text, &used);

	return value * units.at(text.substr(used));
}

static void check_figures(std::ostream &wrong, const std::string &name, const Figures &figures,
			  const Row &row, bool has_bytes)
{
	const char *previous = nullptr;

	if (figures.calls != row.calls)
		wrong << name << ": the calls of table and figures differ\n";
	if (sum(figures.errors) != row.errors)
		wrong << name << ": the errnos do not add up to the errors\n";
	/* Of a call that does not matter, only the errors are shown. */
	if (figures.latency.empty() && figures.latencies.empty() && figures.sizes.empty() &&
	    row.calls < 100)
		return;
	if (!figures.latencies.empty() && sum(figures.latencies) != figures.timed)
		wrong << name << ": the latency histogram does not hold the timed calls\n";
	if (has_bytes && sum(figures.sizes) != row.calls - row.errors)
		wrong << name << ": the size histogram does not hold the successful calls\n";
	for (const char *figure : { "min", "p50", "p90", "p99", "p99.9", "max" }) {
		auto value = figures.latency.find(figure);

		if (value == figures.latency.end()) {
			wrong << name << ": no " << figure << "\n";
			return;
		}
		if (value->second == "-")
			continue;
		if (previous && in_ns(figures.latency.at(previous)) > in_ns(value->second))
			wrong << name << ": " << previous << " is above " << figure << "\n";
		previous = figure;
	}
}

static void check_totals(std::ostream &wrong, const Report &report)
{
	uint64_t returned = 0;

	for (const auto &[abi, total] : report.totals) {
		uint64_t calls = 0, errors = 0;

		for (const auto &[name, row] : report.rows) {
			size_t at = name.find('@');

			if ((at == std::string::npos ? "" : name.substr(at)) != abi)
				continue;
			calls += row.calls;
			errors += row.errors;
		}
		if (calls != total.calls && total.cells.count("calls"))
			wrong << "the calls do not add up to the total" << abi << "\n";
		if (errors != total.errors && total.cells.count("errors"))
			wrong << "the errors do not add up to the total" << abi << "\n";
		returned += total.calls;
	}
	if (report.accounted && returned != report.returned)
		wrong << "the calls do not add up to the returned\n";
}

std::string contradictions(const Report &report)
{
	std::ostringstream wrong;

	if (!report.rows.empty() && report.rows.begin()->second.cells.count("calls"))
		check_totals(wrong, report);
	for (const auto &[name, figures] : report.figures) {
		auto row = report.rows.find(name);

		if (row == report.rows.end())
			wrong << name << ": figures without a row\n";
		else if (row->second.cells.count("calls") && row->second.cells.count("errors"))
			check_figures(wrong, name, figures, row->second,
				      !figures.bytes.empty() && figures.bytes != "- B");
	}
	if (report.entered_known &&
	    report.entered != report.returned + report.in_flight + report.died)
		wrong << "entered is not what returned, is in flight or died\n";
	return wrong.str();
}

std::string differences(const Report &ours, const Report &theirs)
{
	std::set<std::string> names;
	std::ostringstream out;

	for (const Report *report : { &ours, &theirs })
		for (const auto &[name, row] : report->rows)
			names.insert(name);
	for (const std::string &name : names) {
		if (ours.calls(name) == theirs.calls(name) &&
		    ours.errors(name) == theirs.errors(name))
			continue;
		out << name << ": " << ours.calls(name) << " calls, " << ours.errors(name)
		    << " errors; expected " << theirs.calls(name) << ", " << theirs.errors(name)
		    << "\n";
	}
	return out.str();
}
