# SPDX-License-Identifier: GPL-2.0
# Counts the zero bytes that come through a pipe, which is filled faster than that.
use strict;
use warnings;

my ($good, $zeros, $byte) = ($ARGV[0] eq 'good', 0, '');
while ($good ? read(STDIN, $byte, 1) : sysread(STDIN, $byte, 1)) {
    $zeros++ if $byte eq "\0";
}
open my $out, '>', 'zeros';
print $out "$zeros\n";
