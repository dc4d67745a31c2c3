# Rules in a DBM file: they outlive the process, and the original reads them.
use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

BEGIN { eval { require AnyDBM_File; 1 } or plan skip_all => 'there is no DBM library' }

use lib "$FindBin::Bin/../dropin";
use WWW::RobotRules::AnyDBM_File;

my $folder = tempdir(CLEANUP => 1);
my $class  = 'WWW::RobotRules::AnyDBM_File';
my $file   = "$folder/rules";
my $robots = "User-agent: *\nDisallow: /private\nDisallow:\nDisallow: /after\n";

sub reopened { my ($agent, @options) = @_; return $class->new($agent, $file, @options) }

{
    my $rules = reopened('FooBot/1.0');
    isa_ok($rules, $_) for 'WWW::RobotRules', 'Robotrules::RobotRules';
    is($rules->allowed('http://foo/'), -1, 'not known');
    $rules->parse('http://foo/robots.txt', $robots);
    $rules->visit('FOO:80', 1000);
    $rules->visit('foo:80', 900);
}
is((stat)[2] & 077, 0, "only its owner may read $_") for glob "$file*";
{
    my $rules = reopened(undef);
    is($rules->agent,                         'FooBot', 'the name is in the file');
    is($rules->allowed('http://foo/private'), 0,        'the rules too');
    is($rules->allowed('http://foo/after'),   1,        'an empty rule allows the rest');
    is($rules->no_visits('foo:80'),           2,        'the visits');
    is($rules->last_visit('foo:80'),          1000,     'the last one');
    is($rules->no_visits('bar:80'),           0,        'none');
    is($rules->last_visit('bar:80'),          undef,    'never');
    is_deeply([$rules->rules('foo:80')], ['/private', '', '/after'], 'the texts');
    $rules->parse('http://foo/robots.txt', "User-agent: *\nDisallow: /new\n");
    is_deeply([$rules->rules('foo:80')], ['/new'], 'a new file replaces all rules, also those behind an empty one');
    is($rules->allowed('http://foo/new'), 0, 'and counts');
    $rules->parse('http://foo/robots.txt', $robots, time - 1);
    is($rules->allowed('http://foo/private'), -1, 'not fresh');
}
is(reopened('FooBot/2.0')->no_visits('foo:80'), 2, 'another version is the same robot');
{
    my $rules = reopened('Other/1.0');
    is($rules->agent,               'Other', 'another robot');
    is($rules->no_visits('foo:80'), 0,       'finds nothing');
    is_deeply([$rules->rules('foo:80')], [], 'no rules');
}
{
    my $rules = reopened('Other/1.0', dialect => 'rfc9309');
    $rules->parse('https://foo/robots.txt', "User-agent: *\nDisallow: /*.gif\$\nAllow: /aaaaaa.gif\nDisallow: /a\n");
    is($rules->allowed("https://foo$_->[0]"), $_->[1], "rfc9309 from the file: $_->[0]")
        for ['/x.gif', 0], ['/x.gif?', 1], ['/aaaaaa.gif', 1], ['/ab', 0], ['/b', 1];
}
eval { $class->new('FooBot') };
like($@, qr/the name of the DBM file is missing at \Q$0\E/, 'no file');
eval { $class->new(undef, "$folder/empty") };
like($@, qr/no agent is given, and .* has none at \Q$0\E/, 'no agent');
eval { $class->new('FooBot', "$folder/no/such/folder") };
like($@, qr/cannot open .* at \Q$0\E/, 'a file that cannot be opened');

# The original reads the file, and this class reads the original's. It is asked in a process of its own.
SKIP: {
    my ($original) = grep { $_ !~ /dropin/ && -e "$_/WWW/RobotRules/AnyDBM_File.pm" } @INC;
    skip 'WWW::RobotRules is not installed', 2 unless $original;
    unlink glob "$file*";
    reopened('FooBot/1.0')->parse('http://foo/robots.txt', "User-agent: FooBot\nDisallow: /p q\n");
    local $ENV{PERL5LIB} = '';
    my $theirs = "use WWW::RobotRules::AnyDBM_File; my \$r = WWW::RobotRules::AnyDBM_File->new(undef, '$file');"
        . q{print join ' ', $r->agent, $r->allowed('http://foo/p%20qr'), $r->allowed('http://foo/p');}
        . q{$r->parse('http://bar/robots.txt', "User-agent: *\nDisallow: /theirs\n");};
    open my $pipe, '-|', $^X, "-I$original", '-e', $theirs or die;
    is(scalar <$pipe>, 'FooBot 0 1', 'the original reads our file');
    close $pipe;
    is(reopened(undef)->allowed('http://bar/theirs'), 0, 'we read what it wrote');
}

done_testing;
