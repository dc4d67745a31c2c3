# The examples of the README print what their comments say.
use strict;
use warnings;

use FindBin;
use Test::More;

open my $file, '<:encoding(UTF-8)', "$FindBin::Bin/../README.md" or die "README.md: $!\n";
my $readme = do { local $/ = undef; <$file> };
my ($first) = $readme =~ /^```perl\n(.*?)^```/ms or die 'the README has no example';
$first =~ s{^use lib .*\n}{}m;    # the tests know where the packages are
my @wanted = $first =~ /^(?:.*;\s+)?# (\w.*)\n/mg;
cmp_ok(scalar @wanted, '>', 1, 'it says what it prints');

open my $out, '>', \my $printed or die;
my $previous = select $out;
eval "$first; 1" or die $@;       ## no critic (ProhibitStringyEval): it is the example
select $previous;
is($printed, join('', map { "$_\n" } @wanted), 'and prints it');

done_testing;
