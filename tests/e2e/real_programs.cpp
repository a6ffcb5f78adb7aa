// SPDX-License-Identifier: GPL-2.0
/*
 * Findings on real programs, each with everything that it needs traced from beginning to end: those
 * that behave well have none that is shown without -y, and the others have the right one, about the
 * right file, and no other.
 */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"

namespace
{
struct Program {
	const char *name;  // The program, and how it is used.
	const char *needs; // A command that must be installed. "": none.
	// Shell command that makes what is needed, in a folder of its own.
	const char *prepare;
	const char *run; // Shell command that is traced, in the same folder.
	// The finding, and its file's path below the folder. "": none.
	const char *habit = "", *file = "";
};

/* A redis server with a log of every change, under load: 50 clients by a socket. */
#define REDIS(fsync)                                                                               \
	"redis-server --port 0 --unixsocket $PWD/socket --save '' --appendonly yes --appendfsync " \
	"" fsync " --dir $PWD >log & "                                                             \
	"until redis-cli -s socket ping >said 2>&1 && grep -q PONG said; do :; done; "             \
	"redis-benchmark -s socket -t set -n 30000 -q >said; redis-cli -s socket shutdown "        \
	"nosave; wait"

/*
 * An nginx with an access log, under load. In a network namespace of its own any port is free. A
 * hundred requests are sent at a time, and their answers are taken as they are, so that the server
 * sets the pace.
 */
#define NGINX_FILES(log)                                                                        \
	"chmod -R a+rwX .; echo 'worker_processes 1; daemon off; user root; pid nginx.pid; "    \
	"error_log error.log; events {} http { keepalive_requests 100000; access_log " log "; " \
	"server { listen 127.0.0.1:8080; return 200 \"'$(seq -s, 800)'\"; } }' >nginx.conf; "   \
	"printf %s 'import socket\n"                                                            \
	"server = socket.create_connection((\"127.0.0.1\", 8080))\n"                            \
	"asked, said = b\"GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\", b\"\"\n"                   \
	"server.sendall(asked)\n"                                                               \
	"while b\"\\r\\n\\r\\n\" not in said: said += server.recv(1)\n"                         \
	"body = int(said.split(b\"Content-Length: \")[1].split()[0])\n"                         \
	"server.recv(body, socket.MSG_WAITALL)\n"                                               \
	"for _ in range(300):\n"                                                                \
	"    server.sendall(asked * 100)\n"                                                     \
	"    server.recv(100 * (len(said) + body), socket.MSG_WAITALL)' >load.py"
#define NGINX_LOAD                                                                          \
	"exec unshare --net sh -ec 'ip link set lo up; nginx -p . -c nginx.conf & "         \
	"until ab -q -n 1 http://127.0.0.1:8080/ >said 2>&1; do :; done; python3 load.py; " \
	"kill -QUIT $(cat nginx.pid); wait'"

#define SQL_INSERTS \
	"i=0; while [ $i -lt 2000 ]; do echo \"insert into t values ($i);\"; i=$((i + 1)); done"

const Program well_behaved[] = {
	{ "tar", "", "", "tar cf out.tar -C /usr/include linux" },
	{ "sort", "", "seq 300000 | rev >in", "sort -o out in" },
	{ "cc", "", "seq -f 'int f%g(int x) { return x / 3; }' 3000 >m.c", "cc -O1 -c m.c" },
	{ "cp", "", "", "cp -r /usr/include/linux out" },
	{ "dd with large blocks", "", "", "dd if=/dev/zero of=out bs=1M count=256 status=none" },
	{ "sqlite in a transaction", "sqlite3",
	  "{ echo 'create table t(x); begin;'; " SQL_INSERTS "; echo 'commit;'; } >sql",
	  "sqlite3 db <sql" },
	{ "git clone", "git",
	  "git init -q a; cd a; for i in $(seq 1000); do seq $i >file$i; done; git add .;"
	  " git -c user.name=a -c user.email=a@b commit -q -m all",
	  "git clone -q $PWD/a b" },
	{ "find", "", "", "find /usr/share -name '*.none'" },
	{ "apt-get", "apt-get", "", "apt-get --version >out" },
	{ "xz", "xz", "seq 300000 >in", "xz -k -1 in" },
	{ "redis with a sync each second", "redis-server", "", REDIS("everysec") },
	/* Each client is told that its change is safe. */
	{ "redis with a sync for each change", "redis-server", "", REDIS("always") },
	{ "nginx with a buffered log", "nginx", NGINX_FILES("access.log combined buffer=64k"),
	  NGINX_LOAD },
};

/* What its log's writes are of the run depends on the machine. */
const Program server_with_log = { "nginx with an unbuffered log",
				  "nginx",
				  NGINX_FILES("access.log"),
				  NGINX_LOAD,
				  "flush-per-line",
				  "access.log" };

const Program misbehaving[] = {
	{ "python3 -u", "python3", "",
	  "python3 -u -c 'for i in range(20000): print(f\"line {i}\")' >out", "flush-per-line",
	  "out" },
	{ "grep --line-buffered", "", "seq 100000 >in", "grep --line-buffered 1 in >out",
	  "flush-per-line", "out" },
	{ "a shell that appends", "", "",
	  "i=0; while [ $i -lt 5000 ]; do echo $i >>out; i=$((i + 1)); done", "reopen-per-record",
	  "out" },
	/*
	 * It looks for no other program's journal at each row, which is by itself about as much as
	 * is told of.
	 */
	{ "sqlite that commits each row, with the database to itself", "sqlite3",
	  "{ echo 'pragma locking_mode=exclusive; create table t(x);'; " SQL_INSERTS "; } >sql",
	  "sqlite3 db <sql >out", "sync-per-write", "db" },
	{ "node that appends", "node", "",
	  "node -e 'for (let i = 0; i < 20000; i++) fs.appendFileSync(\"out\", i + \"\\n\")'",
	  "reopen-per-record", "out" },
	{ "dd with small blocks", "", "", "dd if=/dev/zero of=out bs=512 count=200000 status=none",
	  "tiny-writes", "out" },
	{ "a program that reads byte by byte", "", "seq 20000 >in",
	  "while read -r line; do :; done <in", "tiny-reads", "in" },
	{ "a compiler with a long search path", "",
	  "mkdir $(seq 60); for i in $(seq 500); do echo >60/h$i.h; echo \"#include <h$i.h>\"; "
	  "done >m.c",
	  "cc $(seq -f -I%g 60) -c m.c", "path-storm", "" },
};

std::string findings_of(const Program &program, const std::string &capture)
{
	const Folder folder;
	Spawn how;

	how.directory = folder.path;
	if (*program.prepare)
		folder.run(program.prepare);
	const Run run = run_plain(iotrace_argv({ "-e", "all", "--format=json", "-o", capture },
					       { "sh", "-c", program.run }, nullptr),
				  how);
	INFO(run);
	CHECK(run.end == "exit 0");
	const std::string path = *program.file ? ".path" : "\"\"";
	return jq("[.findings[] | select(.severity != \"info\") | [.id, (" + path +
			  " | ltrimstr(\"" + std::filesystem::canonical(folder.path).string() +
			  "/\"))]] | sort",
		  capture);
}

bool is_installed(const Program &program)
{
	return !*program.needs ||
	       run_plain({ "sh", "-c", "command -v " + std::string(program.needs) }).end ==
		       "exit 0";
}
} // namespace

TEST_CASE("real programs: those that behave well have no finding", "[once]")
{
	const std::string capture = temporary("capture.json");

	for (const Program &program : well_behaved) {
		INFO(program.name);
		REQUIRE(is_installed(program));
		CHECK(findings_of(program, capture) == "[]");
	}
}

TEST_CASE("real programs: a bad habit is found, in the right file, and nothing else is", "[once]")
{
	const std::string capture = temporary("capture.json");

	for (const Program &program : misbehaving) {
		INFO(program.name);
		REQUIRE(is_installed(program));
		const auto finding = [&](const char *file) {
			return "[\"" + std::string(program.habit) + "\",\"" + file + "\"]";
		};
		CHECK(findings_of(program, capture) == "[" + finding(program.file) + "]");
	}
}

TEST_CASE("real programs: a server's log is found, whatever it is of the run", "[once]")
{
	const std::string capture = temporary("capture.json");

	REQUIRE(is_installed(server_with_log));
	findings_of(server_with_log, capture);
	CHECK(jq("[.findings[] | select(.path | endswith(\"/access.log\")) | [.id, "
		 ".predicted_calls < .calls / 10, .predicted_cpu_saving_ns.low > 0]]",
		 capture) == "[[\"flush-per-line\",true,true]]");
	CHECK_THAT(jq("[.findings[] | .advice]", capture), ContainsSubstring("buffer=64k"));
}
