// Steps and memory of every question about a file: if the file has twice the lines, the answer takes about twice the
// steps and twice the allocated bytes, whatever the lines are.
//
// ROBOTRULES_GROWTH=1 prints the counts of the largest files, and the growth of steps and bytes at each doubling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <robotrules/compare.hpp>
#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

#include "growth/counters.hpp"
#include "growth/families.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// What the commands ask about a file. `other`: the same file, with other values if `compares` is true.
struct Question {
  std::string_view name;
  std::size_t lines;  // of the smallest file
  std::function<void(const std::string& text, const std::string& other)> ask;
  std::vector<std::string_view> exempt = {};  // families with one of these in their names are left out
  bool compares = false;
};

// Few robots: each User-agent line is compared with the names of all known robots.
LintOptions lint_options() {
  return {.robots = {{.name = "Googlebot", .kind = KnownRobot::Kind::search},
                     {.name = "GPTBot", .kind = KnownRobot::Kind::ai}}};
}

// In smaller files, the steps in which buffers grow are too large, and some lines are shorter than the 16 KiB that some
// dialects read of a line. Files of twice as many lines are longer than the part that is read.
constexpr std::size_t very_many = 4'000;
constexpr std::size_t many = 1'000;
// fix() has another round for each 1,000 findings of a code, up to ten.
constexpr std::size_t few = 200;

// Rules with a "*" are compared with each other, within the limits of StepBudget and max_cost.
constexpr std::string_view stars = "star";

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"check", very_many,
       [](const std::string& text, const std::string&) {
         for (const char* agent : {"a", "same", "none"}) {
           const Rules rules = Rules::compile(text, agent);
           const Verdict verdict = rules.check("https://a.example/a/b/c?d");
           static_cast<void>(verdict.explanation());
           static_cast<void>(rules.usage("/a/b"));
           static_cast<void>(rules.apply_clean_param("https://a.example/a?b=c"));
         }
       }},
      {"show", very_many,
       [](const std::string& text, const std::string&) {
         const RobotsTxt file = RobotsTxt::parse(text);
         std::size_t agents = 0;
         for (const Group& group : file.groups()) {
           for (const Directive& line : group.other) agents += group.agents_of(line).empty() ? 0 : 1;
         }
         static_cast<void>(agents);
         static_cast<void>(file.sitemaps());
         for (std::size_t i = 0; i < file.size(); ++i) static_cast<void>(file.directive(i));
         static_cast<void>(effective_for(file, "same"));
       }},
      {"show --dialects",
       very_many,
       [](const std::string& text, const std::string&) {
         const ExamplePaths examples = example_paths(text);
         SideBySide sides(text, AgentTokens::of({"same"}));
         for (const ExamplePath& example : examples.paths) static_cast<void>(agree(sides.check(example.path)));
       },
       {stars}},
      {"lint",
       many,
       [](const std::string& text, const std::string&) {
         static_cast<void>(diagnose(RobotsTxt::parse(text), lint_options()));
       },
       {stars}},
      {"lint --fix",
       few,
       [](const std::string& text, const std::string&) { static_cast<void>(fix(text, {.lint = lint_options()})); },
       // Edits that change a verdict together with others are judged one by one, up to a limit (fix.cpp).
       {stars, "escapes", "joined"}},
      {"diff",
       many,
       [](const std::string& text, const std::string& other) {
         const RobotsTxt before = RobotsTxt::parse(text), after = RobotsTxt::parse(other);
         const Difference difference = compare(before, after);
         static_cast<void>(merged(difference.robots));
         static_cast<void>(changed_settings(before, after));
         static_cast<void>(changed_settings(before, before));
       },
       {stars},
       true},
      {"agents",
       many,
       [](const std::string& text, const std::string&) {
         const RobotsTxt file = RobotsTxt::parse(text);
         static_cast<void>(crawler_access(file, "/"));
         static_cast<void>(uncompared_settings(file));
       },
       {stars}},
  };
  return all;
}

class Growth : public testing::TestWithParam<std::size_t> {};

TEST_P(Growth, IsLinear) {
  const Question& question = questions()[GetParam()];
  std::vector<std::vector<Family>> files, others;
  for (const std::size_t n : {question.lines, 2 * question.lines, 4 * question.lines}) {
    files.push_back(families(n));
    others.push_back(question.compares ? families(n, 1'000'000) : files.back());
  }
  const bool is_listed = std::getenv("ROBOTRULES_GROWTH") != nullptr;
  question.ask(files[0][0].text, others[0][0].text);  // tables that are made once
  for (std::size_t f = 0; f < files[0].size(); ++f) {
    const auto is_in_name = [&](std::string_view part) { return files[0][f].name.find(part) != std::string::npos; };
    if (std::ranges::any_of(question.exempt, is_in_name)) continue;
    std::vector<Count> counts;
    for (std::size_t size = 0; size < files.size(); ++size) {
      counts.push_back(count([&] { question.ask(files[size][f].text, others[size][f].text); }));
    }
    const double more_steps = growth(counts, &Count::steps), more_bytes = growth(counts, &Count::allocated);
    if (is_listed) {
      std::printf("%s | %s | %llu | %.2f | %llu | %.2f\n", std::string(question.name).c_str(), files[0][f].name.c_str(),
                  static_cast<unsigned long long>(counts.back().steps), more_steps,
                  static_cast<unsigned long long>(counts.back().allocated), more_bytes);
      std::fflush(stdout);
      continue;
    }
    EXPECT_LE(more_steps, max_growth) << "steps of " << question.name << ": " << files[0][f].name;
    EXPECT_LE(more_bytes, max_byte_growth) << "bytes of " << question.name << ": " << files[0][f].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Questions, Growth, testing::Range(std::size_t{0}, questions().size()));

}  // namespace
}  // namespace robotrules::test::THIS_FILE
