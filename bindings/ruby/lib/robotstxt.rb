# frozen_string_literal: true

require_relative "robotrules/robotstxt"

# Takes the place of the gem robotstxt-parser. lib/robotstxt-parser.rb is the same under the gem's own name.
Robotstxt = Robotrules::Robotstxt
