# SPDX-License-Identifier: GPL-2.0
# Reports on the files of a spool: how many, how big, how old, and who may do what with them.
use strict;
use warnings;
my $bad = $ARGV[0] eq 'bad';
my $folder = 'srv/www/hosts/example/var/mail/spool';
my ($count, $size, $old, $rights, $empty) = (0, 0, 0, 0, 0);
opendir(my $dir, $folder) or die;
while (defined(my $name = readdir $dir)) {
    my $path = "$folder/$name";
    if ($bad) {
        next unless -e $path && !-l $path && !-d $path && -f $path;
        $count++;
        $size += -s $path if -s $path;
        $empty++ if -z $path;
        $old++ if -M $path > 30 || -A $path > 30 || -C $path > 30;
        $rights++ if -r $path;
        $rights++ if -w $path;
        $rights++ if (stat $path)[2] & 0100;
    } else {
        my @st = lstat $path;
        next unless @st && -f _;
        $count++;
        $size += -s _ if -s _;
        $empty++ if -z _;
        $old++ if -M _ > 30 || -A _ > 30 || -C _ > 30;
        $rights++ if -r _;
        $rights++ if -w _;
        $rights++ if $st[2] & 0100;
    }
}
open(my $out, '>', 'report.txt') or die;
print $out "$count $size $empty $old $rights\n";
close $out;
