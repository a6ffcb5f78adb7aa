// SPDX-License-Identifier: GPL-2.0
// Java reads records of an int, a long and a short in order with RandomAccessFile, which is a read
// for each byte; mended, a DataInputStream over a BufferedInputStream
import java.io.*;

class program {
    static long total = 0;

    static void read(DataInput in, int records) throws IOException {
        for (int i = 0; i < records; i++) {
            int id = in.readInt();
            long amount = in.readLong();
            short kind = in.readShort();
            total = total * 31 + id + amount * kind;
            for (int k = 0; k < 1200; k++)
                total = (total ^ total << 13) + (total >>> 7);
        }
    }

    public static void main(String[] args) throws IOException {
        int records = (int) (new File("records.bin").length() / 14);
        if (args[0].equals("good")) {
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream("records.bin")))) {
                read(in, records);
            }
        } else {
            try (RandomAccessFile in = new RandomAccessFile("records.bin", "r")) {
                read(in, records);
            }
        }
        System.out.println(records + " " + total);
    }
}
