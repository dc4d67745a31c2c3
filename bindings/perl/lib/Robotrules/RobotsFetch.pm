# The fetch of one robots.txt by the HTTP client of a program: what to request next, or what the answers mean (RFC 9309
# section 2.3.1). It sends nothing. Times are seconds since 1970.
package Robotrules::RobotsFetch;

use strict;
use warnings;

use Carp ();
use Robotrules::Native qw(bytes_of check_status struct);
use Scalar::Util qw(refaddr);

use constant EXCHANGE_SIZE => 104;

my @OUTCOMES = qw(rules unavailable unreachable);
my @STATES   = qw(unknown rules stale allow-all disallow-all);
my %ENDS     = (answered => 1, failed => 2, ours => 3, 'by-proxy' => 4);

$Carp::Internal{+__PACKAGE__}++;

# The addresses of the fetches, by the identities of their objects. A copy has none.
my %address_of;

sub CLONE { %address_of = (); return }

sub STORABLE_freeze { return Carp::croak('Robotrules: a fetch cannot be copied or stored') }

# new($robots_url, policy => ..., last => ..., now => ...): begins a fetch. `last` is an earlier fetch of the same site:
# its file may be asked for conditionally, and its failures count.
sub new {
    my ($class, $robots_url, %options) = @_;
    my ($policy, $last, $now) = delete @options{qw(policy last now)};
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    my $url  = bytes_of($robots_url, 'the URL');
    my $name = bytes_of($policy // '', 'the policy');
    use bytes;
    check_status(Robotrules::Native::robotrules_robots_fetch_new($url, length $url, $name, length $name,
        $last && $last->_address, _microseconds($now), \my $handle));
    return $class->of_address($handle);
}

# Makes the object that owns the fetch at an address.
sub of_address {
    my ($class, $address) = @_;
    my $self = bless {}, $class;
    $address_of{refaddr $self} = $address;
    $self->_read;
    return $self;
}

sub _address {
    my ($self) = @_;
    return $address_of{refaddr $self} // Carp::croak('Robotrules: this fetch is a copy, or of another thread');
}

# done: whether there is a result. Of a request: url, at (not before this time), is_repeated (use a new connection),
# headers (a hash). Of a result: url, outcome, state, status, fresh_until, robots, is_truncated, reason.
for my $name (qw(done url at is_repeated headers outcome state status fresh_until robots is_truncated reason)) {
    no strict 'refs';
    *$name = sub { return $_[0]{$name} };
}

# limit($redirects, $bytes, $downgrade): the largest number of redirects that are followed, and of bytes of the file, and
# whether redirects from https to http are followed.
sub limit {
    my ($self, $redirects, $bytes, $downgrade) = @_;
    return check_status(Robotrules::Native::robotrules_robots_fetch_limits($self->_address, $redirects // 5, $bytes // 512_000,
        $downgrade ? 1 : 0));
}

# answer($status, \@fields, $body, ...): takes the answer of a server. The fields are names and values in turn. encoded:
# the body is as received. cut: the client stopped reading. partial: the end of the body is not certain. requested_at,
# received_at, now; jitter (from 0 to 1).
sub answer {
    my ($self, $status, $fields, $body, %options) = @_;
    my ($encoded, $cut, $partial, $requested, $received, $jitter, $now)
        = delete @options{qw(encoded cut partial requested_at received_at jitter now)};
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    my @texts = map { bytes_of($_, 'a field') } @$fields;
    my $file  = bytes_of($body, 'the body');
    use bytes;
    my $views = join '', map { pack 'P J', $_, length } @texts;
    return $self->_take($now, pack 'J l l P J P J l l l l q q J J d', EXCHANGE_SIZE, $ENDS{answered}, $status, $views,
        scalar @texts, $file, length $file, ($encoded ? 1 : 0), ($cut ? 1 : 0), ($partial ? 1 : 0), 0,
        _microseconds($requested // $now), _microseconds($received // $now), 0, 0, $jitter // 0);
}

# fail($reason, $how, ...): takes a request that had no answer. $how: "failed", "ours" (by no fault of the site) or
# "by-proxy" (refusals: such ends before, in a row).
sub fail {
    my ($self, $reason, $how, %options) = @_;
    my ($refusals, $jitter, $now) = delete @options{qw(refusals jitter now)};
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    my $end   = $ENDS{$how // 'failed'} // Carp::croak("Robotrules: there is no end $how");
    my $words = bytes_of($reason, 'the reason');
    use bytes;
    return $self->_take($now, pack 'J l l J J J J l l l l q q P J d', EXCHANGE_SIZE, $end, 0, 0, 0, 0, 0, 0, 0, 0,
        $refusals // 0, 0, 0, $words, length $words, $jitter // 0);
}

sub _microseconds {
    my ($time) = @_;
    return sprintf '%.0f', ($time // time) * 1_000_000;
}

sub _take {
    my ($self, $now, $exchange) = @_;
    check_status(Robotrules::Native::robotrules_robots_fetch_answer($self->_address, $exchange, _microseconds($now)));
    return $self->_read;
}

sub _read {
    my ($self) = @_;
    my ($status, $done, $url, $url_size, $at, $repeated, @rest)
        = struct('robots_step', \&Robotrules::Native::robotrules_robots_fetch_step, $self->_address);
    check_status($status);
    my %headers;
    for my $name (qw(Accept If-None-Match If-Modified-Since)) {
        my $value = Robotrules::Native::view(splice @rest, 0, 2);
        $headers{$name} = $value if length $value;
    }
    my ($outcome, $state, $http_status, $fresh_until, $truncated, @texts) = @rest;
    %$self = (
        done => $done, url => Robotrules::Native::view($url, $url_size), at => $at / 1_000_000, is_repeated => $repeated,
        headers => \%headers, outcome => $done ? $OUTCOMES[$outcome] : undef, state => $done ? $STATES[$state] : undef,
        status => $http_status, fresh_until => $fresh_until / 1_000_000, is_truncated => $truncated,
        robots => Robotrules::Native::view(@texts[0, 1]), reason => Robotrules::Native::view(@texts[2, 3]),
    );
    return;
}

sub DESTROY {
    my ($self) = @_;
    my $address = delete $address_of{refaddr $self} // return;
    Robotrules::Native::robotrules_robots_fetch_free($address) if ${^GLOBAL_PHASE} ne 'DESTRUCT';
    return;
}

1;
