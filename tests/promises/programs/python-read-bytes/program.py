import sys

with open("in", "rb", buffering=-1 if sys.argv[1] == "good" else 0) as file:
    n = 0
    while file.read(1):
        n += 1
print(n)
