# The functions of librobotrules.so that this distribution calls. include/robotrules.h describes them.
package Robotrules::Native;

use strict;
use warnings;

use Carp ();
use Config;
use FFI::Platypus 1.00;
use Exporter 'import';

our @EXPORT_OK = qw(bytes_of check_status struct text);

# Errors name the line of the program, not one of these packages.
$Carp::Internal{$_}++ for qw(Robotrules Robotrules::Native Robotrules::Rules Robotrules::RobotRules);

# The structs as templates of unpack, and their sizes: members are in the order of the header.
my $rule = 'J J L l';
our %struct = (
    text       => ['J J',                       16],
    verdict    => ["l l $rule $rule J J L l",   80],
    settings   => ['q q L l l l l',             40],
    file_facts => ['J J J J J J J J L l l',     80],
    directive  => ['J J J J l l L L L L',       56],
    rule       => [$rule,                       24],
    robots_step => ['l x4 J J q l x4 J J J J J J l l l x4 q l x4 J J J J', 152],
);

use constant KIND_SITEMAP => 3;

die "Robotrules needs a Perl of 64 bits\n" unless $Config{ptrsize} == 8 && $Config{uvsize} == 8;

my $ffi = FFI::Platypus->new(api => 1);
my $library = $ENV{ROBOTRULES_LIBRARY} // '';
die "Robotrules does not load the file of ROBOTRULES_LIBRARY in taint mode\n" if length $library && ${^TAINT};
$library = 'librobotrules.so.0' unless length $library;
{
    my $reason = '';
    local $SIG{__WARN__} = sub { $reason = " ($_[0])" };
    $ffi->lib($library);
    $ffi->find_symbol('robotrules_c_api')
        or die "Robotrules cannot load $library$reason. Install librobotrules, or set ROBOTRULES_LIBRARY to its path.\n";
}

# A Perl text is two arguments, 'string' and 'size_t': its bytes and their number. A struct is a 'string' with room for
# it.
my @text      = ('string', 'size_t');
my @functions = (
    [c_api => [] => 'uint32'],
    [version => ['string'] => 'void'],
    [status_message => ['sint32', 'string'] => 'void'],
    [access_name => ['sint32', 'string'] => 'void'],
    [why_name => ['sint32', 'string'] => 'void'],
    [dialect_count => [] => 'size_t'],
    [dialect_name => ['size_t', 'string'] => 'sint32'],
    [robot_name => ['opaque', 'size_t', 'string'] => 'sint32'],
    [robots_url => [@text, 'opaque*'] => 'sint32'],
    [text_view => ['opaque', 'string'] => 'void'],
    [text_free => ['opaque'] => 'void'],
    [rules_compile => [@text, @text, @text, @text, 'opaque*'] => 'sint32'],
    [rules_free => ['opaque'] => 'void'],
    [rules_access => ['opaque', @text] => 'sint32'],
    [rules_check => ['opaque', @text, 'string'] => 'sint32'],
    [rules_explain => ['opaque', @text, 'opaque*'] => 'sint32'],
    [rules_lines => ['opaque', 'string', 'size_t', 'size_t*'] => 'sint32'],
    [rules_settings => ['opaque', 'string'] => 'sint32'],
    [file_parse => [@text, @text, @text, 'opaque*'] => 'sint32'],
    [file_free => ['opaque'] => 'void'],
    [file_get_facts => ['opaque', 'string'] => 'sint32'],
    [file_directive => ['opaque', 'size_t', 'string'] => 'sint32'],
);
# The functions of the store, which a library may lack. The last parameter of most is an error.
my @store_functions = (
    [store_open => [@text, 'uint32', 'opaque*', 'opaque*'] => 'sint32'],
    [store_free => ['opaque'] => 'void'],
    [error_message => ['opaque', 'string'] => 'void'],
    [error_free => ['opaque'] => 'void'],
    [robots_fetch_new => [@text, @text, 'opaque', 'sint64', 'opaque*'] => 'sint32'],
    [robots_fetch_free => ['opaque'] => 'void'],
    [robots_fetch_limits => ['opaque', 'uint32', 'size_t', 'sint32'] => 'sint32'],
    [robots_fetch_step => ['opaque', 'string'] => 'sint32'],
    [robots_fetch_answer => ['opaque', 'string', 'sint64'] => 'sint32'],
    [database_fetch => ['opaque', @text, 'opaque*', 'opaque*'] => 'sint32'],
    [database_keep_fetch => ['opaque', 'opaque', 'opaque*'] => 'sint32'],
    [database_open => ['opaque', @text, @text, 'sint32', 'opaque*', 'opaque*'] => 'sint32'],
    [database_free => ['opaque'] => 'void'],
    [database_keep => ['opaque', @text, @text, 'sint64', 'opaque*'] => 'sint32'],
    [database_keep_outcome => ['opaque', @text, 'sint32', 'sint32', 'sint64', 'opaque*'] => 'sint32'],
    [database_check => ['opaque', @text, 'sint32*', 'sint32*', 'opaque*'] => 'sint32'],
    [database_push_rules => ['opaque', @text, 'string', 'size_t', 'opaque*'] => 'sint32'],
    [database_clear_own_rules => ['opaque', @text, 'opaque*'] => 'sint32'],
    [database_rules => ['opaque', @text, 'opaque*', 'opaque*'] => 'sint32'],
    [database_visit => ['opaque', @text, 'opaque*'] => 'sint32'],
    [database_visits => ['opaque', @text, 'uint64*', 'sint64*', 'opaque*'] => 'sint32'],
);
push @functions, @store_functions if $ffi->find_symbol('robotrules_store_open');
for my $function (@functions) {
    my ($name, $arguments, $result) = @$function;
    $ffi->find_symbol("robotrules_$name")
        or die "Robotrules needs a newer librobotrules than $library. Install the version of these packages.\n";
    $ffi->attach("robotrules_$name", $arguments, $result);
}

# Returns `$size` bytes at the address `$data`.
sub view {
    my ($data, $size) = @_;
    return $size ? unpack("P$size", pack('J', $data)) : '';
}

# struct($name, $function, @arguments): calls a function that fills a struct, its last parameter, and returns what the
# function returns and the members of the struct.
sub struct {
    my ($name, $function, @arguments) = @_;
    my ($template, $size) = @{$struct{$name}};
    my $room = '';
    vec($room, $size - 1, 8) = 0;    # memory of its own: strings that are copied share theirs
    my $status = $function->(@arguments, $room);
    return $status, unpack $template, $room;
}

# text($function, @arguments): calls a function that gives a text through its last parameter.
sub text {
    my (undef, $data, $size) = struct('text', @_);
    return view($data, $size);
}

# Returns the bytes of a text that the library owns, and frees it.
sub take_text {
    my ($handle) = @_;
    my $bytes = text(\&robotrules_text_view, $handle);
    robotrules_text_free($handle);
    return $bytes;
}

# bytes_of($value, $what): the string `$value` itself. Objects give theirs (URI does). Dies for anything else.
sub bytes_of {
    my ($value, $what) = @_;
    Carp::croak("Robotrules: $what is not defined") unless defined $value;
    return $value unless ref $value;
    require overload;
    Carp::croak("Robotrules: $what is a reference, not a string") unless overload::Method($value, '""');
    return "$value";
}

# Dies with the sentence of a status that is not OK. The caller passed something wrong, or memory ran out.
sub check_status {
    my ($status) = @_;
    Carp::croak('Robotrules: ' . text(\&robotrules_status_message, $status)) if $status;
    return;
}

1;
