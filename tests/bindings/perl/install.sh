#!/bin/sh
# install.sh SOURCE LIBRARY: the Perl distribution is made, tested and installed into an empty folder, and used from
# there. Status 77: Perl or a module is missing.
set -eu

perl -MFFI::Platypus -MURI -MExtUtils::MakeMaker=6.64 -e 1 2>/dev/null && command -v make >/dev/null || {
  echo "bindings.perl.install: Perl, make, FFI::Platypus or URI is missing (Debian: libffi-platypus-perl)" >&2
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$1/bindings/perl"
perl -MExtUtils::Manifest=manicopy,maniread,fullcheck -e '
  my ($missing, $unlisted) = fullcheck();
  exit 1 if @$missing || @$unlisted;
  manicopy(maniread(), shift, "cp")' "$scratch/source"
cd "$scratch/source"
export ROBOTRULES_LIBRARY="$2"
unset PERL5LIB PERL_MM_OPT MAKEFLAGS MFLAGS
perl Makefile.PL
make
make test TEST_FILES="t/rules.t t/robot_rules.t t/copies.t"
make install DESTDIR="$scratch/installed"
folder=$(dirname "$(find "$scratch/installed" -name Robotrules.pm)")
[ -z "$(find "$scratch/installed" -path '*WWW*')" ]  # the names of another distribution
cd "$scratch"
said=$(perl -I "$folder" -MRobotrules::RobotRules -e '
  my $rules = Robotrules::RobotRules->new("FooBot/1.0");
  $rules->parse("http://a/robots.txt", "User-agent: *\nDisallow: /private\n");
  print join " ", map { $rules->allowed("http://a/$_") } "private", "x"')
echo "$said"
[ "$said" = "0 1" ]
