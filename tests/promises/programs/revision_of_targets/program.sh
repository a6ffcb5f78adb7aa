#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Builds headers that carry the revision, by a makefile that asks for it where it is used.
is=:=
[ "$1" = bad ] && is='='
cat >Makefile <<END
revision $is \$(shell cut -d' ' -f1 changes)
headers := \$(addprefix out/,\$(addsuffix .h,\$(shell seq 250)))
all: \$(headers)
out/%.h:
	\$(file >\$@,#define REVISION_\$* "\$(revision)")
END
rm -rf out
mkdir out
make -s
cat out/*.h | cksum
