# SPDX-License-Identifier: GPL-2.0
# Tells how much each owner, suffix and backup takes: looks at each file of a tree once.
use strict;
use warnings;

my ( %by_suffix, %by_folder, %by_owner );
my @todo = ('tree');
while ( defined( my $folder = shift @todo ) ) {
    opendir my $entries, $folder or die "$folder: $!";
    for my $name ( sort grep { !/^\.\.?$/ } readdir $entries ) {
        my $path = "$folder/$name";
        my ( $mode, $owner, $size, $blocks ) = ( lstat $path )[ 2, 4, 7, 12 ];
        if ( -d _ ) {
            push @todo, $path;
            next;
        }
        my ($suffix) = $name =~ /\.(\w+)$/;
        $by_suffix{ $suffix // '' } += $size;
        $by_owner{$owner} += $blocks;
        for ( my $up = $folder ; ; $up =~ s{/[^/]*$}{} ) {
            $by_folder{$up} += $size;
            last if $up !~ m{/};
        }
    }
}
for my $sums ( \%by_suffix, \%by_owner, \%by_folder ) {
    print "$_ $sums->{$_}\n" for sort keys %$sums;
}
