# The interface of WWW::RobotRules::AnyDBM_File: rules and visits in a DBM file. The records are those of that module,
# so both read the files of the other one.
package Robotrules::RobotRules::AnyDBM_File;

use strict;
use warnings;

use AnyDBM_File;
use Carp  ();
use Fcntl qw(O_CREAT O_RDWR);

use parent 'Robotrules::RobotRules';

our $VERSION = $Robotrules::RobotRules::VERSION;

$Carp::Internal{+__PACKAGE__}++;

# new($agent, $file, dialect => ...). With undef as agent, the name in the file is used.
sub new {
    my ($class, $agent, $file, %options) = @_;
    Carp::croak('Robotrules: the name of the DBM file is missing') unless $file;
    my $self = bless {filename => $file}, $class;
    $self->set_dialect(delete $options{dialect} // $Robotrules::RobotRules::DIALECT);
    Carp::croak('Robotrules: unknown option ' . join ', ', sort keys %options) if %options;
    tie %{$self->{dbm}}, 'AnyDBM_File', $file, O_CREAT | O_RDWR, 0600
        or Carp::croak("Robotrules: cannot open $file: $!");
    if ($agent) {
        $self->agent($agent);
    }
    else {
        Carp::croak("Robotrules: no agent is given, and $file has none") unless $self->{dbm}{'|ua-name|'};
    }
    return $self;
}

sub STORABLE_freeze { return Carp::croak('Robotrules: a database in a DBM file cannot be copied or stored') }

# Another name deletes everything in the file.
sub agent {
    my ($self, $name) = @_;
    my $dbm = $self->{dbm};
    my $old = $dbm->{'|ua-name|'};
    if (defined $name) {
        my $short = $self->short_name($name);
        unless (defined $old && $old eq $short) {
            %$dbm = ();
            delete $self->{compiled};
            $dbm->{'|ua-name|'} = $short;
        }
    }
    return $old;
}

# As WWW::RobotRules::AnyDBM_File does, only a version at the end is cut off.
sub short_name {
    my ($self, $name) = @_;
    return $self->SUPER::short_name($name) if $self->dialect ne 'www-robotrules';
    $name =~ s{/?\s*\d+.\d+\s*$}{};
    return $name;
}

# A visit is "count; time; time for people".
sub visit {
    my ($self, $site, $time) = @_;
    $time ||= time;
    my ($count, $last) = $self->_visits($site);
    $time = $last if defined $last && $last > $time;
    $self->{dbm}{lc($site) . '|vis'} = join '; ', ++$count, $time, scalar localtime $time;
    return;
}

sub _visits {
    my ($self, $site) = @_;
    return split /;\s*/, $self->{dbm}{lc($site) . '|vis'} // '0';
}

sub no_visits  { my ($self, $site) = @_; return ($self->_visits($site))[0] }
sub last_visit { my ($self, $site) = @_; return ($self->_visits($site))[1] }

sub fresh_until {
    my ($self, $site, $time) = @_;
    my $key = lc($site) . '|exp';
    my $old = $self->{dbm}{$key};
    $old =~ s/;.*// if defined $old;
    $self->{dbm}{$key} = "$time; " . localtime($time || 0) if defined $time;
    return $old;
}

sub push_rules {
    my ($self, $site, @rules) = @_;
    my $count = () = $self->rules($site);
    $self->{dbm}{lc($site) . '|r' . ++$count} = $_ for @rules;
    return;
}

sub clear_rules {
    my ($self, $site) = @_;
    my $count = () = $self->rules($site);
    delete $self->{dbm}{lc($site) . "|r$_"} for reverse 1 .. $count;
    return;
}

sub rules {
    my ($self, $site) = @_;
    my ($dbm, $prefix, @rules) = ($self->{dbm}, lc($site) . '|r');
    while (defined(my $rule = $dbm->{$prefix . (@rules + 1)})) { push @rules, $rule }
    return @rules;
}

sub dump { return }    ## no critic (ProhibitBuiltinHomonyms): its name in WWW::RobotRules

1;

__END__

=encoding UTF-8

=head1 NAME

Robotrules::RobotRules::AnyDBM_File - the interface of WWW::RobotRules::AnyDBM_File: the rules of many sites, in a DBM file

=head1 SYNOPSIS

  my $rules = Robotrules::RobotRules::AnyDBM_File->new('FooBot/1.0', '/var/lib/foobot/rules');

=head1 DESCRIPTION

The methods are those of L<Robotrules::RobotRules>. The file is for one process at a time. It does not say its dialect: open
it with the dialect that wrote it.

=head1 SEE ALSO

L<Robotrules::RobotRules>

=head1 LICENSE

Apache License 2.0, as in the file LICENSE.

=cut
