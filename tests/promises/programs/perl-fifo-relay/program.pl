#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0
# A sensor writes a line every 5 ms into a fifo, and a Perl relay stamps each and passes it on at
# once: 140 small reads and writes, but one each is all that has come
use strict;
use warnings;
use Time::HiRes qw(time sleep);

my $pid = fork;
if (!$pid) {
    open my $out, '>', 'sensor' or die;
    select((select($out), $| = 1)[0]);
    my $start = time;
    for my $i (1 .. 140) {
        print $out "temperature ", 20 + $i % 7, ".", $i % 10, "\n";
        my $wait = $start + $i * 0.005 - time;
        sleep $wait if $wait > 0;
    }
    close $out;
    exit 0;
}
open my $in, '<', 'sensor' or die;
$| = 1;
while (my $line = <$in>) {
    printf "%.4f %s", time, $line;
}
waitpid $pid, 0;
