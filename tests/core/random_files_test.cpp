// Whole files made at random: Rules::compile, RobotsTxt::parse().rules_for() and the oracle must say the same, in
// access, reason, line, pattern and runner-up, under every preset and under dialects mixed from their choices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>

#include <robotrules/robots_txt.hpp>

#include "core/engine_answer.hpp"
#include "core/random_file.hpp"

namespace robotrules::test::THIS_FILE {

// GoogleTest would print the bytes, an address among them, and CTest takes that into the name of the test.
void PrintTo(const Dialect& dialect, std::ostream* out) { *out << dialect.name; }

namespace {

constexpr std::string_view robots_url = "http://foo.bar/robots.txt";

std::size_t rounds(std::size_t usual) { return std::getenv("ROBOTRULES_SOAK") != nullptr ? usual * 40 : usual; }

// The choices as numbers: enough to rebuild a mixed dialect in a debugger.
std::string described(const Dialect& d) {
  const auto n = [](auto choice) { return std::to_string(static_cast<int>(choice)) + " "; };
  return std::string(d.name) + " limits " + std::to_string(d.file_limit) + " " + std::to_string(d.line_limit) +
         ", UTF-8 " + n(d.drop_invalid_utf8) + "mark " + n(d.byte_order_mark) + "utf16 " + n(d.utf16) + "nul " +
         n(d.nul) + "comment " + n(d.comment) + "keys " + n(d.keys) + "colon " + n(d.missing_colon) + "allow " +
         n(d.allow_lines) + "blank " + n(d.blank_line_ends_group) + "split " + n(d.agent_after_rule_starts_group) +
         "other " + n(d.other_line_ends_agents) + "remark " + n(d.star_with_remark) + "empty agent " +
         n(d.empty_agent_matches) + "orphan " + n(d.orphan_rules) + "agent " + n(d.agent_match) + "choice " +
         n(d.group_choice) + "value " + n(d.rule_value) + "encoding " + n(d.pattern_encoding) + n(d.url_encoding) +
         "wildcards " + n(d.wildcards) + "lines " + n(d.path_lines) + "dollar " + n(d.dollar) + "precedence " +
         n(d.precedence) + "empty " + n(d.empty_disallow) + n(d.empty_allow) + "index " + n(d.index_html) + "robots " +
         n(d.robots_txt_allowed) + "http " + n(d.http_only) + "path " + n(d.url_path);
}

// Compares the three on one file; false after a failure, so that one bug does not fill the screen.
bool agree(const std::string& bytes, const Dialect& dialect, RandomFile& random, std::size_t agents, std::size_t urls) {
  const ExactBlock block(bytes);
  const RobotsTxt document = RobotsTxt::parse(block.view(), dialect, robots_url);
  const oracle::File file = oracle::read(bytes, dialect);
  for (std::size_t a = 0; a < agents; ++a) {
    const ExactBlock agent(random.agent());
    const Rules rules = Rules::compile(block.view(), agent.view(), dialect, robots_url);
    const Rules from_document = document.rules_for(agent.view());
    for (std::size_t u = 0; u < urls; ++u) {
      const ExactBlock url(random.url());
      const oracle::Answer expected = oracle::ask(file, agent.view(), url.view(), dialect, robots_url);
      const oracle::Answer compiled = answer_of(rules.check(url.view()));
      const oracle::Answer parsed = answer_of(from_document.check(url.view()));
      if (compiled == expected && parsed == expected) continue;
      ADD_FAILURE() << "dialect: " << described(dialect) << "\nfile: " << shown(bytes)
                    << "\nagent: " << shown(agent.view()) << "\nurl: " << shown(url.view())
                    << "\noracle:   " << shown(to_string(expected)) << "\ncompile:  " << shown(to_string(compiled))
                    << "\ndocument: " << shown(to_string(parsed));
      return false;
    }
  }
  return true;
}

class EveryPreset : public testing::TestWithParam<Dialect> {};

TEST_P(EveryPreset, CompileDocumentAndOracleAgreeOnRandomFiles) {
  RandomFile random(20'260'921);
  for (std::size_t i = 0; i < rounds(12'000); ++i) {
    if (!agree(random.file(), GetParam(), random, 3, 5)) return;
  }
}

TEST_P(EveryPreset, CompileDocumentAndOracleAgreeWithSmallLimits) {
  RandomFile random(4711);
  for (std::size_t i = 0; i < rounds(4'000); ++i) {
    Dialect dialect = GetParam();
    dialect.line_limit = random.below(30);
    dialect.file_limit = random.below(120);
    if (!agree(random.file(), dialect, random, 2, 4)) return;
  }
}

// "Crawl-delay: 5" and "Host: foo.bar" of random files become settings that can be told apart.
std::string with_settings(std::string file) {
  const auto number = [&](std::string_view line, std::string_view setting) {
    std::size_t count = 0;
    for (std::size_t at = file.find(line); at != std::string::npos; at = file.find(line, at + 1)) {
      file.replace(at, line.size(), std::string(setting) + std::to_string(++count));
    }
  };
  number("Crawl-delay: 5", "Crawl-delay: ");
  number("Host: foo.bar", "Request-rate: 1/");
  return file;
}

TEST_P(EveryPreset, CompileDocumentAndOracleAgreeOnSettingsOfRandomFiles) {
  RandomFile random(9309);
  for (std::size_t i = 0; i < rounds(20'000); ++i) {
    const std::string bytes = with_settings(random.file());
    const std::string agent = random.agent();
    std::optional<Milliseconds> delay;
    std::optional<RequestRate> rate;
    for (const oracle::Line& line : settings_for(oracle::read(bytes, GetParam()), agent, GetParam())) {
      if (line.name == "crawl-delay") delay = std::max(delay, parse_crawl_delay(line.value));
      if (const auto read = parse_request_rate(line.value); line.name == "request-rate" && read) rate = read;
    }
    const Rules compiled = Rules::compile(bytes, agent, GetParam(), robots_url);
    const Rules parsed = RobotsTxt::parse(bytes, GetParam(), robots_url).rules_for(agent);
    for (const Rules* rules : {&compiled, &parsed}) {
      ASSERT_EQ(rules->crawl_delay(), delay) << shown(bytes) << "\nagent: " << shown(agent);
      ASSERT_EQ(rules->request_rate(), rate) << shown(bytes) << "\nagent: " << shown(agent);
    }
  }
}

std::string test_name(const testing::TestParamInfo<Dialect>& info) {
  std::string name(info.param.name);
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Presets, EveryPreset, testing::ValuesIn(Dialect::presets().begin(), Dialect::presets().end()),
                         test_name);

// A dialect is data: a mixture of choices is read by the same engine. Left out are mixtures that no preset makes and
// of which nobody can say what they should mean; each is named where it is left out.
Dialect mixed(RandomFile& random) {
  const auto presets = Dialect::presets();
  const auto from = [&]() -> const Dialect& { return presets[random.below(presets.size())]; };
  Dialect d = from();
  d.name = "mixed";
  d.byte_order_mark = from().byte_order_mark;
  d.utf16 = from().utf16;
  d.nul = from().nul;
  d.drop_invalid_utf8 = from().drop_invalid_utf8;
  d.comment = from().comment;
  if (d.nul == Dialect::Nul::trim) d.comment = Dialect::Comment::anywhere;  // is NUL white space before "#"?
  d.keys = from().keys;
  d.missing_colon = from().missing_colon;
  d.allow_lines = random.below(4) != 0;
  d.blank_line_ends_group = from().blank_line_ends_group;
  d.agent_after_rule_starts_group = from().agent_after_rule_starts_group;
  d.other_line_ends_agents = from().other_line_ends_agents;
  d.star_with_remark = from().star_with_remark;
  d.empty_agent_matches = from().empty_agent_matches;
  d.orphan_rules = from().orphan_rules;
  d.agent_match = from().agent_match;
  d.group_choice = from().group_choice;
  if (!d.agent_after_rule_starts_group || d.group_choice == Dialect::GroupChoice::first_else_first) {
    d.orphan_rules = Dialect::OrphanRules::ignore;  // whose would they be when agents follow, or a second lot?
  }
  if (d.group_choice == Dialect::GroupChoice::first_in_file_order && d.blank_line_ends_group) {
    d.orphan_rules = Dialect::OrphanRules::ignore;
  }
  const Dialect& rules = from();  // what an empty rule means depends on the precedence
  d.precedence = rules.precedence;
  d.empty_disallow = rules.empty_disallow;
  d.empty_allow = rules.empty_allow;
  const Dialect& pattern = from();  // "*", "$" and their escapes hang together
  d.pattern_encoding = pattern.pattern_encoding;
  d.url_encoding = pattern.url_encoding;
  d.wildcards = pattern.wildcards;
  d.dollar = pattern.dollar;
  d.path_lines = d.wildcards && random.below(2) == 0;
  d.rule_value = pattern.rule_value;
  d.index_html = d.rule_value == Dialect::RuleValue::pattern && d.wildcards && random.below(2) == 0;
  d.robots_txt_allowed = from().robots_txt_allowed;
  d.http_only = from().http_only;
  d.url_path = from().url_path;
  // A path that may be "?q" needs rules that can begin so, and only references are resolved to such.
  if (d.rule_value == Dialect::RuleValue::pattern && d.url_path == Dialect::UrlPath::uri) {
    d.url_path = Dialect::UrlPath::generic;
  }
  return d;
}

TEST(MixedDialects, CompileDocumentAndOracleAgree) {
  RandomFile random(1994);
  for (std::size_t i = 0; i < rounds(15'000); ++i) {
    if (!agree(random.file(), mixed(random), random, 2, 4)) return;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
