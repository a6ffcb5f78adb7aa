import os
import sys

fd = os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
file = open(fd, "wb")
for i in range(300000):
    if sys.argv[1] == "good":
        file.write(b"0123456789abcdef")
    else:
        os.write(fd, b"0123456789abcdef")
file.close()
