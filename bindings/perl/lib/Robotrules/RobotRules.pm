# The interface of WWW::RobotRules: the robots.txt rules of many sites, for one robot, in memory.
#
# A site is "host:port". Its rules are texts: a path that is closed, "Allow: PATH" (only in dialects that have Allow),
# or "" (in the dialect www-robotrules, everything is open that no earlier text closes). A subclass may keep them
# elsewhere: it replaces the methods agent, visit, no_visits, last_visit, fresh_until, push_rules, clear_rules and rules,
# as subclasses of WWW::RobotRules do.
package Robotrules::RobotRules;

use strict;
use warnings;

use Carp ();
use Robotrules;

our $VERSION = $Robotrules::VERSION;

# How files are read, unless new() is told otherwise.
our $DIALECT = 'www-robotrules';

use constant YEAR => 365 * 24 * 3600;

use constant READ_SIZE => 512_000;    # bytes of a file that the dialect rfc9309 reads

# new($agent, dialect => ...)
sub new {
    my ($class, $agent, %options) = @_;
    my $self = bless {}, $class;
    $self->set_dialect(delete $options{dialect} // $DIALECT);
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    $self->agent($agent);
    return $self;
}

sub set_dialect {
    my ($self, $dialect) = @_;
    Carp::croak("Robotrules: there is no dialect '$dialect'") unless grep { $_ eq $dialect } Robotrules::dialects();
    $self->{dialect} = $dialect;
    return;
}

# Subclasses with a constructor of their own need not know about dialects.
sub dialect { my ($self) = @_; return $self->{dialect} // $DIALECT }

# Takes off an address what URI takes off: blanks around it, <...>, and quotes.
sub trimmed {
    my ($url) = @_;
    $url = Robotrules::Native::bytes_of($url, 'the URL') if ref $url || !defined $url;
    return $url if $url =~ /\A[^<"\s](?:.*\S)?\z/s;
    $url =~ s/^<(?:URL:)?(.*)>$/$1/;
    $url =~ s/^"(.*)"$/$1/;
    $url =~ s/^\s+//;
    $url =~ s/\s+$//;
    return $url;
}

# Returns "host:port" of an http or https URL, or undef. Most URLs begin as an earlier one does.
my %sites;
use constant MAX_SITES => 10_000;

sub site_of {
    my ($url) = @_;
    my ($start) = $url =~ m{^(https?://[^/?\#\\\s]+)(?:[/?\#]|\z)}ai or return _site_of($url);
    return $sites{$start} // do {
        my $site = _site_of($url);
        %sites = () if keys %sites >= MAX_SITES;
        $sites{$start} = $site if defined $site && $url !~ /[^\x21-\x7E]/;
        $site;
    };
}

sub _site_of {
    my ($url) = @_;
    my $robots_url = Robotrules::robots_url($url) // return;
    my ($scheme, $host, $port) = $robots_url =~ m{^(https?)://([^/]*?)(?::([0-9]+))?/} or return;
    return "$host:" . ($port // ($scheme eq 'https' ? 443 : 80));
}

# What a URL is asked as: the site, and the URL. No server answers to some http and https URLs, and the library refuses
# them. WWW::RobotRules takes them as URI reads them, so programs can ask for them, and fail when they connect; here
# their path is asked. An empty list: robots.txt does not apply to the URL, or URI refuses it.
sub _asked {
    my ($url) = @_;
    my $site = site_of($url);
    return ($site, $url) if defined $site;
    return unless $url =~ /^https?:/ai;
    local $@ = '';
    return eval {
        local $SIG{__DIE__};
        require URI;
        my $uri  = URI->new($url);
        my $path = $uri->path_query;
        (lc($uri->host // '') . ':' . $uri->port, 'http://site' . ($path =~ m{^(?:[/?]|\z)} ? $path : "/$path"));
    };
}

# parse($robots_url, $text, $fresh_until): keeps the robots.txt of a site.
sub parse {
    my ($self, $url, $text, $fresh_until) = @_;
    $url = trimmed($url);
    my ($site) = _asked($url) or Carp::croak("Robotrules: '$url' is not an absolute http or https URL");
    $text = _narrowed($text // '') if $self->dialect eq 'www-robotrules';
    my $rules = Robotrules::Rules->compile($text // '', $self->agent // '', dialect => $self->dialect, url => $url);
    $self->fresh_until($site, 0);    # until all is written: a store may lose a process between two writes
    $self->clear_rules($site);
    my $keeps = $self->_keeps_rules;
    # The texts of rules that are kept here are made when rules() is asked for them. Threads need them, see _compiled().
    $self->push_rules($site, $self->_texts_of($rules, $url)) if !$keeps || $INC{'threads.pm'};
    $self->{compiled}{$site} = {rules => $rules, url => $url} if $keeps;
    $self->fresh_until($site, $fresh_until || time + YEAR);
    return;
}

# LWP::RobotUA decodes files. WWW::RobotRules looks for white space and names with regular expressions, which find wide
# ones in decoded text (U+00A0, U+2028, a long s). The library reads bytes, so these become ASCII here.
sub _narrowed {
    my ($text) = @_;
    return $text if ref $text || !utf8::is_utf8($text) || $text !~ /(?![\x00-\x7F])[\s\x{17F}]/;
    my ($start, $space, $end) = (qr/(?:\A|(?<=[\r\n]))/, qr/[^\S\r\n]/, qr/(?=[\r\n]|\z)/);
    $text =~ s/$space+(?:(?=#)|$end)/ /g;
    $text =~ s/$start$space*(User-Agent|Disallow)$space*:$space*/(length $1 == 10 ? 'User-agent' : 'Disallow') . ': '/gie;
    return $text;
}

# allowed($url): 1, 0, or -1 if there is no fresh robots.txt of the site. robots.txt does not apply to URLs of other
# schemes or without one, so they are allowed. http and https URLs that not even URI reads are closed.
sub allowed {
    my ($self, $url) = @_;
    my ($site, $asked);
    if (defined $url && !ref $url && $url =~ m{^(https?://[^/?\#\\\s]+)(?:[/?\#]\S*)?\z}ai && defined($site = $sites{$1})) {
        $asked = $url;    # most URLs: nothing to trim, and of a known site
    }
    else {
        $url = trimmed($url);
        ($site, $asked) = _asked($url) or return $url =~ /^https?:/ai ? 0 : 1;
    }
    my $fresh_until = $self->fresh_until($site) // return -1;
    return -1 if $fresh_until < time;
    my $rules = $self->_compiled($site) // return -1;
    return $rules->allowed($asked) ? 1 : 0;
}

# rules_of($url): the compiled rules that decide about a URL, which know reasons and delays. undef: they are not known.
sub rules_of {
    my ($self, $url) = @_;
    my ($site)      = _asked(trimmed($url)) or return undef;    ## no critic (ProhibitExplicitReturnUndef)
    my $fresh_until = $self->fresh_until($site) // return undef;    ## no critic (ProhibitExplicitReturnUndef)
    return $fresh_until < time ? undef : $self->_compiled($site);
}

# Whether a User-agent value names this robot, as WWW::RobotRules compares them. parse() does not call it.
sub is_me {
    my ($self, $value) = @_;
    return index(lc($self->agent // ''), lc $value) >= 0 ? 1 : '';
}

# --- the texts of rules ----------------------------------------------------------------------------------------------

# The rules as texts. WWW::RobotRules keeps the path that a URL as a rule means, and what cannot be in a URL encoded.
sub _texts_of {
    my ($self, $rules, $url) = @_;
    my @lines = $rules->lines;
    return map { _text_of($_) } @lines if $self->dialect ne 'www-robotrules';
    return map { m{^(?:/(?!/)[\w\-.!~*'();/?:\@&=+\$,%]*)?$}a ? $_ : _path_of($_, $url) } map { $_->{pattern} } @lines;
}

# A pattern that begins as a text with a name does gets its own name, so that it stays closed.
sub _text_of {
    my ($line) = @_;
    return "Allow: $line->{pattern}" if $line->{allows};
    return $line->{pattern} =~ /^(?:Allow|Disallow):/ ? "Disallow: $line->{pattern}" : $line->{pattern};
}

sub _path_of {
    my ($pattern, $url) = @_;
    require URI;
    my $path = URI->new_abs($pattern, $url)->path_query;
    return length $path ? $path : '/';
}

# The compiled rules of a site: those of its file, or of the texts. Texts are compiled once unless they change. A copy
# of this object has no compiled rules; undef if it has no texts either (a copy of the module Clone, or of a new thread
# if the module threads was loaded after the file had been parsed).
sub _compiled {
    my ($self, $site) = @_;
    my $kept = $self->{compiled}{$site};
    my $usable = $kept && Robotrules::Rules::has_rules($kept->{rules});
    return $kept->{rules} if $usable && defined $kept->{url};
    return undef if $kept && defined $kept->{url} && !$self->{loc}{$site}{rules};    ## no critic (ProhibitExplicitReturnUndef)
    my $robots = $self->_robots_of($self->rules($site));
    return $kept->{rules} if $usable && $kept->{robots} eq $robots;
    my $rules = Robotrules::Rules->compile($robots, 'robot', dialect => $self->dialect, url => 'http://site/robots.txt');
    $self->{compiled} = {} if !$self->_keeps_rules && keys %{$self->{compiled} // {}} >= MAX_SITES;
    $self->{compiled}{$site} = {rules => $rules, robots => $robots};
    return $rules;
}

# A robots.txt that says what the texts say. It is never longer than the file that they come from, because rfc9309 reads
# only a number of bytes. Rules that were pushed may make it longer; rfc9309 does not ask for an order, so the texts that
# open come last then. If those that close are too long, everything is closed.
sub _robots_of {
    my ($self, @texts) = @_;
    my $is_perl = $self->dialect eq 'www-robotrules';
    my ($begin, $end, @lines) = ("user-agent:*\n", '');
    for my $text (@texts) {
        next if $text =~ /[\r\n]/;
        if ($is_perl) {
            push @lines, length $text ? "disallow:http://site$text\n" : "disallow:\n" if $text =~ m{^(?:[/?][^\s#]*)?$};
            next;
        }
        my $path = $text;
        my $name = $path =~ s/^(Allow|Disallow):\s*// ? lc $1 : 'disallow';
        $path =~ s/#/%23/g;    # it begins a comment in a file
        push @lines, "$name:$path\n";
    }
    my $robots = join '', $begin, @lines;
    return $robots if $self->dialect ne 'rfc9309' || _size($robots) <= READ_SIZE;
    my @closing = grep { /^d/ } @lines;
    $robots = join '', $begin, @closing, grep { /^a/ } @lines;
    return _size(join '', $begin, @closing) <= READ_SIZE ? $robots : "${begin}disallow:/\n";
}

sub _size { use bytes; return length $_[0] }

# Storable copies and stores a database without its compiled rules; the copy compiles the texts when it needs them. The
# members go along by reference: Storable knows them by their addresses, so none may be of a moment only.
sub STORABLE_freeze {
    my ($self) = @_;
    my $compiled = $self->{compiled} // {};
    for my $site (grep { !$self->{loc}{$_}{rules} && defined $compiled->{$_}{url} } keys %$compiled) {
        my @texts = $self->rules($site);
        $self->{loc}{$site}{rules} = \@texts if Robotrules::Rules::has_rules($compiled->{$site}{rules});
    }
    my @names = grep { $_ ne 'compiled' } sort keys %$self;
    my $names = join "\0", @names;
    utf8::encode($names);
    return $names, map { \$self->{$_} } @names;
}

sub STORABLE_thaw {
    my ($self, $cloning, $names, @members) = @_;
    utf8::decode($names);
    @$self{split /\0/, $names} = map { $$_ } @members;
    return;
}

# Whether the rules are in this object, not in a store of a subclass.
sub _keeps_rules {
    my ($self) = @_;
    return $self->can('rules') == \&rules && $self->can('push_rules') == \&push_rules
        && $self->can('clear_rules') == \&clear_rules;
}

# --- what is kept for each site --------------------------------------------------------------------------------------

# agent($name): sets the robot's name and returns the previous one. Another name forgets everything.
sub agent {
    my ($self, $name) = @_;
    my $old = $self->{ua};
    if ($name) {
        my $short = $self->short_name($name);
        unless (defined $old && $old eq $short) {
            delete @$self{qw(loc compiled)};
            $self->{ua} = $short;
        }
    }
    return $old;
}

# The first word without its version, as WWW::RobotRules takes it. Other dialects find the name in a whole header.
sub short_name {
    my ($self, $name) = @_;
    if ($self->dialect ne 'www-robotrules') {
        my $found = Robotrules::robot_name($name);
        return $found if length $found;
    }
    my ($word) = $name =~ /(\S+)/;
    $word //= $name;
    $word =~ s{/.*}{}s;
    return $word;
}

sub visit {
    my ($self, $site, $time) = @_;
    return unless $site;
    my $kept = $self->{loc}{lc $site} //= {};
    $kept->{last} = $time || time;
    return $kept->{count}++;
}

sub no_visits  { my ($self, $site) = @_; return ($self->{loc}{lc $site} // {})->{count} }
sub last_visit { my ($self, $site) = @_; return ($self->{loc}{lc $site} // {})->{last} }

# fresh_until($site, $time): sets the time until which the rules are used, and returns the previous one.
sub fresh_until {
    my ($self, $site, $time) = @_;
    my $kept = $self->{loc}{lc $site};
    $self->{loc}{lc $site}{fresh} = $time if defined $time;
    return $kept && $kept->{fresh};
}

sub push_rules {
    my ($self, $site, @rules) = @_;
    $site = lc $site;
    $self->{loc}{$site}{rules} = [$self->rules($site), @rules];
    delete $self->{compiled}{$site};
    return;
}

sub clear_rules {
    my ($self, $site) = @_;
    my $kept = $self->{loc}{lc $site} // {};
    delete $kept->{rules};
    delete $self->{compiled}{lc $site};
    return;
}

# The rules as texts. Those of a file are made when someone asks for them.
sub rules {
    my ($self, $site) = @_;
    $site = lc $site;
    my $kept = $self->{compiled}{$site};
    if ($kept && defined $kept->{url} && Robotrules::Rules::has_rules($kept->{rules})) {
        return $self->_texts_of($kept->{rules}, $kept->{url});
    }
    return @{($self->{loc}{$site} // {})->{rules} // []};
}

# Prints what is kept.
sub dump {    ## no critic (ProhibitBuiltinHomonyms): its name in WWW::RobotRules
    my ($self) = @_;
    print "ua = ", $self->{ua} // '', "\n";
    print "$_: ", join('; ', $self->rules($_)), "\n" for sort keys %{$self->{loc} // {}};
    return;
}

1;

__END__

=encoding UTF-8

=head1 NAME

Robotrules::RobotRules - the interface of WWW::RobotRules: the rules of many sites, in memory

=head1 SYNOPSIS

  my $rules = Robotrules::RobotRules->new('FooBot/1.0', dialect => 'rfc9309');

  $rules->parse('https://example.org/robots.txt', $text, $fresh_until);
  $rules->allowed('https://example.org/page');    # 1, 0, or -1: there is no fresh robots.txt of the site
  $rules->rules_of('https://example.org/page');   # the Robotrules::Rules that decide, or undef

=head1 DESCRIPTION

The methods are those of L<WWW::RobotRules>, which also describes the methods that a subclass replaces. The dialect is
C<www-robotrules> unless the option or C<$Robotrules::RobotRules::DIALECT> names another one. -1 is true, so compare with
C<< > 0 >>.

=head1 SEE ALSO

L<Robotrules::RobotRules::AnyDBM_File>, L<Robotrules::RobotRules::Store>, L<LWP::RobotUA>

=head1 LICENSE

Apache License 2.0, as in the file LICENSE.

=cut
