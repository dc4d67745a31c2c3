# frozen_string_literal: true

require "zlib"
require_relative "server"
require "robotstxt"

# A robots.txt that is cut short never opens a site, whatever Net::HTTP itself notices of that: its versions differ, and
# a connection of the caller has settings of its own.
class CutTest < Minitest::Test
  include Serving

  # Without a Disallow line for /x after a cut: a body that is taken for whole opens the site.
  ROBOTS = "User-agent: *\n#{"# #{"-" * 60}\n" * 20}Disallow: /x\n"
  GZIP = Zlib.gzip(ROBOTS)
  TWO_MEMBERS = Zlib.gzip(ROBOTS[0, 700]) + Zlib.gzip(ROBOTS[700..])

  # Net::HTTP reads to the end of the stream as if its ignore_eof were `value`, in every version.
  module EndOfStream
    class << self
      attr_accessor :ignored
    end

    def read(length, dest = +"".b, ignore_eof = false)
      super(length, dest, EndOfStream.ignored.nil? ? ignore_eof : EndOfStream.ignored && ignore_eof)
    end
  end
  Net::BufferedIO.prepend(EndOfStream)

  # Yields once for each way in which Net::HTTP ends a body that is shorter than its Content-Length.
  def each_net_http
    [nil, true, false].each do |ignored|
      EndOfStream.ignored = ignored
      yield "ignore_eof #{ignored.inspect}"
    end
  ensure
    EndOfStream.ignored = nil
  end

  # Asks over a connection of our own, and over one of the caller.
  def answers(raw, **options)
    serve(raw) do |server|
      uri = URI(server.url)
      [server.url, Net::HTTP.new(uri.host, uri.port)].map do |source|
        Robotstxt.get(source, "Crawler", policy: "rfc9309", dialect: "rfc9309", **options)
      end
    end
  end

  def assert_closed(raw, message)
    answers(raw).each { |robots| refute(robots.allowed?("/y"), message) }
  end

  def assert_read(raw, message)
    answers(raw).each do |robots|
      assert(robots.allowed?("/y"), message)
      refute(robots.allowed?("/x"), message)
    end
  end

  def head(*fields)
    "HTTP/1.1 200 OK\r\nConnection: close\r\n#{fields.map { |field| "#{field}\r\n" }.join}\r\n"
  end

  def chunked(body, size = 100)
    body.b.scan(/.{1,#{size}}/mn).map { |piece| "#{piece.bytesize.to_s(16)}\r\n#{piece}\r\n" }.join + "0\r\n\r\n"
  end

  def frames
    { "length" => ["Content-Length: #{ROBOTS.bytesize}", ROBOTS],
      "length, gzip" => ["Content-Length: #{GZIP.bytesize}", GZIP, "Content-Encoding: gzip"],
      "length, two members" => ["Content-Length: #{TWO_MEMBERS.bytesize}", TWO_MEMBERS, "Content-Encoding: x-gzip"],
      "chunks" => ["Transfer-Encoding: chunked", chunked(ROBOTS)],
      "chunks, gzip" => ["Transfer-Encoding: chunked", chunked(GZIP, 10), "Content-Encoding: gzip"],
      "until the end, gzip" => ["X: y", GZIP, "Content-Encoding: gzip"],
      "until the end, deflate" => ["X: y", Zlib.deflate(ROBOTS), "Content-Encoding: deflate"] }
  end

  def test_a_whole_body_is_read
    each_net_http do |way|
      frames.each { |name, (frame, body, *more)| assert_read(head(frame, *more) + body.b, "#{name}, #{way}") }
      assert_read(head("Content-Encoding: Identity") + ROBOTS, way)
      assert_read(head("Content-Encoding: gzip, gzip") + Zlib.gzip(GZIP), way)
      assert_read(head("Content-Encoding: gzip") + GZIP + ROBOTS, way)
      assert_read(head("X: y") + GZIP, way)
      assert_read(head("Content-Encoding: UTF-8", "Content-Length: #{ROBOTS.bytesize}") + ROBOTS, way)
      assert_read(head("Content-Length: #{ROBOTS.bytesize}", "Content-Length: #{ROBOTS.bytesize}") + ROBOTS, way)
    end
  end

  def test_a_body_that_is_cut_closes_the_site
    each_net_http do |way|
      frames.each do |name, (frame, body, *more)|
        cuts = [1, 7, body.bytesize / 2, body.bytesize - 7, body.bytesize - 1]
        cuts << 0 unless name.start_with?("until")
        cuts.each { |size| assert_closed(head(frame, *more) + body.b[0, size], "#{name} cut at #{size}, #{way}") }
      end
    end
  end

  def test_what_cannot_be_read_closes_the_site
    { "unknown coding" => head("Content-Encoding: sdch") + ROBOTS,
      "text as brotli" => head("Content-Encoding: br") + ROBOTS,
      "three codings" => head("Content-Encoding: gzip, gzip, gzip") + Zlib.gzip(Zlib.gzip(GZIP)),
      "plain text as gzip" => head("Content-Encoding: gzip") + ROBOTS,
      "two lengths" => head("Content-Length: 5", "Content-Length: #{ROBOTS.bytesize}") + ROBOTS,
      "two lengths in a field" => head("Content-Length: 5, #{ROBOTS.bytesize}") + ROBOTS,
      "a length that is not a number" => head("Content-Length: 5x") + ROBOTS,
      "a part" => head("Content-Length: 14", "Content-Range: bytes 0-13/20").sub("200 OK", "206 Part") + ROBOTS[0, 14]
    }.each { |name, raw| assert_closed(raw, name) }
  end

  # A redirect, a refusal and a missing file are decided by the status, and their bodies may be anything.
  def test_the_status_decides_whatever_the_body_is
    bodies = { "cut" => "Content-Length: 100\r\n\r\nab", "not gzip" => "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\nab",
               "cut chunk" => "Transfer-Encoding: chunked\r\n\r\n5\r\nab" }
    bodies.each do |name, rest|
      { 404 => true, 403 => true, 500 => false, 429 => false }.each do |status, allowed|
        assert_equal(allowed, get_allowed?("HTTP/1.1 #{status} X\r\n#{rest}", "/y", policy: "rfc9309"), "#{status}, #{name}")
      end
      assert_equal(false, get_allowed?("HTTP/1.1 403 X\r\n#{rest}", "/y"), "403, #{name}")
      serve("HTTP/1.1 302 X\r\nLocation: /moved\r\n#{rest}", answer(200, ROBOTS)) do |server|
        assert_equal(false, Robotstxt.get_allowed?(server.url("/x"), "Crawler", policy: "rfc9309"), "302, #{name}")
        assert_match(%r{\AGET /moved }, server.requests.last)
      end
    end
  end

  def test_a_gzip_bomb_is_read_up_to_the_limit
    bomb = Zlib.gzip("User-agent: *\nDisallow: /x\n#{"# #{"-" * 60}\n" * 200_000}Disallow: /y\n")
    assert_read(head("Content-Encoding: gzip", "Content-Length: #{bomb.bytesize}") + bomb, "12 MB")
  end
end
