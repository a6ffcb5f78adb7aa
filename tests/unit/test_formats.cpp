// SPDX-License-Identifier: GPL-2.0
// Each format is read by a program made for that format, which must get what is in the profile.
#include "unit/format_test.hpp"

#include <bitset>
#include <cerrno>
#include <functional>

extern "C" {
#include "report/sheet.h"
}

static std::string render_section(const renderer &r, const profile &p, unsigned section)
{
	Options o;

	o.sections = section;
	o.histogram = HISTOGRAM_ALL;
	return render(r, p, o);
}

// The report of a run whose standard output has this name: a cell with nothing but foreign text.
static std::string render_path(const renderer &r, const std::string &path)
{
	Case c;

	c.provenance.stdout_path = copy(path);
	c.provenance.stdout_kind = copy("kind");
	return render_section(r, c.profile, SECTION_RUN);
}

static std::string shown_path(const std::string &path)
{
	return escaped(path) + " (kind)";
}

// The text of a page's cells in their order, with blanks as a reader sees them. A tag that no table
// has, or an attribute that could hold foreign text, is an error.
static const char read_html[] = R"(
import sys, re, html.parser
allowed = set(sys.argv[2].split())
class Page(html.parser.HTMLParser):
    cell = None
    def handle_starttag(self, tag, attributes):
        if tag not in allowed: sys.exit('tag: ' + self.get_starttag_text())
        for name, value in attributes:
            if name not in ('align', 'class', 'style', 'id'): sys.exit('attribute: ' + name)
        if tag == 'td': self.cell = ''
    def handle_comment(self, text): sys.exit('comment: ' + text)
    def handle_endtag(self, tag):
        if tag == 'td':
            print(re.sub('[ \n]+', ' ', self.cell).strip(' '))
            self.cell = None
    def handle_data(self, text):
        if self.cell is not None: self.cell += text
Page(convert_charrefs=True).feed(open(sys.argv[1], encoding='utf-8').read())
)";

static std::string squeezed(const std::string &text)
{
	std::string out;

	for (char c : text)
		if (c != ' ' || (!out.empty() && out.back() != ' '))
			out += c;
	while (!out.empty() && out.back() == ' ')
		out.pop_back();
	return out;
}

// All the dangerous texts are in one page, because the readers start slowly.
static void require_page(const renderer &r, const std::string &to_html, const std::string &tags)
{
	Folder folder;
	std::string source, expected, seen, line;

	for (const std::string &text : nasty_texts) {
		source += render_path(r, text) + "\n";
		expected += squeezed(shown_path(text)) + "\n";
	}
	folder.write("page", source);
	folder.write("read.py", read_html);
	folder.run(to_html);
	std::istringstream cells(folder.run("python3 read.py page.html '" + tags + "'"));
	for (std::string before; std::getline(cells, line); before = line)
		if (before == "stdout")
			seen += line + "\n";
	REQUIRE(seen == expected);
}

// A profile whose command has a file for each of the dangerous texts.
static std::string with_each(const std::string &command, const Folder &folder, const renderer &r)
{
	std::string all = command;

	for (size_t i = 0; i < nasty_texts.size(); i++) {
		folder.write(std::to_string(i), render_path(r, nasty_texts[i]));
		all += " " + std::to_string(i);
	}
	return all;
}

static std::string each(const std::function<std::string(const std::string &)> &shown)
{
	std::string lines;

	for (const std::string &text : nasty_texts)
		lines += shown(text) + "\n";
	return lines;
}

TEST_CASE("formats: every format looks as recorded", "[formats]")
{
	const struct {
		const renderer *r;
		const char *extension;
	} formats[] = { { &render_json, "json" }, { &render_csv, "csv" },
			{ &render_tsv, "tsv" },	  { &render_markdown, "md" },
			{ &render_latex, "tex" }, { &render_asciidoc, "adoc" },
			{ &render_table, "txt" } };

	for (auto &format : formats) {
		Case everything, unknown;

		everything.everything();
		unknown.unknown();
		require_golden(std::string("everything.") + format.extension,
			       render(*format.r, everything.profile, Options()));
		require_golden(std::string("unknown.") + format.extension,
			       render(*format.r, unknown.profile, Options()));
	}
}

TEST_CASE("formats: every renderer has a name, extensions of its own, and sections", "[formats]")
{
	std::string seen = " ";

	for (size_t i = 0; renderers[i]; i++) {
		const renderer &r = *renderers[i];

		CAPTURE(r.name);
		REQUIRE(r.sections);
		REQUIRE((r.default_sections & ~r.sections) == 0);
		REQUIRE(r.default_sections);
		if (r.one_section)
			REQUIRE(std::bitset<32>(r.default_sections & ~SECTION_INTERVALS).count() ==
				1);
		for (const char *extension : r.extensions) {
			if (!extension)
				continue;
			REQUIRE(seen.find(" " + std::string(extension) + " ") == std::string::npos);
			seen += std::string(extension) + " ";
		}
	}
}

TEST_CASE("formats: sections are picked in each of them", "[formats]")
{
	Case c;

	c.everything();
	for (size_t i = 0; renderers[i]; i++) {
		const renderer &r = *renderers[i];

		CAPTURE(r.name);
		for (unsigned section = 1; section < SECTION_ALL; section <<= 1) {
			std::string text;

			CAPTURE(section);
			if (!(r.sections & section))
				continue;
			text = render_section(r, c.profile, section);
			REQUIRE((text.find("openat") != std::string::npos) ==
				((section & (SECTION_SUMMARY | SECTION_LATENCY | SECTION_ERRORS)) !=
					 0 ||
				 (section == SECTION_SIZES &&
				  (&r == &render_json || &r == &render_jsonl))));
			REQUIRE((text.find("6.1.0") != std::string::npos) ==
				(section == SECTION_RUN));
			REQUIRE((text.find("ENOENT") != std::string::npos) ==
				(section == SECTION_ERRORS));
		}
	}
}

TEST_CASE("formats: a number beyond JSON's integers is refused, not bent", "[formats]")
{
	Case c;
	char *text = nullptr;
	size_t size;

	c.profile.elapsed_ns = UINT64_MAX;
	FILE *out = open_memstream(&text, &size);
	Options o;
	REQUIRE(render_profile(render_json, out, c.profile, o) == -EOVERFLOW);
	fclose(out);
	REQUIRE(size == 0);
	free(text);
}

TEST_CASE("formats: JSON is what jq reads", "[formats]")
{
	Folder folder;
	Case c;

	c.everything();
	folder.write("run.json", render(render_json, c.profile, Options()));
	REQUIRE(folder.run("jq -c '[.schema, .backend, .elapsed_ns, .exit.status, (.syscalls | "
			   "length)]' "
			   "run.json") == "[1,\"bpf\",1234567890,3,4]\n");
	REQUIRE(folder.run("jq -c '.syscalls[] | select(.name == \"openat\") | [.calls, .errors, "
			   ".bytes, "
			   ".errnos[0].errno, ([.latency[].count] | add)]' run.json") ==
		"[44,19,null,\"ENOENT\",44]\n");
	REQUIRE(folder.run("jq -c '.syscalls[0] | [.timed, .sizes[-1].high_bytes, "
			   ".latency[-1].high_ns]' "
			   "run.json") == "[1006,2147483648,null]\n");
	REQUIRE(folder.run("jq -r '.inflight[1].comm' run.json") == "=x,\"y\"\\n\\xff\n");

	/* Escaped text has no line breaks. */
	REQUIRE(folder.run(with_each("jq -r .stdout.path", folder, render_json)) == each(escaped));
}

// Every field of every row is compared with the JSON of the same run; a first character may be
// escaped.
static const char compare_csv[] = R"(
import csv, json, sys
capture = json.load(open('run.json'))
if sys.argv[1] == 'csv':
    rows = list(csv.DictReader(open('run.csv', newline='', encoding='utf-8'), strict=True))
else:
    lines = open('run.tsv', newline='', encoding='utf-8').read().split('\n')
    assert lines.pop() == ''
    rows = [dict(zip(lines[0].split('\t'), line.split('\t'), strict=True)) for line in lines[1:]]
assert len(rows) == len(capture['syscalls'])
calls = {(s['name'], s['abi']): s for s in capture['syscalls']}
for row in rows:
    call = calls.pop((row.pop('syscall'), row.pop('abi')))
    assert ' '.join(row) == ('calls errors bytes total_ns min_ns max_ns mean_ns p50_ns p90_ns '
                             'p99_ns p999_ns waits wait_ns run_ns idle_ns busy_ns preempted cpu_ns '
                             'cpu_mean_ns estimated estimated_waits error_of_total_ns '
                             'rate errors_rate bytes_rate'), row
    for key, value in row.items():
        if key.endswith('rate') and call[key] is not None: # JSON has five digits.
            assert abs(float(value) - call[key]) <= 1e-4 * call[key] + 0.001, (key, value)
        else:
            assert value == ('' if call[key] is None else str(call[key])), (key, value)
assert not calls
)";

TEST_CASE("formats: CSV is what Python's csv reads, TSV what cut and awk do", "[formats]")
{
	Folder folder;

	folder.write("compare.py", compare_csv);
	for (int which = 0; which < 2; which++) {
		Case c;

		which ? c.unknown() : c.everything();
		folder.write("run.json", render(render_json, c.profile, Options()));
		folder.write("run.csv", render(render_csv, c.profile, Options()));
		folder.write("run.tsv", render(render_tsv, c.profile, Options("name")));
		folder.run("python3 compare.py csv && python3 compare.py tsv");
		folder.run("awk -F '\\t' 'NF != 27 { exit 1 }' run.tsv");
	}
	Case nothing;
	nothing.nothing();
	REQUIRE(render(render_csv, nothing.profile, Options()) ==
		"syscall,abi,calls,errors,bytes,total_ns,min_ns,max_ns,mean_ns,p50_ns,p90_ns,p99_"
		"ns,"
		"p999_ns,waits,wait_ns,run_ns,idle_ns,busy_ns,preempted,cpu_ns,cpu_mean_ns,estimated,"
		"estimated_waits,error_of_total_ns,rate,errors_rate,bytes_rate\n");
}

static const char read_csv[] = R"(
import csv, sys
for name in sys.argv[1:]:
    rows = list(csv.reader(open(name, newline='', encoding='utf-8'), strict=True))
    assert all(len(row) == 2 for row in rows)
    print(rows[-1][1])
)";

static std::string without_formula(const std::string &shown, const std::string &special)
{
	char buf[8];

	if (shown.empty() || special.find(shown[0]) == std::string::npos)
		return shown;
	snprintf(buf, sizeof(buf), "\\x%02x", (unsigned char)shown[0]);
	return buf + shown.substr(1);
}

TEST_CASE("formats: no text breaks CSV or TSV, or is a formula in them", "[formats]")
{
	Folder folder;

	folder.write("cells.py", read_csv);
	REQUIRE(folder.run(with_each("python3 cells.py", folder, render_csv)) ==
		each([](const std::string &text) {
			return without_formula(shown_path(text), "=+-@");
		}));
	REQUIRE(folder.run(with_each("tail -q -n 1", folder, render_tsv) + " | cut -f 2") ==
		each([](const std::string &text) {
			return without_formula(shown_path(text), "=+-@\"");
		}));
}

TEST_CASE("formats: Markdown renders, and no text is markup", "[formats]")
{
	Folder folder;
	Case c;

	c.everything();
	folder.write("run.md", render(render_markdown, c.profile, Options()));
	folder.run("cmark-gfm --unsafe -e table -e autolink -e strikethrough run.md > run.html");
	REQUIRE(folder.run("grep -c '<table>' run.html") == "11\n");
	require_page(render_markdown,
		     "cmark-gfm --unsafe -e table -e autolink -e strikethrough -e tagfilter page > "
		     "page.html",
		     "table thead tbody tr th td code");
}

TEST_CASE("formats: one section of Markdown is a table alone", "[formats]")
{
	Case c;

	c.everything();
	std::string text = render_section(render_markdown, c.profile, SECTION_INTEGRITY);
	REQUIRE(text.substr(0, 2) == "| ");
	REQUIRE(text.substr(text.size() - 2) == "|\n");
}

TEST_CASE("formats: AsciiDoc renders, and no text is markup", "[formats]")
{
	Folder folder;
	Case c;

	c.everything();
	folder.write("run.adoc", render(render_asciidoc, c.profile, Options()));
	REQUIRE(folder.run("asciidoctor -S unsafe --failure-level=INFO -s -o run.html run.adoc") ==
		"");
	REQUIRE(folder.run("grep -c '<table' run.html") == "11\n");
	require_page(render_asciidoc,
		     "asciidoctor -S unsafe --failure-level=INFO -s -o page.html page",
		     "table colgroup col thead tbody tr th td p");
}

TEST_CASE("formats: LaTeX compiles, alone and within a document, and no text is a command",
	  "[formats]")
{
	Folder folder;
	std::string document = "\\documentclass{article}\\usepackage{booktabs,longtable}\n"
			       "\\begin{document}\n";
	Case c;

	c.everything();
	folder.write("run.tex", render(render_latex, c.profile, Options()));
	folder.run("pdflatex -interaction=nonstopmode -halt-on-error run.tex && test -s run.pdf");
	folder.run("! grep -i 'missing character' run.log");
	for (size_t i = 0; i < nasty_texts.size(); i++) {
		folder.write("n" + std::to_string(i) + ".tex",
			     render_path(render_latex, nasty_texts[i]));
		document += "\\input{n" + std::to_string(i) + "}\n\n";
	}
	folder.write("all.tex", document + "\\input{run}\n\\end{document}\n");
	folder.run("pdflatex -recorder -interaction=nonstopmode -halt-on-error all.tex");
	folder.run("! grep passwd all.fls");
	folder.run("! grep -i 'missing character' all.log");
	/* The reader did not stop early: it read all of them. */
	folder.run("grep -q 'n" + std::to_string(nasty_texts.size() - 1) + ".tex' all.fls");
	folder.run("grep -q 'INPUT.*run.tex' all.fls");
}
