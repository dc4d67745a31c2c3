#!/bin/sh
# gem.sh SOURCE LIBRARY: the gem is built, installed into an empty folder without a network, and used. Status 77: Ruby
# or RubyGems is missing.
set -eu

command -v gem >/dev/null && ruby -rfiddle -e 'exit RUBY_VERSION >= "3.0"' 2>/dev/null || {
  echo "bindings.ruby.gem: Ruby 3.0 or gem is missing (Debian: ruby)" >&2
  exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$1/bindings/ruby"
gem build robotrules.gemspec --output "$scratch/robotrules.gem"
cd "$scratch"
export GEM_HOME="$scratch/gems" GEM_PATH="$scratch/gems" ROBOTRULES_LIBRARY="$2"
gem install --local --no-document robotrules.gem
said=$(ruby -e '
  require "robotstxt"
  robots = Robotstxt.parse("User-agent: *\nDisallow: /private\n", "FooBot")
  puts [robots.allowed?("/private"), robots.allowed?("/"), Gem.loaded_specs["robotrules"].version].join(" ")')
echo "$said"
[ "$said" = "false true $(ruby -I "$1/bindings/ruby/lib" -rrobotrules -e 'print Robotrules::VERSION')" ]
gem uninstall robotrules --all --executables
