import subprocess
import sys

CHILD = "import sys\nfor line in sys.stdin: print(int(line) * 2, flush=True)"
with subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
    for i in range(3000):
        child.stdin.write(f"{i}\n")
        child.stdin.flush()
        child.stdout.readline()
    child.stdin.close()
