# frozen_string_literal: true

require_relative "helper"

# Files and URLs as an attacker writes them: every string is a robots.txt, every string is a URL.
class HostileTest < Minitest::Test
  SIZE = 600_000 # more than the 512,000 bytes that some dialects read
  FILES = [
    "\0", "\0" * 1000, "User-agent: *\nDisallow: /a\0b\n", "\xFF\xFE\x00", "\xEF\xBB", "\xC3\x28\n" * 100,
    (0..255).map(&:chr).map(&:b).join * 10, "\r" * 1000, ":" * 1000, "Disallow: /#{"*a" * 2000}\n",
    "User-agent: *\nDisallow: /#{"a" * SIZE}", "User-agent: *\n#{"Disallow: /x\n" * (SIZE / 13)}", "x" * SIZE,
    "User-agent: *\nDisallow: http://[::\nDisallow: http://a:999999/\nDisallow: //\nDisallow: @\n", "Disallow: /\u263A\n"
  ].freeze
  URLS = [
    "", "/", "?", "/\0", "/\0b", "http://a/\0", "/\xFF\xC3", "http://", "http:", "//", "http://a#{"/b" * 20_000}", "%", "/%",
    "/\n/", "mailto:x", "/\u263A", "http://\u263A/", "http://[::1]:80/", "http://a:99999/", "HTTP://A:80"
  ].freeze

  Robotrules.dialects.each do |dialect|
    define_method("test_#{dialect}") do
      FILES.product([dialect]).each do |file, name|
        rules = Robotrules::Rules.compile(file, "Foo\0Bot", dialect: name, url: "http://a/robots.txt")
        URLS.each do |url|
          verdict = rules.check(url)
          assert_includes(%i[allowed disallowed], verdict.access)
          assert_equal(verdict.allowed?, rules.allowed?(url))
          refute_empty(rules.explain(url))
        end
        assert_kind_of(Array, rules.lines)
        assert_kind_of(Array, Robotrules.sitemaps(file, dialect: name))
      end
    end
  end

  def test_nul_and_bytes_that_are_not_utf8_arrive_whole
    rules = Robotrules::Rules.compile("User-agent: *\nDisallow: /\xFFx\n", "FooBot")
    assert_equal("/\xFFx".b, rules.lines.first.pattern.b)
    refute(rules.lines.first.pattern.valid_encoding?)
    refute(rules.allowed?("/%FFx"))
    assert(rules.allowed?("/\0\xFFx"))
  end

  def test_strings_of_the_caller_stay_as_they_are
    body = +"User-agent: *\nDisallow: /a\n"
    url = +"/a"
    rules = Robotrules::Rules.compile(body, "FooBot")
    body.replace("x")
    refute(rules.allowed?(url))
    rules.check(url).rule.pattern << "changed"
    assert_equal(["/a", "/a"], [url, rules.lines.first.pattern])
  end

  def resident
    File.read("/proc/self/statm").split[1].to_i
  end

  def test_memory_is_given_back
    skip("there is no /proc") unless File.exist?("/proc/self/statm")
    body = "User-agent: *\n#{(1..2000).map { |number| "Disallow: /#{number}\n" }.join}"
    round = lambda do
      200.times { Robotrules::Rules.compile(body, "FooBot").tap { |rules| rules.check("/7") && rules.explain("/7") } }
      GC.start
    end
    2.times { round.call }
    before = resident
    10.times { round.call }
    assert_operator(resident - before, :<, 4096, "2,000 objects leave nothing behind")
  end

  def test_interrupted_threads_leave_nothing_behind
    skip("there is no /proc") unless File.exist?("/proc/self/statm")
    large = "User-agent: *\n#{(1..20_000).map { |number| "Disallow: /#{number}/aaaaaaaaaaaaa\n" }.join}"
    round = lambda do
      15.times do
        begun = Queue.new
        thread = Thread.new do
          begun << true
          loop { Robotrules::Rules.compile(large, "FooBot") }
        end
        thread.report_on_exception = false
        begun.pop
        thread.raise(IOError)
        assert_raises(IOError) { thread.join }
        GC.start
      end
    end
    round.call
    before = resident
    3.times { round.call }
    assert_operator(resident - before, :<, 2560, "45 threads that compile 600 KiB leave nothing behind")
  end

  def test_interrupts_wait_until_a_handle_has_its_owner
    thread = Thread.new do
      Robotrules::Native.uninterrupted do
        Thread.current.raise(IOError)
        Thread.current[:went_on] = true
      end
    end
    thread.report_on_exception = false
    assert_raises(IOError) { thread.join }
    assert(thread[:went_on])
  end

  def test_strings_in_other_encodings
    ["/\x81x".dup.force_encoding("Windows-1252"), "/x".dup.force_encoding("UTF-7")].each do |url|
      rules = Robotrules::Rules.compile("User-agent: *\nDisallow: /x\n", "FooBot")
      assert_equal(url.encoding.dummy? ? false : true, rules.allowed?(url), url.inspect)
    end
  end

  def test_threads_share_an_object
    large = "User-agent: *\nDisallow: /private\n#{"#" * 100_000}"
    rules = Robotrules::Rules.compile(large, "FooBot")
    threads = Array.new(8) do
      Thread.new do
        (1..200).count do |number|
          own = Robotrules::Rules.compile(large, "FooBot") if (number % 20).zero?
          (own || rules).allowed?("/private") || !rules.allowed?("/#{number}")
        end
      end
    end
    assert_equal([0] * 8, threads.map(&:value))
  end

  def test_a_forked_process_has_everything
    rules = Robotrules::Rules.compile("User-agent: *\nDisallow: /private\n", "FooBot")
    child = fork { exit!(rules.allowed?("/private") ? 1 : 0) }
    Process.wait(child)
    assert_equal(0, $?.exitstatus)
  end
end
