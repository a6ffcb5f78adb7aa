// SPDX-License-Identifier: GPL-2.0
// Appends records with a checksum to a journal, with stdio.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RECORDS 180000

static uint32_t table[256];

static void make_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
		table[i] = c;
	}
}

static uint32_t checksum(const char *data, size_t length)
{
	uint32_t c = ~0u;

	for (size_t i = 0; i < length; i++)
		c = table[(c ^ (unsigned char)data[i]) & 255] ^ c >> 8;
	return ~c;
}

int main(int argc, char **argv)
{
	int bad = argc > 1 && !strcmp(argv[1], "bad");
	FILE *journal = fopen("journal", "w+");

	if (!journal)
		return 1;
	make_table();
	for (int i = 0; i < RECORDS; i++) {
		char record[160];
		int n = snprintf(
			record, sizeof(record),
			"%08d account=%d amount=%d currency=EUR "
			"branch=%03d teller=%02d text=\"payment of the invoice %d\" state=booked",
			i, i * 7919 % 100000, i % 977, i % 120, i % 40, i / 3);

		// The position is at the end already; a seek flushes what stdio holds.
		if (bad)
			fseek(journal, 0, SEEK_END);
		fprintf(journal, "%s %08x\n", record, checksum(record, n));
	}
	return fclose(journal) ? 1 : 0;
}
