// SPDX-License-Identifier: GPL-2.0
/* Where the calls of Python programs come from. */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"
#include "lib/stacks.hpp"

TEST_CASE("stacks python: a Python program is told by its own functions and lines", "[once]")
{
	const std::string out = temporary("out"), source = stack_sources + "lines.py";
	const std::string near = frames({ "Writer.write_line", "lines" }, source);

	for (const char *way : { "", "thread" }) {
		INFO(way);
		std::string told = frames_told(*way ? Words{ "/usr/bin/python3", source, out, way }
						    : Words{ "/usr/bin/python3", source, out });

		// Between them is a function without a name, which is in the line of the second.
		told.replace(told.find(" lines.<locals>.<lambda>"),
			     told.rfind(" lines:") - told.find(" lines.<locals>"), "");
		CHECK(told.find(near + " " + frames({ *way ? "thread" : "main" }, source)) == 0);
	}
}

TEST_CASE(
	"stacks python: a program that loads Python after its first calls is told by Python's lines",
	"[once]")
{
	const std::string source = temporary("embedded.py");
	const Finished python = run_to_end(
		{ "/usr/bin/python3", "-c",
		  "import sysconfig; print(sysconfig.get_config_var('INSTSONAME'), end='')" });

	write_file(source, "import os\n"
			   "def lines(fd):\n"
			   "    for _ in range(20000):\n"
			   "        os.write(fd, b'line\\n')\n"
			   "lines(os.open('lines.out', os.O_WRONLY | os.O_CREAT))\n");
	must_run({ "gcc", "-O1", "-o", "embed", stack_sources + "embed.c" });
	profile({ "./embed", python.out, source, temporary("out") }, temporary("capture.json"));
	CHECK(jq("[.findings[] | select(.path | endswith(\"/lines.out\")) | .sites[] | .share, "
		 "(.frames[] | .function, .line)]",
		 temporary("capture.json")) == "[1,\"lines\",4,\"<module>\",5]");
}
