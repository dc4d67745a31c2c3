# frozen_string_literal: true

require_relative "helper"

# The tables of tests/conformance, asked through this gem.
class ConformanceTest < Minitest::Test
  include Tables

  TABLES = Dir[File.join(Tables::FOLDER, "*.tsv")]

  TABLES.each do |table|
    define_method("test_#{File.basename(table, ".tsv")}") do
      cases = 0
      File.binread(table).each_line(chomp: true).with_index(1) do |row, number|
        next if row.empty? || row.start_with?("#")

        name, dialect, agent, url, access, line, robots = row.split("\t", -1)
        agent, url, robots = [agent, url, robots].map { |field| bytes_of(field) }
        rules = Robotrules::Rules.compile(robots, agent, dialect: dialect, url: "http://foo.bar/robots.txt")
        place = "#{table}:#{number} #{name} (#{dialect})"
        verdict = rules.check(url)
        assert_equal(access, verdict.access.to_s, place)
        assert_equal(line, verdict.line.to_s, place) if line != "-"
        assert_equal(access == "allowed", rules.allowed?(url), place)
        cases += 1
      end
      assert_operator(cases, :>, 10, table)
    end
  end

  def test_there_are_tables
    skip("there are no tables") if TABLES.empty?
    assert_operator(TABLES.size, :>=, 6)
  end
end
