# The tables of tests/conformance, asked through these packages.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;

use ConformanceTable qw(bytes_of folder);
use Robotrules;

my $folder = folder();
my @tables = glob "$folder/*.tsv";
plan skip_all => "there are no tables in $folder" unless @tables;
for my $table (@tables) {
    my ($cases, @wrong) = (0);
    open my $file, '<:raw', $table or die "$table: $!\n";
    while (my $row = <$file>) {
        chomp $row;
        next if $row eq '' || $row =~ /^#/;
        my ($name, $dialect, $agent, $url, $access, $line, $robots) = split /\t/, $row, -1;
        my $rules = Robotrules::Rules->compile(bytes_of($robots), bytes_of($agent), dialect => $dialect,
            url => 'http://foo.bar/robots.txt');
        my $verdict = $rules->check(bytes_of($url));
        ++$cases;
        push @wrong, "$table:$. $name ($dialect)"
            if $verdict->{access} ne $access
            || ($line ne '-' && $verdict->{line} ne $line)
            || $rules->allowed(bytes_of($url)) != ($access eq 'allowed');
    }
    cmp_ok($cases, '>', 10, "$table has cases");
    is_deeply(\@wrong, [], "the $cases answers of $table");
}

done_testing;
