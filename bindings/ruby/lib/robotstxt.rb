# frozen_string_literal: true

require_relative "robotrules/robotstxt"

# Takes the place of the gem robotstxt-parser.
Robotstxt = Robotrules::Robotstxt
