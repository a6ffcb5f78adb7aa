# SPDX-License-Identifier: GPL-2.0
# Imports sessions from a list into a database. An import that fails is begun anew.
use strict;
use warnings;
use GDBM_File;

my $bad = $ARGV[0] eq 'bad';
unlink 'sessions.gdbm';
my $db = tie my %sessions, 'GDBM_File', 'sessions.gdbm', GDBM_NEWDB, 0644;
open my $list, '<', 'sessions.txt' or die;
while (<$list>) {
	chomp;
	my ($id, $user, $time) = split /\t/;
	$sessions{$id} = "$user:$time";
	$db->sync if $bad;
}
$db->sync;
my $found = 0;
while (my ($id, $session) = each %sessions) {
	$found++ if $session =~ /:9/;
}
print scalar(keys %sessions), " sessions, $found late\n";
undef $db;
untie %sessions;
