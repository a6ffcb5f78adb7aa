# SPDX-License-Identifier: GPL-2.0
# Saves pages under free names, tried from 1 on ("bad") or from the last one taken ("good").
use strict;
use warnings;
use Fcntl;

my $remember = $ARGV[0] ne 'bad';
my $taken    = 0;

sub create {
    for ( my $nr = $remember ? $taken + 1 : 1 ; ; $nr++ ) {
        my $name = sprintf 'inbox/scan-%d.txt', $nr;
        if ( sysopen my $file, $name, O_WRONLY | O_CREAT | O_EXCL ) {
            $taken = $nr;
            return $file;
        }
        die "$name: $!" unless $!{EEXIST};
    }
}

for my $page ( 1 .. 150 ) {
    my $file = create();
    print $file "page $page\n", map { sprintf "%06d %s\n", $_ * $page, 'x' x 60 } 1 .. 20;
    close $file or die "close: $!";
}
