import sys

if sys.argv[1] == "good":
    with open("log", "a") as file:
        for i in range(20000):
            file.write(f"record {i}\n")
else:
    for i in range(20000):
        with open("log", "a") as file:
            file.write(f"record {i}\n")
