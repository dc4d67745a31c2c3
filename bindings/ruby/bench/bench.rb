#!/usr/bin/env ruby
# frozen_string_literal: true

# Compares Robotrules::Robotstxt with the gem robotstxt-parser.
#
#     ROBOTRULES_LIBRARY=.../librobotrules.so.0 ruby bindings/ruby/bench/bench.rb GEM FOLDER [ROUNDS]
#
# GEM is the folder of the gem's source. FOLDER has robots.txt files, each named after its host. The library must be
# built with optimisation. Before anything is timed, both answer all questions. The gem does not do what its README says
# about several User-agent lines in a row and about names such as Googlebot-Image, so files with these are left out; one
# other difference ends the run. Then both do each task in turns; a figure is the median of the rounds, a ratio is that
# of the medians.
require "uri"

# Ruby 3.0 has removed two functions that the gem calls.
module URI
  def self.escape(...) = DEFAULT_PARSER.escape(...)
  def self.unescape(...) = DEFAULT_PARSER.unescape(...)
end

abort "usage: bench.rb GEM FOLDER [ROUNDS]" unless (2..3).cover?(ARGV.size)
gem_folder, folder, rounds = ARGV
rounds = (rounds || 9).to_i
$LOAD_PATH.unshift(File.join(gem_folder, "lib"))
require "robotstxt"
require_relative "../lib/robotrules/robotstxt"
abort "this is not the gem" if Robotstxt.equal?(Robotrules::Robotstxt)

AGENT = "Googlebot"
files = Dir[File.join(folder, "*")].sort.select { |path| File.file?(path) }.to_h { |path| [File.basename(path), File.binread(path)] }
files.transform_values! { |body| body.force_encoding("UTF-8") }
files.select! do |_, body|
  body.valid_encoding? && body !~ /^\s*user-?agent\s*:.*[\r\n]+(?:\s*#.*[\r\n]+)*\s*user-?agent\s*:/i &&
    body !~ /^\s*user-?agent\s*:\s*(?:\S+\*|\*\S)/i && body !~ /^\s*user-?agent\s*:[^\r\n]*#{AGENT}\S/i
end
files = files.first(300).to_h
urls = files.to_h do |host, body|
  paths = body.scan(%r{^\s*(?:dis)?allow\s*:\s*(/[\x21-\x22\x24-\x7E]*)}i).flatten.first(9)
  [host, ["/", "/index.html", "/a/b/c?d=e", *paths.map { |path| "#{path}x" }].map { |path| "https://#{host}#{path}" }]
end

FACES = { original: Robotstxt, ours: Robotrules::Robotstxt }.freeze
kept = FACES.transform_values { |face| files.transform_values { |body| face.parse(body, AGENT) } }
questions = urls.flat_map { |host, list| list.map { |url| [host, url] } }
wrong = questions.reject { |host, url| kept[:original][host].allowed?(url) == kept[:ours][host].allowed?(url) }
abort "answers differ: #{wrong.first(5).inspect}" unless wrong.empty?

tasks = {
  "a question, files parsed" => lambda do |name|
    parsers = kept[name]
    questions.each { |host, url| parsers[host].allowed?(url) }.size
  end,
  "parse a file" => ->(name) { files.each_value { |body| FACES[name].parse(body, AGENT) }.size },
  "parse a file and ask one question" => lambda do |name|
    files.each { |host, body| FACES[name].parse(body, AGENT).allowed?(urls[host].last) }.size
  end
}

def median(values) = values.sort[(values.size - 1) / 2]

puts "#{files.size} files of #{files.values.sum(&:bytesize) / files.size} bytes on average, #{questions.size} questions, " \
     "#{rounds} rounds, Ruby #{RUBY_VERSION}, library #{Robotrules.library_version}"
puts "processor time in microseconds                original      ours     ratio"
tasks.each do |task, code|
  times = Hash.new { |all, name| all[name] = [] }
  rounds.times do |round|
    (round.even? ? %i[original ours] : %i[ours original]).each do |name|
      GC.start
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      count = code.call(name)
      times[name] << ((Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) / count * 1e6)
    end
  end
  original, ours = %i[original ours].map { |name| median(times[name]) }
  puts format("%-42s %11.2f %9.2f %8.1f", task, original, ours, original / ours)
end
