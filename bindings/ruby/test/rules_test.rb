# frozen_string_literal: true

require "uri"
require_relative "helper"

class RulesTest < Minitest::Test
  ROBOTS = "User-agent: *\nDisallow: /private/\nAllow: /private/x\nCrawl-delay: 1.5\n\nUser-agent: Other\nDisallow: /"

  def compile(robots = ROBOTS, agent = "FooBot", **options)
    Robotrules::Rules.compile(robots, agent, **options)
  end

  def test_names
    assert_equal(Robotrules.library_version, Robotrules::VERSION)
    assert_equal(%w[rfc9309 google www-robotrules robotstxt-rb original-1994 draft-1996], Robotrules.dialects)
    assert_equal("FooBot", Robotrules.robot_name("Mozilla/5.0 (compatible; FooBot/1.0)"))
    assert_equal("", Robotrules.robot_name(""))
  end

  def test_robots_url
    assert_equal("http://example.org/robots.txt", Robotrules.robots_url("HTTP://Example.org:80/x"))
    assert_equal("http://example.org/robots.txt", Robotrules.robots_url(URI("http://example.org/x")))
    ["", "/x", "example.org/x", "ftp://example.org/", "http://"].each { |url| assert_nil(Robotrules.robots_url(url), url) }
  end

  def test_sitemaps_are_as_written
    assert_equal(%w[a b a], Robotrules.sitemaps("Sitemap: a\nsitemap:b\nUser-agent: *\nSitemap: a\n"))
    assert_empty(Robotrules.sitemaps(""))
    assert_raises(Robotrules::Error) { Robotrules.sitemaps("", dialect: "nonsense") }
  end

  def test_allowed
    rules = compile
    assert_equal(true, rules.allowed?("https://example.org/"))
    assert_equal(true, rules.allowed?("/private/x"))
    assert_equal(false, rules.allowed?("https://example.org/private/"))
    assert_equal(false, rules.allowed?(URI("https://example.org/private/")))
  end

  def test_a_verdict_has_a_reason
    verdict = compile.check("http://example.org/private/x?y")
    assert_predicate(verdict, :allowed?)
    assert_equal([:allowed, "rule", 3], [verdict.access, verdict.why, verdict.line])
    assert_equal("Allow: /private/x", verdict.rule.to_s)
    assert_equal([:disallowed, 2, "/private/"], verdict.runner_up.to_a)
    assert_equal(["*", 1, true], verdict.group.to_a)
    other = compile(ROBOTS, "Other").check("/")
    assert_equal([:disallowed, 7, "Disallow: /"], [other.access, other.line, other.rule.to_s])
    assert_equal(["Other", 6, false], other.group.to_a)
  end

  def test_a_verdict_without_a_rule
    verdict = compile.check("/")
    assert_equal(["no-rule", nil, 0], [verdict.why, verdict.rule, verdict.line])
    assert_nil(compile("").check("/").group)
  end

  def test_explain_lines_and_delay
    assert_match(%r{disallowed by "Disallow: /private/" in line 2}, compile.explain("/private/"))
    assert_equal(["Disallow: /private/", "Allow: /private/x"], compile.lines.map(&:to_s))
    assert_empty(compile("").lines)
    assert_equal(1.5, compile.crawl_delay)
    assert_nil(compile(ROBOTS, "Other").crawl_delay)
  end

  def test_dialects
    assert_equal(2, compile(dialect: "original-1994").check("/private/x").line)
    assert_equal(false, compile("User-agent: *\nDisallow: x\n", dialect: "www-robotrules", url: "http://a/robots.txt").allowed?("/x"))
  end

  def test_encodings
    text = "User-agent: *\nDisallow: /größe\n"
    bodies = [text, text.b, text.encode("UTF-16LE"), text.encode("ISO-8859-1")]
    urls = ["/größe", "/größe".b, "/größe".encode("ISO-8859-1"), "/gr%C3%B6%C3%9Fe"]
    bodies.product(urls).each do |body, url|
      refute(compile(body).allowed?(url), "#{body.encoding} and #{url.encoding}")
    end
    assert_equal("/größe", compile(text.b).lines.first.pattern)
    assert_equal(Encoding::UTF_8, compile(text.b).lines.first.pattern.encoding)
  end

  def test_wrong_types
    [nil, 3, [], :x].each do |wrong|
      assert_raises(TypeError, wrong.inspect) { compile(wrong) }
      assert_raises(TypeError, wrong.inspect) { compile("", wrong) }
      assert_raises(TypeError, wrong.inspect) { compile.allowed?(wrong) }
      assert_raises(TypeError, wrong.inspect) { compile.check(wrong) }
      assert_raises(TypeError, wrong.inspect) { Robotrules.robots_url(wrong) }
    end
    error = assert_raises(Robotrules::Error) { compile(dialect: "nonsense") }
    assert_equal("unknown-dialect", error.code)
    assert_raises(ArgumentError) { compile(colour: 1) }
    assert_raises(NoMethodError) { Robotrules::Rules.new }
  end

  def test_objects_that_are_strings
    like = Object.new
    def like.to_str = "/private/"
    refute(compile.allowed?(like))
  end
end
