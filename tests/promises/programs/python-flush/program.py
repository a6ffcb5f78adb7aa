import sys

good = sys.argv[1] == "good"
for i in range(200000):
    print("line", i, flush=not good)
