# The rules of one robots.txt for one robot, compiled.
package Robotrules::Rules;

use strict;
use warnings;

use Carp ();
use Robotrules::Native qw(bytes_of check_status struct text);

use constant ALLOWED => 1;

# An object is a reference to the address of the rules. A new thread gets none of them, because one address must be
# freed once: there, the references are not objects any more.
sub CLONE_SKIP { return 1 }

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
    return bless \$handle, $class;
}

# allowed($url): whether the robot may fetch the URL, or a path that begins with "/".
sub allowed {
    my ($self, $url) = @_;
    $url = bytes_of($url, 'the URL') if ref $url || !defined $url;
    use bytes;
    return Robotrules::Native::robotrules_rules_access($$self, $url, length $url) == ALLOWED;
}

# check($url): the verdict with its reason, as a hash.
sub check {
    my ($self, $url) = @_;
    $url = bytes_of($url, 'the URL');
    use bytes;
    my ($status, $access, $why, @members)
        = struct('verdict', \&Robotrules::Native::robotrules_rules_check, $$self, $url, length $url);
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
    check_status(Robotrules::Native::robotrules_rules_explain($$self, $url, length $url, \my $text));
    return Robotrules::Native::take_text($text);
}

# lines(): the Allow and Disallow lines for the robot, in file order, without those that can never match.
sub lines {
    my ($self) = @_;
    check_status(Robotrules::Native::robotrules_rules_lines($$self, undef, 0, \my $count));
    return unless $count;
    my ($template, $size) = @{$Robotrules::Native::struct{rule}};
    my $lines = '';
    vec($lines, $size * $count - 1, 8) = 0;
    check_status(Robotrules::Native::robotrules_rules_lines($$self, $lines, $count, \$count));
    my @members = unpack "($template)*", $lines;
    return map { _rule(splice @members, 0, 4) } 1 .. $count;
}

# crawl_delay(): seconds, or undef.
sub crawl_delay {
    my ($self) = @_;
    my ($status, $delay) = struct('settings', \&Robotrules::Native::robotrules_rules_settings, $$self);
    check_status($status);
    return $delay < 0 ? undef : $delay / 1000;
}

sub DESTROY {
    my ($self) = @_;
    return if ${^GLOBAL_PHASE} eq 'DESTRUCT';    # the functions may be gone, and the process ends
    Robotrules::Native::robotrules_rules_free($$self);
    return;
}

1;
