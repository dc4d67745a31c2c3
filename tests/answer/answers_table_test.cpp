// The table tests/conformance/answers/answers.tsv, which every language runs.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/robots_step.hpp>

#include "base/hex.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr Timestamp begin{std::chrono::seconds(1'700'000'000)};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) c == at ? void(parts.emplace_back()) : parts.back().push_back(c);
  return parts;
}

// Replaces the escapes, see the README of the conformance tables. "-" is empty.
std::string unescaped(std::string_view text) {
  std::string out;
  if (text == "-") return out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t times = 1;
    if (text.substr(i).starts_with("\\{")) {
      times = std::stoul(std::string(text.substr(i + 2)));
      i = text.find('}', i) + 1;
    }
    char byte = text[i++];
    if (byte == '\\') {
      const char escape = text[i++];
      byte = escape == 'n' ? '\n' : escape == 'r' ? '\r' : escape == 't' ? '\t' : escape;
      if (escape == 'x') {
        byte = static_cast<char>(base::hex_value(text[i]) * 16 + base::hex_value(text[i + 1]));
        i += 2;
      }
    }
    out.append(times, byte);
  }
  return out;
}

Headers headers_of(const std::string& fields) {
  Headers headers;
  if (fields.empty()) return headers;
  for (const std::string& line : split(fields, '\n')) {
    const std::size_t colon = line.find(':');
    headers.add(line.substr(0, colon), line.substr(std::min(colon + 2, line.size())));
  }
  return headers;
}

Timestamp time_of(const std::string& seconds) { return begin + std::chrono::seconds(std::stol(seconds)); }

// One fetch after the other, as the rows say.
class Fetches {
 public:
  void start(const std::vector<std::string>& row) {
    policy_ = RobotsPolicy::find(row[2]);
    url_ = row[3];
    record_.reset();
    begin_fetch(begin);
  }
  void again(const std::vector<std::string>& row) {
    record_ = std::get<RobotsResult>(step_).record;
    begin_fetch(time_of(row[1]));
  }
  void answer(const std::vector<std::string>& row) {
    RobotsExchange exchange{.request = std::get<RobotsRequest>(step_), .end = RobotsEnd::answered};
    exchange.status = std::stoi(row[2]);
    exchange.headers = headers_of(unescaped(row[3]));
    exchange.body = unescaped(row[4]);
    const auto has = [&row](std::string_view flag) { return row[5].find(flag) != std::string::npos; };
    exchange.is_decoded = !has("encoded");
    exchange.is_cut = has("cut");
    exchange.is_whole = !has("partial");
    end(std::move(exchange), time_of(row[1]));
  }
  void fail(const std::vector<std::string>& row) {
    RobotsExchange exchange{.request = std::get<RobotsRequest>(step_)};
    exchange.end = row[2] == "failed" ? RobotsEnd::failed : row[2] == "ours" ? RobotsEnd::ours : RobotsEnd::by_proxy;
    exchange.failure = unescaped(row[3]);
    exchange.refusals = static_cast<std::uint32_t>(std::stoul(row[4]));
    end(std::move(exchange), time_of(row[1]));
  }
  void expect_request(const std::vector<std::string>& row) {
    ASSERT_TRUE(std::holds_alternative<RobotsRequest>(step_));
    RobotsRequest request = std::get<RobotsRequest>(step_);
    EXPECT_EQ(request.url, row[1]);
    EXPECT_EQ(request.at, time_of(row[2]));
    EXPECT_EQ(request.headers.get("Accept"), "text/plain, */*;q=0.5");
    request.headers.remove("Accept");
    EXPECT_EQ(request.headers, headers_of(unescaped(row[3])));
    EXPECT_EQ(request.is_repeated, row[4] == "repeated");
  }
  void expect_result(const std::vector<std::string>& row) {
    ASSERT_TRUE(std::holds_alternative<RobotsResult>(step_));
    const auto& [record, reason] = std::get<RobotsResult>(step_);
    EXPECT_EQ(to_string(record.outcome), row[1]);
    EXPECT_EQ(to_string(robots_state(&record, *policy_, now_)), row[2]);
    EXPECT_EQ(record.status, std::stoi(row[3]));
    EXPECT_EQ(record.fresh_until - now_, std::chrono::seconds(std::stol(row[4])));
    const std::string body = record.body != nullptr ? *record.body : std::string();
    if (row[5] != "-") {
      EXPECT_EQ(body, unescaped(row[5]));
    }
    if (row[6] != "-") {
      EXPECT_EQ(reason, unescaped(row[6]));
    }
  }

 private:
  void begin_fetch(Timestamp now) {
    now_ = now;
    step_ = robots_step({.request = {.url = url_}}, old(), *policy_, now);
  }
  void end(RobotsExchange exchange, Timestamp now) {
    now_ = exchange.requested_at = exchange.received_at = now;
    step_ = robots_step(std::move(exchange), old(), *policy_, now);
  }
  const RobotsRecord* old() const { return record_ ? &*record_ : nullptr; }

  const RobotsPolicy* policy_ = nullptr;
  std::string url_;
  std::optional<RobotsRecord> record_;
  RobotsStep step_;
  Timestamp now_ = begin;
};

TEST(RobotsStep, GivesTheAnswersOfTheTable) {
  std::ifstream table(source_folder() / "tests/conformance/answers/answers.tsv", std::ios::binary);
  ASSERT_TRUE(table);
  Fetches fetches;
  std::string name;
  std::string line;
  int number = 0;
  int cases = 0;
  while (std::getline(table, line)) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string> row = split(line, '\t');
    if (row[0] == "case") name = row[1];
    SCOPED_TRACE("line " + std::to_string(number) + ": " + name);
    if (row[0] == "case") {
      ++cases;
      fetches.start(row);
    } else if (row[0] == "again") {
      fetches.again(row);
    } else if (row[0] == "answer") {
      fetches.answer(row);
    } else if (row[0] == "fail") {
      fetches.fail(row);
    } else if (row[0] == "request") {
      fetches.expect_request(row);
    } else if (row[0] == "result") {
      fetches.expect_result(row);
    } else {
      FAIL() << "there is no row of this kind";
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(cases, 100);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
