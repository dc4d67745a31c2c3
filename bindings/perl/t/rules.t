# Robotrules::Rules and the functions of Robotrules.
use strict;
use warnings;
use utf8;

use Encode ();
use Test::More;

use Robotrules;

is(Robotrules::version(), Robotrules->VERSION, 'the version of the library');
is_deeply([Robotrules::dialects()],
    [qw(rfc9309 google www-robotrules robotstxt-rb original-1994 draft-1996)], 'the names of the dialects');
is(Robotrules::robot_name('Mozilla/5.0 (compatible; FooBot/1.0)'), 'FooBot', 'the name in a header');
is(Robotrules::robot_name(''),                                     '',       'no name');
is(Robotrules::robots_url('HTTP://Example.org:80/x'), 'http://example.org/robots.txt', 'the URL of a robots.txt');
is(Robotrules::robots_url($_), undef, "no robots.txt: '$_'") for '', '/x', 'example.org/x', 'ftp://example.org/', 'http://';
is_deeply([Robotrules::sitemaps("Sitemap: a\nsitemap:b\nUser-agent: *\nSitemap: a\n")], [qw(a b a)], 'the sitemaps');
is_deeply([Robotrules::sitemaps('')],                                                   [],          'no sitemaps');

my $robots = "User-agent: *\nDisallow: /private/\nAllow: /private/x\nCrawl-delay: 1.5\n\nUser-agent: Other\nDisallow: /";
my $rules  = Robotrules::Rules->compile($robots, 'FooBot');
ok($rules->allowed('https://example.org/'),          'an allowed URL');
ok($rules->allowed('/private/x'),                    'an allowed path');
ok(!$rules->allowed('https://example.org/private/'), 'a disallowed URL');
is_deeply(
    $rules->check('http://example.org/private/x?y'),
    {
        allowed => 1,
        access  => 'allowed',
        why     => 'rule',
        line    => 3,
        rule    => {allows => 1, line => 3, pattern => '/private/x', text => 'Allow: /private/x'},
        runner_up => {allows => '', line => 2, pattern => '/private/', text => 'Disallow: /private/'},
        group     => {agent => '*', line => 1, is_default => 1},
    },
    'a verdict with its reason'
);
is($rules->check('/')->{why}, 'no-rule', 'a verdict without a rule');
is(Robotrules::Rules->compile('', 'FooBot')->check('/')->{group}, undef, 'a verdict without a group');
like($rules->explain('/private/'), qr{disallowed by "Disallow: /private/" in line 2}, 'a sentence');
is_deeply([map { $_->{text} } $rules->lines], ['Disallow: /private/', 'Allow: /private/x'], 'the lines for the robot');
is_deeply([Robotrules::Rules->compile('', 'FooBot')->lines], [], 'no lines');
is($rules->crawl_delay, 1.5, 'the delay');
is(Robotrules::Rules->compile($robots, 'Other')->crawl_delay, undef, 'no delay');
ok(Robotrules::Rules->compile($robots, 'FooBot', dialect => 'original-1994')->check('/private/x')->{line} == 2,
    'another dialect');

# Text and bytes.
my $text = "User-agent: *\nDisallow: /größe\n";
for my $case (['text', $text], ['bytes', Encode::encode_utf8($text)]) {
    my ($what, $body) = @$case;
    my $of = Robotrules::Rules->compile($body, 'FooBot');
    ok(!$of->allowed($_), "$what: a URL as text, bytes and percent-encoded")
        for '/größe', Encode::encode_utf8('/größe'), '/gr%C3%B6%C3%9Fe';
    is(($of->lines)[0]{pattern}, Encode::encode_utf8('/größe'), "$what: the pattern is bytes");
}

package Stringy { use overload '""' => sub { ${$_[0]} }; }
ok(!$rules->allowed(bless \(my $url = 'http://a/private/'), 'Stringy'), 'an object that is a string');

# Wrong arguments are errors that name the place of the mistake.
sub dies {
    my ($code, $message, $name) = @_;
    eval { $code->(); 1 } and return fail($name);
    return like($@, qr/$message.* at \Q$0\E line \d+/s, $name);
}
dies(sub { Robotrules::Rules->compile(undef, 'x') },              'the robots.txt is not defined', 'no text');
dies(sub { Robotrules::Rules->compile([],    'x') },              'the robots.txt is a reference', 'a reference as text');
dies(sub { Robotrules::Rules->compile('',    {}) },               'the agent is a reference',      'a reference as agent');
dies(sub { Robotrules::Rules->compile('', 'x', dialect => '?') }, 'no dialect of that name',       'an unknown dialect');
dies(sub { Robotrules::Rules->compile('', 'x', colour => 1) },    'unknown option colour',         'an unknown option');
dies(sub { $rules->allowed(undef) },                              'the URL is not defined',        'no URL');
dies(sub { $rules->allowed([]) },                                 'the URL is a reference',        'a reference as URL');
dies(sub { $rules->check(sub { }) },                              'the URL is a reference',        'a function as URL');
dies(sub { Robotrules::robots_url(undef) },                       'the URL is not defined',        'robots_url of nothing');

done_testing;
