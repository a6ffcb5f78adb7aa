# SPDX-License-Identifier: GPL-2.0
# Looks at how large a file is until another process, which computes, has written all of it.
use strict;
use warnings;

unless (fork) {
    open my $out, '>', 'result';
    my $sum = 0;
    for my $part (1 .. 20) {
        $sum = ($sum * 31 + $_) % 65521 for 1 .. 250000;
        syswrite $out, sprintf("%09d\n", $sum);
    }
    exit 0;
}
select undef, undef, undef, 0.0001 until -e 'result' && -s 'result' >= 200;
wait;
