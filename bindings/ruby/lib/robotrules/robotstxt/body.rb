# frozen_string_literal: true

require "net/http"
require "zlib"

module Robotrules
  module Robotstxt
    # The body of one response, as it arrives: counts the bytes as received, decompresses them, and knows whether the
    # body is whole. The request must name Accept-Encoding itself; otherwise Net::HTTP decompresses the body, removes
    # Content-Encoding, and the bytes that Content-Length counts are unknown. Net::HTTP itself finds an unfinished chunk.
    # Whether it finds a short body depends on its version and on its setting ignore_eof, so that is checked here.
    class Body
      MAX_SIZE = 512_000 # decompressed bytes

      # A Content-Encoding that cannot be read, or a head that gives two lengths. It is a failure of the fetch.
      class Unreadable < Net::ProtocolError; end

      # Ends the transfer of a body that is too long. An exception closes the connection, so the rest is not read.
      class TooLong < StandardError; end

      NOT_CODED = %w[identity none binary 7bit 8bit utf-8 utf8 iso-8859-1].freeze
      PACKED = %w[gzip x-gzip deflate].freeze

      # Fails with Unreadable.
      def initialize(response)
        @expected = expected_length(response)
        codings = response["Content-Encoding"].to_s.downcase.split(",").map(&:strip).reject(&:empty?) - NOT_CODED
        raise Unreadable, "unknown Content-Encoding" unless (codings - PACKED).empty? && codings.size < 2

        @packed = !codings.empty?
        @received = 0
        @text = +"".b
      end

      # Adds bytes as received. Raises TooLong and Zlib::Error.
      def <<(piece)
        @received += piece.bytesize
        @packed ? unpack(piece) : keep(piece)
      end

      # Returns the decompressed bytes of a whole body. Raises EOFError if the body was cut short.
      def whole
        raise EOFError, "the body is shorter than Content-Length" if @expected && @received != @expected
        raise EOFError, "the compressed body is cut" if @packed && @received.positive? && !@inflater.finished?

        @text
      end

      # Returns the first MAX_SIZE bytes up to the end of the last whole line: half a rule is not a rule.
      def beginning
        @text.slice(0, (@text.rindex(/[\r\n]/n, MAX_SIZE) || -1) + 1)
      end

      private

      # Net::HTTP reads the first of several lengths; RFC 9112 6.3 calls a message with different ones invalid.
      def expected_length(response)
        return nil if response.chunked? || !response.class.body_permitted?

        lengths = response.get_fields("Content-Length").to_a.flat_map { |field| field.split(",") }.map(&:strip).uniq
        return nil if lengths.empty?
        raise Unreadable, "unusable Content-Length" unless lengths.size == 1 && lengths.first.match?(/\A\d+\z/)

        lengths.first.to_i
      end

      def keep(piece)
        @text << piece
        raise TooLong if @text.bytesize > MAX_SIZE
      end

      # A gzip file may have several members, each of which begins anew.
      def unpack(piece)
        @inflater ||= Zlib::Inflate.new(32 + Zlib::MAX_WBITS)
        until piece.empty?
          @inflater = Zlib::Inflate.new(16 + Zlib::MAX_WBITS) if @inflater.finished?
          read_before = @inflater.total_in
          @inflater.inflate(piece) { |part| keep(part) }
          return unless @inflater.finished?

          piece = piece.byteslice((@inflater.total_in - read_before)..)
        end
      end
    end
  end
end
