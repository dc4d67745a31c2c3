#!/bin/sh
# run.sh SOURCE LIBRARY: the tests of the Perl packages. Status 77: Perl or a module is missing.
set -eu

for module in FFI::Platypus URI Test::More; do
  perl "-M$module" -e 1 2>/dev/null || {
    echo "bindings.perl: Perl or its module $module is missing (Debian: libffi-platypus-perl, liburi-perl)" >&2
    exit 77
  }
done
export ROBOTRULES_LIBRARY="$2"
exec prove -I "$1/bindings/perl/lib" "$1/bindings/perl/t"
