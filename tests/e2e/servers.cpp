// SPDX-License-Identifier: GPL-2.0
/*
 * Servers that have made their processes before iotrace attaches. What each process does by then is
 * compared with the reads and writes that the kernel counts of it in /proc/PID/io.
 */
#include "lib/live.hpp"
#include "lib/pipes.hpp"
#include "lib/skip.hpp"

#include <map>
#include <sstream>

namespace
{
std::string in_proc(pid_t pid, const std::string &file)
{
	return "/proc/" + std::to_string(pid) + "/" + file;
}

std::vector<pid_t> children_of(pid_t pid)
{
	std::istringstream list(
		read_file(in_proc(pid, "task/" + std::to_string(pid) + "/children")));
	std::vector<pid_t> children;

	for (pid_t child; list >> child;)
		children.push_back(child);
	return children;
}

/* The calls of a process that have read and written, as the kernel counts them: proc_pid_io(5). */
struct Counted {
	long reads = 0, writes = 0;

	explicit Counted(pid_t pid)
	{
		std::istringstream io(read_file(in_proc(pid, "io")));
		long value;

		for (std::string name; io >> name >> value;) {
			if (name == "syscr:")
				reads = value;
			else if (name == "syscw:")
				writes = value;
		}
	}
};

/* The calls of a process that are called like read, or like write. */
long calls_of(const std::string &capture, pid_t pid, const std::string &names)
{
	return std::stol(jq("[.groups[] | select(.pid == " + std::to_string(pid) +
				    ") | .syscalls[] | select(.name | test(\"^p?" + names +
				    "(64|v|v2)?$\")) | .calls] | add // 0",
			    capture));
}

/*
 * Attaches to a server with its children, has it work, and checks what each of its processes has
 * done. Returns the capture.
 */
std::string watch_work(pid_t server, const std::function<void()> &work)
{
	const std::string capture = temporary("server.json");
	std::vector<pid_t> all = children_of(server);
	long total = 0;

	all.push_back(server);
	/* Idle processes wake now and then, also while iotrace attaches and detaches. */
	const auto count = [&] {
		std::map<pid_t, Counted> counts;

		for (const pid_t pid : all)
			counts.emplace(pid, pid);
		return counts;
	};
	std::map<pid_t, Counted> begun, done;
	const std::map<pid_t, Counted> before = count();
	{
		Watch watch({ "-p", std::to_string(server), "--with-children", "-e", "all",
			      "--by=process", "-o", capture });

		begun = count();
		work();
		done = count();
		watch.process().signal(SIGINT);
		const std::string end = watch.process().wait();
		INFO(watch.process().err());
		CHECK(end == "exit 0");
	}
	const std::map<pid_t, Counted> after = count();
	for (const pid_t pid : all) {
		const long reads = calls_of(capture, pid, "read");
		const long writes = calls_of(capture, pid, "write");

		CAPTURE(pid, read_file(in_proc(pid, "comm")));
		CHECK(reads >= done.at(pid).reads - begun.at(pid).reads);
		CHECK(reads <= after.at(pid).reads - before.at(pid).reads);
		CHECK(writes >= done.at(pid).writes - begun.at(pid).writes);
		CHECK(writes <= after.at(pid).writes - before.at(pid).writes);
		total += writes;
	}
	CHECK(total > 0);
	/* The groups are the summary. */
	CHECK(jq("([.groups[].calls] | add) == ([.syscalls[].calls] | add)", capture) == "true");
	return capture;
}
} // namespace

TEST_CASE("servers: each worker of nginx has its own calls, and they are all that there are")
{
	NEED_PROGRAM("nginx");
	NEED_PROGRAM("ab");
	const Folder folder;
	Spawn how;

	folder.run("chmod -R a+rwX .; echo 'worker_processes 3; daemon off; user root; "
		   "pid nginx.pid; error_log error.log; events {} http { access_log access.log; "
		   "server { listen 127.0.0.1:8080; return 200 \"hello\"; } }' >nginx.conf");
	how.directory = folder.path;
	/* In a network namespace of its own any port is free. */
	how.argv = { "unshare", "--net", "sh", "-c",
		     "ip link set lo up; exec nginx -p . -c nginx.conf" };
	Process nginx(how);
	INFO(nginx.err());
	REQUIRE(eventually([&] { return children_of(nginx.pid()).size() == 3; }));
	const std::string load = "nsenter --net -t " + std::to_string(nginx.pid()) +
				 " ab -q -n 3000 -c 6 http://127.0.0.1:8080/";
	const std::string capture = watch_work(nginx.pid(), [&] { folder.run(load); });
	/* Each request is a line of the log, which is a write, by nobody but a worker. */
	CHECK(jq("[.files[] | select(.path | endswith(\"/access.log\")) | .calls] | add",
		 capture) == "3000");
	CHECK(jq("[.groups[] | select(.pid == " + std::to_string(nginx.pid()) + ")]", capture) ==
	      "[]");
	CHECK(jq("[.groups[].name] | unique", capture) == "[\"nginx\"]");
	nginx.signal(SIGQUIT);
	CHECK(nginx.wait() == "exit 0");
}

TEST_CASE("servers: each process of PostgreSQL has its own calls, and they are all that there are")
{
	const Run found = run_plain({ "sh", "-c",
				      "id postgres >/dev/null && command -v psql >/dev/null && "
				      "ls -d /usr/lib/postgresql/*/bin | tail -n 1" });

	if (found.end != "exit 0")
		SKIP_CASE("PostgreSQL is needed");
	const Folder folder;
	const std::string as = "setpriv --reuid=postgres --regid=postgres --init-groups ",
			  programs = found.out.substr(0, found.out.find('\n')),
			  data = folder / "pg/data", socket = folder / "pg";
	Spawn how;

	folder.run("chmod a+rwx .; mkdir pg; chown postgres pg; " + as + programs +
		   "/initdb -D pg/data -A trust -N -U postgres");
	how.directory = socket;
	how.argv = { "setpriv",
		     "--reuid=postgres",
		     "--regid=postgres",
		     "--init-groups",
		     programs + "/postgres",
		     "-D",
		     data,
		     "-k",
		     socket,
		     "-h",
		     "" };
	Process postgres(how);
	const std::string sql = "psql -q -h " + socket + " -U postgres postgres ";
	REQUIRE(eventually([&] {
		return run_plain({ "sh", "-c", "echo 'create table t(x int);' | " + sql }).end ==
		       "exit 0";
	}));

	/* The session begins before iotrace attaches: it is one of the children. */
	const Pipe orders;
	Spawn session;
	session.argv = { "sh", "-c", "exec " + sql + "-At" };
	session.in = orders.reader;
	Process client(session);
	const auto tell = [&](const std::string &order) {
		const std::string said = client.out();

		write_all(orders.writer, order + "\n");
		REQUIRE(eventually([&] { return client.out() != said; }));
		return client.out().substr(said.size());
	};
	const pid_t backend = static_cast<pid_t>(std::stol(tell("select pg_backend_pid();")));
	const std::string capture = watch_work(postgres.pid(), [&] {
		for (int i = 0; i < 200; i++)
			write_all(orders.writer,
				  "insert into t values (" + std::to_string(i) + ");\n");
		CHECK(tell("select count(*) from t;") == "200\n");
	});
	/* Each change is sent by itself, and is on the disk before the next. */
	const std::string of_backend =
		"[.groups[] | select(.pid == " + std::to_string(backend) + ") | .syscalls[] | ";
	CHECK(jq(of_backend + "select(.name == \"sendto\") | .calls] | add", capture) == "201");
	CHECK(jq(of_backend + "select(.name | test(\"sync\")) | .calls] | add >= 200", capture) ==
	      "true");
	CHECK(jq("[.groups[].name] | unique", capture) == "[\"postgres\"]");
	postgres.signal(SIGINT);
	CHECK(postgres.wait() == "exit 0");
}
