// Hostile files and URLs: the right verdict in a number of steps that grows with pattern and path, and no faster.
// Steps are counted, never timed; bench/worst has the times.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>

#include <robotrules/core.hpp>

#include "core/check.hpp"
#include "core/percent.hpp"
#include "core/rules/compile.hpp"
#include "core/rules/match.hpp"
#include "support/hostile_files.hpp"
#include "support/random_robots.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using hostile::repeat;

const Dialect& rfc = Dialect::rfc9309();
const Dialect& google = Dialect::google();

Access ask(const std::string& robots, const std::string& url, const Dialect& dialect = rfc) {
  return check(Rules::compile(robots, "FooBot", dialect), url).access();
}

struct Matched {
  bool yes = false;
  std::uint64_t steps = 0;
};

// The matcher itself on bytes that need no normalising; a last "$" anchors.
Matched match(std::string_view pattern, std::string_view path) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  const std::string padded_pattern = std::string(pattern) + std::string(16, '\0');
  const std::string padded_path = std::string(path) + std::string(core::path_padding, '\0');
  core::CountedSteps steps;
  Matched matched;
  matched.yes = core::match_pattern(std::string_view(padded_pattern).substr(0, pattern.size()), anchored,
                                    core::PathEnds{Dialect::Dollar::end},
                                    std::string_view(padded_path).substr(0, path.size()), steps);
  matched.steps = steps.count;
  return matched;
}

// The slowest way to the same answer: which places of the pattern may the path so far have come to?
bool naive_match(std::string_view pattern, std::string_view path) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  std::vector<char> now(pattern.size() + 1, 0);
  now[0] = 1;
  const auto pass_stars = [&](std::vector<char>& places) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (places[i] && pattern[i] == '*') places[i + 1] = 1;
    }
  };
  pass_stars(now);
  for (const char c : path) {
    if (!anchored && now[pattern.size()]) return true;
    std::vector<char> next(pattern.size() + 1, 0);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (!now[i]) continue;
      if (pattern[i] == '*') next[i] = 1;
      if (pattern[i] == c && pattern[i] != '*') next[i + 1] = 1;
      if (pattern[i] == '*' && c == '*') next[i] = 1;
    }
    pass_stars(next);
    now.swap(next);
  }
  return now[pattern.size()] != 0;
}

// A pattern of P bytes against a path of U: never more steps than this, whatever they hold.
std::uint64_t step_limit(std::size_t pattern, std::size_t path) { return 20 * (pattern + path) + 64; }

// --- wildcard bombs -------------------------------------------------------------------------------------------------

TEST(WildcardBomb, FromFourToEightThousandStars) {
  double most = 0;
  for (const std::size_t stars : {4,   5,   6,   8,     10,    16,    26,    32,    64,    84,    100,  128,
                                  256, 500, 512, 1'000, 1'024, 2'000, 2'048, 4'000, 4'096, 7'999, 8'000}) {
    const std::string pattern = hostile::wildcard_bomb(stars);
    for (const std::size_t bytes :
         {std::size_t{100}, std::size_t{2'000}, std::size_t{8'000}, stars - 1, stars, stars + 1}) {
      const std::string miss = hostile::near_miss(bytes);
      const std::string hit = miss + "b";
      const bool enough = bytes >= stars;
      for (const std::string& path : {miss, hit, hit + "c", miss + "bb"}) {
        const bool wanted = enough && path == hit;
        const Matched matched = match(pattern, path);
        ASSERT_EQ(matched.yes, wanted) << stars << " stars, path of " << path.size();
        // Each star costs at most a look at its one byte: far below the general limit.
        ASSERT_LE(matched.steps, 3 * (pattern.size() + path.size())) << stars << " stars, path of " << path.size();
        most = std::max(most, static_cast<double>(matched.steps) / static_cast<double>(pattern.size() + path.size()));
        const std::string robots = "User-agent: *\nDisallow: " + pattern + "\n";
        for (const Dialect* dialect : {&rfc, &google}) {
          // Google's parser ends a line at 16,663 bytes; the longest bomb here is shorter.
          ASSERT_EQ(ask(robots, "https://example.com" + path, *dialect), wanted ? Access::disallowed : Access::allowed);
        }
      }
    }
  }
  RecordProperty("most_steps_per_byte", std::to_string(most));
}

// Bombs as they were sent to other parsers: runs of ".*"-like pieces, several letters, suffixes that nearly match.
TEST(WildcardBomb, Relatives) {
  const std::string a30(30, 'a');
  const struct {
    std::string pattern, path;
    bool matches;
  } cases[] = {
      {"/" + repeat("*a", 30) + "*b", "/" + repeat("a", 30) + "c", false},
      {"/" + repeat("a*", 50) + "b", "/" + repeat("a", 5'000), false},
      {"/" + repeat("*a*", 50) + "$", "/" + repeat("a", 5'000) + "b", true},
      {"/" + repeat("*a*", 50) + "c$", "/" + repeat("a", 5'000) + "b", false},
      {"/" + repeat("*ab", 400) + "$", "/" + repeat("ab", 4'000) + "a", false},
      {"/" + repeat("*ab", 400) + "$", "/" + repeat("ab", 4'000), true},
      {"/" + repeat("*/", 200) + "x", "/" + repeat("/", 8'000), false},
      {"/*" + a30 + "*" + a30 + "b", "/" + repeat("a", 8'000), false},
      {"/*" + a30 + "*" + a30 + "b", "/" + repeat("a", 8'000) + "b", true},
      {"/*?" + repeat("*", 84) + "donotindex=1*", "/page?x=1&donotindex=1&y", true},
      {"/*?" + repeat("*", 84) + "donotindex=1*", "/page?x=1&donotindex=2&y", false},
      {"/" + repeat("*", 2'048) + "x", "/" + repeat("y", 2'048), false},
      {"*" + repeat("a", 255) + "b*" + repeat("a", 257) + "b", "/" + repeat("a", 8'000), false},
      {"*" + repeat("ab", 127) + "bb", "/" + repeat("ab", 4'000), false},
  };
  for (const auto& one : cases) {
    const Matched matched = match(one.pattern, one.path);
    EXPECT_EQ(matched.yes, one.matches) << one.pattern.substr(0, 60);
    EXPECT_EQ(naive_match(one.pattern, one.path), one.matches) << one.pattern.substr(0, 60);
    EXPECT_LE(matched.steps, step_limit(one.pattern.size(), one.path.size())) << one.pattern.substr(0, 60);
    EXPECT_EQ(ask("User-agent: *\nDisallow: " + one.pattern + "\n", "https://example.com" + one.path),
              one.matches ? Access::disallowed : Access::allowed);
  }
}

TEST(WildcardBomb, RandomPatternsOfFewLetters) {
  std::mt19937 random(7);
  double most = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string pattern = "/";
    std::string path = "/";
    for (std::size_t n = random() % 40; n > 0; --n) pattern += "aab**"[random() % 5];
    if (random() % 3 == 0) pattern += '$';
    for (std::size_t n = random() % 200; n > 0; --n) path += "aaab"[random() % 4];
    const Matched matched = match(pattern, path);
    ASSERT_EQ(matched.yes, naive_match(pattern, path)) << pattern << " " << path;
    ASSERT_LE(matched.steps, step_limit(pattern.size(), path.size())) << pattern << " " << path;
    most = std::max(most, static_cast<double>(matched.steps) / static_cast<double>(pattern.size() + path.size()));
  }
  RecordProperty("most_steps_per_byte", std::to_string(most));
}

// Twice the bytes, at most twice the steps: what "linear" means, tried on shapes that make others quadratic.
TEST(WildcardBomb, StepsGrowWithTheBytesAndNoFaster) {
  const auto steps = [](std::size_t scale, int shape) {
    switch (shape) {
      case 0: return match(hostile::wildcard_bomb(scale), hostile::near_miss(scale)).steps;
      case 1: return match("*" + std::string(scale, 'a') + "b", "/" + std::string(8 * scale, 'a')).steps;
      case 2: return match("*" + repeat("ab", scale) + "b", "/" + repeat("ab", 8 * scale)).steps;
      case 3: return match("/" + std::string(scale, '*') + "b", "/" + std::string(scale, 'a')).steps;
      default: return match("/" + repeat("*ab", scale) + "*c", "/" + repeat("ba", 4 * scale)).steps;
    }
  };
  for (int shape = 0; shape < 5; ++shape) {
    for (std::size_t scale = 512; scale <= 4'096; scale *= 2) {
      EXPECT_LE(steps(2 * scale, shape), 2 * steps(scale, shape) + 64) << "shape " << shape << ", " << scale;
    }
  }
}

// --- whole files ----------------------------------------------------------------------------------------------------

struct Best {
  std::size_t priority = 0;
  bool found = false;
  Access access = Access::allowed;
  std::uint64_t steps = 0;
  double most_per_byte = 0;  // steps of one rule, by the bytes of its pattern and the path
};

// The path of a URL of example.com as the matcher takes it.
class PaddedPath {
 public:
  PaddedPath(const std::string& url, const Dialect& dialect)
      : bytes_(core::normalised_path(std::string_view(url).substr(std::string_view("https://example.com").size()),
                                     dialect)),
        size_(bytes_.size()) {
    bytes_.append(core::path_padding, '\0');
  }
  std::string_view path() const { return std::string_view(bytes_).substr(0, size_); }

 private:
  std::string bytes_;
  std::size_t size_;
};

// Every rule of the only group, one after the other: no index, no merging, no collapsing.
Best one_by_one(const RobotsTxt& file, const std::string& url) {
  const PaddedPath path(url, file.dialect());
  Best best;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive rule = file.directive(i);
    if (rule.kind != DirectiveKind::allow && rule.kind != DirectiveKind::disallow) continue;
    std::string pattern = core::normalised_pattern(rule.value, file.dialect());
    const std::size_t priority = pattern.size();
    const bool anchored = pattern.ends_with('$');
    if (anchored) pattern.pop_back();
    const std::size_t size = pattern.size();
    pattern.append(16, '\0');
    core::CountedSteps steps;
    const bool yes = core::match_pattern(std::string_view(pattern).substr(0, size), anchored,
                                         core::PathEnds{Dialect::Dollar::end}, path.path(), steps);
    best.steps += steps.count;
    best.most_per_byte =
        std::max(best.most_per_byte, static_cast<double>(steps.count) / static_cast<double>(size + path.path().size()));
    if (!yes || priority == 0) continue;
    const Access access = rule.kind == DirectiveKind::allow ? Access::allowed : Access::disallowed;
    const bool wins = !best.found || priority > best.priority ||
                      (priority == best.priority && access == Access::allowed && best.access == Access::disallowed);
    if (!wins) continue;
    best.found = true;
    best.priority = priority;
    best.access = access;
  }
  return best;
}

class HostileFile : public testing::TestWithParam<std::size_t> {};

TEST_P(HostileFile, RightVerdictInBoundedSteps) {
  static const std::vector<hostile::Shape> shapes = hostile::shapes();
  const hostile::Shape& shape = shapes[GetParam()];
  const std::string robots = shape.robots();
  ASSERT_LE(robots.size(), hostile::file_bytes);
  for (const Dialect* dialect : {&rfc, &google}) {
    const RobotsTxt file = RobotsTxt::parse(robots, *dialect);
    const Rules rules = Rules::compile(robots, "FooBot", *dialect);
    const auto data = core::compile_rules(robots, "FooBot", *dialect, {});
    ASSERT_EQ(rules.size(), file.rules_for("FooBot").size());
    for (const std::string& url : hostile::urls()) {
      const Best best = one_by_one(file, url);
      const Verdict verdict = rules.check(url);
      EXPECT_EQ(verdict.access(), best.access) << shape.name << " " << dialect->name << " " << url.substr(0, 40);
      EXPECT_EQ(verdict.why() == Why::rule, best.found) << shape.name;
      // For each rule O(pattern + path); what the index looks at besides is less than it spares.
      EXPECT_LE(best.most_per_byte, 10) << shape.name << " " << dialect->name << " " << url.substr(0, 40);
      core::CountedSteps steps;
      static_cast<void>(data->best_rules(PaddedPath(url, *dialect).path(), steps));
      EXPECT_LE(steps.count, best.steps + 2 * rules.size() + 2 * url.size()) << shape.name << " " << dialect->name;
      EXPECT_EQ(check(file.rules_for("FooBot"), url).access(), best.access);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Adversarial, HostileFile, testing::Range<std::size_t>(0, hostile::shapes().size()),
                         [](const auto& shape) { return hostile::shapes()[shape.param].name; });

// The rules held grow with the file, never with its square.
TEST(HostileMemory, CompiledRulesStayWithinTheirFile) {
  for (const hostile::Shape& shape : hostile::shapes()) {
    const std::string robots = shape.robots();
    for (const Dialect* dialect : {&rfc, &google}) {
      EXPECT_LE(Rules::compile(robots, "FooBot", *dialect).memory_bytes(), 8 * hostile::file_bytes) << shape.name;
    }
    EXPECT_LE(RobotsTxt::parse(robots).memory_bytes(), 8 * hostile::file_bytes) << shape.name;
  }
}

TEST(HostileAgents, ThousandsOfNamesForOneGroup) {
  std::string robots;
  for (int i = 0; i < 36'000; ++i) robots += "User-agent: Bot" + std::string(1, static_cast<char>('a' + i % 26)) + "\n";
  const std::size_t half = robots.size() / 2;
  robots += "User-agent: FooBot\nDisallow: /x\n";
  EXPECT_EQ(ask(robots, "/x", google), Access::disallowed);
  Dialect wide = rfc;
  wide.file_limit = 0;
  const RobotsTxt file = RobotsTxt::parse(robots, wide);
  EXPECT_EQ(file.group_count(), 1u);
  EXPECT_EQ(file.group(0).agents.size(), 36'001u);
  EXPECT_EQ(check(file.rules_for("Botc"), "/x").access(), Access::disallowed);
  EXPECT_EQ(check(file.rules_for("Other"), "/x").access(), Access::allowed);
  const RobotsTxt part = RobotsTxt::parse(std::string_view(robots).substr(0, half), wide);
  EXPECT_LE(file.memory_bytes(), 3 * part.memory_bytes());
}

TEST(HostileAgents, OneNameInThousandsOfGroups) {
  std::string robots;
  for (int i = 0; i < 9'000; ++i) robots += "User-agent: FooBot\nDisallow: /x" + std::to_string(i) + "/\n";
  const Rules rules = Rules::compile(robots, "foobot");
  EXPECT_EQ(rules.size(), 9'000u);
  EXPECT_EQ(rules.check("/x0/").line(), 2u);
  EXPECT_EQ(rules.check("/x8999/").line(), 18'000u);
  EXPECT_EQ(rules.check("/x9000/").access(), Access::allowed);
  EXPECT_LE(rules.memory_bytes(), 8 * robots.size());
}

// --- star runs ------------------------------------------------------------------------------------------------------

// robotspy #212, #215: every repetition of an agent doubled the memory that was used.
TEST(HostileAgents, RepetitionsDoubleNoMemory) {
  const auto file_of = [](int times) {
    std::string robots;
    for (int i = 0; i < times; ++i) robots += "User-agent: FooBot\n";
    for (int i = 0; i < times; ++i) robots += "User-agent: FooBot\nDisallow: /a" + std::to_string(i) + "\n";
    return robots;
  };
  const std::string robots = file_of(2'000);
  for (const Dialect* dialect : {&rfc, &google}) {
    EXPECT_EQ(ask(robots, "/a1999", *dialect), Access::disallowed) << dialect->name;
    EXPECT_EQ(ask(robots, "/b", *dialect), Access::allowed) << dialect->name;
  }
  const auto memory = [&](int times) { return Rules::compile(file_of(times), "FooBot").memory_bytes(); };
  EXPECT_LE(memory(2'000), 3 * memory(1'000));
}

TEST(StarRuns, AreOneStar) {
  for (const std::size_t stars : {1, 2, 26, 84, 2'048, 500'000}) {
    const std::string robots = "User-agent: *\nDisallow: /" + std::string(stars, '*') + "x\n";
    EXPECT_EQ(ask(robots, "/abcx"), Access::disallowed) << stars;
    EXPECT_EQ(ask(robots, "/abc"), Access::allowed) << stars;
    const std::string open = "User-agent: *\nDisallow: /a\nAllow: " + std::string(stars, '*') + "\n";
    // As many bytes as the pattern has as written decide, not those of the collapsed one.
    EXPECT_EQ(ask(open, "/abc"), stars >= 2 ? Access::allowed : Access::disallowed) << stars;
    EXPECT_LE(match("/" + std::string(stars, '*') + "x", hostile::near_miss(8'000)).steps, stars / 8 + 2'000) << stars;
  }
}

// --- lengths at their limits ----------------------------------------------------------------------------------------

// "User-agent: *", comments, and `last` as its end, `size` bytes in all.
std::string file_of(std::size_t size, const std::string& last) {
  std::string robots = "User-agent: *\nDisallow: /first\n";
  while (robots.size() + last.size() + 102 < size) robots += "#" + std::string(98, '.') + "\n";
  robots += "#" + std::string(size - robots.size() - last.size() - 2, '.') + "\n";
  return robots + last;
}

TEST(Limits, FileOf512000Bytes) {
  const std::string last = "Disallow: /last\n";
  for (const std::size_t size : {511'999, 512'000}) {
    const std::string robots = file_of(size, last);
    ASSERT_EQ(robots.size(), size);
    EXPECT_EQ(ask(robots, "/last"), Access::disallowed) << size;
    EXPECT_FALSE(RobotsTxt::parse(robots).truncated()) << size;
    const std::string without_end = file_of(size, "Disallow: /last");
    EXPECT_EQ(ask(without_end, "/last"), Access::disallowed) << size;
    EXPECT_FALSE(RobotsTxt::parse(without_end).truncated()) << size;
  }
  const std::string over = file_of(512'001, last);
  EXPECT_TRUE(RobotsTxt::parse(over).truncated());
  EXPECT_LE(RobotsTxt::parse(over).text().size(), 512'000u);
  EXPECT_EQ(ask(over, "/first"), Access::disallowed);
  for (const std::size_t size : {511'999, 512'000, 512'001, 600'000, 5'000'000}) {
    EXPECT_EQ(ask(file_of(size, last), "/last", google), Access::disallowed) << size;
    EXPECT_FALSE(RobotsTxt::parse(file_of(size, last), google).truncated()) << size;
  }
}

// Wherever the cut falls in the last line, no half of it counts.
TEST(Limits, ACutLineIsNoRule) {
  const std::string last = "Allow: /first/but/not/this/one\n";
  for (std::size_t over = 1; over < last.size(); ++over) {
    const std::string robots = file_of(512'000 + over, last);
    EXPECT_EQ(ask(robots, "/first/b"), Access::disallowed) << over;
    EXPECT_EQ(ask(robots, "/first/but/not"), Access::disallowed) << over;
    EXPECT_TRUE(RobotsTxt::parse(robots).truncated()) << over;
    EXPECT_EQ(check(RobotsTxt::parse(robots).rules_for("FooBot"), "/first/b").access(), Access::disallowed) << over;
  }
  const std::string one_line = "User-agent: *\nDisallow: /" + std::string(1'000'000, 'a') + "\n";
  EXPECT_EQ(ask(one_line, "/" + std::string(600'000, 'a')), Access::allowed);
  EXPECT_EQ(RobotsTxt::parse(one_line).text(), "User-agent: *\n");
}

TEST(Limits, LineOf16663BytesForGoogle) {
  for (const std::size_t length : {16'662, 16'663, 16'664, 16'665, 20'000}) {
    const std::string name = "Disallow: /";
    const std::string body(length - name.size() - 1, 'a');
    const std::string robots = "User-agent: *\n" + name + body + "b\nDisallow: /next\n";
    EXPECT_EQ(ask(robots, "/" + body + "b", google), Access::disallowed) << length;
    EXPECT_EQ(ask(robots, "/" + body + "c", google), length > 16'663 ? Access::disallowed : Access::allowed) << length;
    EXPECT_EQ(ask(robots, "/next", google), Access::disallowed) << length;
    EXPECT_EQ(ask(robots, "/" + body + "b"), Access::disallowed) << length;
    EXPECT_EQ(ask(robots, "/" + body + "c"), Access::allowed) << length;
  }
  // Where the cut falls behind 16,663 bytes exactly.
  const std::string robots = "User-agent: *\nDisallow: /" + std::string(30'000, 'a') + "\n";
  EXPECT_EQ(ask(robots, "/" + std::string(16'663 - 11, 'a'), google), Access::disallowed);
  EXPECT_EQ(ask(robots, "/" + std::string(16'663 - 12, 'a'), google), Access::allowed);
}

TEST(Limits, ARuleOfAMegabyteOnOneLine) {
  Dialect wide = rfc;
  wide.file_limit = 0;
  for (const std::string& tail : {std::string("b"), std::string("*b"), std::string("b$"), std::string("%7e")}) {
    const std::string body = std::string(1'000'000, 'a');
    const std::string robots = "User-agent: *\nDisallow: /" + body + tail + "\nDisallow: /next\n";
    for (const Dialect* dialect : std::initializer_list<const Dialect*>{&wide, &google, &rfc}) {
      const Rules rules = Rules::compile(robots, "FooBot", *dialect);
      EXPECT_EQ(rules.check("/a").access(), Access::allowed);
      EXPECT_LE(rules.memory_bytes(), 4 * robots.size());
    }
    EXPECT_EQ(ask(robots, "/next", wide), Access::disallowed);
    EXPECT_EQ(ask(robots, "/next", google), Access::disallowed);
    EXPECT_EQ(ask(robots, "/" + body + (tail == "%7e" ? "~" : "b"), wide), Access::disallowed);
    EXPECT_EQ(ask(robots, "/" + body + "c", wide), Access::allowed);
  }
}

// The tail of an over-long line is never a record of its own.
TEST(Limits, BytesInsideALineMakeNoNewRecord) {
  RandomRobots random(11);
  for (int i = 0; i < 3'000; ++i) {
    const Dialect& dialect = i % 2 == 0 ? rfc : google;
    std::string robots = "User-agent: *\nDisallow: /\n" + random.file(40 + random.below(200)) + "\nAllow: /here\n" +
                         random.file(random.below(100));
    const std::size_t place = robots.find("/here");
    const RobotsTxt before = RobotsTxt::parse(robots, dialect);
    std::size_t length = std::size_t{1} << random.below(18);
    length += random.below(64);
    std::string inside(length, 'x');
    if (random.below(2) == 0) inside.replace(length / 2, 0, " Allow: / ");
    robots.insert(place + 2, inside);
    const RobotsTxt after = RobotsTxt::parse(robots, dialect);
    ASSERT_EQ(before.size(), after.size());
    ASSERT_EQ(before.line_count(), after.line_count());
    ASSERT_EQ(before.group_count(), after.group_count());
  }
}

TEST(Limits, UrlsOfAnyLength) {
  const std::string robots = "User-agent: *\nDisallow: /*needle\nAllow: /a\n";
  for (const std::size_t size : {0, 1, 900, 959, 960, 961, 1'024, 8'191, 8'192, 8'193, 65'536, 1'000'000}) {
    const std::string hay = "https://example.com/" + std::string(size, 'a');
    EXPECT_EQ(ask(robots, hay), Access::allowed) << size;
    EXPECT_EQ(ask(robots, hay + "needle"), Access::disallowed) << size;
    EXPECT_EQ(ask(robots, hay + "%6Eeedl%65"), Access::disallowed) << size;
    EXPECT_EQ(ask(robots, hay + "needl"), Access::allowed) << size;
  }
}

TEST(Limits, NumbersOfCrawlDelay) {
  using std::chrono::milliseconds;
  const struct {
    std::string value;
    std::optional<milliseconds> delay;
  } cases[] = {
      {"0", milliseconds(0)},
      {"1", milliseconds(1'000)},
      {"0.5", milliseconds(500)},
      {".5", milliseconds(500)},
      {"0.0001", milliseconds(1)},
      {"0.001", milliseconds(1)},
      {"0.0010000000000000000000000001", milliseconds(2)},
      {"86399.999", milliseconds(86'399'999)},
      {"86400", milliseconds(86'400'000)},
      {"86400.001", milliseconds(86'400'000)},
      {"86401", milliseconds(86'400'000)},
      {"2147483647", milliseconds(86'400'000)},
      {"4294967296", milliseconds(86'400'000)},
      {"4294967297", milliseconds(86'400'000)},
      {"18446744073709551616", milliseconds(86'400'000)},
      {"18446744073709551617", milliseconds(86'400'000)},
      {std::string(78, '9'), milliseconds(86'400'000)},
      {std::string(5'000, '0') + "7", milliseconds(7'000)},
      {"1e309", {}},
      {"3e38", {}},
      {"1E2", {}},
      {"-1", {}},
      {"-0", {}},
      {"+1", {}},
      {"NaN", {}},
      {"nan", {}},
      {"inf", {}},
      {"Infinity", {}},
      {"0x10", {}},
      {"1,5", {}},
      {"1.2.3", {}},
      {"1_000", {}},
      {"5 s", {}},
      {"5s", {}},
      {".", {}},
      {"", {}},
      {"\xD9\xA3", {}},      // an Arabic-Indic three
      {"\xEF\xBC\x91", {}},  // a full-width one
      {"1\xC2\xB2", {}},     // a superscript
  };
  for (const auto& one : cases) {
    const std::string robots = "User-agent: *\nCrawl-delay: " + one.value + "\nDisallow: /x\n";
    const Rules rules = Rules::compile(robots, "FooBot");
    EXPECT_EQ(rules.crawl_delay(), one.delay) << one.value.substr(0, 40);
    EXPECT_EQ(parse_crawl_delay(one.value), one.delay) << one.value.substr(0, 40);
    EXPECT_EQ(rules.check("/x").access(), Access::disallowed) << one.value.substr(0, 40);
    EXPECT_EQ(rules.check("/y").access(), Access::allowed) << one.value.substr(0, 40);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
