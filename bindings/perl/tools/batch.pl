#!/usr/bin/env perl
# Answers questions as `robotrules batch --dialect NAME [--robots-dir DIR]` does, through the Perl packages. With it,
# recorded answers of other parsers can be compared with the packages:
#
#     ROBOTRULES_LIBRARY=... SCORE/score.py bindings/perl/tools/batch.pl
#
# A question is an object a line: id, agent, url, and robots_b64 (a file) or host (a file in DIR). In the dialect
# www-robotrules, Robotrules::RobotRules must give each answer as well, from its own memory and from the texts of rules
# that a subclass keeps elsewhere.
use strict;
use warnings;

use FindBin;
use Getopt::Long;
use JSON::PP;
use MIME::Base64;

use lib "$FindBin::Bin/../lib";
use Robotrules;
use Robotrules::RobotRules;

package Elsewhere {
    our @ISA = ('Robotrules::RobotRules');
    sub push_rules  { my ($self, $site, @rules) = @_; push @{$self->{elsewhere}{$site}}, @rules }
    sub clear_rules { my ($self, $site) = @_; delete $self->{elsewhere}{$site} }
    sub rules       { my ($self, $site) = @_; return @{$self->{elsewhere}{$site} // []} }
}

shift @ARGV if @ARGV && $ARGV[0] eq 'batch';
GetOptions('dialect=s' => \(my $dialect = 'rfc9309'), 'robots-dir=s' => \my $folder) or exit 2;

my $json = JSON::PP->new->utf8->latin1->canonical;
my %files;
while (my $line = <STDIN>) {
    my $question = JSON::PP::decode_json($line);
    my $from     = defined $question->{robots_b64} ? 'http://example.com' : "https://$question->{host}";
    my $robots
        = defined $question->{robots_b64} ? decode_base64($question->{robots_b64})
        : ($files{$question->{host}} //= read_file("$folder/$question->{host}"));
    my ($agent, $url) = @$question{qw(agent url)};
    my $rules = Robotrules::Rules->compile($robots, $agent, dialect => $dialect, url => "$from/robots.txt");
    my $verdict = $rules->check($url);
    die "allowed() and check() differ: $line" if $rules->allowed($url) != $verdict->{allowed};
    if ($dialect eq 'www-robotrules' && $url =~ m{^\Q$from\E(?![^/?#])}) {
        for my $class ('Robotrules::RobotRules', 'Elsewhere') {
            my $database = $class->new('x', dialect => $dialect);
            $database->{ua} = $agent;    # as given: agent() would cut it
            $database->parse("$from/robots.txt", $robots);
            die "$class differs: $line" if $database->allowed($url) != $verdict->{allowed};
        }
    }
    my $rule   = $verdict->{rule} ? $verdict->{rule}{text} : '';
    my $answer = {id => $question->{id}, access => $verdict->{access}, line => $verdict->{line}, rule => $rule};
    print $json->encode($answer), "\n";
}

sub read_file {
    my ($name) = @_;
    open my $file, '<:raw', $name or die "$name: $!\n";
    local $/ = undef;
    return scalar <$file>;
}
