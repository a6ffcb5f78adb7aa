// SPDX-License-Identifier: GPL-2.0
#include "lib/stacks.hpp"

#include "lib/files.hpp"

#include <fstream>

const std::string stack_sources = source_path("tests/fixtures/stacks/");

std::string line_of(const std::string &source, const std::string &comment)
{
	std::ifstream in(source);
	std::string line;

	for (int number = 1; std::getline(in, line); number++)
		if (line.size() > comment.size() &&
		    line.find("/* " + comment + " */") != std::string::npos)
			return std::to_string(number);
	FAIL("no line of " << source << " is marked " << comment);
	return "";
}

std::string frames(const Words &functions, const std::string &source)
{
	std::string list;

	for (const std::string &f : functions)
		list += (list.empty() ? "" : " ") + f + ":" + line_of(source, f);
	return list;
}

std::string must_run(const Words &command)
{
	Spawn how;

	how.directory = temporary("");
	const Run run = run_plain(command, how);
	INFO(run);
	REQUIRE(run.end == "exit 0");
	return run.err;
}

void profile(const Words &command, const std::string &capture)
{
	must_run(iotrace_argv({ "--format=json", "-o", capture }, command, nullptr));
}

std::string frames_in(const std::string &capture)
{
	const std::string text =
		jq("[.findings[] | select(.path | endswith(\"out\"))][0].sites[0] | "
		   "[.frames[] | \"\\(.function):\\(.line)\"] | join(\" \")",
		   capture);

	return text.size() < 2 ? text : text.substr(1, text.size() - 2);
}

std::string frames_told(const Words &command)
{
	const std::string capture = temporary("capture.json");

	profile(command, capture);
	return frames_in(capture);
}

std::string compiled(const std::string &name, const Words &compiler, const std::string &source)
{
	Words command = compiler;

	command.insert(command.end(), { "-g", "-pthread", "-o", name, stack_sources + source });
	must_run(command);
	return "./" + name;
}

void build_writer(const std::string &name, const std::string &function)
{
	write_file(
		temporary(name + ".c"),
		"#include <fcntl.h>\n#include <unistd.h>\n"
		"static void __attribute__((noinline)) " +
			function +
			"(int fd)\n{ if (write(fd, \"abc\\n\", 4) < 0) _exit(1); }\n"
			"int main(void)\n{ int fd = open(\"out\", O_WRONLY | O_CREAT | O_APPEND, "
			"0600);\n"
			"  for (int i = 0; i < 1500; i++) " +
			function + "(fd);\n}\n");
	must_run({ "gcc", "-g", "-O1", "-o", name, name + ".c" });
}
