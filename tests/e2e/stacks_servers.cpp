// SPDX-License-Identifier: GPL-2.0
/*
 * Where the calls of real servers come from, as Debian ships them: stripped, with nothing but the
 * names of the functions that they export.
 */
#include "lib/files.hpp"
#include "lib/stacks.hpp"

#include <cstring>

// Profiles a shell command in a folder of its own.
static void profile_shell(const Folder &folder, const std::string &command)
{
	Spawn how;

	how.directory = folder.path;
	const Run run = run_plain(
		iotrace_argv({ "-e", "all", "-o", folder / "run.json", "-o", folder / "run.txt" },
			     { "sh", "-c", command + " >said 2>&1" }, nullptr),
		how);
	INFO(run);
	INFO(read_file(folder / "said"));
	REQUIRE(run.end == "exit 0");
}

/*
 * All names are those of exported functions, each chain has main() unless it is marked as cut, and
 * the package with the lines is named.
 */
static void check_names(const Folder &folder, const std::string &path, const std::string &program,
			const std::string &package)
{
	const std::string capture = folder / "run.json";
	const Run run =
		run_plain({ source_path("tests/tools/check_symbols.py"), capture, program });
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string chains = "[.stacks as $s | .files[] | select(.path | contains(\"" + path +
				   "\")) | .sites[] | $s.stacks[.stack] | [.cut, (.frames | "
				   "map($s.frames[.]))]]";
	CHECK(jq(chains + " | length > 0", capture) == "true");
	CHECK(jq(chains + " | map(.[0] or (.[1] | any(.function == \"main\" and .object == \"" +
			 program + "\"))) | all",
		 capture) == "true");
	CHECK(jq("[.stacks.frames[] | select(.object == \"" + program +
			 "\" and .package).package] | unique",
		 capture) == "[\"" + package + "-dbgsym\"]");
}

TEST_CASE("stacks servers: nginx is told by the functions that it exports", "[once]")
{
	NEED_PROGRAM("nginx");
	NEED_PROGRAM("ab");
	const Folder folder;

	folder.run("chmod -R a+rwX .; echo 'worker_processes 1; daemon off; user root; "
		   "pid nginx.pid; error_log error.log; events {} http { access_log access.log; "
		   "server { listen 127.0.0.1:8080; return 200 \"hello\"; } }' >nginx.conf");
	profile_shell(folder,
		      "exec unshare --net sh -ec 'ip link set lo up; nginx -p . -c nginx.conf & "
		      "until ab -qn 1 http://127.0.0.1:8080/; do :; done; "
		      "ab -q -n 4000 -c 4 http://127.0.0.1:8080/; "
		      "kill -QUIT $(cat nginx.pid); wait'");
	check_names(folder, "/access.log", "/usr/sbin/nginx", "nginx");
}

TEST_CASE(
	"stacks servers: PostgreSQL is told by the functions that it exports, however busy its start",
	"[once]")
{
	const std::string find = "PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | "
				 "tail -n 1); ";
	const Run found =
		run_plain({ "sh", "-c",
			    find + "id postgres >/dev/null && command -v "
				   "initdb >/dev/null && readlink -f \"$(command -v postgres)\"" });

	if (found.end != "exit 0")
		SKIP_CASE("PostgreSQL is needed");
	const Folder folder;
	const std::string as = "setpriv --reuid=postgres --regid=postgres --init-groups ";
	const std::string program = found.out.substr(0, found.out.find('\n'));

	folder.run("chmod a+rwx .; mkdir pg; chown postgres pg; " + find + as +
		   "initdb -D pg/data -A trust -N -U postgres");
	profile_shell(
		folder,
		find + "export PGHOST=$PWD/pg PGUSER=postgres; exec " + as +
			"sh -ec 'cd pg; pg_ctl -D data -w -s -l log -o \"-k $PGHOST -h \\\"\\\"\" "
			"start; echo \"create table t(x int);\" | psql -q postgres; i=0; "
			"while [ $i -lt 500 ]; do echo \"insert into t values ($i);\"; "
			"i=$((i + 1)); done | psql -q postgres; "
			"pg_ctl -D data -w -s -m fast stop'");
	check_names(folder, "/pg_wal/0", program,
		    "postgresql-" +
			    program.substr(strlen("/usr/lib/postgresql/"),
					   program.find("/bin/") - strlen("/usr/lib/postgresql/")));
}
