#!/usr/bin/env perl
# Compares Robotrules::RobotRules with WWW::RobotRules, which must be installed (Debian: libwww-robotrules-perl).
#
#     ROBOTRULES_LIBRARY=.../librobotrules.so.0 bindings/perl/bench/bench.pl [--rounds N] FOLDER
#
# FOLDER has robots.txt files, each named after its host. The library must be built with optimisation. Before anything
# is timed, both answer all questions, and one difference ends the run. Then both do each task in turns; a figure is the
# median of the rounds, a ratio is that of the medians.
use strict;
use warnings;

use FindBin;
use Getopt::Long;
use List::Util   qw(sum);
use Time::HiRes qw(clock);

use lib "$FindBin::Bin/../lib";
use Robotrules::RobotRules;
use WWW::RobotRules;

GetOptions('rounds=i' => \(my $rounds = 9)) && @ARGV == 1 or die "usage: bench.pl [--rounds N] FOLDER\n";
die "this is not the original: $INC{'WWW/RobotRules.pm'}\n" if WWW::RobotRules->isa('Robotrules::RobotRules');
my ($folder) = @ARGV;
my $agent = 'Googlebot/2.1';

my (%files, %urls);
for my $path (glob "$folder/*") {
    my ($host) = $path =~ m{([^/]+)$};
    next if $host !~ /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/a || !-f $path;
    open my $file, '<:raw', $path or die "$path: $!\n";
    $files{$host} = do { local $/ = undef; <$file> };
    my @paths = grep { !/[^\x21-\x7E]/ } $files{$host} =~ m{^\s*(?:Dis)?allow\s*:\s*(/[^\s#]*)}gim;
    $urls{$host} = [map { "https://$host$_" } '/', '/index.html', '/a/b/c?d=e', map { "${_}x" } splice @paths, 0, 9];
    last if keys %files == 400;
}
my @hosts = sort keys %files or die "there is no robots.txt in $folder\n";

sub parsed {
    my ($class) = @_;
    my $rules = $class->new($agent);
    $rules->parse("https://$_/robots.txt", $files{$_}) for @hosts;
    return $rules;
}

my %classes = (original => 'WWW::RobotRules', ours => 'Robotrules::RobotRules');
my %kept    = map { $_ => parsed($classes{$_}) } keys %classes;
my @all     = map { @{$urls{$_}} } @hosts;
for my $url (@all) {
    my ($wanted, $given) = map { $kept{$_}->allowed($url) } qw(original ours);
    die "$url: the original says $wanted, this package $given\n" if $wanted != $given;
}

my %tasks = (
    'a question, files parsed' => [
        sub { my ($name) = @_; my $rules = $kept{$name}; $rules->allowed($_) for @all; return scalar @all }],
    'parse a file' => [sub { my ($name) = @_; parsed($classes{$name}); return scalar @hosts }],
    'parse a file and ask one question' => [
        sub {
            my ($name) = @_;
            for my $host (@hosts) {
                my $rules = $classes{$name}->new($agent);
                $rules->parse("https://$host/robots.txt", $files{$host});
                $rules->allowed($urls{$host}[-1]);
            }
            return scalar @hosts;
        }
    ],
);

sub median { my @sorted = sort { $a <=> $b } @_; return $sorted[$#sorted / 2] }

printf "%d files of %.0f bytes on average, %d questions, %d rounds, Perl %vd, library %s\n", scalar @hosts,
    sum(map { length } values %files) / @hosts, scalar @all, $rounds, $^V, Robotrules::version();
print "processor time in microseconds                original      ours     ratio\n";
for my $task (sort keys %tasks) {
    my ($code) = @{$tasks{$task}};
    my %times;
    for my $round (1 .. $rounds) {
        for my $name ($round % 2 ? qw(original ours) : qw(ours original)) {
            my $start = clock;
            my $count = $code->($name);
            push @{$times{$name}}, (clock() - $start) / $count * 1e6;
        }
    }
    my ($original, $ours) = map { median(@{$times{$_}}) } qw(original ours);
    printf "%-42s %11.2f %9.2f %8.1f\n", $task, $original, $ours, $original / $ours;
}
