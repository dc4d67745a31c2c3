# The functions of librobotrules.so that this distribution calls. include/robotrules.h describes them.
package Robotrules::Native;

use strict;
use warnings;

use Carp ();
use FFI::Platypus 1.00;
use Exporter 'import';

our @EXPORT_OK = qw(bytes_of check_status text);

# Errors name the line of the program, not one of these packages.
$Carp::Internal{$_}++ for qw(Robotrules Robotrules::Native Robotrules::Rules Robotrules::RobotRules);

# The structs, member by member. A record has no padding at its end by itself.
package Robotrules::Native::Verdict {
    use FFI::Platypus::Record;
    record_layout_1(
        sint32 => 'access',    sint32 => 'why',
        opaque => 'pattern',   size_t => 'pattern_size',   uint32 => 'line',           sint32 => 'rule_access',
        opaque => 'runner_up', size_t => 'runner_up_size', uint32 => 'runner_up_line', sint32 => 'runner_up_access',
        opaque => 'agent',     size_t => 'agent_size',     uint32 => 'group_line',     sint32 => 'is_default',
    );
}

package Robotrules::Native::Text {
    use FFI::Platypus::Record;
    record_layout_1(opaque => 'data', size_t => 'size');
}

package Robotrules::Native::Settings {
    use FFI::Platypus::Record;
    record_layout_1(
        sint64 => 'crawl_delay', sint64 => 'rate_period', uint32 => 'rate_requests', sint32 => 'rate_from',
        sint32 => 'rate_to', sint32 => 'visit_from', sint32 => 'visit_to', uint32 => 'padding',
    );
}

package Robotrules::Native::Directive {
    use FFI::Platypus::Record;
    record_layout_1(
        opaque => 'name', size_t => 'name_size', opaque => 'value', size_t => 'value_size', sint32 => 'kind',
        sint32 => 'group', uint32 => 'line', uint32 => 'column', uint32 => 'value_column', uint32 => 'run_line',
    );
}

package Robotrules::Native::FileFacts {
    use FFI::Platypus::Record;
    record_layout_1(
        opaque => 'text', size_t => 'text_size', opaque => 'url', size_t => 'url_size', opaque => 'dialect',
        size_t => 'dialect_size', size_t => 'directive_count', size_t => 'group_count', uint32 => 'line_count',
        sint32 => 'truncated', sint32 => 'looks_like_html', uint32 => 'padding',
    );
}

use constant KIND_SITEMAP => 3;

my $ffi = FFI::Platypus->new(api => 1);
my $library = $ENV{ROBOTRULES_LIBRARY} // '';
$library = 'librobotrules.so.0' unless length $library;
{
    my $reason = '';
    local $SIG{__WARN__} = sub { $reason = " ($_[0])" };
    $ffi->lib($library);
    $ffi->find_symbol('robotrules_c_api')
        or die "Robotrules cannot load $library$reason. Install librobotrules, or set ROBOTRULES_LIBRARY to its path.\n";
}

$ffi->type("record(Robotrules::Native::\u$_)*" => lc) for qw(Verdict Text Settings Directive);
$ffi->type('record(Robotrules::Native::FileFacts)*' => 'file_facts');

# A Perl text is two arguments, 'string' and 'size_t': its bytes and their number.
my @text = ('string', 'size_t');
$ffi->attach(robotrules_c_api         => []                                                            => 'uint32');
$ffi->attach(robotrules_version       => ['text']                                                      => 'void');
$ffi->attach(robotrules_status_message => ['sint32', 'text']                                           => 'void');
$ffi->attach(robotrules_access_name   => ['sint32', 'text']                                            => 'void');
$ffi->attach(robotrules_why_name      => ['sint32', 'text']                                            => 'void');
$ffi->attach(robotrules_dialect_count => []                                                            => 'size_t');
$ffi->attach(robotrules_dialect_name  => ['size_t', 'text']                                            => 'sint32');
$ffi->attach(robotrules_robot_name    => ['opaque', 'size_t', 'text']                                  => 'sint32');
$ffi->attach(robotrules_robots_url    => [@text, 'opaque*']                                            => 'sint32');
$ffi->attach(robotrules_text_view     => ['opaque', 'text']                                            => 'void');
$ffi->attach(robotrules_text_free     => ['opaque']                                                    => 'void');
$ffi->attach(robotrules_rules_compile => [@text, @text, @text, @text, 'opaque*']                       => 'sint32');
$ffi->attach(robotrules_rules_free    => ['opaque']                                                    => 'void');
$ffi->attach(robotrules_rules_access  => ['opaque', @text]                                             => 'sint32');
$ffi->attach(robotrules_rules_check   => ['opaque', @text, 'verdict']                                  => 'sint32');
$ffi->attach(robotrules_rules_explain => ['opaque', @text, 'opaque*']                                  => 'sint32');
$ffi->attach(robotrules_rules_lines   => ['opaque', 'opaque', 'size_t', 'size_t*']                     => 'sint32');
$ffi->attach(robotrules_rules_settings => ['opaque', 'settings']                                       => 'sint32');
$ffi->attach(robotrules_file_parse    => [@text, @text, @text, 'opaque*']                              => 'sint32');
$ffi->attach(robotrules_file_free     => ['opaque']                                                    => 'void');
$ffi->attach(robotrules_file_get_facts => ['opaque', 'file_facts']                                     => 'sint32');
$ffi->attach(robotrules_file_directive => ['opaque', 'size_t', 'directive']                            => 'sint32');

# Returns `$size` bytes at the address `$data`.
sub view {
    my ($data, $size) = @_;
    return $size ? unpack("P$size", pack('J', $data)) : '';
}

# text($function, @arguments): calls a function that gives a text through its last parameter.
sub text {
    my ($function, @arguments) = @_;
    my $text = Robotrules::Native::Text->new;
    $function->(@arguments, $text);
    return view($text->data, $text->size);
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
