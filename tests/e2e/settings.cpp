// SPDX-License-Identifier: GPL-2.0
/*
 * Advice about the settings of programs and of loggers is tried: a command that has the habit and
 * is advised to change a setting, and the same command with it, which has no finding left.
 */
#include "lib/files.hpp"
#include "lib/iotrace.hpp"

namespace
{
struct Setting {
	const char *program;
	const char *prepare; // Shell command in a folder of its own.
	const char *bad, *advised;
	const char *rule, *words;
};

/* Runs a shell command in a folder. Returns its findings on files in it that can be mended. */
std::string findings_of(const Folder &folder, const char *command, const std::string &capture)
{
	Spawn how;

	how.directory = folder.path;
	const Run run = run_plain(iotrace_argv({ "-e", "all", "--format=json", "-o", capture },
					       { "sh", "-c", command }, nullptr),
				  how);
	INFO(run);
	REQUIRE(run.end == "exit 0");
	return jq("[.findings[] | select(.severity != \"info\" and (.path | startswith(\"" +
			  std::filesystem::canonical(folder.path).string() +
			  "/\"))) | .id] | unique",
		  capture);
}

void check_setting(const Setting &s)
{
	const std::string capture = temporary("capture.json");
	const Folder folder;

	INFO(s.program);
	if (*s.prepare)
		folder.run(s.prepare);
	CHECK(findings_of(folder, s.bad, capture) == "[\"" + std::string(s.rule) + "\"]");
	CHECK_THAT(jq("[.findings[] | select(.severity != \"info\") | .advice] | unique", capture),
		   ContainsSubstring(s.words));
	CHECK(findings_of(folder, s.advised, capture) == "[]");
}

#define ROWS \
	"i=0; while [ $i -lt 1000 ]; do echo \"insert into t values ($i);\"; i=$((i + 1)); done"

#define SPDLOG_PROGRAM                                                                          \
	"#include <cstring>\n"                                                                  \
	"#include <spdlog/spdlog.h>\n"                                                          \
	"#include <spdlog/sinks/basic_file_sink.h>\n"                                           \
	"int main(int, char **argv)\n"                                                          \
	"{\n"                                                                                   \
	"auto log = spdlog::basic_logger_mt(\"log\", \"out\", true);\n"                         \
	"log->flush_on(strcmp(argv[1], \"bad\") ? spdlog::level::err : spdlog::level::info);\n" \
	"spdlog::flush_every(std::chrono::seconds(1));\n"                                       \
	"for (int i = 0; i < 50000; i++) log->info(\"record {}\", i);\n"                        \
	"spdlog::shutdown();\n"                                                                 \
	"}\n"

/* The programs of the newest PostgreSQL, which Debian keeps apart. */
#define POSTGRES "PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1); "
} // namespace

TEST_CASE("settings: each is right for its program", "[once]")
{
	const Setting settings[] = {
		{ "sqlite3",
		  "{ echo 'create table t(x);'; " ROWS "; } >each; "
		  "{ echo 'create table t(x); begin;'; " ROWS "; echo 'commit;'; } >once",
		  "rm -f db; sqlite3 db <each", "rm -f db; sqlite3 db <once", "sync-per-write",
		  "BEGIN" },
		{ "sqlite3 with a write-ahead log",
		  "{ echo 'create table t(x);'; " ROWS "; } >each; "
		  "{ echo 'pragma journal_mode=wal; pragma synchronous=normal;'; cat each; } >wal",
		  "rm -f db; sqlite3 db <each", "rm -f db; sqlite3 db <wal >said", "sync-per-write",
		  "journal_mode=WAL" },
		{ "sqlite3 with a small cache",
		  "sqlite3 db \"create table a(x integer primary key, t); create table b(y); "
		  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) "
		  "insert into a select i, 'a text that fills some of a page ' || i from n; "
		  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) "
		  "insert into b select i * 7919 % 20000 + 1 from n;\"",
		  "sqlite3 db 'pragma cache_size=10; select sum(length(t)) from b cross join a "
		  "on a.x = b.y'",
		  "sqlite3 db 'pragma cache_size=-65536; select sum(length(t)) from b cross join a "
		  "on a.x = b.y'",
		  "reread", "cache_size" },
		{ "tar", "mkdir in; head -c 60000000 /dev/zero >in/a", "tar -b1 -cf out.tar in",
		  "tar --blocking-factor=2048 -cf out.tar in", "tiny-writes", "--blocking-factor" },
		{ "rsync", "mkdir in; for i in $(seq 300); do echo $i >in/$i; done",
		  "rm -rf out; rsync -a --fsync in/ out", "rm -rf out; rsync -a in/ out",
		  "sync-per-write", "without --fsync" },
		{ "dd", "", "dd if=/dev/zero of=out bs=512 count=100000 status=none",
		  "dd if=/dev/zero of=out bs=64k count=800 status=none", "tiny-writes", "bs=64k" },
		{ "dd with synchronous output", "",
		  "dd if=/dev/zero of=out bs=4k count=500 oflag=dsync status=none",
		  "dd if=/dev/zero of=out bs=4k count=500 conv=fsync status=none", "sync-per-write",
		  "conv=fsync" },
		{ "grep", "seq 100000 >in", "grep --line-buffered 1 in >out", "grep 1 in >out",
		  "flush-per-line", "--line-buffered" },
		{ "sed", "seq 100000 >in", "sed -u s/1/2/ <in >out", "sed s/1/2/ <in >out",
		  "tiny-reads", "-u" },
		{ "jq", "seq 50000 >in", "jq --unbuffered -c . <in >out", "jq -c . <in >out",
		  "flush-per-line", "--unbuffered" },
	};

	for (const Setting &s : settings)
		check_setting(s);
}

TEST_CASE("settings: each is right for its logger", "[once]")
{
	const Setting loggers[] = {
		{ "spdlog as a library",
		  "cat >log.cpp <<'E'\n" SPDLOG_PROGRAM "E\n"
		  "c++ -o log log.cpp $(pkg-config --cflags --libs spdlog)",
		  "./log bad", "./log advised", "flush-per-line", "flush_on" },
		{ "spdlog in a program without symbols",
		  "cat >log.cpp <<'E'\n" SPDLOG_PROGRAM "E\n"
		  "c++ -O1 -s -o log log.cpp -DSPDLOG_FMT_EXTERNAL -lfmt",
		  "./log bad", "./log advised", "flush-per-line", "flush_on" },
		{ "Logback",
		  "cat >Log.java <<'E'\n"
		  "import org.slf4j.*;\n"
		  "class Log {\n"
		  "public static void main(String[] a) {\n"
		  "Logger log = LoggerFactory.getLogger(\"log\");\n"
		  "for (int i = 0; i < 150000; i++) log.info(\"record {}\", i);\n"
		  "((ch.qos.logback.classic.LoggerContext)LoggerFactory.getILoggerFactory()).stop();\n"
		  "} }\nE\n"
		  "javac -cp /usr/share/java/slf4j-api.jar:/usr/share/java/logback-classic.jar:/usr/share/java/logback-core.jar Log.java && "
		  "for way in true false; do cat >$way.xml <<E\n"
		  "<configuration><appender name='F' class='ch.qos.logback.core.FileAppender'>\n"
		  "<file>out</file><immediateFlush>$way</immediateFlush>\n"
		  "<encoder><pattern>%msg%n</pattern></encoder></appender>\n"
		  "<root level='info'><appender-ref ref='F'/></root></configuration>\n"
		  "E\ndone",
		  "exec java -Dlogback.configurationFile=true.xml -cp .:/usr/share/java/slf4j-api.jar:/usr/share/java/logback-classic.jar:/usr/share/java/logback-core.jar Log",
		  "exec java -Dlogback.configurationFile=false.xml -cp .:/usr/share/java/slf4j-api.jar:/usr/share/java/logback-classic.jar:/usr/share/java/logback-core.jar Log",
		  "flush-per-line", "immediateFlush>false" },
		{ "Log4j 2",
		  "cat >Log.java <<'E'\n"
		  "import org.apache.logging.log4j.*;\n"
		  "class Log {\n"
		  "public static void main(String[] a) {\n"
		  "Logger log = LogManager.getLogger(\"log\");\n"
		  "for (int i = 0; i < 150000; i++) log.info(\"record {}\", i);\n"
		  "} }\nE\n"
		  "javac -cp /usr/share/java/log4j-api.jar:/usr/share/java/log4j-core.jar Log.java && "
		  "for way in true false; do cat >$way.xml <<E\n"
		  "<Configuration><Appenders><File name='F' fileName='out' immediateFlush='$way'>\n"
		  "<PatternLayout pattern='%m%n'/></File></Appenders>\n"
		  "<Loggers><Root level='info'><AppenderRef ref='F'/></Root></Loggers></Configuration>\n"
		  "E\ndone",
		  "exec java -Dlog4j.configurationFile=true.xml -cp .:/usr/share/java/log4j-api.jar:/usr/share/java/log4j-core.jar Log",
		  "exec java -Dlog4j.configurationFile=false.xml -cp .:/usr/share/java/log4j-api.jar:/usr/share/java/log4j-core.jar Log",
		  "flush-per-line", "immediateFlush=\\\"false\\\"" },
		{ "java.util.logging",
		  "cat >Log.java <<'E'\n"
		  "import java.io.*;\n"
		  "import java.util.logging.*;\n"
		  "class Log {\n"
		  "public static void main(String[] a) throws IOException {\n"
		  "Handler h = a[0].equals(\"bad\") ? new FileHandler(\"out\") : new StreamHandler(\n"
		  "new BufferedOutputStream(new FileOutputStream(\"out\")), new SimpleFormatter());\n"
		  "Logger log = Logger.getLogger(\"log\");\n"
		  "log.setUseParentHandlers(false);\n"
		  /* With SimpleFormatter the writes are too small a part of the run. */
		  "h.setFormatter(new Formatter() {\n"
		  "public String format(LogRecord r) { return r.getMessage() + \"\\n\"; } });\n"
		  "log.addHandler(h);\n"
		  "for (int i = 0; i < 30000; i++) log.info(\"record \" + i);\n"
		  "h.close();\n"
		  "} }\nE\n"
		  "javac Log.java",
		  "exec java -cp . Log bad", "exec java -cp . Log advised", "flush-per-line",
		  "StreamHandler" },
		{ "Python's logging",
		  "cat >log.py <<'E'\n"
		  "import logging, sys\n"
		  "class Quiet(logging.FileHandler):\n"
		  "    def flush(self): pass\n"
		  "handler = (logging.FileHandler if sys.argv[1] == 'bad' else Quiet)('out', 'w')\n"
		  "logging.getLogger().addHandler(handler)\n"
		  "for i in range(30000): logging.warning('record %d', i)\n"
		  "E",
		  "exec python3 log.py bad", "exec python3 log.py advised", "flush-per-line",
		  "a flush() that does nothing" },
	};

	for (const Setting &s : loggers)
		check_setting(s);
}

/* A server's habit may be next to nothing of the run, and is looked for with any severity. */
TEST_CASE("settings: each is right for its server", "[once]")
{
	const std::string capture = temporary("capture.json");
	const struct {
		const char *server, *prepare;
		std::string before; // Shell commands in a folder of their own.
		const char *bad, *advised, *after, *rule, *path, *words;
	} servers[] = {
		{ "nginx",
		  "seq 800 >page; chmod -R a+rwX .; printf %s 'import socket\n"
		  "server = socket.create_connection((\"127.0.0.1\", 8080))\n"
		  "asked = b\"GET /page HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n"
		  "for _ in range(2000):\n"
		  "    server.sendall(asked)\n"
		  "    said = b\"\"\n"
		  "    while not said.endswith(b\"799\\n800\\n\"): said += server.recv(65536)\n"
		  "' >load.py",
		  "exec unshare --net sh -ec 'ip link set lo up; echo \"worker_processes 1; daemon off; "
		  "user root; pid nginx.pid; error_log error.log; events {} http { "
		  "keepalive_requests 100000; access_log off; ",
		  "", "open_file_cache max=10000; open_file_cache_valid 60s;",
		  "server { listen 127.0.0.1:8080; root .; } }\" >nginx.conf; nginx -p . -c nginx.conf & "
		  "until python3 load.py 2>said; do :; done; kill -QUIT $(cat nginx.pid); wait'",
		  "reread", "/page", "open_file_cache" },
		{ "redis-server", "",
		  "redis-server --port 0 --unixsocket $PWD/socket --save \"\" --appendonly yes --dir "
		  "$PWD --appendfsync ",
		  "always", "everysec",
		  " >log & until redis-cli -s socket ping >said 2>&1 && grep -q PONG said; do :; "
		  "done; redis-benchmark -s socket -t set -n 5000 -q >said; redis-cli -s socket "
		  "shutdown nosave; wait",
		  "sync-per-write", ".aof", "appendfsync everysec" },
		{ "postgres",
		  "chmod a+rx . && mkdir pg && chown postgres pg && " POSTGRES
		  "setpriv --reuid=postgres --regid=postgres --init-groups initdb -D pg/data -A trust "
		  "-N -U postgres >/dev/null",
		  POSTGRES
		  "export PGHOST=$PWD/pg PGUSER=postgres; exec setpriv --reuid=postgres "
		  "--regid=postgres --init-groups sh -ec 'cd pg; pg_ctl -D data -w -s -l log "
		  "-o \"-k $PGHOST -h \\\"\\\" -c synchronous_commit=",
		  "on", "off",
		  "\" start; echo \"create table t(x int); select 1;\" | psql -q -o said postgres; "
		  "i=0; while [ $i -lt 500 ]; do echo \"insert into t values ($i);\"; i=$((i + 1)); "
		  "done | psql -q postgres; pg_ctl -D data -w -s -m fast stop'",
		  "sync-per-write", "/pg_wal/", "synchronous_commit=off" },
	};

	for (const auto &s : servers) {
		const Folder folder;
		const auto advice = [&](const char *setting) {
			Spawn how;

			how.directory = folder.path;
			const Run run = run_plain(
				iotrace_argv({ "-e", "all", "--format=json", "-o", capture },
					     { "sh", "-c", s.before + setting + s.after }, nullptr),
				how);
			INFO(run);
			CHECK(run.end == "exit 0");
			return jq("[.findings[] | select(.id == \"" + std::string(s.rule) +
					  "\" and (.path | contains(\"" + s.path +
					  "\"))) | .advice]",
				  capture);
		};

		INFO(s.server);
		if (*s.prepare)
			folder.run(s.prepare);
		CHECK_THAT(advice(s.bad), ContainsSubstring(s.words));
		CHECK(advice(s.advised) == "[]");
	}
}
