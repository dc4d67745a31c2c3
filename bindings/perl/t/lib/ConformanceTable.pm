# The tables of tests/conformance: where they are, and their escapes.
package ConformanceTable;

use strict;
use warnings;

use Exporter 'import';
use FindBin;

our @EXPORT_OK = qw(bytes_of folder);

my %escapes = (n => "\n", r => "\r", t => "\t", '\\' => '\\');

sub folder { return $ENV{ROBOTRULES_CONFORMANCE_TABLES} // "$FindBin::Bin/../../../tests/conformance" }

# The bytes of a field with escapes.
sub bytes_of {
    my ($field) = @_;
    $field =~ s{(?:\\\{(\d+)\})?(?:\\x([0-9a-fA-F]{2})|\\([nrt\\])|([^\\]))}{
        (defined $2 ? chr hex $2 : defined $3 ? $escapes{$3} : $4) x ($1 // 1)
    }ge;
    return $field;
}

1;
