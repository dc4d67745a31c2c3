# frozen_string_literal: true

require "robotrules/robotstxt"

# Takes the place of the gem robotstxt-parser.
Robotstxt = Robotrules::Robotstxt
