#!/bin/sh
# differential.sh SOURCE LIBRARY: WWW::RobotRules and this project's package answer questions about thousands of
# generated files. Status 77: Perl or a module is missing.
set -eu

for module in FFI::Platypus URI WWW::RobotRules; do
  perl "-M$module" -e 1 2>/dev/null || {
    echo "bindings.perl.differential: Perl or its module $module is missing (Debian: libffi-platypus-perl, liburi-perl," \
      "libwww-robotrules-perl)" >&2
    exit 77
  }
done
export ROBOTRULES_LIBRARY="$2"
unset PERL5LIB
exec perl -I "$1/bindings/perl/lib" "$1/tests/bindings/perl/differential.pl"
