# frozen_string_literal: true

require_relative "lib/robotrules/version"

Gem::Specification.new do |gem|
  gem.name = "robotrules"
  gem.version = Robotrules::VERSION
  gem.authors = ["The robotrules authors"]
  gem.summary = "Reads robots.txt and answers whether a robot may fetch a URL, and why."
  gem.description = "RFC 9309, Google's parser and four other readers of robots.txt, over the C++ library robotrules. " \
                    "Takes the place of robotstxt-parser."
  gem.license = "Apache-2.0"
  gem.required_ruby_version = ">= 3.0"
  gem.files = Dir["lib/**/*.rb", "README.md", "LICENSE", base: __dir__]
  gem.add_dependency "fiddle", ">= 1.0.1" # a part of Ruby 3, and a gem of its own later
  gem.metadata = { "rubygems_mfa_required" => "true" }
end
