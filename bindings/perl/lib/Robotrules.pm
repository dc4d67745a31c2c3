package Robotrules;

use strict;
use warnings;

our $VERSION = '0.1.0';

use Robotrules::Native qw(bytes_of check_status struct text);
use Robotrules::Rules;

# Returns the version of the library.
sub version { return text(\&Robotrules::Native::robotrules_version) }

# Returns the names of all dialects.
sub dialects {
    return map { text(\&Robotrules::Native::robotrules_dialect_name, $_) }
        0 .. Robotrules::Native::robotrules_dialect_count() - 1;
}

# robot_name($agent): the robot's name in a name or a whole User-Agent header; "" if there is none.
sub robot_name {
    my ($agent) = @_;
    my $bytes = bytes_of($agent, 'the agent');
    return '' unless length $bytes;
    my ($address) = unpack 'J', pack 'P', $bytes;    # the answer is a part of these bytes
    use bytes;
    return text(\&Robotrules::Native::robotrules_robot_name, $address, length $bytes);
}

# robots_url($url): the URL of the robots.txt for a URL; undef if it is not an absolute http or https URL.
sub robots_url {
    my ($url) = @_;
    my $bytes = bytes_of($url, 'the URL');
    use bytes;
    return if Robotrules::Native::robotrules_robots_url($bytes, length $bytes, \my $text);
    return Robotrules::Native::take_text($text);
}

# sitemaps($robots, dialect => ...): the values of all Sitemap lines, in file order, as they are written.
sub sitemaps {
    my ($robots, %options) = @_;
    my $bytes   = bytes_of($robots, 'the robots.txt');
    my $dialect = bytes_of($options{dialect} // '', 'the dialect');
    use bytes;
    check_status(
        Robotrules::Native::robotrules_file_parse($bytes, length $bytes, $dialect, length $dialect, '', 0, \my $file));
    my $count = (struct('file_facts', \&Robotrules::Native::robotrules_file_get_facts, $file))[7];
    my @sitemaps;
    for my $index (0 .. $count - 1) {
        my (undef, undef, undef, $value, $size, $kind)
            = struct('directive', \&Robotrules::Native::robotrules_file_directive, $file, $index);
        push @sitemaps, Robotrules::Native::view($value, $size) if $kind == Robotrules::Native::KIND_SITEMAP;
    }
    Robotrules::Native::robotrules_file_free($file);
    return @sitemaps;
}

1;

__END__

=encoding UTF-8

=head1 NAME

Robotrules - reads robots.txt and answers whether a robot may fetch a URL, and why

=head1 SYNOPSIS

  use Robotrules;

  my $rules = Robotrules::Rules->compile("User-agent: *\nDisallow: /private/\n", 'FooBot');
  print $rules->allowed('https://example.org/page') ? "yes\n" : "no\n";

  my @sitemaps = Robotrules::sitemaps($robots);
  my $name     = Robotrules::robot_name('Mozilla/5.0 (compatible; FooBot/1.0)');
  my $url      = Robotrules::robots_url('https://example.org/page');

=head1 DESCRIPTION

The library librobotrules.so reads and matches. It is the file that the environment variable C<ROBOTRULES_LIBRARY> names,
or else C<librobotrules.so.0>. C<dialects()> returns the names of the ways to read a file, and C<version()> the version of
the library. The file README.md has the rest.

=head1 SEE ALSO

L<Robotrules::Rules>, L<Robotrules::RobotRules>

=head1 LICENSE

Apache License 2.0, as in the file LICENSE.

=cut
