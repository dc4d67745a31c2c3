# Asks WWW::RobotRules and Robotrules::RobotRules the same questions about generated files. Compares their answers and
# the texts of their rules. The files are lines that readers understand differently: values that are URLs, escapes of
# every kind, odd line ends, names and remarks.
#
#     perl -I bindings/perl/lib tests/bindings/perl/differential.pl [FILES [SEED]]
#
# Status 1: an answer differs. Not asked, because bindings/perl/README.md lists these differences: hosts that differ only
# in upper case, or in a dot at their end, or that are not ASCII, and wide white space within <...> and quotes.
use strict;
use warnings;
no warnings 'qw';

use URI;
use WWW::RobotRules;
use Robotrules::RobotRules;

my ($files, $seed) = (shift // 6000, shift // 1994);
srand $seed;

# A database whose rules are kept elsewhere: its answers come from the texts.
package Elsewhere {
    our @ISA = ('Robotrules::RobotRules');
    sub push_rules  { my ($self, $site, @rules) = @_; push @{$self->{elsewhere}{$site}}, @rules }
    sub clear_rules { my ($self, $site) = @_; delete $self->{elsewhere}{$site} }
    sub rules       { my ($self, $site) = @_; return @{$self->{elsewhere}{$site} // []} }
}

sub one { return $_[rand @_] }

my @robots_urls = (
    ('http://foo/robots.txt') x 5,
    qw(http://foo/a/b/robots.txt http://foo/ http://foo/robots.txt?q http://foo/d//e/ http://foo/a:b/r http://foo),
    qw(http://foo?r http://foo:80/robots.txt http://foo:8080/robots.txt https://foo/robots.txt HTTP://foo/robots.txt),
    qw(http://foo:080/robots.txt http://user:80@foo/robots.txt http://[::1]/robots.txt http://f%6Fo/robots.txt),
    qw(http://foo:/robots.txt http://127.0.0.1/robots.txt#x),
);
my @schemes = (
    ('http:') x 6,
    qw(https: HTTP: hTtP: ftp: mailto: file: urn: data: javascript: foo: h: http+x: http 1http: :),
    'htt p:', '', '', '',
);
my @hosts = (
    ('foo') x 6,
    qw(FOO foo. bar foo.bar f%6Fo f%6fo fo%20o [::1] %5B::1%5D ::1 [::1 foo%00 127.0.0.1 f@foo u:p@foo u@v@foo),
    qw(foo@bar u:80@foo @foo :80 foo% [foo] f<o foo\\ xn--foo), '', 'fo o',
);
my @ports = (('') x 6, qw(: :80 :080 :0080 :8080 :443 :0 :80x :-80 :99999 :+80 :%3880 :80: :80:80 ::80), ': 80');
my @wide  = map { pack 'H*', $_ } qw(80 a0 85 c3bc c2a0 c285 e280a8 e38080 efbbbf);
my @pieces = (
    qw(/ / / / a b x ab . .. ./ ../ // ; : , ? ? & = + $ * ! ' ( ) ~ _ - @ % %% %4 %41 %61 %2f %2F %3f %3B %25 %zz),
    qw(%00 %C3%BC %c3%bc %5B [ ] { } | \\ ^ ` < > " Allow Allow: URL: robots.txt index.html 0 # #x), ' ', ' #',
    "\t", "\x0B", "\x0C", "\x00", "\x01", "\x7F", @wide,
);
my @names = (
    qw(FooBot foobot Foo Bot o * * * ** FooBot/1.0 BarBot FooBot: Foo#Bot # : / 0),
    '', ' ', '* x', 'foo bot', 'FooBot ', "FooBot\x0B", "\xC3\xBC", "F\x00", ': *',
);
my @agents = (
    qw(FooBot/1.0 FooBot x 0 /x), 'Foo Bot', 'foobot [x]', "F\xC3\xBC", "F\xFC", ' FooBot/2',
    'Mozilla/5.0 (compatible; FooBot/1.0)',
);
my @ends = (
    ("\n") x 8, ("\r\n") x 2, ("\n\n") x 2, "\r", "\r\r\n", "\n\r", "\n \n", "\n\t#\n", "\x0B", "\x0C", "\n\x0C\n",
    "\n\x00\n", "\n\xA0\n", "\n\xC2\xA0\n", "\n\xE2\x80\xA9#x\n", "\xC2\x85", '',
);
my @colons = (
    (':') x 3, (': ') x 8, ' : ', ":\t", '::', ' ', '', ":\x0B", "\x0C:", "\x00:", ":\xA0", "\xA0:", ":\xC2\xA0",
    "\xE2\x80\xA8:", ':  ',
);
my @odd_lines = (
    'Sitemap: http://foo/s.xml', 'Crawl-delay: 3', 'Useragent: *', 'Disalow: /', 'Disallow', 'User-agent', ':', 'x',
    'Disallow /x', 'Noindex:/', 'Disallow-x: /', "Di\xC5\xBFallow: /x", "U\xC5\xBFer-agent: *", 'User agent: FooBot',
);

sub path { return join '', map { one(@pieces) } 0 .. rand 5 }

sub url {
    my $server = one(('//') x 4, '/', '', '///') . one(@hosts) . one(@ports);
    return one(@schemes) . $server . one('', '/', '?', '/' . path(), '/' . path(), '?' . path(), path());
}

sub value {
    my $kind  = rand 10;
    my $value = $kind < 3 ? '/' . path()
        : $kind < 5 ? path()
        : $kind < 8 ? url()
        : $kind < 9 ? '//' . one(@hosts) . one(@ports) . one('', '/', '?') . path()
        :             one('', qw(/ * . .. ../x ./ x/../.. ;Allow:%41 ? ?x a:b % < "));
    my $wrap = one(('%s') x 30, '<%s>', '<URL:%s>', '"%s"', '<"%s">', '< %s >', '<URL:" %s ">');
    return sprintf $wrap, $value;
}

sub named { my ($text) = @_; return one($text, $text, $text, lc $text, uc $text) . one(@colons) }

sub line {
    my $kind = rand 20;
    my $line = $kind < 4 ? named('User-agent') . one(@names)
        : $kind < 17 ? named('Disallow') . value()
        : $kind < 18 ? 'Allow' . one(@colons) . value()
        : $kind < 19 ? one('', '', '#', ' # x', "\t", "\x00", ' ')
        :              one(@odd_lines);
    $line = one(' ', "\t", "\x0B", "\x00", 'x', '#', @wide) . $line if rand(25) < 1;
    $line .= one(' ', ' # x', '#', '#x', "\t", "\x0C", "\x00", ' x', @wide, map {"$_#"} @wide) if rand(6) < 1;
    return $line;
}

sub file {
    my @lines = map { line() . one(@ends) } 0 .. rand 7;
    unshift @lines, 'User-agent: ' . one('*', '*', 'FooBot', 'Foo') . "\n" if rand(3) > 1;
    return join '', one(('') x 44, "\xEF\xBB\xBF", "\xFF\xFE", "\n", "\r"), @lines;
}

# Decodes a file as LWP::RobotUA does, but without the difference that is listed.
sub decoded {
    my ($robots) = @_;
    utf8::decode($robots) || utf8::upgrade($robots);
    my @lines = split /([\r\n])/, $robots;
    for (@lines) { s/(?![\x00-\x7F])\s//g if /[<"]/ }
    return join '', @lines;
}

sub shown { return join ' ', map { my $text = $_; $text =~ s/([^\x20-\x7E])/sprintf '\\x{%X}', ord $1/ge; "'$text'" } @_ }

# The first difference between the databases and the original, or nothing; and the number of questions.
sub compare {
    my ($robots, $url, $agent) = @_;
    my ($start) = $url =~ m{^([^/]+//[^/?#]*)};
    my $original  = WWW::RobotRules->new($agent);
    my @databases = map { $_->new($agent) } qw(Robotrules::RobotRules Elsewhere);
    $_->parse($url, $robots) for $original, @databases;
    my $parsed = URI->new($url);
    my @rules = $original->rules($parsed->host . ':' . $parsed->port);
    for my $database (@databases) {
        my @texts = $database->rules((Robotrules::RobotRules::_asked($url))[0]);
        return ('rules ' . shown(@rules) . ', ' . ref($database) . ': ' . shown(@texts), 0) if "@texts" ne "@rules";
    }
    my @paths = ('', qw(/ /robots.txt /x /%41 ?x ? /Allow), map { '/' . path() } 1 .. 4);
    push @paths, map { ($_, $_ . 'x', length > 1 ? substr($_, 0, -1) : $_) } @rules;
    my ($questions, %asked) = (0);
    for my $path (grep { m{^(?:[/?].*)?\z}s && !$asked{$_}++ } @paths) {
        my $expected = $original->allowed("$start$path");
        for my $database (@databases) {
            my $found = $database->allowed("$start$path");
            ++$questions;
            return (shown("$start$path") . ": $expected, " . ref($database) . ": $found", $questions) if $found != $expected;
        }
    }
    return ('', $questions);
}

my ($questions, $different) = (0, 0);
for my $number (1 .. $files) {
    my ($robots, $url, $agent) = (file(), one(@robots_urls), one(@agents));
    $robots = decoded($robots) if $agent =~ /^[\x00-\x7F]*\z/ && rand(3) < 1;
    my ($difference, $asked) = compare($robots, $url, $agent);
    $questions += $asked;
    next if $difference eq '';
    next if $different++ >= 20;
    print "file $number, ", shown($robots), ", of $url for ", shown($agent), ": the original says $difference\n";
}
print "$questions questions about $files files (seed $seed); $different files differ\n";
exit($different || !$questions ? 1 : 0);
