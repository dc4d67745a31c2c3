#!/bin/sh
# differential.sh SOURCE LIBRARY: the gem robotstxt-parser and this project's drop-in answer questions about thousands of
# generated files. ROBOTRULES_ROBOTSTXT_PARSER is the folder of the gem's source, as for originals.sh. Status 77: it is
# not set, or a library is missing.
set -eu

folder=${ROBOTRULES_ROBOTSTXT_PARSER:-}
if [ -z "$folder" ]; then
  echo "bindings.ruby.differential: ROBOTRULES_ROBOTSTXT_PARSER does not name the source of robotstxt-parser" >&2
  exit 77
fi
ruby -rfiddle -e 'exit RUBY_VERSION >= "3.0"' 2>/dev/null || {
  echo "bindings.ruby.differential: Ruby 3.0 is missing (Debian: ruby)" >&2
  exit 77
}
export ROBOTRULES_LIBRARY="$2"
exec ruby -W0 -I "$folder/lib" -I "$1/bindings/ruby/lib" "$1/tests/bindings/ruby/differential.rb"
