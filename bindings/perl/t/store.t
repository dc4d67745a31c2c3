# Rules in a store that processes share.
use strict;
use warnings;

use File::Temp qw(tempdir);
use Test::More;

use Robotrules;
use Robotrules::RobotRules::Store;

plan skip_all => 'this library has no store' unless Robotrules::Native->can('robotrules_store_open');

my $folder = tempdir(CLEANUP => 1);
my $class  = 'Robotrules::RobotRules::Store';
my $file   = "$folder/rules.db";

sub opened { my ($agent, @options) = @_; return $class->new($agent, $file, @options) }

{
    my $rules = opened('FooBot/1.0');
    is($rules->agent,                  'FooBot', 'the short name');
    is($rules->allowed('http://foo/'), -1,       'not known');
    $rules->parse('http://foo/robots.txt', "User-agent: *\nDisallow: /private\nAllow: /private/x\n");
    is($rules->allowed("$_->[0]"), $_->[1], "allowed('$_->[0]')")
        for ['http://foo/', 1], ['http://FOO:80/private/x', 0], ['https://foo/', -1], ['mailto:x', 1], ['/x', 1], ['', 1],
        ['http://', 0], ['http://foo bar/', 0], ['http://%zz/', 0], [' http://foo/private/x', 0],
        ['<http://foo/private>', 0];
    is($rules->rules_of('http://foo/')->check('/private')->{line}, 2,     'the compiled rules');
    is($rules->rules_of('http://bar/'),                            undef, 'none of an unknown site');
    is($rules->no_visits('foo:80'),                                0,     'no visit');
    is($rules->last_visit('foo:80'),                               undef, 'nor its time');
    $rules->visit('foo:80') for 1 .. 2;
    is($rules->no_visits('foo:80'), 2, 'two visits');
    cmp_ok(abs($rules->last_visit('foo:80') - time), '<=', 5, 'the last one now');

    # Another process shares the file, and a forked one may not use the handle.
    my $child = fork // die "fork: $!";
    if (!$child) {
        require POSIX;
        my $inherits = eval { $rules->allowed('http://foo/'); 1 };
        my $own      = opened('FooBot/2.0');
        $own->parse('http://child/robots.txt', "User-agent: *\nDisallow: /\n");
        POSIX::_exit(!$inherits && $own->allowed('http://foo/private') == 0 ? 0 : 1);
    }
    waitpid $child, 0;
    is($?,                               0, 'a process of its own');
    is($rules->allowed('http://child/'), 0, 'what it kept is there');
    $rules->push_rules('child:80', '/own', "/\x{fc}");
    $rules->push_rules('http://open/', '/own');
    $rules->parse('http://open/robots.txt', "User-agent: *\nAllow: /own\n");
    {
        my $again = opened('FooBot/1.0');
        is($again->allowed('http://open/own/x'), 0, 'an own rule closes beside the robots.txt, from the store');
        is($again->allowed('http://open/other'), 1, 'and nothing else');
        $again->clear_own_rules('http://open/');
        is($again->allowed('http://open/own/x'), 1, 'until it is deleted');
        is(opened('FooBot/1.0')->allowed('http://child/own'), 0, 'that of the other site stays');
        is(eval { $again->push_rules('http://open/', "/a\n/b"); 1 }, undef, 'what cannot be a rule');
        like($@, qr/^Robotrules: .* cannot be a rule: .* at \Q$0\E line/, 'says so');
    }
    $rules->keep_failure('http://gone/robots.txt', 404, 60);
    $rules->keep_failure('http://down/robots.txt', 503, 60);
    is($rules->allowed('http://gone/'), 1, 'a site without a robots.txt');
    is($rules->allowed('http://down/'), 0, 'a site that cannot be reached');
}
is(opened('FooBot/3.0')->allowed('http://foo/private'), 0, 'it outlives the object');
is(opened('FooBot', dialect => 'rfc9309')->allowed('http://foo/private/x'), 1, 'read in another dialect');
eval { opened('Other/1.0') };
like($@, qr/Other.* at \Q$0\E/s, 'the store of another robot is an error');
{
    my $rules = opened('FooBot/1.0');
    is($rules->agent('FooBot/9.0'), 'FooBot', 'another version');
    is($rules->allowed('http://foo/private'), 0, 'deletes nothing');
    is($rules->agent('Other/1.0'), 'FooBot', 'the previous name');
    is($rules->allowed('http://foo/private'), -1, 'another name deletes everything');
}
is($class->new('Mozilla/5.0 (compatible; FooBot/1.0)', 'memory:')->agent, 'FooBot', 'the name in a whole header');
eval { $class->new('FooBot', "$folder/no/such/folder/x.db") };
like($@, qr/Robotrules: .* at \Q$0\E/s, 'a store that cannot be opened');
eval { $class->new('FooBot') };
like($@, qr/the store is not defined at \Q$0\E/, 'no store');
eval { $class->new('FooBot', 'memory:', dialect => 'nonsense') };
like($@, qr/no dialect of that name/, 'an unknown dialect');
eval { $class->new('FooBot', 'memory:')->parse('/robots.txt', '') };
like($@, qr/Robotrules: .* at \Q$0\E/s, 'parse needs a URL');
SKIP: {
    eval { require LWP::RobotUA; 1 } or skip 'LWP::RobotUA is not installed', 3;
    my $robot = LWP::RobotUA->new(agent => 'FooBot/1.0', from => 'me@example.org', rules => $class->new('FooBot', 'memory:'));
    is($robot->rules->agent, 'FooBot', 'LWP::RobotUA takes it');
    is($robot->get('http://foo bar/')->code, 403, 'it does not fetch what the library refuses');
    is($robot->get('/x')->code,              400, 'a URL without a scheme is an answer');
}

done_testing;
