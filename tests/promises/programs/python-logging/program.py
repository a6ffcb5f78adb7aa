import logging
import sys


class Gathering(logging.FileHandler):
    """Leaves records in the file's buffer until that is full; close() writes the rest."""

    def flush(self):
        pass


handler = (Gathering if sys.argv[1] == "good" else logging.FileHandler)("log", "w")
record = logging.LogRecord("log", logging.INFO, "", 0, "a record", (), None)
for i in range(100000):
    handler.handle(record)
logging.shutdown()
