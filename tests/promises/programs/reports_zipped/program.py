# SPDX-License-Identifier: GPL-2.0
# Writes the reports of sixty branches into an archive, row by row.
import os
import zipfile

with zipfile.ZipFile("reports.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for branch in range(60):
        with archive.open(f"branch{branch}.csv", "w") as report:
            for row in range(3000):
                report.write(b"%d;%d;%d\n" % (row, row * branch % 977, row * row % 8191))
print(os.path.getsize("reports.zip"))
