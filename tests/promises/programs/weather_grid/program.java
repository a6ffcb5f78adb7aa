// SPDX-License-Identifier: GPL-2.0
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;

/** Writes a grid of temperatures as binary numbers. */
class program {
    public static void main(String[] args) throws Exception {
        OutputStream file = new FileOutputStream("grid.bin");
        if (args[0].equals("good")) {
            file = new BufferedOutputStream(file);
        }
        try (DataOutputStream out = new DataOutputStream(file)) {
            out.writeInt(600);
            out.writeInt(800);
            for (int y = 0; y < 600; y++) {
                for (int x = 0; x < 800; x++) {
                    double height = 0;
                    for (int k = 1; k <= 6; k++) {
                        height += Math.sin(x * 0.01 * k) * Math.cos(y * 0.013 * k) / k;
                    }
                    out.writeFloat((float) (15 - 6.5 * Math.abs(height)));
                }
            }
        }
    }
}
