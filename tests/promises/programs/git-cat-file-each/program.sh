#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A report on the sizes of a repository's objects: a git cat-file for each object; mended, one git
# cat-file --batch-check. Both pack an archive as well
cd repo || exit 1
if [ "$1" = good ]; then
    git cat-file --batch-check='%(objectsize)' < ../objects.txt > ../sizes.txt
else
    while read -r object; do
        git cat-file -s "$object"
    done < ../objects.txt > ../sizes.txt
fi
git archive --prefix=report/ HEAD | tee ../archive.tar | xz -1 > ../archive.tar.xz
sort -n ../sizes.txt | tail -n 1
