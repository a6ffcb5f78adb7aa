import os
import pty
import subprocess
import threading

CODE = "for i in range(30000): print('line', i)"
master, slave = pty.openpty()


def read():
    try:
        while os.read(master, 65536):
            pass
    except OSError:  # The last writer has gone.
        pass


reader = threading.Thread(target=read)
reader.start()
subprocess.run(["python3", "-c", CODE], stdout=slave, check=True)
os.close(slave)
reader.join()
