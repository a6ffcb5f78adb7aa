# SPDX-License-Identifier: GPL-2.0
# A server exports a table to a client over a connection, a row a line.
use strict;
use warnings;
use Socket;
my $bad = $ARGV[0] eq 'bad';
my $rows = 70000;
socketpair(my $here, my $there, AF_UNIX, SOCK_STREAM, 0) or die;
my $pid = fork // die;
if (!$pid) {
    close $here;
    if ($bad) {
        for my $i (1 .. $rows) {
            my $first = 1;
            for my $field ($i, "customer" . $i % 977, $i * 31 % 1009, $i * 7919 % 100003) {
                syswrite($there, $first ? $field : ",$field");
                $first = 0;
            }
            syswrite($there, "\n");
        }
    } else {
        for my $i (1 .. $rows) {
            print $there join(',', $i, "customer" . $i % 977, $i * 31 % 1009, $i * 7919 % 100003), "\n";
        }
        close $there;
    }
    exit 0;
}
close $there;
my ($count, $sum) = (0, 0);
while (<$here>) {
    my @fields = split /,/;
    $count++;
    $sum += $fields[3];
}
waitpid $pid, 0;
open(my $out, '>', 'sum.txt') or die;
print $out "$count $sum\n";
close $out;
