# frozen_string_literal: true

require "socket"
require_relative "helper"

# Asks Robotstxt about servers of the tests.
module Serving
  # A server on loopback that answers each request with the next of `answers`, and the last one from then on. An answer
  # is bytes, or a block that gets the socket.
  class Server
    attr_reader :requests

    def initialize(*answers)
      @answers = answers
      @requests = []
      @server = TCPServer.new("127.0.0.1", 0)
      @thread = Thread.new { loop { serve(@server.accept) } }
      @thread.report_on_exception = false
    end

    def url(path = "/")
      "http://127.0.0.1:#{@server.addr[1]}#{path}"
    end

    def close
      @thread.kill
      @server.close
    end

    private

    def serve(socket)
      head = +""
      while (line = socket.gets) && line != "\r\n"
        head << line
      end
      @requests << head
      answer = @answers.size > 1 ? @answers.shift : @answers.first
      answer.respond_to?(:call) ? answer.call(socket) : socket.write(answer)
    rescue SystemCallError
      nil
    ensure
      socket.close
    end
  end

  def answer(status, body = "", **headers)
    fields = headers.map { |name, value| "#{name.to_s.tr("_", "-")}: #{value}\r\n" }.join
    "HTTP/1.1 #{status} X\r\nConnection: close\r\nContent-Length: #{body.bytesize}\r\n#{fields}\r\n#{body.b}"
  end

  def serve(*answers)
    server = Server.new(*answers)
    yield server
  ensure
    server&.close
  end

  def get_allowed?(answer, path = "/x", **options)
    serve(answer) { |server| return Robotstxt.get_allowed?(server.url(path), "Crawler", options) }
  end
end
