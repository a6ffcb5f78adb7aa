import logging
import sys


class Gathering(logging.FileHandler):
    """Leaves records in the file's buffer until that is full; close() writes the rest."""

    def flush(self):
        pass


handler = (Gathering if sys.argv[1] == "good" else logging.FileHandler)("log", "w")
log = logging.getLogger()
log.addHandler(handler)
log.setLevel(logging.INFO)
for i in range(30000):
    log.info("record %d", i)
logging.shutdown()
