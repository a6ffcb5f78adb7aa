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

// Profiles a script that writes to "log", and returns what jq makes of the sites of these writes.
static std::string sites_of(const std::string &script, const std::string &filter)
{
	const std::string source = temporary("script.py"), capture = temporary("capture.json");

	write_file(source, script);
	profile({ "/usr/bin/python3", source, temporary("log") }, capture);
	return jq("[.findings[] | select(.path | endswith(\"/log\")) | .sites | " + filter + "]",
		  capture);
}

TEST_CASE("stacks python: children that live for a millisecond are told by their functions",
	  "[once]")
{
	// What a child has made since the fork is known if iotrace comes to read it.
	CHECK(sites_of("import os, sys\n"
		       "def lines(fd):\n"
		       "    for _ in range(50):\n"
		       "        os.write(fd, b'line\\n')\n"
		       "def child():\n"
		       "    lines(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND))\n"
		       "    os._exit(0)\n"
		       "for _ in range(100):\n"
		       "    pid = os.fork()\n"
		       "    if pid == 0:\n"
		       "        child()\n"
		       "    os.waitpid(pid, 0)\n",
		       "(map(.share) | add > 0.99), (.[0] | .share > 0.9, "
		       "(.frames[:2][] | .function, .line))") ==
	      "[true,true,\"lines\",4,\"child\",6]");
}

TEST_CASE("stacks python: functions that are made and dropped have no more than their own calls",
	  "[once]")
{
	// They have each other's addresses, and so have their names.
	CHECK(sites_of(
		      "import os, sys\n"
		      "def make(name, fd):\n"
		      "    made = {}\n"
		      "    exec(f'def {name}(fd):\\n' +\n"
		      "         ' for _ in range(20): os.write(fd, b\"x\\\\n\")', globals(), made)\n"
		      "    made[name](fd)\n"
		      "fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)\n"
		      "for i in range(2000):\n"
		      "    make(f'made_{i:04}', fd)\n",
		      "(map(select(.frames[] | .function == \"make\").share) | add > 0.95), "
		      "(map(select(.frames[0].function | startswith(\"made_\")).share) | "
		      "map(. < 0.1) | all)") == "[true,true]");
}

TEST_CASE("stacks python: long names are cut, and none is taken for the interpreter's own",
	  "[once]")
{
	const std::string name(2000, 'n');

	CHECK(sites_of("import os, sys\n"
		       "def trampoline(fd):\n"
		       "    for _ in range(20000):\n"
		       "        os.write(fd, b'line\\n')\n"
		       "def " + name +
			       "(fd):\n"
			       "    trampoline(fd)\n" +
			       name + "(os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT))\n",
		       ".[0].frames | map(.function)[]") ==
	      "[\"trampoline\",\"" + name.substr(0, 1024) + "...\",\"<module>\"]");
}

TEST_CASE("stacks python: processes that end at once count, if only with the interpreter's name",
	  "[once]")
{
	const std::string source = temporary("brief.py"), capture = temporary("capture.json");

	write_file(source, "import os\n"
			   "fd = os.open('log', os.O_WRONLY | os.O_CREAT | os.O_APPEND)\n"
			   "for _ in range(100): os.write(fd, b'line\\n')\n"
			   "os._exit(0)\n");
	profile({ "sh", "-c",
		  "for i in 1 2 3 4 5 6 7 8 9 10; do /usr/bin/python3 -S -E " + source + "; done" },
		capture);
	// Whether its names can be read in time is a matter of chance.
	CHECK(jq("[.findings[] | select(.path | endswith(\"/log\")) | .sites | "
		 "(map(.share) | add > 0.999), (map(.interpreter == \"python\" or "
		 "(.frames | map([.function, .line]) == [[\"<module>\",3]])) | all)]",
		 capture) == "[true,true]");
}
