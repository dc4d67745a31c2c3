#!/bin/sh
# run.sh SOURCE LIBRARY: the tests of the Ruby gem. Status 77: Ruby or a library is missing.
set -eu

ruby -rminitest -rfiddle -e 'exit RUBY_VERSION >= "3.0"' 2>/dev/null || {
  echo "bindings.ruby: Ruby 3.0 or minitest is missing (Debian: ruby, ruby-minitest)" >&2
  exit 77
}
export ROBOTRULES_LIBRARY="$2"
exec ruby -w -e 'ARGV.each { |file| require file }' "$1"/bindings/ruby/test/*_test.rb
