# frozen_string_literal: true

require_relative "helper"

# The first example of the README does what its comments say.
class ReadmeTest < Minitest::Test
  def test_first_example
    example = File.read(File.expand_path("../README.md", __dir__), encoding: "UTF-8")[/^```ruby\n(.*?)^```/m, 1]
    assert_includes(example, 'rules.allowed?("https://example.org/page") # => true')
    printed, = capture_io { eval(example) }
    assert_equal(example[/^# (disallowed .*\n)/, 1], printed)
    rules = Robotrules::Rules.compile("User-agent: *\nDisallow: /private/\n", "FooBot")
    assert_equal(true, rules.allowed?("https://example.org/page"))
  end
end
