#!/bin/sh
# import.sh SOURCE LIBRARY COMMAND: a DBM file of WWW::RobotRules becomes a database of the command, which answers as the
# file does. Status 77: Perl or a module is missing.
set -eu

for module in FFI::Platypus URI AnyDBM_File; do
  perl "-M$module" -e 1 2>/dev/null || {
    echo "bindings.perl.import: Perl or its module $module is missing (Debian: libffi-platypus-perl, liburi-perl)" >&2
    exit 77
  }
done
export ROBOTRULES_LIBRARY="$2"
command=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
perl -I "$1/bindings/perl/lib" -MRobotrules::RobotRules::AnyDBM_File -e '
  my $rules = Robotrules::RobotRules::AnyDBM_File->new("FooBot/1.0", "old");
  my $text = "User-agent: *\nDisallow: /a*b\nDisallow: /c\$\nDisallow:\nDisallow: /after\n";
  $rules->parse("$_/robots.txt", $text) for qw(http://a.example https://a.example http://b.example:8080);
  $rules->parse("http://[::1]/robots.txt", "");'
for dialect in www-robotrules rfc9309; do
  perl "$1/bindings/perl/tools/anydbm_lines.pl" --dialect $dialect old > lines
  [ "$(wc -l < lines)" -eq 5 ]
  "$command" db $dialect.db import lines
  for url in 'http://a.example/a*bc 0' 'http://a.example/axb 1' 'https://a.example/c$d 0' 'https://a.example/c 1' \
             'http://b.example:8080/after 1' 'http://b.example:8080/c$ 0' 'http://[::1]/c$ 1'; do
    wanted=$([ "${url#* }" = 1 ] && echo allowed || echo disallowed)
    said=$("$command" batch --db $dialect.db --dialect $dialect --agent FooBot <<END | sed 's/.*"access":"\([a-z]*\)".*/\1/'
{"url": "${url% *}"}
END
)
    echo "$dialect: ${url% *}: $said"
    [ "$said" = "$wanted" ]
  done
done
