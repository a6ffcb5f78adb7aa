#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A shell script asks bc, as a coprocess, 40 questions, each made of the answer before; an answer
# takes bc ten milliseconds of arithmetic, so the dialogue itself costs nothing
coproc bc -l
echo 'define f(x) { auto i, s; s = x; for (i = 1; i < 3000; i++) { s = s + (x + i) / (i * i + s) }; return s / 3000 }; scale = 25' >&"${COPROC[1]}"
x=1.5
for _ in $(seq 40); do
    echo "f($x)" >&"${COPROC[1]}"
    read -r x <&"${COPROC[0]}"
done
echo quit >&"${COPROC[1]}"
echo "$x"
wait
