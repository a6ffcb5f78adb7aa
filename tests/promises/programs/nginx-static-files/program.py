# SPDX-License-Identifier: GPL-2.0
# Starts nginx on a port that the kernel chose, and asks it for a small file by one connection,
# a hundred times at once. Its answers are all of the same length.
import os
import signal
import socket
import subprocess
import sys
import time

AT_ONCE, TIMES = 100, 300
REQUEST = b"GET /pages/news/today.html HTTP/1.1\r\nHost: localhost\r\n\r\n"
GOOD = sys.argv[1] == "good"


def ask(times, length):
    """Asks so many times at once, and takes so many bytes of answers."""
    client.sendall(REQUEST * times)
    while length > 0:
        length -= len(client.recv(65536)) or sys.exit("nginx has gone")


with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
with open("nginx.conf", "w", encoding="ascii") as conf:
    conf.write(f"""daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{}}
http {{
    access_log access.log combined{" buffer=64k" if GOOD else ""};
    open_file_cache {"max=100" if GOOD else "off"};
    keepalive_requests 1000000;
    server {{ listen 127.0.0.1:{port}; root {os.getcwd()}; }}
}}
""")
conf = os.path.abspath("nginx.conf")
server = subprocess.Popen(["nginx", "-e", "error.log", "-p", os.getcwd(), "-c", conf])
while True:
    try:
        client = socket.create_connection(("127.0.0.1", port))
        break
    except ConnectionRefusedError:
        if server.poll() is not None:
            sys.exit(1)
        time.sleep(0.002)
client.sendall(REQUEST)
answer = len(client.recv(65536))
for _ in range(TIMES):
    ask(AT_ONCE, AT_ONCE * answer)
# The last line is in the log when nginx has seen the end of the connection.
client.shutdown(socket.SHUT_WR)
client.recv(1)
client.close()
server.send_signal(signal.SIGTERM)
sys.exit(server.wait())
