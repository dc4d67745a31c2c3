# Robotrules::RobotRules, and WWW::RobotRules in its place.
use strict;
use warnings;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../dropin";
use Robotrules::RobotRules;
use WWW::RobotRules 6.00;

my $robots = "User-agent: *\nDisallow: /private\nDisallow: http://foo/also\nDisallow: sub/x\nDisallow: http://bar/\n";

# The names of the original.
my $rules = WWW::RobotRules->new('MOMspider/1.0');
isa_ok($rules, 'WWW::RobotRules');
is(ref $rules,                 'WWW::RobotRules::InCore', 'the class of the original');
is(WWW::RobotRules->VERSION,   '6.04',                    'the version of the interface');
is(WWW::RobotRules::Version(), '6.04',                    'and its function');
like($INC{'WWW/RobotRules.pm'}, qr{dropin/WWW/RobotRules\.pm$}, 'the drop-in, not the original');

# agent
is($rules->agent,                 'MOMspider', 'the short name');
is($rules->agent('MOMspider/2.0'), 'MOMspider', 'another version is the same robot');
is(WWW::RobotRules->new('Mozilla/5.0 (compatible; FooBot/1.0)')->agent, 'Mozilla', 'the first word, as in the original');
is(WWW::RobotRules->new('Mozilla/5.0 (compatible; FooBot/1.0)', dialect => 'rfc9309')->agent,
    'FooBot', 'other dialects find the name in the header');
is(WWW::RobotRules->new(undef)->agent, undef, 'no name');

# allowed
is($rules->allowed('http://foo/'), -1, 'not known');
$rules->parse('http://foo/robots.txt', $robots);
for my $case (
    ['http://foo/', 1], ['http://foo', 1], ['http://foo/private', 0], ['http://FOO:80/private/x', 0],
    ['http://foo/also/x', 0], ['http://foo/sub/x', 0], ['http://foo/sub', 1], ['http://foo:8080/', -1], ['http://bar/', -1],
    ['https://foo/private', -1], ['mailto:me@foo', 1], ['ftp://foo/private', 1], ['/private', 1], ['', 1], ['http://', -1],
    ['http://foo./private', 0], ['http://user@foo/private', 0], ['localhost:8080/x', 1], ['localhost:80', 1],
    ['data:text/plain,x', 1], [' http://foo/private', 0], ['<http://foo/private>', 0], ['<URL:http://foo/private>', 0],
    ['"http://foo/private"', 0], ["http://foo/private\t", 0], ["\thttp://foo/x\n", 1], ['http://%66oo/private', 0],
    ['http://foo bar/private', -1], ['http:private', -1],
) {
    is($rules->allowed($case->[0]), $case->[1], "allowed('$case->[0]')");
}
is_deeply([$rules->rules('foo:80')], [qw(/private /also /sub/x)], 'rules are paths');
is($rules->rules_of('http://foo/private')->check('/private')->{line}, 2, 'the compiled rules know the line');
is($rules->rules_of('http://bar/'), undef, 'there are none of an unknown site');

# Decoded text, as LWP::RobotUA passes it: its white space ends groups and surrounds names and values.
my $decoded = "\x{A0}User-agent\x{2028}:\x{A0}FooBot\x{A0}#\nDi\x{17F}allow:\x{3000}/f\x{A0}\n\x{A0}\nDisallow: /\n";
my $of_decoded = WWW::RobotRules->new('FooBot');
$of_decoded->parse('http://foo/robots.txt', $decoded);
is_deeply([$of_decoded->rules('foo:80')], ['/f'], 'a line of wide white space ends the group');
is_deeply([map { $of_decoded->allowed("http://foo/$_") } qw(f x)], [0, 1], 'and other wide white space is trimmed');

# A host that the library refuses: its URLs are asked with their path, which may be empty.
my $of_refused = WWW::RobotRules->new('FooBot');
$of_refused->parse('http://%66oo/robots.txt', "User-agent: *\nDisallow: /\n");
is_deeply([map { $of_refused->allowed("http://%66oo$_") } '', '/', '?x'], [1, 0, 1], 'a URL without a path is open');

# fresh_until
is($rules->fresh_until('foo:80') > time + 364 * 86_400, 1, 'a year');
$rules->parse('http://foo/robots.txt', $robots, time - 1);
is($rules->allowed('http://foo/private'),  -1,    'not fresh');
is($rules->rules_of('http://foo/private'), undef, 'so there are no rules');
my $later = time + 60;
$rules->fresh_until('foo:80', $later);
is($rules->allowed('http://foo/private'), 0,      'fresh again');
is($rules->fresh_until('FOO:80'),         $later, 'the name of a site may be in any case');

# visits
is($rules->no_visits('foo:80'),  undef, 'no visit');
is($rules->last_visit('foo:80'), undef, 'nor its time');
$rules->visit('foo:80', 1000);
$rules->visit('foo:80');
is($rules->no_visits('foo:80'), 2, 'two visits');
cmp_ok(abs($rules->last_visit('foo:80') - time), '<=', 2, 'the last one was now');

# push_rules and clear_rules
$rules->push_rules('foo:80', '/pushed');
is($rules->allowed('http://foo/pushed/x'), 0, 'a pushed rule');
is($rules->allowed('http://foo/private'),  0, 'beside those of the file');
is($rules->allowed('http://foo/x'),        1, 'and other paths');
$rules->push_rules('foo:80', '', '/after', "/li\nne", '/a#b', 'relative', '//two');
is($rules->allowed('http://foo/after'), 1, 'an empty rule allows the rest');
$rules->clear_rules('foo:80');
is_deeply([$rules->rules('foo:80')], [], 'cleared');
is($rules->allowed('http://foo/pushed'), 1, 'without rules everything is allowed');
$rules->push_rules('foo:80', '//two', "/li\nne", '/a#b', 'relative');
is($rules->allowed("http://foo$_->[0]"), $_->[1], "pushed rules and $_->[0]")
    for ['//two/x', 0], ['/two', 1], ['/li', 1], ['/a', 1], ['/relative', 1];

# Another name forgets everything.
is($rules->agent('Other/1.0'),     'MOMspider', 'the previous name');
is($rules->allowed('http://foo/'), -1,          'and nothing is known');
is($rules->no_visits('foo:80'),    undef,       'nor visited');

# Dialects.
{
    my $body = "User-agent: *\nDisallow: /\nAllow: /pub\n";
    my %wanted = ('www-robotrules' => 0, 'rfc9309' => 1, 'google' => 1, 'robotstxt-rb' => 0);
    for my $dialect (sort keys %wanted) {
        my $of = WWW::RobotRules->new('FooBot/1.0', dialect => $dialect);
        $of->parse('https://foo/robots.txt', $body);
        is($of->allowed('https://foo/pub'), $wanted{$dialect}, "$dialect: Allow after Disallow");
        $of->push_rules('foo:443', '/pub/closed');    # so the texts are compiled
        is($of->allowed('https://foo/pub'), $wanted{$dialect}, "$dialect: the texts mean the same");
        is($of->allowed('https://foo/pub/closed'), 0, "$dialect: a pushed rule") if $dialect ne 'robotstxt-rb';
    }
    local $Robotrules::RobotRules::DIALECT = 'rfc9309';
    is(WWW::RobotRules->new('FooBot')->dialect, 'rfc9309', 'the dialect of all new objects');
    eval { WWW::RobotRules->new('FooBot', dialect => 'nonsense') };
    like($@, qr/there is no dialect 'nonsense' at \Q$0\E/, 'an unknown dialect');
    eval { WWW::RobotRules->new('FooBot', 'nonsense' => 1) };
    like($@, qr/unknown option nonsense at \Q$0\E/, 'an unknown option');
}

# Sites that no server has are kept too, as in the original.
for my $host ('', '%zz', 'foo bar', '...', 'a:b', 'a@', '127.0.0.1:0', '127.0.0.1:99999') {
    my $of = WWW::RobotRules->new('FooBot/1.0');
    $of->parse("http://$host/robots.txt", $robots);
    is($of->allowed("http://$host$_->[0]"), $_->[1], "allowed('http://$host$_->[0]')")
        for ['/private', 0], ['/also', 1], ['/sub/x', 0], ['/x', 1], ['', 1], ['?q', 1];
    ok($of->rules_of("http://$host/x"), 'its rules are known');
    $of->push_rules($_, '/pushed') for grep { /:\d+$/ } keys %{$of->{loc}};
    is($of->allowed("http://$host/pushed"), 0, 'and rules are pushed');
}
$rules->parse('<http://foo/robots.txt>', $robots);
is($rules->allowed('http://foo/private'), 0, 'the URL of a file in <...>');
{
    local $@ = 'kept';
    $rules->allowed('http://foo bar/');
    is($@, 'kept', 'an error of the program is left alone');
}

# Texts lose nothing: what is closed in the file is closed by the texts, in all dialects.
{
    package Texts {
        our @ISA = ('Robotrules::RobotRules');
        sub push_rules  { my ($self, $site, @rules) = @_; push @{$self->{texts}{$site}}, @rules; return }
        sub clear_rules { my ($self, $site) = @_; delete $self->{texts}{$site}; return }
        sub rules       { my ($self, $site) = @_; return @{$self->{texts}{$site} // []} }
    }
    my $short = "User-agent:*\n" . "disallow:/zzzzzz\n" x 30_000 . "disallow:/last\n";
    for my $dialect (Robotrules::dialects()) {
        my ($memory, $texts) = map { $_->new('FooBot/1.0', dialect => $dialect) } qw(Robotrules::RobotRules Texts);
        for my $robots ($short, "User-agent: FooBot\nDisallow: Allow: /x\nDisallow: Disallow: /y\nDisallow:*\nDisallow: /z\n") {
            $_->parse('http://foo/robots.txt', $robots) for $memory, $texts;
            is($texts->allowed("http://foo$_"), $memory->allowed("http://foo$_"), "$dialect: $_ by texts") for qw(/last /x /y /z /q);
        }
    }
    my $texts = Texts->new('FooBot/1.0', dialect => 'rfc9309');
    $texts->parse('http://foo/robots.txt', $short);
    $texts->push_rules('foo:80', "Allow: /open$_", "/last$_") for 1 .. 100;
    is($texts->allowed("http://foo$_->[0]"), $_->[1], "pushed over the limit: $_->[0]")
        for ['/last100', 0], ['/last', 0], ['/zzzzzz', 0], ['/q', 1];
    $texts->push_rules('foo:80', map { "/much$_" } 1 .. 60_000);
    is($texts->allowed("http://foo$_"), 0, "more closing rules than are read: $_") for '/much60000', '/last', '/q';
    $texts->clear_rules('foo:80');
    $texts->push_rules('foo:80', '/a#b');
    is($texts->allowed('http://foo/ax'), 1, 'a # in a rule begins no comment');
}

# Misuse.
eval { $rules->parse('/robots.txt', '') };
like($@, qr{'/robots.txt' is not an absolute http or https URL at \Q$0\E}, 'parse needs a URL');
eval { $rules->allowed(undef) };
like($@, qr{the URL is not defined at \Q$0\E}, 'allowed needs a URL');
for my $wrong (undef, []) {
    eval { $rules->rules_of($wrong) };
    like($@, qr{the URL is (?:not defined|a reference, not a string) at \Q$0\E}, 'rules_of too');
    eval { $rules->parse($wrong, '') };
    like($@, qr{the URL is (?:not defined|a reference, not a string) at \Q$0\E}, 'and parse');
}
$rules->parse('http://nothing/robots.txt', undef);
is($rules->allowed('http://nothing/x'), 1, 'no text is an empty file, as in the original');

# A subclass that keeps things elsewhere, as the original asks for it.
package Elsewhere {
    our @ISA = ('WWW::RobotRules');
    sub agent       { my ($self, $name) = @_; my $old = $self->{name}; $self->{name} = $name if $name; return $old }
    sub fresh_until { my ($self, $site, $time) = @_; my $old = $self->{"$site until"}; $self->{"$site until"} = $time if $time; return $old }
    sub push_rules  { my ($self, $site, @rules) = @_; push @{$self->{"$site rules"}}, @rules; return }
    sub clear_rules { my ($self, $site) = @_; delete $self->{"$site rules"}; return }
    sub rules       { my ($self, $site) = @_; return @{$self->{"$site rules"} // []} }
}
my $elsewhere = Elsewhere->new('FooBot');
$elsewhere->parse('http://foo/robots.txt', $robots);
is($elsewhere->allowed('http://foo/private'), 0, 'a subclass: disallowed');
is($elsewhere->allowed('http://foo/x'),       1, 'a subclass: allowed');
push @{$elsewhere->{'foo:80 rules'}}, '/x';
is($elsewhere->allowed('http://foo/x'), 0, 'a change behind its back counts at once');

# Rules that are URLs, as URI reads them; tests/conformance/references.tsv has more.
for my $case (
    ['Disallow: ;Allow:%41', 'http://foo/%41', 0], ['Disallow: ;Allow:%41', 'http://foo/;Allow:%41', 1],
    ['Disallow: http://foo?x', 'http://foo?xy', 0], ['Disallow: http://foo?x', 'http://foo/?x', 1],
    ['Disallow: http://foo:080/f', 'http://foo/f', 1], ['Disallow: <"/f">', 'http://foo/f', 0],
    ['Disallow: <mailto:x@y>', 'http://foo/x', 1],
) {
    for my $class ('WWW::RobotRules', 'Elsewhere') {
        my $database = $class->new('FooBot');
        $database->parse('http://foo/robots.txt', "User-agent: *\n$case->[0]\n");
        is($database->allowed($case->[1]), $case->[2], "$class: '$case->[0]' and $case->[1]");
    }
}

# dump prints what is kept.
{
    $rules->agent('Dumper');
    $rules->parse('http://foo/robots.txt', $robots);
    open my $out, '>', \my $printed or die;
    my $previous = select $out;
    $rules->dump;
    select $previous;
    is($printed, "ua = Dumper\nfoo:80: /private; /also; /sub/x\n", 'dump');
}

# LWP::RobotUA takes it.
SKIP: {
    eval { require LWP::RobotUA; 1 } or skip 'LWP::RobotUA is not installed', 2;
    my $robot = LWP::RobotUA->new(agent => 'FooBot/1.0', from => 'me@example.org');
    isa_ok($robot->rules, 'Robotrules::RobotRules');
    is($robot->rules->agent, 'FooBot', 'with the name of the robot');
}

done_testing;
