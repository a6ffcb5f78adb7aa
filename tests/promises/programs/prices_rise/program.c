// SPDX-License-Identifier: GPL-2.0
/* Raises the prices in a file of records: one by one ("bad"), or by blocks ("good"). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 64, PRICE_AT = 40, PRICE_LEN = 8, BLOCK = 1024 };

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* The price is a decimal number of 8 digits inside the record. */
static int raise_price(char *record)
{
	char digits[PRICE_LEN + 1];
	unsigned long price;

	if (record[8] == '7') /* Articles of this kind keep their price. */
		return 0;
	memcpy(digits, record + PRICE_AT, PRICE_LEN);
	digits[PRICE_LEN] = '\0';
	price = strtoul(digits, NULL, 10);
	snprintf(digits, sizeof(digits), "%08lu", (price + price / 50) % 100000000);
	memcpy(record + PRICE_AT, digits, PRICE_LEN);
	return 1;
}

static void one_by_one(FILE *file)
{
	char record[RECORD];

	while (fread(record, RECORD, 1, file) == 1) {
		if (!raise_price(record))
			continue;
		if (fseek(file, -RECORD, SEEK_CUR) || fwrite(record, RECORD, 1, file) != 1 ||
		    fseek(file, 0, SEEK_CUR))
			die("articles.dat");
	}
}

static void by_blocks(FILE *file)
{
	static char block[BLOCK * RECORD];
	size_t n;

	while ((n = fread(block, RECORD, BLOCK, file)) > 0) {
		for (size_t i = 0; i < n; i++)
			raise_price(block + i * RECORD);
		if (fseek(file, -(long)(n * RECORD), SEEK_CUR) ||
		    fwrite(block, RECORD, n, file) != n || fseek(file, 0, SEEK_CUR))
			die("articles.dat");
	}
}

int main(int argc, char **argv)
{
	FILE *file = fopen("articles.dat", "r+");

	if (!file)
		die("articles.dat");
	if (argc > 1 && !strcmp(argv[1], "bad"))
		one_by_one(file);
	else
		by_blocks(file);
	if (fclose(file))
		die("articles.dat");
	return 0;
}
