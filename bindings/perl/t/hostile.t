# Files and URLs as an attacker writes them: every text is a robots.txt, every string is a URL.
use strict;
use warnings;

use Test::More;

use Robotrules;
use Robotrules::RobotRules;

my $size = 600_000;    # more than the 512,000 bytes that some dialects read
my @files = (
    "\0", "\0" x 1000, "User-agent: *\nDisallow: /a\0b\n", "\xFF\xFE\x00", "\xEF\xBB", "\xC3\x28\n" x 100,
    join('', map { chr } 0 .. 255) x 10, "\r" x 1000, ':' x 1000, "Disallow: /" . '*a' x 2000 . "\n",
    "User-agent: *\nDisallow: /" . 'a' x $size, "User-agent: *\n" . "Disallow: /x\n" x ($size / 13), 'x' x $size,
    "User-agent: *\nDisallow: http://[::\nDisallow: http://a:999999/\nDisallow: //\nDisallow: ///x\nDisallow: \@\n",
    "User-agent: *\nDisallow: \x{263A}\n",
);
my @urls = (
    '', '/', '?', "/\0", "/\0b", "http://a/\0", "/\xFF\xC3", 'http://', 'http:', '//', 'http://a' . '/b' x 20_000, '%', '/%',
    "/\n/", 'mailto:x', "/\x{263A}", "http://\x{263A}/", 'http://[::1]:80/', 'http://a:99999/', 'HTTP://A:80',
);
for my $dialect (Robotrules::dialects()) {
    my ($asked, $wrong) = (0, 0);
    for my $file (@files) {
        my $rules = Robotrules::Rules->compile($file, "Foo\0Bot", dialect => $dialect, url => 'http://a/robots.txt');
        for my $url (@urls) {
            my $verdict = $rules->check($url);
            ++$asked;
            ++$wrong if $verdict->{access} !~ /^(?:dis)?allowed$/ || $rules->allowed($url) != $verdict->{allowed};
            ++$wrong unless length $rules->explain($url);
        }
        my @lines    = $rules->lines;
        my @sitemaps = Robotrules::sitemaps($file, dialect => $dialect);
        ++$wrong if @sitemaps > 1_000_000;
    }
    is($wrong, 0, "$dialect: $asked answers, and check() agrees with allowed()");
}

# A database answers 1, 0 or -1 for any string.
{
    my $rules = Robotrules::RobotRules->new('FooBot/1.0');
    my $wrong = 0;
    for my $file (@files) {
        $rules->parse('http://a/robots.txt', $file);
        for my $url (@urls) {
            my $answer = $rules->allowed($url);
            ++$wrong unless $answer == 1 || $answer == 0 || $answer == -1;
        }
    }
    is($wrong, 0, 'answers of a database');
    $rules->parse('http://a/robots.txt', "User-agent: *\nDisallow: /x\0y\n");
    is($rules->allowed("http://a/x"), 1, 'a NUL in a rule is a part of it');
}

# NULs and bytes that are not UTF-8 arrive whole.
my $rules = Robotrules::Rules->compile("User-agent: *\nDisallow: /\xFFx\n", 'FooBot');
is(($rules->lines)[0]{pattern}, "/\xFFx", 'a pattern that is not UTF-8');
ok(!$rules->allowed('/%FFx'),   'and a URL that it matches');
ok($rules->allowed("/\0\xFFx"), 'a URL is read to its end');

# Memory is given back.
sub resident {
    open my $file, '<', '/proc/self/statm' or return;
    return (split ' ', <$file>)[1];
}
SKIP: {
    my $body = "User-agent: *\n" . join '', map { "Disallow: /$_\n" } 1 .. 2000;
    my $round = sub {
        my @kept = map { Robotrules::Rules->compile($body, 'FooBot') } 1 .. 200;
        $_->check('/7') for @kept;
        $_->explain('/7') for @kept;
        Robotrules::sitemaps($body);
    };
    $round->() for 1 .. 2;
    my $before = resident() // skip 'there is no /proc', 1;
    $round->() for 1 .. 10;
    my $grown = resident() - $before;
    cmp_ok($grown, '<', 2048, "2,000 objects leave nothing behind (grown by $grown pages)");
}

done_testing;
