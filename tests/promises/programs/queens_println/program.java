// SPDX-License-Identifier: GPL-2.0
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;

/** Finds the ways to place queens on boards, and prints what it found for each first two moves. */
class program {
    static int size, solutions;

    static void place(int row, int columns, int left, int right) {
        if (row == size) {
            solutions++;
            return;
        }
        int free = ((1 << size) - 1) & ~(columns | left | right);
        while (free != 0) {
            int bit = free & -free;
            free -= bit;
            place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }

    public static void main(String[] args) throws Exception {
        FileOutputStream file = new FileOutputStream("boards.txt");
        PrintStream out = args[0].equals("good") ? new PrintStream(new BufferedOutputStream(file, 65536)) : new PrintStream(file, true);
        for (size = 4; size <= 14; size++) {
            for (int a = 0; a < size; a++) {
                for (int b = 0; b < size; b++) {
                    if (Math.abs(a - b) < 2) {
                        continue;
                    }
                    solutions = 0;
                    int one = 1 << a, two = 1 << b;
                    place(2, one | two, (one << 1 | two) << 1, (one >> 1 | two) >> 1);
                    out.println(size + " queens, " + a + " and " + b + ": " + solutions);
                }
            }
        }
        out.close();
    }
}
