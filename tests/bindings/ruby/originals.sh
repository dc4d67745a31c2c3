#!/bin/sh
# originals.sh SOURCE LIBRARY: the tests of the gem robotstxt-parser, unchanged, with this project's drop-in in its
# place. ROBOTRULES_ROBOTSTXT_PARSER is the folder of its source, which has test/parser_test.rb and test/getter_test.rb
# (github.com/delphaber/robotstxt-parser at f760ff5). The second one needs webmock. Status 77: the variable is not set,
# or a library is missing.
set -eu

folder=${ROBOTRULES_ROBOTSTXT_PARSER:-}
if [ -z "$folder" ]; then
  echo "bindings.ruby.originals: ROBOTRULES_ROBOTSTXT_PARSER does not name the source of robotstxt-parser" >&2
  exit 77
fi
ruby -rtest/unit -rfiddle -e 'exit RUBY_VERSION >= "3.0"' 2>/dev/null || {
  echo "bindings.ruby.originals: Ruby 3.0 or test-unit is missing (Debian: ruby, ruby-test-unit)" >&2
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/test"
cp "$folder/test/parser_test.rb" "$folder/test/getter_test.rb" "$folder/test/test_helper.rb" "$scratch/test"  # away from the original's own lib folder
cd "$scratch"
export ROBOTRULES_LIBRARY="$2"
ruby -I "$1/bindings/ruby/lib" test/parser_test.rb
if ruby -rwebmock -e 1 2>/dev/null; then
  ruby -I "$1/bindings/ruby/lib" -I test test/getter_test.rb
else
  echo "bindings.ruby.originals: getter_test.rb is left out, because webmock is missing (Debian: ruby-webmock)" >&2
fi
