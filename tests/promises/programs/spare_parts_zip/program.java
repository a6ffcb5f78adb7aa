// SPDX-License-Identifier: GPL-2.0
// Looks up drawings in a zip file, which is opened for each of them ("bad") or once ("good").

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;

class program {
    private static final int LOOKUPS = 1500;
    private static final int PARTS = 1500;

    private static void add(ZipFile zip, int part, CRC32 sum) throws IOException {
        try (InputStream in = zip.getInputStream(zip.getEntry("drawings/part-" + part + ".svg"))) {
            sum.update(in.readAllBytes());
        }
    }

    public static void main(String[] args) throws IOException {
        CRC32 sum = new CRC32();
        int part = 1;
        try (ZipFile kept = args[0].equals("bad") ? null : new ZipFile("parts.zip")) {
            for (int i = 0; i < LOOKUPS; i++) {
                part = part * 37 % 1499;
                if (kept != null) {
                    add(kept, part, sum);
                    continue;
                }
                try (ZipFile zip = new ZipFile("parts.zip")) {
                    add(zip, part, sum);
                }
            }
        }
        System.out.println(sum.getValue());
    }
}
