# frozen_string_literal: true

module Robotrules
  module Robotstxt
    # How files are read, unless the caller says otherwise.
    DIALECT = "robotstxt-rb"

    # One robots.txt, read for one robot. Any number of threads may use one object.
    class Parser
      # The compiled rules, which know reasons and delays.
      attr_reader :rules

      def initialize(user_agent, body, dialect: DIALECT)
        @rules = Rules.compile(body, user_agent, dialect: dialect)
        @body = body.dup.freeze
        @dialect = dialect
      end

      # The values of all Sitemap lines, in file order, as they are written.
      def sitemaps
        @sitemaps ||= Robotrules.sitemaps(@body, dialect: @dialect)
      end

      # Returns whether the robot may fetch `uri`: a URL, a path or "?query" as a String, or a URI.
      def allowed?(uri)
        @rules.allowed?(uri)
      end
    end
  end
end
