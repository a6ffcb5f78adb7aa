# SPDX-License-Identifier: GPL-2.0
# A producer that has 500 lines ready each 4 ms.
$| = 0;
for my $batch (1 .. 80) {
    my $lines = join '', map { "$batch $_\n" } 1 .. 500;
    syswrite STDOUT, $lines;
    select undef, undef, undef, 0.004;
}
