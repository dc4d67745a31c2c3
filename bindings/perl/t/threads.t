# Threads of Perl, processes, and many objects.
use strict;
use warnings;

use Config;
use Test::More;

BEGIN { $Config{useithreads} ? require threads : plan skip_all => 'this Perl has no threads' }

use Robotrules;
use Robotrules::RobotRules;

my $robots = "User-agent: *\nDisallow: /private\n";
my $outer  = Robotrules::Rules->compile($robots, 'FooBot');
my $sites  = Robotrules::RobotRules->new('FooBot');
$sites->parse("http://site$_/robots.txt", $robots) for 1 .. 50;
is($sites->allowed('http://site1/private'), 0, 'before');

my @threads = map {
    threads->create(sub {
        my $wrong = 0;
        for my $site (1 .. 50) {
            my $own = Robotrules::Rules->compile($robots, 'FooBot');
            ++$wrong if $own->allowed('/private') || !$own->allowed('/');
            ++$wrong if $sites->allowed("http://site$site/private") != 0 || $sites->allowed("http://site$site/x") != 1;
        }
        eval { $outer->allowed('/') } and ++$wrong;    # it belongs to the thread that made it
        return $wrong;
    })
} 1 .. 4;
is($_->join, 0, 'a thread makes its own rules, and has a copy of a database') for @threads;
ok(!$outer->allowed('/private'), 'the rules are as before');
is($sites->allowed('http://site1/private'), 0, 'the database too');

# A process that was forked has everything.
my $child = fork // die "fork: $!";
if (!$child) {
    require POSIX;
    POSIX::_exit($outer->allowed('/private') || $sites->allowed('http://site2/private') ? 1 : 0);
}
waitpid $child, 0;
is($?, 0, 'a forked process');

done_testing;
