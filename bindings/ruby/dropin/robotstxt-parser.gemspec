# frozen_string_literal: true

# A gem without files under the name of robotstxt-parser, for Bundler: programs and gems that ask for that name get
# robotrules, whose folder lib has robotstxt-parser.rb. Its version is a later one than the last of the original.
Gem::Specification.new do |gem|
  gem.name = "robotstxt-parser"
  gem.version = "0.1.1.1"
  gem.authors = ["The robotrules authors"]
  gem.summary = "robotrules in place of robotstxt-parser."
  gem.license = "Apache-2.0"
  gem.required_ruby_version = ">= 3.0"
  gem.files = []
  gem.add_dependency "robotrules"
  gem.metadata = { "rubygems_mfa_required" => "true" }
end
