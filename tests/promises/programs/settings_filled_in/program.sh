#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fills the settings of a site into the dump of a database.
cp dump.in dump.sql
expressions=()
while IFS='=' read -r key value; do
	if [ "$1" = bad ]; then
		sed -i "s/@$key@/$value/" dump.sql
	else
		expressions+=(-e "s/@$key@/$value/")
	fi
done <settings
[ "$1" = bad ] || sed -i "${expressions[@]}" dump.sql
cksum <dump.sql
