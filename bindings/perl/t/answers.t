# The table of tests/conformance/answers, through Robotrules::RobotsFetch.
use strict;
use warnings;

use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;

use ConformanceTable qw(bytes_of folder);
use Robotrules::RobotsFetch;

use constant BEGIN_TIME => 1_700_000_000;

sub field { return $_[0] eq '-' ? '' : bytes_of($_[0]) }
sub pairs { return map { split /: ?/, $_, 2 } split /\n/, field($_[0]) }

my $table = folder() . '/answers/answers.tsv';
open my $file, '<:raw', $table or plan skip_all => "there is no $table";
my ($cases, $name, $policy, $url, $fetch, $now) = (0);
while (my $row = <$file>) {
    chomp $row;
    next if $row eq '' || $row =~ /^#/;
    my ($kind, @row) = split /\t/, $row, -1;
    if ($kind eq 'case') {
        ($name, $policy, $url) = @row;
        ++$cases;
        $fetch = Robotrules::RobotsFetch->new($url, policy => $policy, now => BEGIN_TIME);
    } elsif ($kind eq 'again') {
        $fetch = Robotrules::RobotsFetch->new($url, policy => $policy, last => $fetch, now => BEGIN_TIME + $row[0]);
    } elsif ($kind eq 'answer') {
        $now = BEGIN_TIME + $row[0];
        my %flags = map { $_ => 1 } grep { $_ ne '-' } split /,/, $row[4];
        $fetch->answer($row[1], [pairs($row[2])], field($row[3]), %flags, now => $now);
    } elsif ($kind eq 'fail') {
        $now = BEGIN_TIME + $row[0];
        $fetch->fail(field($row[2]), $row[1], refusals => $row[3], now => $now);
    } elsif ($kind eq 'request') {
        my %fields = %{$fetch->headers};
        delete $fields{Accept};
        is_deeply([$fetch->done, $fetch->url, $fetch->at, \%fields, $fetch->is_repeated],
            [0, $row[0], BEGIN_TIME + $row[1], {pairs($row[2])}, $row[3] eq 'repeated' ? 1 : 0], "line $.: $name");
    } elsif ($kind eq 'result') {
        my @got = ($fetch->done, $fetch->outcome, $fetch->state, $fetch->status, $fetch->fresh_until - $now);
        my @wanted = (1, @row[0 .. 3]);
        for ([$fetch->robots, $row[4]], [$fetch->reason, $row[5]]) {
            next if $_->[1] eq '-';
            push @got,    $_->[0];
            push @wanted, field($_->[1]);
        }
        is_deeply(\@got, \@wanted, "line $.: $name");
    } else {
        fail("line $.: there is no row $kind");
    }
}
cmp_ok($cases, '>', 100, 'the table has cases');

done_testing;
