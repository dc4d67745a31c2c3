#!/bin/sh
# gem.sh SOURCE LIBRARY: the gem is built, installed into an empty folder without a network, and used; Bundler takes it
# by the name of robotstxt-parser. Status 77: Ruby or RubyGems is missing.
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

# A program asks for robotstxt-parser by name, and so does a gem that it uses.
mkdir "$scratch/user"
cat > "$scratch/user/user.gemspec" <<'END'
Gem::Specification.new do |gem|
  gem.name = "user"
  gem.version = "1.0"
  gem.authors = ["nobody"]
  gem.summary = "uses robotstxt-parser"
  gem.files = []
  gem.add_dependency "robotstxt-parser", "~> 0.1", ">= 0.1.1"
end
END
cat > "$scratch/Gemfile" <<END
gem "robotrules", path: "$1/bindings/ruby"
gem "robotstxt-parser", path: "$1/bindings/ruby/dropin"
gem "user", path: "$scratch/user", require: false
END
ruby -rbundler -e 1 2>/dev/null || {
  echo "bindings.ruby.gem: Bundler is missing, so it is not tried (Debian: ruby-bundler)" >&2
  exit 0
}
said=$(BUNDLE_GEMFILE="$scratch/Gemfile" BUNDLE_PATH="$scratch/gems" ruby -rbundler/setup -e '
  Bundler.require
  puts Robotstxt.parse("User-agent: *\nDisallow: /private\n", "FooBot").allowed?("/private")')
echo "Bundler: $said"
[ "$said" = false ]
