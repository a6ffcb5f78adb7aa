# SPDX-License-Identifier: GPL-2.0
"""Starts nginx, reads a site over one connection, and stops nginx."""

import os
import re
import socket
import subprocess
import sys
import time

PAGES = 2500
CONFIG = """
user root;
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log;
events { worker_connections 64; }
http {
    access_log access.log;
    sendfile on;
    open_file_cache max=100;
    keepalive_requests 100000;
    client_body_temp_path temp;
    proxy_temp_path temp;
    fastcgi_temp_path temp;
    uwsgi_temp_path temp;
    scgi_temp_path temp;
    server {
        listen unix:nginx.sock;
        root site;
    }
}
"""


def connect(server):
    while server.poll() is None:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect("nginx.sock")
            return connection
        except OSError:
            connection.close()
            time.sleep(0.005)
    raise RuntimeError("The server has ended.")


def get(connection, path):
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(re.search(rb"Content-Length: (\d+)", head).group(1))
    while len(body) < length:
        body += connection.recv(65536)
    return body


def read_pages(connection):
    path, words = "/0.html", 0
    for _ in range(PAGES):
        # The page itself says which one is next.
        page = get(connection, path)
        path = re.search(rb"href='([^']*)'", page).group(1).decode()
        words += page.count(b"text")
    connection.close()
    return words


def main():
    os.makedirs("site", exist_ok=True)
    for number in range(50):
        with open(f"site/{number}.html", "w", encoding="ascii") as file:
            file.write(f"<a href='/{(number * 7 + 1) % 50}.html'>next</a>\n" + "text " * 6000)
    with open("nginx.conf", "w", encoding="ascii") as file:
        file.write(CONFIG)
    server = subprocess.Popen(["nginx", "-e", "error.log", "-p", os.getcwd(), "-c", "nginx.conf"])
    try:
        words = read_pages(connect(server))
    finally:
        server.terminate()
        failed = server.wait()
    return failed or words != PAGES * 6000


if __name__ == "__main__":
    sys.exit(main())
