# LWP::RobotUA over the drop-in: addresses that no server has are answers, not errors, as over the original.
use strict;
use warnings;

use FindBin;
use Test::More;

my @urls = (
    'foo/bar', '/x', '', 'http:', 'http://', 'http:///x', 'http:foo', 'http://%6cocalhost:1/', 'http://foo bar/', 'http://%zz/',
    'http://127.0.0.1:99999/', 'http://127.0.0.1:0/', 'http://.../', 'http://a..b/', 'http://a:b/', 'http://a@/', 'http://*/',
    'http://[::1]:1/', 'http://[::/', "http://b\xFCcher.example/", "http://\x{263A}.example/", ' http://foo/', '<http://foo/>',
    'https:///x', 'localhost:8080/x', 'localhost:80', 'mailto:x@y', 'http://256.256.256.256/', "http://a\tb/", 'http://a/%',
    'http://' . 'a' x 300 . '/', "http://\x{263A}" . 'a' x 80 . '/',
);

# Prints what each URL is answered with and what was requested for it. Nothing is sent.
my $program = <<'END';
use LWP::RobotUA;
binmode STDIN, ':utf8';
while (defined(my $url = <STDIN>)) {
    $url = eval $url;
    my $robot = LWP::RobotUA->new(agent => 'FooBot/1.0', from => 'me@example.org');
    $robot->delay(0);
    my @sent;
    $robot->add_handler(request_send => sub { push @sent, $_[0]->uri; HTTP::Response->new(502) });
    my $status = eval { $robot->get($url)->code } // "died: $@";
    print "$status after @sent\n";
}
END

# A child of this process asks, over the modules that the folders have.
sub answers {
    my (@folders) = @_;
    require File::Temp;
    my $input = File::Temp->new;
    printf $input "\"%s\"\n", join '', map { sprintf '\x{%X}', ord } split // for @urls;
    close $input;
    local $ENV{PERL5LIB} = join ':', @folders;
    open my $pipe, '-|', 'sh', '-c', 'exec "$0" -e "$1" <"$2"', $^X, $program, "$input" or die "$!\n";
    my @lines = <$pipe>;
    chomp @lines;
    return @lines;
}

eval { require LWP::RobotUA; 1 } or plan skip_all => 'LWP::RobotUA is not installed';
my @ours = answers("$FindBin::Bin/../dropin", "$FindBin::Bin/../lib");
is(scalar @ours, scalar @urls, 'an answer to each');
for my $index (0 .. $#urls) {
    (my $name = $urls[$index]) =~ s/([^ -~])/sprintf '\x{%X}', ord $1/ge;
    like($ours[$index], qr/^(?:400|403|50\d) after/, "'$name' is an answer");
}
SKIP: {
    my ($original) = grep { $_ !~ /dropin/ && -e "$_/WWW/RobotRules.pm" } @INC;
    skip 'WWW::RobotRules is not installed', scalar @urls unless $original;
    my @theirs = answers($original);
    for my $index (0 .. $#urls) {
        (my $name = $urls[$index]) =~ s/([^ -~])/sprintf '\x{%X}', ord $1/ge;
        is($ours[$index], $theirs[$index], "'$name': the answer over the original");
    }
}

done_testing;
