#!/usr/bin/env ruby
# frozen_string_literal: true

# Answers questions as `robotrules batch --dialect NAME [--robots-dir DIR]` does, through the gem. With it, recorded
# answers of other parsers can be compared with the gem:
#
#     ROBOTRULES_LIBRARY=... SCORE/score.py bindings/ruby/tools/batch.rb
#
# A question is an object a line: id, agent, url, and robots_b64 (a file) or host (a file in DIR). In the dialect
# robotstxt-rb, Robotstxt::Parser must give each answer as well.
require "json"
require "optparse"
require_relative "../lib/robotstxt"

options = { dialect: "rfc9309" }
parser = OptionParser.new do |flags|
  flags.on("--dialect NAME") { |name| options[:dialect] = name }
  flags.on("--robots-dir DIR") { |folder| options[:folder] = folder }
end
parser.parse!(ARGV)
files = Hash.new { |known, host| known[host] = File.binread(File.join(options.fetch(:folder), host)) }

$stdin.set_encoding(Encoding::UTF_8)
$stdin.each_line do |line|
  question = JSON.parse(line)
  encoded = question["robots_b64"]
  robots = encoded ? encoded.unpack1("m") : files[question["host"]]
  origin = encoded ? "http://example.com" : "https://#{question["host"]}"
  agent, url = question.values_at("agent", "url")
  rules = Robotrules::Rules.compile(robots, agent, dialect: options[:dialect], url: "#{origin}/robots.txt")
  verdict = rules.check(url)
  abort "allowed?() and check() differ: #{line}" if rules.allowed?(url) != verdict.allowed?
  if options[:dialect] == Robotstxt::DIALECT && Robotstxt.parse(robots, agent).allowed?(url) != verdict.allowed?
    abort "Robotstxt differs: #{line}"
  end
  rule = verdict.rule ? verdict.rule.to_s.scrub : ""
  puts JSON.generate({ "id" => question["id"], "access" => verdict.access, "line" => verdict.line, "rule" => rule })
end
