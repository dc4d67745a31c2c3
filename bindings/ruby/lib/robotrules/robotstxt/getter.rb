# frozen_string_literal: true

require "net/http"
require "openssl"
require "timeout"
require "uri"

require_relative "../robots_fetch"
require_relative "body"
require_relative "kept"

module Robotrules
  module Robotstxt
    # Fetches a robots.txt over HTTP, once.
    class Getter
      DEFAULTS = { num_redirects: 5, http_timeout: 10, url_charset: "utf8", policy: "robotstxt-rb", dialect: "robotstxt-rb" }.freeze
      ALL_ALLOWED = "User-agent: *\nDisallow:\n"
      ALL_FORBIDDEN = "User-agent: *\nDisallow: /\n"

      # The texts that stand for the states of a site without rules.
      TEXTS = { "allow-all": ALL_ALLOWED, "disallow-all": ALL_FORBIDDEN }.freeze

      # The ways in which a connection fails.
      FAILURES = [SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError,
                  Net::HTTPBadResponse, Net::HTTPHeaderSyntaxError, Zlib::Error].freeze

      # Ends the transfer of a response whose status alone decides: its body changes nothing.
      class HeadDecides < StandardError; end

      def initialize(robot_id, options)
        unknown = options.keys - DEFAULTS.keys
        raise ArgumentError, "unknown option #{unknown.join(", ")}" unless unknown.empty?

        Rules.compile("", robot_id, dialect: options[:dialect]) # raises for a wrong name or dialect before the fetch
        @robot_id = robot_id
        @redirects = Integer(options[:num_redirects]).clamp(0, 1_000)
        @timeout = options[:http_timeout]
        @charset = encoding_named(options[:url_charset]) or raise ArgumentError, "there is no charset internal"
        @policy = options[:policy].to_s
        check_policy
      end

      # Returns the text of the robots.txt of a site, or a text that allows or forbids everything.
      def obtain(source)
        return fetch(site_of(source), source) if source.is_a?(Net::HTTP)

        uri = source.is_a?(URI::Generic) ? source : parsed(Native.bytes_of(source, "the source"))
        raise ArgumentError, "#{source} is not an absolute http or https URL" unless uri && site?(uri)

        fetch(uri, nil)
      end

      private

      def check_policy
        RobotsFetch.new("http://localhost/robots.txt", policy: @policy)
      rescue Error
        raise ArgumentError, "there is no policy #{@policy.inspect}"
      end

      def parsed(url)
        URI.parse(URI::DEFAULT_PARSER.escape(url))
      rescue URI::Error, ArgumentError # bytes that are not UTF-8
        nil
      end

      def site?(uri)
        uri.is_a?(URI::HTTP) && !uri.host.to_s.empty?
      end

      def site_of(http)
        URI("#{http.use_ssl? ? "https" : "http"}://#{http.address}:#{http.port}")
      end

      # `http`: the connection for the first request; nil: a new one.
      def fetch(uri, http)
        robots_url = Robotrules.robots_url(uri)
        raise ArgumentError, "#{uri} is not an absolute http or https URL" unless robots_url

        site = [robots_url, @policy, @robot_id] # a server may have another file for each robot
        fetch, charset = Kept.begin(site)
        fetch.limit(redirects: @redirects, downgrade: @policy == DEFAULTS[:policy]) # the gem follows all redirects
        until fetch.done?
          last = visit(fetch, http)
          http = nil
        end
        charset = charset_of(last, fetch.robots) if fetch.outcome == :rules && last.is_a?(Net::HTTPSuccess)
        Kept.keep(site, fetch, charset)
        TEXTS.fetch(fetch.state) { decode(charset, fetch.robots) }
      end

      # Makes one request and tells the fetch. Returns the response, or nil.
      def visit(fetch, http)
        uri = parsed(fetch.url)
        return (fetch.fail("#{fetch.url} cannot be requested") and nil) unless uri && site?(uri)

        response, body = Timeout.timeout(@timeout) { request(http || connection_to(uri), uri.request_uri, fetch.headers) }
        fields = response.each_header.flat_map { |name, _| response.get_fields(name).map { |value| [name, value.b] } }
        text = body ? body.text : ""
        fetch.answer(response.code.to_i, fields, text, encoded: true, cut: text.bytesize > Body::MAX_SIZE,
                                                       whole: body.nil? || body.whole?)
        response
      rescue *FAILURES => e
        fetch.fail("#{e.class}: #{e.message}")
        nil
      end

      def connection_to(uri)
        http = Net::HTTP.new(uri.hostname, uri.port)
        http.use_ssl = uri.scheme == "https"
        http.open_timeout = http.read_timeout = @timeout
        http
      end

      # Returns the response, and its body if it has the status of a file.
      def request(http, path, headers)
        response = body = nil
        fields = { "User-Agent" => @robot_id, "Accept-Encoding" => "gzip" }.merge(headers)
        http.request(Net::HTTP::Get.new(path, fields)) do |received|
          response = received
          raise HeadDecides unless received.is_a?(Net::HTTPSuccess)

          body = Body.new(received)
          received.read_body { |piece| body << piece.to_s }
        end
        [response, body]
      rescue HeadDecides, Body::TooLong
        [response, body]
      end

      # Returns the body as UTF-8 by the charset of its Content-Type. For URLs in another charset, it returns what is
      # not ASCII percent-encoded in that charset.
      def decode(charset, body)
        text = body.force_encoding(charset)
        text = text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "") if charset != Encoding::UTF_8
        return text if @charset == Encoding::UTF_8

        bytes = text.encode(@charset, invalid: :replace, undef: :replace, replace: "").b
        bytes.gsub(/[\x80-\xff]/n) { |byte| format("%%%02X", byte.ord) }
      end

      # Names that Ruby does not know, and the gem's manual or servers use (labels of the WHATWG Encoding Standard).
      LABELS = { "utf8" => "utf-8", "utf16" => "utf-16", "latin1" => "iso-8859-1" }.freeze

      # Returns the encoding of a name, such as "utf8", or of an Encoding; nil for "internal". Raises ArgumentError.
      def encoding_named(name)
        name = name.to_s.strip.downcase
        Encoding.find(LABELS.fetch(name, name))
      end

      # Names of Ruby's that depend on the machine, and are no charsets.
      MACHINE_ENCODINGS = %w[external filesystem internal locale].freeze

      # The charset of a body: UTF-8, unless the header names another one that Ruby converts. A body in UTF-16 or UTF-32
      # has NULs; without them its header is wrong.
      def charset_of(response, body)
        name = response["Content-Type"].to_s.b[/;\s*charset\s*=\s*["']?([^\s;"']+)/in, 1].to_s.downcase
        return Encoding::UTF_8 if name.empty? || MACHINE_ENCODINGS.include?(name)
        return Encoding::UTF_8 if name.start_with?("utf-16", "utf-32") && !body.include?("\0")

        charset = encoding_named(name)
        Encoding::Converter.search_convpath(charset, Encoding::UTF_8)
        charset
      rescue ArgumentError, EncodingError
        Encoding::UTF_8
      end
    end
  end
end
