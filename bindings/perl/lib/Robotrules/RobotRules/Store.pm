# The rules of many sites in a store of the library: an SQLite file that processes share, or a Redis or PostgreSQL
# server that machines share. It has the methods of WWW::RobotRules that LWP::RobotUA calls, and push_rules. The store
# keeps files, not single rules, so clear_rules, rules and fresh_until are missing.
package Robotrules::RobotRules::Store;

use strict;
use warnings;

use Carp ();
use Robotrules::Native qw(bytes_of);
use Robotrules::RobotRules;
use Robotrules::RobotsFetch;
use Scalar::Util qw(refaddr);

our $VERSION = $Robotrules::RobotRules::VERSION;

use constant {ALLOWED => 1, DISALLOWED => 2, OUTCOME_UNAVAILABLE => 1, OUTCOME_UNREACHABLE => 2};

$Carp::Internal{+__PACKAGE__}++;

# The handles of the library and the process that opened them, by the identities of the objects. A copy of an object,
# also in a new thread, has none.
my %handles_of;

sub CLONE { %handles_of = (); return }

sub STORABLE_freeze { return Carp::croak('Robotrules: an open store cannot be copied or stored') }

# new($agent, $store, dialect => ...): opens "memory:", the path of an SQLite file, "redis://..." or "postgresql://...".
# A store that belongs to another robot is an error.
sub new {
    my ($class, $agent, $store, %options) = @_;
    my $dialect = delete $options{dialect} // $Robotrules::RobotRules::DIALECT;
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    my $self = bless {agent => bytes_of($agent, 'the agent'), dialect => bytes_of($dialect, 'the dialect')}, $class;
    Carp::croak('Robotrules: the agent is empty') unless length $self->{agent};
    my $name = bytes_of($store, 'the store');
    use bytes;
    _call(\&Robotrules::Native::robotrules_store_open, $name, length $name, 0, \my $handle);
    $handles_of{refaddr $self} = {store => $handle, pid => $$};
    $self->_open(0);
    return $self;
}

# Returns the handles of an object. A forked process may not use those of its parent.
sub _handles {
    my ($self) = @_;
    my $handles = $handles_of{refaddr $self} // Carp::croak('Robotrules: this store is a copy, or of another thread');
    Carp::croak('Robotrules: the store was opened by another process; open it after fork') if $handles->{pid} != $$;
    return $handles;
}

sub _open {
    my ($self, $clears_other) = @_;
    my ($agent, $dialect) = @$self{qw(agent dialect)};
    my $handles = $self->_handles;
    use bytes;
    _call(\&Robotrules::Native::robotrules_database_open, $handles->{store}, $agent, length $agent, $dialect, length $dialect,
        $clears_other, \my $database);
    Robotrules::Native::robotrules_database_free($handles->{database}) if $handles->{database};
    $handles->{database} = $database;
    return;
}

# Calls a function whose last parameter is an error of the store.
sub _call {
    my ($function, @arguments) = @_;
    my $status = $function->(@arguments, \my $error);
    return Robotrules::Native::check_status($status) unless $error;
    my $sentence = Robotrules::Native::text(\&Robotrules::Native::robotrules_error_message, $error);
    Robotrules::Native::robotrules_error_free($error);
    return Carp::croak("Robotrules: $sentence");
}

# Calls a function of the database.
sub _ask {
    my ($self, $function, @arguments) = @_;
    return _call($function, $self->_handles->{database}, @arguments);
}

# agent($name): sets the robot's name and returns the previous one. Another name deletes everything in the store.
sub agent {
    my ($self, $name) = @_;
    my $old = $self->{agent};
    if ($name && $name ne $old) {
        $self->{agent} = "$name";
        $self->_open(_short_name($name) ne _short_name($old) ? 1 : 0);
    }
    return _short_name($old);
}

# The name in a whole User-Agent header, or else the first word without its version, as the library takes it.
sub _short_name {
    my ($agent) = @_;
    my $name = Robotrules::robot_name($agent);
    return length $name ? $name : ($agent =~ m{([^\s/]*)})[0];
}

sub dialect { my ($self) = @_; return $self->{dialect} }

# parse($robots_url, $text, $fresh_until): keeps the robots.txt of a site. Without a time, for a year.
sub parse {
    my ($self, $url, $text, $fresh_until) = @_;
    my ($of_url, $of_text) = (Robotrules::RobotRules::trimmed($url), bytes_of($text // '', 'the robots.txt'));
    my $seconds = $fresh_until ? int($fresh_until - time) : Robotrules::RobotRules::YEAR;
    use bytes;
    return $self->_ask(\&Robotrules::Native::robotrules_database_keep,
        $of_url, length $of_url, $of_text, length $of_text, $seconds < 0 ? 0 : $seconds);
}

# keep_failure($robots_url, $status, $seconds): keeps that the site has no robots.txt (4xx), or that it could not be
# fetched (407, 426, 429, 5xx, 0: no answer). The policy of the store says what that means.
sub keep_failure {
    my ($self, $url, $status, $seconds) = @_;
    my $of_url  = Robotrules::RobotRules::trimmed($url);
    my $outcome = $status >= 400 && $status < 500 ? OUTCOME_UNAVAILABLE : OUTCOME_UNREACHABLE; # the policy knows exceptions
    use bytes;
    return $self->_ask(\&Robotrules::Native::robotrules_database_keep_outcome,
        $of_url, length $of_url, $outcome, $status, $seconds);
}

# fetch($robots_url): begins the fetch of the robots.txt of a site (Robotrules::RobotsFetch), with what is kept of it and
# the policy of the store. keep_fetch($fetch) keeps its result.
sub fetch {
    my ($self, $url) = @_;
    my $of_url = Robotrules::RobotRules::trimmed($url);
    use bytes;
    $self->_ask(\&Robotrules::Native::robotrules_database_fetch, $of_url, length $of_url, \my $fetch);
    return Robotrules::RobotsFetch->of_address($fetch);
}

sub keep_fetch {
    my ($self, $fetch) = @_;
    return $self->_ask(\&Robotrules::Native::robotrules_database_keep_fetch, $fetch->_address);
}

# allowed($url): 1, 0, or -1 if there is no fresh robots.txt of the site. URLs of other schemes or without one are
# allowed, and http and https URLs that the library refuses are closed: no server answers to them. Dies if the store
# cannot be read.
sub allowed {
    my ($self, $url) = @_;
    my $of_url = Robotrules::RobotRules::trimmed($url);
    return 1 unless $of_url =~ /^https?:/ai;
    return 0 unless defined Robotrules::robots_url($of_url);
    my $access = 0;
    use bytes;
    $self->_ask(\&Robotrules::Native::robotrules_database_check, $of_url, length $of_url, \$access, undef);
    return $access == ALLOWED ? 1 : $access == DISALLOWED ? 0 : -1;
}

# rules_of($url): the compiled rules that decide about a URL, or undef.
sub rules_of {
    my ($self, $url) = @_;
    my $of_url = Robotrules::RobotRules::trimmed($url);
    use bytes;
    $self->_ask(\&Robotrules::Native::robotrules_database_rules, $of_url, length $of_url, \my $rules);
    return $rules ? Robotrules::Rules->of_address($rules) : undef;
}

# push_rules($site, @patterns): adds own rules of the program, which close what they match beside the site's robots.txt.
# The store keeps them, and a new robots.txt does not change them. clear_own_rules($site) deletes them.
sub push_rules {
    my ($self, $site, @patterns) = @_;
    my $of_site = bytes_of($site, 'the site');
    my @texts   = map { bytes_of($_, 'a rule') } @patterns;
    use bytes;
    my $views = join '', map { pack 'P J', $_, length } @texts;
    return $self->_ask(\&Robotrules::Native::robotrules_database_push_rules,
        $of_site, length $of_site, $views, scalar @texts);
}

sub clear_own_rules {
    my ($self, $site) = @_;
    my $of_site = bytes_of($site, 'the site');
    use bytes;
    return $self->_ask(\&Robotrules::Native::robotrules_database_clear_own_rules, $of_site, length $of_site);
}

# visit($site): counts a visit now. A site is "host:port" or a URL. LWP::RobotUA visits undef for a URL without a host.
sub visit {
    my ($self, $site) = @_;
    return unless defined $site && length $site;
    my $of_site = bytes_of($site, 'the site');
    use bytes;
    return $self->_ask(\&Robotrules::Native::robotrules_database_visit, $of_site, length $of_site);
}

sub no_visits  { my ($self, $site) = @_; return ($self->_visits($site))[0] }
sub last_visit { my ($self, $site) = @_; return ($self->_visits($site))[1] }

sub _visits {
    my ($self, $site) = @_;
    my $of_site = bytes_of($site, 'the site');
    use bytes;
    $self->_ask(\&Robotrules::Native::robotrules_database_visits, $of_site, length $of_site, \my $count, \my $last);
    return $count, $count ? int($last / 1_000_000) : undef;
}

sub DESTROY {
    my ($self) = @_;
    my $handles = delete $handles_of{refaddr $self} // return;
    return if ${^GLOBAL_PHASE} eq 'DESTRUCT' || $handles->{pid} != $$;
    Robotrules::Native::robotrules_database_free($handles->{database}) if $handles->{database};
    Robotrules::Native::robotrules_store_free($handles->{store});
    return;
}

1;

__END__

=encoding UTF-8

=head1 NAME

Robotrules::RobotRules::Store - the rules of many sites, in a store that processes or machines share

=head1 SYNOPSIS

  my $rules = Robotrules::RobotRules::Store->new('FooBot/1.0', '/var/lib/foobot/rules.db', dialect => 'rfc9309');
  my $robot = LWP::RobotUA->new(agent => 'FooBot/1.0', from => 'me@example.org', rules => $rules);

=head1 DESCRIPTION

A store is C<memory:>, the path of an SQLite file, C<redis://...> or C<postgresql://...>. It has the methods that
L<LWP::RobotUA> calls, C<push_rules($site, @patterns)>, C<rules_of>, C<fetch($robots_url)> and C<keep_fetch($fetch)>
(L<Robotrules::RobotsFetch>), and C<keep_failure($robots_url, $status, $seconds)>. Open it after C<fork>.

=head1 SEE ALSO

L<Robotrules::RobotRules>

=head1 LICENSE

Apache License 2.0, as in the file LICENSE.

=cut
