# The rules of one robots.txt for one robot, compiled.
package Robotrules::Rules;

use strict;
use warnings;

use Carp ();
use Robotrules::Native qw(bytes_of check_status struct text);
use Scalar::Util qw(refaddr);

use constant ALLOWED => 1;

# The addresses of the compiled rules, by the identities of their objects. A copy of an object (of Storable, Clone, a
# new thread) has another identity, so it has no rules: its methods die, and it frees nothing.
my %address_of;

sub CLONE { %address_of = (); return }

sub STORABLE_freeze { return Carp::croak('Robotrules: compiled rules cannot be copied or stored; keep the robots.txt') }

# Makes the object that owns the rules at an address.
sub of_address {
    my ($class, $address) = @_;
    my $self = bless \(my $nothing), $class;
    $address_of{refaddr $self} = $address;
    return $self;
}

# Whether a value is an object that has its rules.
sub has_rules {
    my ($self) = @_;
    return ref $self && exists $address_of{refaddr $self};
}

sub _address {
    my ($self) = @_;
    return $address_of{refaddr($self) // ''}
        // Carp::croak('Robotrules: these rules are a copy, or of another thread; compile the robots.txt again');
}

# compile($robots, $agent, dialect => ..., url => ...)
sub compile {
    my ($class, $robots, $agent, %options) = @_;
    my ($dialect, $url) = map { $_ // '' } delete @options{qw(dialect url)};
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    $_ = bytes_of($_->[0], $_->[1])
        for my ($of_robots, $of_agent, $of_dialect, $of_url)
        = ([$robots, 'the robots.txt'], [$agent, 'the agent'], [$dialect, 'the dialect'], [$url, 'the URL']);
    use bytes;
    my $status = Robotrules::Native::robotrules_rules_compile(
        $of_robots, length $of_robots, $of_agent, length $of_agent, $of_dialect, length $of_dialect, $of_url,
        length $of_url, \my $handle
    );
    check_status($status);
    return (ref $class || $class)->of_address($handle);
}

# allowed($url): whether the robot may fetch the URL, or a path that begins with "/".
sub allowed {
    my ($self, $url) = @_;
    my $address = $address_of{refaddr($self) // ''} // $self->_address;
    $url = bytes_of($url, 'the URL') if ref $url || !defined $url;
    use bytes;
    return Robotrules::Native::robotrules_rules_access($address, $url, length $url) == ALLOWED;
}

# check($url): the verdict with its reason, as a hash.
sub check {
    my ($self, $url) = @_;
    $url = bytes_of($url, 'the URL');
    use bytes;
    my ($status, $access, $why, @members)
        = struct('verdict', \&Robotrules::Native::robotrules_rules_check, _address($self), $url, length $url);
    check_status($status);
    my ($rule, $runner_up) = (_rule(splice @members, 0, 4), _rule(splice @members, 0, 4));
    my ($agent, $agent_size, $group_line, $is_default) = @members;
    my $group = {agent => Robotrules::Native::view($agent, $agent_size), line => $group_line, is_default => $is_default == 1};
    return {
        allowed   => $access == ALLOWED,
        access    => text(\&Robotrules::Native::robotrules_access_name, $access),
        why       => text(\&Robotrules::Native::robotrules_why_name,    $why),
        line      => $rule ? $rule->{line} : 0,
        rule      => $rule,
        runner_up => $runner_up,
        group     => $group_line ? $group : undef,
    };
}

# The rule of a struct. Line 0: there is none.
sub _rule {
    my ($pattern, $size, $line, $access) = @_;
    return undef unless $line;    ## no critic (ProhibitExplicitReturnUndef): one value in a list
    my $allows = $access == ALLOWED;
    my $bytes  = Robotrules::Native::view($pattern, $size);
    my $text   = ($allows ? 'Allow:' : 'Disallow:') . (length $bytes ? " $bytes" : '');
    return {allows => $allows, line => $line, pattern => $bytes, text => $text};
}

# explain($url): the verdict as a sentence, in UTF-8.
sub explain {
    my ($self, $url) = @_;
    $url = bytes_of($url, 'the URL');
    use bytes;
    check_status(Robotrules::Native::robotrules_rules_explain(_address($self), $url, length $url, \my $text));
    return Robotrules::Native::take_text($text);
}

# lines(): the Allow and Disallow lines for the robot, in file order, without those that can never match.
sub lines {
    my ($self) = @_;
    check_status(Robotrules::Native::robotrules_rules_lines(_address($self), undef, 0, \my $count));
    return unless $count;
    my ($template, $size) = @{$Robotrules::Native::struct{rule}};
    my $lines = '';
    vec($lines, $size * $count - 1, 8) = 0;
    check_status(Robotrules::Native::robotrules_rules_lines(_address($self), $lines, $count, \$count));
    my @members = unpack "($template)*", $lines;
    return map { _rule(splice @members, 0, 4) } 1 .. $count;
}

# crawl_delay(): seconds, or undef.
sub crawl_delay {
    my ($self) = @_;
    my ($status, $delay) = struct('settings', \&Robotrules::Native::robotrules_rules_settings, _address($self));
    check_status($status);
    return $delay < 0 ? undef : $delay / 1000;
}

sub DESTROY {
    my ($self) = @_;
    my $address = delete $address_of{refaddr $self} // return;
    return if ${^GLOBAL_PHASE} eq 'DESTRUCT';    # the functions may be gone, and the process ends
    Robotrules::Native::robotrules_rules_free($address);
    return;
}

1;

__END__

=encoding UTF-8

=head1 NAME

Robotrules::Rules - one robots.txt, compiled for one robot

=head1 SYNOPSIS

  my $rules = Robotrules::Rules->compile($robots, 'FooBot', dialect => 'rfc9309');

  $rules->allowed($url);        # whether the robot may fetch a URL, or a path that begins with "/"
  $rules->check($url);          # the verdict with its reason, as a hash
  $rules->explain($url);        # the verdict as a sentence
  $rules->lines;                # the Allow and Disallow lines for the robot
  $rules->crawl_delay;          # seconds, or undef

=head1 DESCRIPTION

Wrong arguments die. An object cannot be copied or stored, and stays with the thread that made it.

=head1 SEE ALSO

L<Robotrules>

=head1 LICENSE

Apache License 2.0, as in the file LICENSE.

=cut
