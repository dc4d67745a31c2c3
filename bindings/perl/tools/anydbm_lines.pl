#!/usr/bin/env perl
# Prints the records of a WWW::RobotRules::AnyDBM_File as lines for `robotrules db PATH import -`:
#
#     perl bindings/perl/tools/anydbm_lines.pl [--dialect NAME] FILE | robotrules db rules.db import -
#
# FILE is the name that the program gave to AnyDBM_File->new(); the DBM library may add an extension of its own. The first
# line has the robot's name. Each other line is a site: its rules as a robots.txt for every robot, because the file keeps
# only the rules for its own, and the time until which they are fresh. NAME is the dialect in which they will be read:
#   www-robotrules  (default) the rules are written as they are
#   another one     "*" and a "$" at the end are escaped, because they are plain letters to WWW::RobotRules
#
# The file keeps "host:port": port 443 becomes an https origin, all others become http origins. The numbers and times of
# visits are not printed, because lines for `db import` have none. Only modules of Perl itself are used.
use strict;
use warnings;

use AnyDBM_File;
use Fcntl qw(O_RDONLY);
use Getopt::Long;
use JSON::PP;
use MIME::Base64;
use POSIX qw(strftime);

my $dialect = 'www-robotrules';
GetOptions('dialect=s' => \$dialect) && @ARGV == 1 or die "usage: anydbm_lines.pl [--dialect NAME] FILE\n";
tie my %dbm, 'AnyDBM_File', $ARGV[0], O_RDONLY, 0600 or die "anydbm_lines.pl: cannot open $ARGV[0]: $!\n";

my $json = JSON::PP->new->canonical->ascii;
my $name = $dbm{'|ua-name|'} // die "anydbm_lines.pl: $ARGV[0] has no robot's name: it is no file of WWW::RobotRules\n";
print $json->encode({database => {agent => $name}}), "\n";

# "http://host:port" for "host:port", where an address of IPv6 may be without its brackets.
sub origin_of {
    my ($site) = @_;
    my ($host, $port) = $site =~ /\A(.*):([0-9]+)\z/s or return;
    $host = "[$host]" if $host =~ /:/ && $host !~ /\A\[/;
    return $port == 443 ? "https://$host" : $port == 80 ? "http://$host" : "http://$host:$port";
}

# The rules up to an empty one, which allows all that no earlier rule closes.
sub rules_of {
    my ($site) = @_;
    my @rules;
    while (defined(my $rule = $dbm{"$site|r" . (@rules + 1)})) {
        last unless length $rule;
        push @rules, $rule;
    }
    return @rules;
}

sub line_of {
    my ($rule) = @_;
    if ($dialect ne 'www-robotrules') {
        $rule =~ s/\*/%2A/g;
        $rule =~ s/\$\z/%24/;
    }
    return "Disallow: $rule\n";
}

my %sites;
for my $key (keys %dbm) { $sites{$1} = 1 if $key =~ /\A(.+)\|(?:r[0-9]+|exp)\z/s }
for my $site (sort keys %sites) {
    my $origin = origin_of($site);
    my ($fresh_until) = ($dbm{"$site|exp"} // '') =~ /\A([0-9]+)/;
    unless (defined $origin && defined $fresh_until) {
        warn "anydbm_lines.pl: $site is left out: ",
            defined $origin ? "its rules have no time until which they are fresh\n" : "it is not host:port\n";
        next;
    }
    my $robots = join '', "User-agent: *\n", map { line_of($_) } rules_of($site);
    print $json->encode({
        origin      => $origin,
        outcome     => 'rules',
        status      => 200,
        fresh_until => strftime('%Y-%m-%dT%H:%M:%SZ', gmtime $fresh_until),
        robots_b64  => encode_base64($robots, ''),
    }), "\n";
}
