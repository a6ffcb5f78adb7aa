// SPDX-License-Identifier: GPL-2.0
/* -y: which files the calls are about. */
#include "lib/live.hpp"

#include <algorithm>
#include <sstream>

/* A line of the table of files. */
struct FileLine {
	uint64_t calls = 0;
	std::string file;
};

static std::vector<FileLine> files_of(const Report &report)
{
	std::istringstream lines(report.text);
	std::vector<FileLine> files;
	std::string line;

	while (std::getline(lines, line) && line.find(" used by ") == std::string::npos) {
	}
	while (std::getline(lines, line) && !line.empty()) {
		std::istringstream words(line);
		std::string share, time, word;
		FileLine file;

		words >> share >> time >> file.calls;
		while (words >> word)
			file.file = word;
		files.push_back(file);
	}
	return files;
}

static uint64_t sum_of(const std::vector<FileLine> &files)
{
	uint64_t sum = 0;

	for (const FileLine &file : files)
		sum += file.calls;
	return sum;
}

static uint64_t all_calls(const Report &report)
{
	uint64_t sum = 0;

	for (const auto &[name, row] : report.rows)
		sum += report.calls(name);
	return sum;
}

/* Four processes at the same time make this many files each, in folders of their own. */
static const char creators[] =
	"for c in 1 2 3 4; do (mkdir -p $0/$c; i=0; while [ $i -lt $1 ]; do echo x > $0/$c/$i; "
	"i=$((i + 1)); done) & done; wait";

TEST_CASE("files: the sum over the files is the summary, however many files there are")
{
	BPF_ONLY("strace's files are not known yet");
	for (const Words &options : { Words{}, Words{ "--max-files=100" } }) {
		const Folder folder;
		const Run run = run_iotrace(options + Words{ "-y0" },
					    { "sh", "-c", creators, folder / "", "20000" });
		const std::vector<FileLine> files = files_of(run.report);

		CHECK(run.end == "exit 0");
		CHECK(run.report.calls("write") == 80000);
		CHECK(sum_of(files) == all_calls(run.report));
		CHECK(files.size() >= 100);
		CHECK(files.size() < 8300);
		CHECK(std::any_of(files.begin(), files.end(),
				  [](const FileLine &f) { return f.file == "(other)"; }));
	}
}

TEST_CASE("files: a git clone's calls are all in a row or in (other)")
{
	BPF_ONLY("strace's files are not known yet");
	const Folder folder;

	folder.run("git init -q a; cd a; for i in $(seq 500); do echo $i > file$i; done; git add .;"
		   "git -c user.name=a -c user.email=a@b commit -q -m all");
	const Run run = run_iotrace({ "-y0", "-e", "openat,read,write,close,pread64,pwrite64" },
				    { "git", "clone", "-q", folder / "a", folder / "b" });
	INFO(run);

	CHECK(run.end == "exit 0");
	CHECK(sum_of(files_of(run.report)) == all_calls(run.report));
	CHECK(files_of(run.report).size() > 500);
}
