# SPDX-License-Identifier: GPL-2.0
"""An HTTP server and a client that asks it some things over one connection."""

import http.client
import http.server
import os
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        stock = sum(number * number % 7 for number in range(100000))
        body = (f'{{"path": "{self.path}", "stock": {stock}}}' * 20).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def ask(port):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    total = 0
    for number in range(12):
        connection.request("GET", f"/items/{number}")
        total += len(connection.getresponse().read())
    connection.close()
    return total


def main(way):
    if way == "good":
        Handler.wbufsize = -1  # The head and the body go out together when the request is done.
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    pid = os.fork()
    if pid == 0:
        server.server_close()
        os._exit(0 if ask(server.server_port) > 0 else 1)
    server.handle_request()
    server.server_close()
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
