# frozen_string_literal: true

require "uri"
require_relative "../robotrules"
require_relative "robotstxt/getter"
require_relative "robotstxt/parser"

module Robotrules
  # The interface of the gem robotstxt-parser. lib/robotstxt.rb gives it the name Robotstxt.
  module Robotstxt
    NAME = "Robotstxt"
    VERSION = Robotrules::VERSION

    # Returns a Parser for the text of a robots.txt and the User-Agent header of a robot.
    def self.parse(robotstxt, robot_id, dialect: DIALECT)
      Parser.new(robot_id, robotstxt, dialect: dialect)
    end

    # Fetches /robots.txt of the site of `source`, a URL or a Net::HTTP connection, and returns a Parser. Options:
    #   :num_redirects  redirects that are followed, 5
    #   :http_timeout   seconds for each request, 10
    #   :url_charset    charset in which the URLs to check are percent-encoded, "utf8"
    #   :policy         what an answer without a file means: "robotstxt-rb" (default), "rfc9309",
    #                   "strict" or "lwp-fixed". While a site cannot be reached, the last good copy of this process may hold
    #   :dialect        how the file is read, "robotstxt-rb"
    def self.get(source, robot_id, options = {})
      options = Getter::DEFAULTS.merge(options)
      parse(Getter.new(robot_id, options).obtain(source), robot_id, dialect: options[:dialect])
    end

    # Fetches the robots.txt of the site of `uri` and returns whether the robot may fetch `uri`.
    def self.get_allowed?(uri, robot_id, options = {})
      get(uri, robot_id, options).allowed?(uri)
    end
  end
end
