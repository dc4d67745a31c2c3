# frozen_string_literal: true

require_relative "native"

module Robotrules
  # One Allow or Disallow line. `access` is :allowed for an Allow line. The pattern is as written; not always valid
  # UTF-8.
  RuleLine = Struct.new(:access, :line, :pattern) do
    def to_s
      "#{access == :allowed ? "Allow" : "Disallow"}:#{" " unless pattern.empty?}#{pattern}"
    end
  end

  # The group that applies to the robot.
  Group = Struct.new(:agent, :line, :default?)

  # An answer and its reason. `access` is :allowed or :disallowed; `why` is a stable code, such as "rule" or "no-group".
  # `line` is 0, and `rule` nil, if no rule decided.
  Verdict = Struct.new(:access, :why, :rule, :runner_up, :group) do
    def allowed?
      access == :allowed
    end

    def line
      rule ? rule.line : 0
    end
  end

  # The rules of one robots.txt for one robot, compiled. Any number of threads may use one object.
  class Rules
    ALLOWED = 1
    # Bodies of this size are compiled while other threads run.
    UNLOCKED_SIZE = 65_536

    # Compiles the file `robots` for the robot `agent`. A name with a version and a whole User-Agent header are
    # reduced to robot_name(agent), unless the dialect is robotstxt-rb. Every string is a robots.txt. `url` is
    # the URL of the file; only the dialect www-robotrules uses it.
    def self.compile(robots, agent, dialect: "rfc9309", url: "")
      new(robots, agent, dialect, url)
    end
    private_class_method :new

    def initialize(robots, agent, dialect, url)
      texts = [Native.bytes_of(robots, "the robots.txt"), Native.bytes_of(agent, "the agent"),
               Native.bytes_of(dialect.to_s, "the dialect"), Native.url_bytes_of(url)]
      compile = Native::RULES_COMPILE
      if texts.first.bytesize >= UNLOCKED_SIZE
        texts.map!(&:b) # copies, which no other thread can change
        compile = Native::RULES_COMPILE_UNLOCKED
      end
      @handle = Native.owned(Native::RULES_FREE) do |room|
        Native.check(compile.call(*texts.flat_map { |text| [text, text.bytesize] }, room))
      end
      freeze
    end

    # Returns whether the robot may fetch a URL (a String or a URI), or a path that begins with "/".
    def allowed?(url)
      url = Native.url_bytes_of(url)
      Native::RULES_ACCESS.call(@handle, url, url.bytesize) == ALLOWED
    end

    # Returns the Verdict for a URL.
    def check(url)
      url = Native.url_bytes_of(url)
      access, why, *members = Native.struct(Native::VERDICT_STRUCT) do |room|
        Native.check(Native::RULES_CHECK.call(@handle, url, url.bytesize, room))
      end
      rule, runner_up = members.shift(8).each_slice(4).map { |members_of_one| rule_of(*members_of_one) }
      address, size, line, default = members
      group = line.zero? ? nil : Group.new(Native.view(address, size), line, default == 1)
      Verdict.new(access_of(access), Native.text(Native::WHY_NAME, why), rule, runner_up, group)
    end

    # Returns the verdict as a sentence for people.
    def explain(url)
      url = Native.url_bytes_of(url)
      Native.take_text { |room| Native.check(Native::RULES_EXPLAIN.call(@handle, url, url.bytesize, room)) }
    end

    # Returns the Allow and Disallow lines for the robot, in file order, without those that can never match.
    def lines
      count = Native.handle { |room| Native.check(Native::RULES_LINES.call(@handle, nil, 0, room)) }
      return [] if count.zero?

      members = Native.struct(Native::RULE_STRUCT * count) do |room|
        Native.check(Native::RULES_LINES.call(@handle, room, count, "\0".b * 8))
      end
      members.each_slice(4).map { |members_of_one| rule_of(*members_of_one) }
    end

    # Returns the Crawl-delay in seconds, or nil.
    def crawl_delay
      milliseconds, = Native.struct(Native::SETTINGS_STRUCT) { |room| Native.check(Native::RULES_SETTINGS.call(@handle, room)) }
      milliseconds.negative? ? nil : milliseconds / 1000.0
    end

    private

    def access_of(value)
      value == ALLOWED ? :allowed : Native.text(Native::ACCESS_NAME, value).to_sym
    end

    def rule_of(address, size, line, access)
      line.zero? ? nil : RuleLine.new(access_of(access), line, Native.view(address, size))
    end
  end
end
