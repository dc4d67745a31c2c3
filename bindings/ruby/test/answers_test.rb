# frozen_string_literal: true

require_relative "helper"

# The table of tests/conformance/answers through Robotrules::RobotsFetch.
class AnswersTest < Minitest::Test
  include Tables

  BEGIN_TIME = 1_700_000_000
  TABLE = File.join(Tables::FOLDER, "answers", "answers.tsv")

  def field(text)
    text == "-" ? "".b : bytes_of(text)
  end

  def pairs(text)
    field(text).split("\n").map { |line| line.split(/: ?/n, 2) }
  end

  def test_answers
    cases = 0
    File.binread(TABLE).split("\n").each.with_index(1) do |line, number|
      next if line.empty? || line.start_with?("#")

      kind, *row = line.split("\t", -1)
      if kind == "case"
        @name, @policy, @url = row
        cases += 1
      end
      run_row(kind, row, "line #{number}: #{@name}")
    end
    assert_operator cases, :>, 100
  end

  private

  def run_row(kind, row, place)
    case kind
    when "case" then @fetch = Robotrules::RobotsFetch.new(@url, policy: @policy, now: BEGIN_TIME)
    when "again"
      @fetch = Robotrules::RobotsFetch.new(@url, policy: @policy, last: @fetch, now: BEGIN_TIME + row[0].to_i)
    when "answer"
      flags = row[4].split(",")
      @fetch.answer(row[1].to_i, pairs(row[2]), field(row[3]), now: @now = BEGIN_TIME + row[0].to_i,
                    encoded: flags.include?("encoded"), cut: flags.include?("cut"), whole: !flags.include?("partial"))
    when "fail"
      @fetch.fail(field(row[2]), row[1].tr("-", "_").to_sym, refusals: row[3].to_i, now: @now = BEGIN_TIME + row[0].to_i)
    when "request" then check_request(row, place)
    when "result" then check_result(row, place)
    else flunk "#{place}: there is no row of this kind"
    end
  end

  def check_request(row, place)
    refute @fetch.done?, place
    assert_equal [row[0], BEGIN_TIME + row[1].to_i], [@fetch.url, @fetch.at], place
    assert_equal pairs(row[2]).to_h, @fetch.headers.reject { |name, _| name == "Accept" }, place
    assert_equal row[3] == "repeated", @fetch.repeated?, place
  end

  def check_result(row, place)
    assert @fetch.done?, place
    assert_equal [row[0].to_sym, row[1].to_sym, row[2].to_i], [@fetch.outcome, @fetch.state, @fetch.status], place
    assert_equal row[3].to_i, @fetch.fresh_until - @now, place
    assert_equal field(row[4]), @fetch.robots, place unless row[4] == "-"
    assert_equal field(row[5]), @fetch.reason.b, place unless row[5] == "-"
  end
end
