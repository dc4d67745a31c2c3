#!/bin/sh
# originals.sh SOURCE LIBRARY: the tests of WWW::RobotRules, unchanged, with this project's drop-in in its place.
# ROBOTRULES_WWW_ROBOTRULES is the folder of its source, which has t/rules.t and t/rules-dbm.t. It comes with
# `apt-get source libwww-robotrules-perl`, or from CPAN. Status 77: the variable is not set, or a module is missing.
set -eu

folder=${ROBOTRULES_WWW_ROBOTRULES:-}
if [ -z "$folder" ]; then
  echo "bindings.perl.originals: ROBOTRULES_WWW_ROBOTRULES does not name the source of WWW::RobotRules" >&2
  exit 77
fi
perl -MFFI::Platypus -MURI -e 1 2>/dev/null || {
  echo "bindings.perl.originals: Perl, FFI::Platypus or URI is missing" >&2
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$folder/t/rules.t" "$folder/t/rules-dbm.t" "$scratch"  # away from the original's own lib folder
cd "$scratch"
export ROBOTRULES_LIBRARY="$2" PERL5LIB="$1/bindings/perl/dropin:$1/bindings/perl/lib"
perl -MWWW::RobotRules -e '$INC{"WWW/RobotRules.pm"} =~ m{/dropin/} or die "another WWW::RobotRules was loaded\n"'
prove -v rules.t rules-dbm.t
