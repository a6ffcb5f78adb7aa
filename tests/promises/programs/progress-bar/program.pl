# SPDX-License-Identifier: GPL-2.0
# Looks for perfect numbers, and shows on the terminal how far it is.
use strict;
use warnings;

$| = 1;
my $limit = 20000;
my @found;
for my $n (2 .. $limit) {
    my $sum = 1;
    for (my $d = 2; $d * $d <= $n; $d++) {
        next if $n % $d;
        $sum += $d;
        $sum += $n / $d if $d * $d != $n;
    }
    push @found, $n if $sum == $n;
    printf "\r[%-40s] %3d %%", '#' x ($n * 40 / $limit), $n * 100 / $limit if $n % 200 == 0;
}
print "\nperfect: @found\n";
