# frozen_string_literal: true

# Asks the gem robotstxt-parser and Robotrules::Robotstxt the same questions about generated files, and compares their
# answers.
#
#     ruby -I GEM/lib -I bindings/ruby/lib tests/bindings/ruby/differential.rb [FILES [SEED]]
#
# Status 1: an answer differs. bindings/ruby/README.md lists what differs on purpose, and so is not asked: several
# User-agent lines in a row, "*" within a name, escapes of bytes that are not UTF-8, and URLs that begin with "//", that
# end with %0A or that URI.parse refuses.
require "uri"

require "robotrules/robotstxt"
require "robotstxt-parser" # of the gem, whose folder comes first

files = (ARGV[0] || 4000).to_i
seed = (ARGV[1] || 2009).to_i
srand(seed)

PIECES = %w[/ / / a b x ab . .. // ; : , ? ? & = + $ * ** *$ ! ( ) ~ - @ %41 %61 %2f %2F %3f %3F %26 %3D %3d %25 %zz % %4
            %2A %24 %C3%BC %0A [ ] { } | \\ ^ < > " robots.txt php http://foo/ #] + [" ", "\t", "\u00fc", " #", "\v", "\f"]
NAMES = ["FooBot", "foobot", "Foo", "Bot", "o", "*", "*", "*", "", "FooBot/1.0", "BarBot", "Foo#Bot", "foo bot", " x",
         "FooBot # c"].freeze
AGENTS = ["FooBot", "FooBot/1.0", "Foo", "Mozilla/5.0 (compatible; FooBot/1.0)", "x"].freeze
ENDS = ["\n"] * 8 + ["\r\n", "\r", "\n\n", "\r\r\n", "\n \n", "\n\t#\n"]
REMARKS = [""] * 4 + [" ", " # x", "#x", "\t"]
OTHERS = ["", "#", " # x", "Sitemap: http://foo/s", "Crawl-delay: 3", "x", ":", "Disalow: /", "Noindex: /", "Disallow"].freeze

def path = Array.new(rand(1..5)) { PIECES.sample }.join
def value = [-> { path }, -> { "" }, *([-> { "/#{path}" }] * 6)].sample.call

def rule
  return ["Allow", "allow"].sample + [":", ": "].sample + value if rand < 0.3
  ["Disallow", "disallow", "DISALLOW", " Disallow", "Disallow "].sample + [":", ": ", " : ", "::", " "].sample + value
end

# A group begins with one User-agent line, and has a rule at least.
def group
  name = ["User-agent", "user-agent", "Useragent", "USER-AGENT", "User-Agent "].sample
  lines = [name + [":", ": ", " : ", ":\t"].sample + NAMES.sample, "Disallow: /#{PIECES.first(8).sample}"]
  lines + Array.new(rand(5)) { rand < 0.8 ? rule : OTHERS.sample }
end

def file
  lines = (rand < 0.3 ? [rule] : []) + Array.new(rand(1..3)) { group }.flatten
  lines.map { |line| line + REMARKS.sample + ENDS.sample }.join
end

questions = different = 0
files.times do
  body, agent = file, AGENTS.sample
  next if body.gsub("%C3%BC", "").match?(/%[89a-f]\h/i) # not UTF-8
  gem = ::Robotstxt::Parser.new(agent.dup, body.dup)
  ours = Robotrules::Robotstxt::Parser.new(agent, body)
  values = body.scan(/allow\s*:\s*(\/[^\r\n]*)/i).flatten.flat_map { |text| [text, "#{text}x", text.delete("*$")] }
  (["/", "/x", "/robots.txt", "/?x", "/a?b=1", "/%41"] + Array.new(4) { "/#{path}" } + values).uniq.each do |tail|
    next if tail.end_with?("%0A")
    url = "http://foo#{tail}"
    expected = begin
      gem.allowed?(url.dup) ? true : false
    rescue URI::InvalidURIError
      next
    end
    questions += 1
    next if ours.allowed?(url) == expected
    puts "#{body.inspect} for #{agent.inspect}, #{url.inspect}: the gem says #{expected}" if (different += 1) <= 20
  end
end
puts "#{questions} questions about #{files} files (seed #{seed}); #{different} answers differ"
exit(different.zero? && questions.positive? ? 0 : 1)
