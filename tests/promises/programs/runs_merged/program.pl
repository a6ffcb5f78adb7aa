# SPDX-License-Identifier: GPL-2.0
# Merges twelve sorted runs of visits, row by row from whichever has the least.
use strict;
use warnings;

my @runs;
for my $i (1 .. 12) {
	open my $run, '<', "run$i" or die;
	push @runs, { file => $run, row => scalar readline $run };
}
open my $out, '>', 'merged' or die;
my $rows = 0;
while (@runs) {
	my $least = 0;
	for my $i (1 .. $#runs) {
		$least = $i if $runs[$i]{row} lt $runs[$least]{row};
	}
	print $out $runs[$least]{row};
	$rows++;
	$runs[$least]{row} = readline $runs[$least]{file};
	splice @runs, $least, 1 unless defined $runs[$least]{row};
}
close $out;
print "$rows rows\n";
