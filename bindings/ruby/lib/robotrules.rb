# frozen_string_literal: true

require_relative "robotrules/native"
require_relative "robotrules/robots_fetch"
require_relative "robotrules/rules"
require_relative "robotrules/version"

# Reads robots.txt and answers whether a robot may fetch a URL. Robotrules::Rules is the way in.
module Robotrules
  module_function

  # Returns the version of librobotrules.so.
  def library_version
    Native.text(Native::VERSION)
  end

  # Returns the names of all dialects.
  def dialects
    Array.new(Native::DIALECT_COUNT.call) { |index| Native.text(Native::DIALECT_NAME, index) }
  end

  # Returns the robot's name in a name or a whole User-Agent header; "" if there is none.
  def robot_name(agent)
    agent = Native.bytes_of(agent, "the agent")
    Native.text(Native::ROBOT_NAME, agent, agent.bytesize)
  end

  # Returns the URL of the robots.txt for a URL, or nil if that is not an absolute http or https URL.
  def robots_url(url)
    url = Native.url_bytes_of(url)
    Native.take_text { |room| Native::ROBOTS_URL.call(url, url.bytesize, room) }
  end

  # Returns the values of all Sitemap lines, in file order, as they are written.
  def sitemaps(robots, dialect: "rfc9309")
    texts = [Native.bytes_of(robots, "the robots.txt"), Native.bytes_of(dialect.to_s, "the dialect"), ""]
    arguments = texts.flat_map { |text| [text, text.bytesize] }
    file = Native.owned(Native::FILE_FREE) { |room| Native.check(Native::FILE_PARSE.call(*arguments, room)) }
    count = Native.struct(Native::FILE_FACTS_STRUCT) { |room| Native::FILE_GET_FACTS.call(file, room) }[6]
    directive = "\0".b * Native.size_of(Native::DIRECTIVE_STRUCT)
    count.times.filter_map do |index|
      Native::FILE_DIRECTIVE.call(file, index, directive)
      _, _, address, size, kind = directive.unpack(Native::DIRECTIVE_STRUCT)
      Native.view(address, size) if kind == Native::KIND_SITEMAP
    end
  ensure
    file&.call_free
  end
end
