// SPDX-License-Identifier: GPL-2.0
// Checks blocks of a big file, drawn at random, by their digests: 4 KiB each, far apart.

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SplittableRandom;

class program {
    private static final int BLOCK = 4096;
    private static final int CHECKS = 12000;

    public static void main(String[] args) throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA3-256");
        SplittableRandom random = new SplittableRandom(71);
        ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
        int sum = 0;
        try (FileChannel file = FileChannel.open(Path.of("volume"))) {
            long blocks = file.size() / BLOCK;
            for (int i = 0; i < CHECKS; i++) {
                block.clear();
                file.read(block, random.nextLong(blocks) * BLOCK);
                digest.update(block.flip());
                sum += digest.digest()[0];
            }
        }
        System.out.println(sum);
    }
}
