import os
import pty
import subprocess
import tty

master, slave = pty.openpty()
tty.setraw(slave)
child = subprocess.Popen(["sed", "-u", "s/^/> /"], stdin=slave, stdout=slave)
for i in range(5000):
    os.write(master, b"%d\n" % i)
    answer = b""
    while not answer.endswith(b"\n"):
        answer += os.read(master, 100)
child.kill()
child.wait()
