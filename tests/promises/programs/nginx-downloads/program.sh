#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Nginx sends a file of 30 MB sixteen times, by sendfile, to a client that sums what it gets
here=$(pwd)
rm -f n.sock
cat > nginx.conf <<END
daemon off;
user root;
worker_processes 1;
pid $here/nginx.pid;
error_log $here/logs/error.log;
events { }
http {
    sendfile on;
    access_log $here/logs/access.log;
    server { listen unix:$here/n.sock; root $here/www; }
}
END
/usr/sbin/nginx -p "$here" -c "$here/nginx.conf" 2> logs/start.log &
server=$!
for _ in $(seq 100); do [ -S n.sock ] && break; sleep 0.02; done
python3 - <<'END'
import socket, zlib
c = socket.socket(socket.AF_UNIX)
c.connect("n.sock")
buffer = bytearray(1 << 20)
view = memoryview(buffer)
crc = 0
for _ in range(16):
    c.sendall(b"GET /big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
    n = c.recv_into(buffer)
    at = buffer.index(b"\r\n\r\n", 0, n) + 4
    crc = zlib.crc32(view[at:n], crc)
    left = 30000000 - (n - at)
    while left:
        n = c.recv_into(buffer, min(left, len(buffer)))
        crc = zlib.crc32(view[:n], crc)
        left -= n
print("%08x" % crc)
END
kill -QUIT $server
wait $server
rm -f n.sock
