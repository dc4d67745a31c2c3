# Copies of objects: Storable, Clone, a shallow copy, Data::Dumper. None of them frees the rules of another object.
use strict;
use warnings;

use Data::Dumper ();
use File::Temp   qw(tempdir);
use FindBin;
use Storable qw(dclone freeze nstore retrieve thaw);
use Test::More;

use lib "$FindBin::Bin/../dropin";
use WWW::RobotRules;
use Robotrules::RobotRules::Store;

my $folder = tempdir(CLEANUP => 1);
my $robots = "User-agent: *\nDisallow: /private\nAllow: /private/x\nDisallow: /b\xE9\n";

sub database {
    my (@options) = @_;
    my $sites = WWW::RobotRules->new('FooBot/1.0', @options);
    $sites->parse('http://foo/robots.txt', $robots);
    $sites->parse('http://bar/robots.txt', '');
    $sites->visit('foo:80', 1000);
    return $sites;
}

sub is_database {
    my ($sites, $what) = @_;
    my @answers = map { $sites->allowed($_) } 'http://foo/private', 'http://foo/y', 'http://bar/private', 'http://baz/';
    is("@answers", '0 1 1 -1', "$what: answers");
    is($sites->agent, 'FooBot', "$what: the name");
    is($sites->no_visits('foo:80') . ' at ' . $sites->last_visit('foo:80'), '1 at 1000', "$what: visits");
    return;
}

for my $dialect ('www-robotrules', 'rfc9309') {
    my $sites = database(dialect => $dialect);
    my %copy  = (dclone => dclone($sites), freeze => thaw(freeze($sites)));
    nstore($sites, "$folder/sites");
    $copy{retrieve} = retrieve("$folder/sites");
    for my $name (sort keys %copy) {
        my $copy = delete $copy{$name};
        isa_ok($copy, 'WWW::RobotRules::InCore');
        is_database($copy, "$dialect, $name");
        is($copy->dialect, $dialect, 'the dialect goes along');
        is_deeply([$copy->rules('foo:80')], [$sites->rules('foo:80')], 'the texts too');
        is($copy->allowed('http://foo/private/x'), $dialect eq 'rfc9309' ? 1 : 0, 'and they mean the same');
        $copy->push_rules('foo:80', '/only-copy');
        is($copy->allowed('http://foo/only-copy'),  0, 'a copy has its own rules');
        is($sites->allowed('http://foo/only-copy'), 1, 'and the other keeps its own');
        undef $copy;
        is_database($sites, "$dialect, after $name has gone");
    }
    is($sites->rules_of('http://foo/')->check('/private')->{line}, 2, 'the compiled rules are still those of the file');
}

# In another process.
{
    nstore(database(), "$folder/sites");
    my $program = q{use Storable; use WWW::RobotRules; my $sites = Storable::retrieve(shift);}
        . q{print join ' ', map { $sites->allowed("http://foo/$_") } 'private', 'x'};
    local $ENV{PERL5LIB} = "$FindBin::Bin/../dropin:$FindBin::Bin/../lib";
    open my $pipe, '-|', $^X, '-e', $program, "$folder/sites" or die "$!\n";
    is(scalar <$pipe>, '0 1', 'another process retrieves it');
    ok(close $pipe, 'and ends well');
}

# Two names of one object stay one object, and members of a subclass go along.
{
    my $sites = database();
    $sites->{"own \x{263A}"} = {crawl => [1, 2]};
    $sites->{shared} = my $shared = [3];
    my ($copy, $again, $copy_of_shared) = @{dclone([$sites, $sites, $shared])};
    is($copy, $again, 'one object');
    is_deeply($copy->{"own \x{263A}"}, {crawl => [1, 2]}, 'members of a subclass');
    is($copy->{shared}, $copy_of_shared, 'that others refer to');
    is_database($copy, 'a copy in a list');
}

# Copies that do not ask: compiled rules are not theirs, so nothing is known, and nothing is freed twice.
{
    my $sites = database();
    my %copy  = (
        'a shallow copy' => bless({%$sites}, ref $sites),
        'a copy of Data::Dumper' => do {
            my $text = Data::Dumper->new([$sites])->Terse(1)->Indent(0)->Dump;
            eval $text or die $@;    ## no critic (ProhibitStringyEval): what it is for
        },
    );
    $copy{'a copy of Clone'} = Clone::clone($sites) if eval { require Clone; 1 };
    for my $name (sort keys %copy) {
        my $copy = delete $copy{$name};
        like($copy->allowed('http://foo/private'), qr/^(?:0|-1)$/, "$name opens nothing");
        $copy->parse('http://new/robots.txt', $robots);
        is($copy->allowed('http://new/private'), 0, 'it takes new files');
        undef $copy;
        is($sites->rules_of('http://foo/')->allowed('/private'), '', 'the object is as before');
    }
}

# Rules and stores.
{
    my $rules = Robotrules::Rules->compile($robots, 'FooBot');
    for my $copies (sub { dclone($rules) }, sub { dclone({deep => [$rules]}) }, sub { freeze($rules) }) {
        is(eval { $copies->() }, undef, 'Storable does not copy compiled rules');
        like($@, qr/compiled rules cannot be copied or stored/, 'and says so');
    }
    my $copy = bless \(my $value = $$rules), ref $rules;
    for my $method (qw(allowed check explain lines crawl_delay)) {
        is(eval { $copy->$method('/'); 1 }, undef, "$method() of a copy");
        like($@, qr/these rules are a copy.* at \Q$0\E/, 'dies with a sentence');
    }
    undef $copy;
    is(eval { Robotrules::Rules::allowed($_, '/'); 1 }, undef, 'what is no object dies') for undef, 'x', \1, {};
    $rules->DESTROY for 1 .. 2;
    is(eval { $rules->allowed('/'); 1 }, undef, 'rules that were freed die');
    my $class = Robotrules::Rules->compile($robots, 'FooBot')->compile('', 'FooBot');
    is($class->allowed('/private'), 1, 'compile() of an object');
}
SKIP: {
    skip 'this library has no store', 5 unless Robotrules::Native->can('robotrules_store_open');
    my $store = Robotrules::RobotRules::Store->new('FooBot', 'memory:');
    $store->parse('http://foo/robots.txt', $robots);
    is(eval { dclone($store) }, undef, 'Storable does not copy a store');
    like($@, qr/an open store cannot be copied/, 'and says so');
    my $copy = bless {%$store}, ref $store;
    is(eval { $copy->allowed('http://foo/'); 1 }, undef, 'a copy has no store');
    like($@, qr/this store is a copy.* at \Q$0\E/, 'and says so');
    undef $copy;
    is($store->allowed('http://foo/private'), 0, 'the store is as before');
}

done_testing;
