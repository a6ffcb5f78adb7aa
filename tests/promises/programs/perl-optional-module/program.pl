# SPDX-License-Identifier: GPL-2.0
# Escapes texts for HTML with a fast module if there is one, and with plain Perl if not.
use strict;
use warnings;

my $way = shift;
my $known;

sub have_fast {
    if ($way eq 'good') {
        $known = eval { require Local::FastEscape; 1 } ? 1 : 0 unless defined $known;
        return $known;
    }
    # A require that fails is not remembered by Perl.
    return eval { require Local::FastEscape; 1 } ? 1 : 0;
}

my %entity = ('<' => '&lt;', '>' => '&gt;', '&' => '&amp;', '"' => '&quot;');

sub escape {
    my $text = shift;
    return Local::FastEscape::escape($text) if have_fast();
    $text =~ s/([<>&"])/$entity{$1}/g;
    return $text;
}

open my $out, '>', 'page.html' or die;
for my $n (1 .. 12000) {
    my $cells = "<b>row $n</b> & \"more\" " x 14;
    print $out '<p>', escape($cells), "</p>\n";
}
close $out or die;
