#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Adds numbers that come through a pipe.
sum=0
while read -r number; do ((sum += number)); done
echo "$sum" >sum
