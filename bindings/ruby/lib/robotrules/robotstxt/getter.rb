# frozen_string_literal: true

require "net/http"
require "openssl"
require "timeout"
require "uri"

require_relative "body"

module Robotrules
  module Robotstxt
    # Fetches a robots.txt over HTTP, once.
    class Getter
      DEFAULTS = { num_redirects: 5, http_timeout: 10, url_charset: "utf-8", policy: "robotstxt-rb", dialect: "robotstxt-rb" }.freeze
      ALL_ALLOWED = "User-agent: *\nDisallow:\n"
      ALL_FORBIDDEN = "User-agent: *\nDisallow: /\n"

      # What an answer without a file means for the site: for 401 and 403, for other answers 4xx and for failures (429,
      # 5xx, no answer, a redirect that cannot be followed), and for too many redirects.
      POLICIES = {
        "robotstxt-rb" => { refused: ALL_FORBIDDEN, missing: ALL_ALLOWED, redirects: ALL_ALLOWED, failed: ALL_ALLOWED },
        "rfc9309" => { refused: ALL_ALLOWED, missing: ALL_ALLOWED, redirects: ALL_ALLOWED, failed: ALL_FORBIDDEN },
        "strict" => { refused: ALL_FORBIDDEN, missing: ALL_ALLOWED, redirects: ALL_FORBIDDEN, failed: ALL_FORBIDDEN }
      }.freeze

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
        @redirects = Integer(options[:num_redirects])
        @timeout = options[:http_timeout]
        @charset = Encoding.find(options[:url_charset]) or raise ArgumentError, "there is no charset internal"
        @policy = POLICIES.fetch(options[:policy]) { |name| raise ArgumentError, "there is no policy #{name.inspect}" }
      end

      # Returns the text of the robots.txt of a site, or a text that allows or forbids everything.
      def obtain(source)
        return fetch(source, nil) if source.is_a?(Net::HTTP)

        uri = source.is_a?(URI::Generic) ? source : parsed(Native.bytes_of(source, "the source"))
        raise ArgumentError, "#{source} is not an absolute http or https URL" unless uri && site?(uri)

        visit(uri, "/robots.txt")
      end

      private

      def parsed(source)
        URI.parse(URI::DEFAULT_PARSER.escape(source))
      rescue URI::Error, ArgumentError # bytes that are not UTF-8
        nil
      end

      def site?(uri)
        uri.is_a?(URI::HTTP) && !uri.host.to_s.empty?
      end

      def visit(uri, path)
        http = Net::HTTP.new(uri.hostname, uri.port)
        http.use_ssl = uri.scheme == "https"
        http.open_timeout = http.read_timeout = @timeout
        fetch(http, uri, path)
      end

      def fetch(http, uri, path = "/robots.txt")
        response, text = Timeout.timeout(@timeout) { request(http, path) }
        answer(response, text, uri || site_of(http), path)
      rescue *FAILURES
        @policy[:failed]
      end

      # Returns the response, and the bytes of its body if it has the status of a file.
      def request(http, path)
        response = body = nil
        fields = { "User-Agent" => @robot_id, "Accept-Encoding" => "gzip" }
        http.request(Net::HTTP::Get.new(path, fields)) do |received|
          response = received
          raise HeadDecides unless received.is_a?(Net::HTTPSuccess)

          body = Body.new(received)
          received.read_body { |piece| body << piece.to_s }
        end
        [response, body.whole]
      rescue HeadDecides
        [response, nil]
      rescue Body::TooLong
        [response, body.beginning]
      end

      def site_of(http)
        URI("#{http.use_ssl? ? "https" : "http"}://#{http.address}:#{http.port}")
      end

      def answer(response, text, uri, path)
        case response
        when Net::HTTPPartialContent then @policy[:failed] # a part that was not asked for
        when Net::HTTPSuccess then decode(response, text)
        when Net::HTTPRedirection then redirect(response, URI.join(uri, path))
        when Net::HTTPUnauthorized, Net::HTTPForbidden then @policy[:refused]
        when Net::HTTPTooManyRequests then @policy[:failed]
        when Net::HTTPClientError then @policy[:missing]
        else @policy[:failed]
        end
      end

      def redirect(response, from)
        location = response["Location"]
        return @policy[:failed] unless location
        return @policy[:redirects] unless @redirects.positive?

        @redirects -= 1
        target = URI.join(from, URI::DEFAULT_PARSER.escape(location))
        site?(target) ? visit(target, target.request_uri) : @policy[:failed]
      rescue URI::Error
        @policy[:failed]
      end

      # Returns the body as UTF-8 by the charset of its Content-Type. For URLs in another charset, it returns what is
      # not ASCII percent-encoded in that charset.
      def decode(response, body)
        charset = charset_of(response, body)
        text = body.force_encoding(charset)
        text = text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "") if charset != Encoding::UTF_8
        return text if @charset == Encoding::UTF_8

        bytes = text.encode(@charset, invalid: :replace, undef: :replace, replace: "").b
        bytes.gsub(/[\x80-\xff]/n) { |byte| format("%%%02X", byte.ord) }
      end

      # Names of Ruby's that depend on the machine, and are no charsets.
      MACHINE_ENCODINGS = %w[external filesystem internal locale].freeze

      # The charset of a body: UTF-8, unless the header names another one that Ruby converts. A body in UTF-16 or UTF-32
      # has NULs; without them its header is wrong.
      def charset_of(response, body)
        name = response["Content-Type"].to_s.b[/;\s*charset\s*=\s*["']?([^\s;"']+)/in, 1].to_s.downcase
        return Encoding::UTF_8 if name.empty? || MACHINE_ENCODINGS.include?(name)
        return Encoding::UTF_8 if name.start_with?("utf-16", "utf-32") && !body.include?("\0")

        charset = Encoding.find(name)
        Encoding::Converter.search_convpath(charset, Encoding::UTF_8)
        charset
      rescue ArgumentError, EncodingError
        Encoding::UTF_8
      end
    end
  end
end
