# The rules of many sites in a store of the library: an SQLite file that processes share, or a Redis or PostgreSQL
# server that machines share. It has the methods of WWW::RobotRules that LWP::RobotUA calls. The store keeps files, not
# single rules, so push_rules, clear_rules, rules and fresh_until are missing.
package Robotrules::RobotRules::Store;

use strict;
use warnings;

use Carp ();
use Robotrules::Native qw(bytes_of);
use Robotrules::RobotRules;

our $VERSION = $Robotrules::RobotRules::VERSION;

use constant {ALLOWED => 1, DISALLOWED => 2, OUTCOME_UNAVAILABLE => 1, OUTCOME_UNREACHABLE => 2};

$Carp::Internal{+__PACKAGE__}++;

# The handles stay with the thread that opened them.
sub CLONE_SKIP { return 1 }

# new($agent, $store, dialect => ...): opens "memory:", the path of an SQLite file, "redis://..." or "postgresql://...".
# A store that belongs to another robot is an error.
sub new {
    my ($class, $agent, $store, %options) = @_;
    my $dialect = delete $options{dialect} // $Robotrules::RobotRules::DIALECT;
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    my $self = bless {agent => bytes_of($agent, 'the agent'), dialect => bytes_of($dialect, 'the dialect'), pid => $$}, $class;
    Carp::croak('Robotrules: the agent is empty') unless length $self->{agent};
    my $name = bytes_of($store, 'the store');
    use bytes;
    _call(\&Robotrules::Native::robotrules_store_open, $name, length $name, 0, \$self->{store});
    $self->_open(0);
    return $self;
}

sub _open {
    my ($self, $clears_other) = @_;
    my ($agent, $dialect) = @$self{qw(agent dialect)};
    use bytes;
    _call(\&Robotrules::Native::robotrules_database_open, $self->{store}, $agent, length $agent, $dialect, length $dialect,
        $clears_other, \my $database);
    Robotrules::Native::robotrules_database_free($self->{database}) if $self->{database};
    $self->{database} = $database;
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

# Calls a function of the database. A forked process may not use the handle of its parent.
sub _ask {
    my ($self, $function, @arguments) = @_;
    Carp::croak('Robotrules: the store was opened by another process; open it after fork') if $self->{pid} != $$;
    return _call($function, $self->{database}, @arguments);
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
    my ($of_url, $of_text) = (bytes_of($url, 'the URL'), bytes_of($text // '', 'the robots.txt'));
    my $seconds = $fresh_until ? int($fresh_until - time) : Robotrules::RobotRules::YEAR;
    use bytes;
    return $self->_ask(\&Robotrules::Native::robotrules_database_keep,
        $of_url, length $of_url, $of_text, length $of_text, $seconds < 0 ? 0 : $seconds);
}

# keep_failure($robots_url, $status, $seconds): keeps that the site has no robots.txt (4xx), or that it could not be
# fetched (429, 5xx, 0: no answer). The policy of the store says what that means.
sub keep_failure {
    my ($self, $url, $status, $seconds) = @_;
    my $of_url  = bytes_of($url, 'the URL');
    my $outcome = $status >= 400 && $status < 500 && $status != 429 ? OUTCOME_UNAVAILABLE : OUTCOME_UNREACHABLE;
    use bytes;
    return $self->_ask(\&Robotrules::Native::robotrules_database_keep_outcome,
        $of_url, length $of_url, $outcome, $status, $seconds);
}

# allowed($url): 1, 0, or -1 if there is no fresh robots.txt of the site. Dies if the store cannot be read.
sub allowed {
    my ($self, $url) = @_;
    my $of_url = bytes_of($url, 'the URL');
    return -1 unless $of_url =~ /^[a-z][a-z0-9+.-]*:/ai;
    my $access = 0;
    use bytes;
    eval { $self->_ask(\&Robotrules::Native::robotrules_database_check, $of_url, length $of_url, \$access, undef); 1 }
        or $@ =~ /not an absolute/ or die $@;
    return $access == ALLOWED ? 1 : $access == DISALLOWED ? 0 : -1;
}

# rules_of($url): the compiled rules that decide about a URL, or undef.
sub rules_of {
    my ($self, $url) = @_;
    my $of_url = bytes_of($url, 'the URL');
    use bytes;
    $self->_ask(\&Robotrules::Native::robotrules_database_rules, $of_url, length $of_url, \my $rules);
    return $rules ? bless \$rules, 'Robotrules::Rules' : undef;
}

# visit($site): counts a visit now. A site is "host:port" or a URL.
sub visit {
    my ($self, $site) = @_;
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
    return if ${^GLOBAL_PHASE} eq 'DESTRUCT' || $self->{pid} != $$;
    Robotrules::Native::robotrules_database_free($self->{database}) if $self->{database};
    Robotrules::Native::robotrules_store_free($self->{store})       if $self->{store};
    return;
}

1;
