// SPDX-License-Identifier: GPL-2.0

import java.math.BigInteger;

/** Prints for some exponents whether the Mersenne number is a prime. */
class program {
	static boolean prime(int p) {
		BigInteger m = BigInteger.ONE.shiftLeft(p).subtract(BigInteger.ONE);
		BigInteger s = BigInteger.valueOf(4);
		for (int i = 0; i < p - 2; i++)
			s = s.multiply(s).subtract(BigInteger.TWO).mod(m);
		return s.signum() == 0;
	}

	public static void main(String[] args) {
		for (int p = 3; p < 620; p += 2) {
			System.out.printf("2^%d - 1: %s%n", p, prime(p) ? "prime" : "no");
			System.out.flush();
		}
	}
}
