// SPDX-License-Identifier: GPL-2.0
// Answers requests with texts of a zipped bundle.
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.ZipFile;

class program {
	static void answer(ZipFile bundle, int request, CRC32 sum) throws IOException {
		String name = "texts/" + (request * 17 % 300) + ".txt";
		try (InputStream in = bundle.getInputStream(bundle.getEntry(name))) {
			sum.update(in.readAllBytes());
		}
	}

	public static void main(String[] args) throws IOException {
		CRC32 sum = new CRC32();
		if (args[0].equals("bad")) {
			for (int i = 0; i < 6000; i++) {
				try (ZipFile bundle = new ZipFile("bundle.zip")) {
					answer(bundle, i, sum);
				}
			}
		} else {
			try (ZipFile bundle = new ZipFile("bundle.zip")) {
				for (int i = 0; i < 6000; i++)
					answer(bundle, i, sum);
			}
		}
		System.out.printf("%08x%n", sum.getValue());
	}
}
