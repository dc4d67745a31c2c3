# frozen_string_literal: true

require "net/http"

module Robotrules
  module Robotstxt
    # The body of one response, as it arrives. It knows whether the body is whole: whether Net::HTTP finds a short body
    # depends on its version and on its setting ignore_eof. (It finds an unfinished chunk.) The request must name
    # Accept-Encoding itself; otherwise Net::HTTP decompresses the body, removes Content-Encoding, and the bytes that
    # Content-Length counts are unknown.
    class Body
      MAX_SIZE = 512_000 + 4096 # bytes as received; of a compressed body, more are read than the file may have

      # A head that gives two lengths. It is a failure of the fetch.
      class Unreadable < Net::ProtocolError; end

      # Ends the transfer of a body that is too long. An exception closes the connection, so the rest is not read.
      class TooLong < StandardError; end

      attr_reader :text

      # Fails with Unreadable.
      def initialize(response)
        @expected = expected_length(response)
        @text = +"".b
      end

      # Adds bytes as received. Raises TooLong.
      def <<(piece)
        @text << piece
        raise TooLong if @text.bytesize > MAX_SIZE
      end

      # Returns whether the body has as many bytes as its head says.
      def whole?
        @expected.nil? || @text.bytesize == @expected
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
    end
  end
end
