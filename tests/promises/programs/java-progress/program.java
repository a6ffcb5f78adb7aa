// SPDX-License-Identifier: GPL-2.0
// Two threads of a Java program calculate, and each prints a line of progress, flushed, for each of
// its 200 parts, into a file: some 400 writes in half a second of calculation
class program {
    static volatile long sink;

    static void part(int worker) {
        for (int p = 0; p < 200; p++) {
            long x = 88172645463325252L + worker * 977 + p;
            for (int i = 0; i < 1200000; i++) {
                x ^= x << 13;
                x ^= x >>> 7;
                x ^= x << 17;
            }
            sink = x;
            System.out.println("worker " + worker + ": part " + (p + 1) + " of 200 done, " + x);
            System.out.flush();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread a = new Thread(() -> part(1)), b = new Thread(() -> part(2));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
