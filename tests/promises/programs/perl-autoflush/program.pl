$| = $ARGV[0] ne "good";
print "line $_\n" for 1 .. 300000;
