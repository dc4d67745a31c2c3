# frozen_string_literal: true

require_relative "server"
require "robotstxt-parser" # as programs of the gem do; robotstxt.rb is the same

# Robotstxt: the interface of robotstxt-parser, and get() over a server of this test.
class RobotstxtTest < Minitest::Test
  include Serving

  ROBOTS = "User-agent: *\nDisallow: /x\nSitemap: http://a/s.xml\nSitemap: /t.xml\n"

  def test_parse
    robots = Robotstxt.parse(ROBOTS, "Crawler/1.0")
    assert_kind_of(Robotstxt::Parser, robots)
    assert_equal([false, true], [robots.allowed?("/x"), robots.allowed?(URI("http://a/y"))])
    assert_equal(["http://a/s.xml", "/t.xml"], robots.sitemaps)
    assert_equal("Disallow: /x", robots.rules.check("/x").rule.to_s)
    assert_equal(false, Robotstxt::Parser.new("Crawler", ROBOTS).allowed?("/x"))
  end

  def test_urlish
    robots = Robotstxt.parse("User-agent: *\nDisallow: /?q\nDisallow: /a b\nDisallow: /*.pdf$\n", "Crawler")
    { "/?q=1" => false, "http://a/?q" => false, "http://a" => true, "/a%20b" => false, "/a b" => false, "/x.pdf?y" => false,
      "/x.pdfs" => true, "https://a.example/x.pdf#top" => false, "index.html" => true }.each do |url, wanted|
      assert_equal(wanted, robots.allowed?(url), url)
    end
  end

  def test_the_readme_counts_where_the_gem_differs
    robots = "User-agent: Google\nUser-agent: Bing\nDisallow: /secret\n"
    assert_equal([false, false, true], %w[Google Bing Other].map { |name| Robotstxt.parse(robots, name).allowed?("/secret") })
  end

  def test_dialect
    robots = "User-agent: *\nDisallow: /\nAllow: /pub\n"
    assert_equal(false, Robotstxt.parse(robots, "Crawler").allowed?("/pub"))
    assert_equal(true, Robotstxt.parse(robots, "Crawler", dialect: "rfc9309").allowed?("/pub"))
    assert_equal(true, get_allowed?(answer(200, robots), "/pub", dialect: "rfc9309"))
  end

  def test_wrong_types
    [nil, 3, []].each do |wrong|
      assert_raises(TypeError) { Robotstxt.parse(wrong, "Crawler") }
      assert_raises(TypeError) { Robotstxt.parse("", wrong) }
      assert_raises(TypeError) { Robotstxt.parse("", "Crawler").allowed?(wrong) }
      assert_raises(TypeError) { Robotstxt.get(wrong, "Crawler") }
    end
    ["/x", "ftp://a/", "", "http://"].each { |url| assert_raises(ArgumentError, url) { Robotstxt.get(url, "Crawler") } }
    assert_raises(ArgumentError) { Robotstxt.get("http://127.0.0.1:1/", "Crawler", policy: "none") }
    assert_raises(ArgumentError) { Robotstxt.get("http://127.0.0.1:1/", "Crawler", colour: 1) }
    assert_raises(ArgumentError) { Robotstxt.get("http://127.0.0.1:1/", "Crawler", url_charset: "utf8-ish") }
  end

  def test_get_asks_for_robots_txt_with_the_name_of_the_robot
    serve(answer(200, ROBOTS)) do |server|
      robots = Robotstxt.get(server.url("/any/page?of#it"), "Crawler/1.0")
      assert_equal([false, true], [robots.allowed?("/x"), robots.allowed?("/y")])
      assert_match(%r{\AGET /robots.txt HTTP/1.1\r\n}, server.requests.first)
      assert_match(%r{^User-Agent: Crawler/1.0\r\n}i, server.requests.first)
    end
  end

  def test_get_over_a_connection
    serve(answer(200, ROBOTS)) do |server|
      uri = URI(server.url)
      robots = Robotstxt.get(Net::HTTP.new(uri.host, uri.port), "Crawler")
      assert_equal(false, robots.allowed?("/x"))
    end
  end

  def test_what_an_answer_without_a_file_means
    wanted = { "robotstxt-rb" => { 401 => false, 403 => false, 404 => true, 429 => true, 500 => true, 503 => true },
               "rfc9309" => { 401 => true, 403 => true, 404 => true, 429 => false, 500 => false, 503 => false },
               "strict" => { 401 => false, 403 => false, 404 => true, 429 => false, 500 => false, 503 => false } }
    wanted.each do |policy, answers|
      answers.each do |status, allowed|
        assert_equal(allowed, get_allowed?(answer(status), policy: policy), "#{policy}: #{status}")
      end
    end
  end

  def test_failures
    server = TCPServer.new("127.0.0.1", 0)
    dead = "http://127.0.0.1:#{server.addr[1]}/"
    server.close
    cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\nDisallow: /\n"
    silent = ->(socket) { socket.read }
    { "robotstxt-rb" => true, "rfc9309" => false }.each do |policy, wanted|
      assert_equal(wanted, Robotstxt.get_allowed?(dead, "Crawler", policy: policy), "refused")
      assert_equal(wanted, get_allowed?(cut, policy: policy), "cut")
      assert_equal(wanted, get_allowed?("nonsense\r\n\r\n", policy: policy), "no HTTP")
      assert_equal(wanted, get_allowed?("", policy: policy), "no answer")
      assert_equal(wanted, get_allowed?(silent, http_timeout: 0.2, policy: policy), "silence")
    end
  end

  def test_redirects
    moved = ->(target) { answer(302, Location: target) }
    serve(moved["/moved"], answer(200, ROBOTS)) do |server|
      assert_equal(false, Robotstxt.get_allowed?(server.url("/x"), "Crawler"))
      assert_match(%r{\AGET /moved }, server.requests.last)
    end
    serve(answer(200, ROBOTS)) do |other|
      assert_equal(false, get_allowed?(moved[other.url("/far?away")]))
      assert_match(%r{\AGET /far\?away }, other.requests.last)
    end
    serve(moved["/robots.txt"]) do |server|
      assert_equal(true, Robotstxt.get_allowed?(server.url("/x"), "Crawler"))
      assert_equal(1, server.requests.size) # a loop ends at once
      assert_equal(true, Robotstxt.get_allowed?(server.url("/x"), "Crawler", num_redirects: 0))
      assert_equal(2, server.requests.size)
      assert_equal(false, Robotstxt.get_allowed?(server.url("/x"), "Crawler", policy: "strict"))
    end
    ["ftp://a/", "http://", "http://[", "mailto:x"].each { |target| assert_equal(true, get_allowed?(moved[target]), target) }
    assert_equal(true, get_allowed?(answer(302)))
    assert_equal(false, get_allowed?(answer(302), policy: "rfc9309"))
    assert_equal(false, get_allowed?(moved["ftp://a/"], policy: "rfc9309"))
  end

  def test_the_last_good_copy_of_the_process_holds_while_the_site_cannot_be_reached
    serve(answer(200, ROBOTS), answer(503), answer(404), answer(503)) do |server|
      allowed = ->(path) { Robotstxt.get_allowed?(server.url(path), "Crawler", policy: "rfc9309") }
      assert_equal([true, true, true, false], Array.new(4) { allowed["/y"] })
    end
    serve(answer(200, ROBOTS), answer(503)) do |server|
      assert_equal([false, true], Array.new(2) { Robotstxt.get_allowed?(server.url("/x"), "Crawler") }, "as the gem")
    end
  end

  def test_a_kept_file_keeps_its_charset_and_its_robot
    latin = "User-agent: *\nDisallow: /b\u00FCg\n".encode("ISO-8859-1")
    type = "text/plain; charset=ISO-8859-1"
    not_modified = "HTTP/1.1 304 X\r\nConnection: close\r\n\r\n"
    [not_modified, answer(503)].each do |second|
      serve(answer(200, latin, Content_Type: type, ETag: '"1"'), second) do |server|
        allowed = Array.new(2) { Robotstxt.get_allowed?(server.url("/b%C3%BCg"), "Crawler", policy: "rfc9309") }
        assert_equal([false, false], allowed)
        assert_match(/^If-None-Match: "1"\r$/i, server.requests.last)
      end
    end
    serve(answer(200, ROBOTS, ETag: '"1"')) do |server|
      Robotstxt.get(server.url, "Crawler")
      Robotstxt.get(server.url, "Other")
      refute_match(/^If-None-Match/i, server.requests.last)
    end
  end

  def test_charsets
    latin = "User-agent: *\nDisallow: /b\u00FCg\n".encode("ISO-8859-1")
    utf16 = "\uFEFFUser-agent: *\nDisallow: /b\u00FCg\n".encode("UTF-16LE")
    utf8 = "User-agent: *\nDisallow: /b\u00FCg\n"
    [[latin, "text/plain; charset=ISO-8859-1"], [utf16, "text/plain; charset=utf-16"], [utf8, "text/plain"],
     [utf8, "text/plain; charset=nonsense"]].each do |body, type|
      assert_equal(false, get_allowed?(answer(200, body, Content_Type: type), "/b%C3%BCg"), type)
      assert_equal(true, get_allowed?(answer(200, body, Content_Type: type), "/b%FCg"), type)
      assert_equal(false, get_allowed?(answer(200, body, Content_Type: type), "/b%FCg", url_charset: "iso-8859-1"), type)
    end
  end

  def test_the_names_of_charsets_that_the_gem_and_servers_use
    utf8 = "User-agent: *\nDisallow: /b\u00FCg\n"
    ["utf8", "UTF8", "utf-8", :utf8, Encoding::UTF_8].each do |name|
      assert_equal([false, true], %w[/b%C3%BCg /b%FCg].map { |path| get_allowed?(answer(200, utf8), path, url_charset: name) })
    end
    latin = utf8.encode("ISO-8859-1")
    %w[latin1 Latin1].each do |name|
      assert_equal(false, get_allowed?(answer(200, utf8), "/b%FCg", url_charset: name))
      assert_equal(false, get_allowed?(answer(200, latin, Content_Type: "text/plain; charset=#{name}"), "/b%C3%BCg"))
    end
  end

  def test_every_content_type_is_an_answer
    ["text/plain; charset=utf-7", "text/plain; charset=internal", "text/plain; charset", "text/plain; charset=", ";;", "",
     "text/plain; charset=external", "text/plain; charset=locale", "text/plain; charset=binary", "text/plain; charset=\xFF",
     "text/plain; charset=utf-8; =", "text/plain; charset=utf-16", "text/plain; charset=utf-32", "a; charset=\"", "\0",
     "text/plain; charset=iso-2022-jp", "text/plain; charset=cp50220", "text/plain; charset=utf-8"].each do |type|
      assert_equal(false, get_allowed?(answer(200, ROBOTS, Content_Type: type.b), policy: "rfc9309"), type.inspect)
      assert_equal(true, get_allowed?(answer(200, ROBOTS, Content_Type: type.b), "/y", policy: "rfc9309"), type.inspect)
    end
  end

  def test_charsets_may_be_quoted_and_in_any_case
    latin = "User-agent: *\nDisallow: /b\u00FCg\n".encode("ISO-8859-1")
    ['text/plain; charset="iso-8859-1"', "text/plain;Charset=ISO-8859-1", "text/plain; charset = 'iso-8859-1' ; x=y",
     "text/plain; format=flowed; CHARSET=iso-8859-1"].each do |type|
      assert_equal(false, get_allowed?(answer(200, latin, Content_Type: type), "/b%C3%BCg"), type)
    end
  end

  def test_wrong_arguments_are_found_before_the_fetch
    serve(answer(200, ROBOTS)) do |server|
      assert_raises(Robotrules::Error) { Robotstxt.get(server.url, "Crawler", dialect: "zz") }
      assert_raises(TypeError) { Robotstxt.get(server.url, nil) }
      assert_raises(ArgumentError) { Robotstxt.get(server.url, "Crawler", url_charset: "internal") }
      assert_empty(server.requests)
    end
    ["http://[::1", "http://a:b:c/", "http://\xFF/"].each do |url|
      assert_raises(ArgumentError, url) { Robotstxt.get(url, "Crawler") }
    end
  end

  def test_a_body_that_is_too_long_is_cut_after_a_whole_line
    line = "Disallow: /p#{"q" * 99_988}\n"
    body = "User-agent: *\nDisallow: /x\n#{line * 20}"
    assert_equal(false, get_allowed?(answer(200, body)))
    assert_equal(true, get_allowed?(answer(200, body), "/pq"))
    endless = ->(socket) { socket.write("HTTP/1.1 200 OK\r\n\r\n#{ROBOTS}") && loop { socket.write("#" * 65_536) } }
    assert_equal(false, get_allowed?(endless))
  end
end
