// Small worlds, compared completely: every pattern of a small alphabet against every path of one, through the engine
// and through the naive matcher. A few million pairs in the usual run, all of the larger worlds with ROBOTRULES_SOAK.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <robotrules/rules.hpp>

#include "core/engine_answer.hpp"
#include "oracle/oracle.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

bool soak() { return std::getenv("ROBOTRULES_SOAK") != nullptr; }

// Every word of at most `longest` letters.
std::vector<std::string> words(const std::vector<std::string>& letters, std::size_t longest) {
  std::vector<std::string> all{""};
  std::size_t from = 0;
  for (std::size_t length = 0; length < longest; ++length) {
    const std::size_t to = all.size();
    for (std::size_t i = from; i < to; ++i) {
      for (const std::string& letter : letters) all.push_back(all[i] + letter);
    }
    from = to;
  }
  return all;
}

// Paths begin with "/", whatever follows.
std::vector<std::string> paths(const std::vector<std::string>& letters, std::size_t longest) {
  std::vector<std::string> all = words(letters, longest);
  for (std::string& path : all) path.insert(0, "/");
  return all;
}

const std::vector<std::string> wild{"a", "b", "*", "$", "/"};
const std::vector<std::string> plain{"a", "b", "/"};
// %41 is "A", %2A "*", %24 "$", %2f "/", %14 a control; %c3 would be the byte C3.
const std::vector<std::string> escapes{"%", "2", "4", "1", "A", "f", "~", "\xC3", "*", "$"};
const std::vector<std::string> broken_escapes{"%", "2", "A", "a", "f", "~", "\xC3", "\xA9"};

struct Pair {
  std::string path;
  std::string normalised;
};

std::vector<Pair> normalised(const std::vector<std::string>& paths, const Dialect& dialect) {
  std::vector<Pair> pairs;
  for (const std::string& path : paths) {
    pairs.push_back({path, oracle::normalised_path(oracle::url_parts(path, dialect).path, dialect)});
  }
  return pairs;
}

// One rule a file. Returns the number of pairs, so that a world cannot be empty by mistake; stops at the first failure.
std::size_t compare_single_rules(const std::vector<std::string>& patterns, const std::vector<std::string>& urls,
                                 const Dialect& dialect) {
  const std::vector<Pair> pairs = normalised(urls, dialect);
  std::size_t compared = 0;
  for (const std::string& pattern : patterns) {
    if (pattern.empty()) continue;  // an empty rule is another matter: see semantics_test.cpp
    const Rules rules = Rules::compile("User-agent: *\nDisallow: " + pattern, "FooBot", dialect);
    const oracle::Pattern naive = oracle::normalised_pattern(pattern, dialect);
    for (const Pair& pair : pairs) {
      const bool expected = oracle::naive_match(naive, pair.normalised, dialect);
      const Verdict verdict = rules.check(pair.path);
      ++compared;
      if (verdict.allowed() == !expected && verdict.why() == (expected ? Why::rule : Why::no_rule) &&
          verdict.line() == (expected ? 2U : 0U)) {
        continue;
      }
      ADD_FAILURE() << dialect.name << ": pattern '" << shown(pattern) << "' on '" << shown(pair.path) << "' must "
                    << (expected ? "" : "not ") << "match; the engine says " << shown(to_string(answer_of(verdict)));
      return compared;
    }
  }
  return compared;
}

TEST(Exhaustive, WildcardPatternsUnderRfc9309) {
  EXPECT_GT(compare_single_rules(words(wild, 6), paths(plain, soak() ? 7 : 5), Dialect::rfc9309()), 7'000'000U);
}

TEST(Exhaustive, WildcardPatternsUnderGoogle) {
  EXPECT_GT(compare_single_rules(words(wild, soak() ? 6 : 5), paths(plain, soak() ? 7 : 5), Dialect::google()),
            1'400'000U);
}

// "*" and "$" in the URL too, where they are bytes.
TEST(Exhaustive, StarsAndDollarsInUrls) {
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google()}) {
    EXPECT_GT(compare_single_rules(words(wild, soak() ? 5 : 4), paths(wild, soak() ? 5 : 4), dialect), 600'000U);
  }
}

// Where the query begins matters to nobody but robotstxt-parser; ";" begins a path for Google only behind a host.
TEST(Exhaustive, Queries) {
  const std::vector<std::string> letters{"a", "?", ";", "*", "$"};
  for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google(), Dialect::www_robotrules(),
                                 Dialect::original_1994(), Dialect::draft_1996()}) {
    std::vector<std::string> patterns = words(letters, 4);
    for (std::string& pattern : patterns) pattern.insert(0, "/");
    EXPECT_GT(compare_single_rules(patterns, paths({"a", "?", ";"}, 4), dialect), 90'000U);
  }
}

TEST(Exhaustive, EscapesUnderRfc9309) {
  std::vector<std::string> patterns = words(escapes, 4);
  for (std::string& pattern : patterns) pattern.insert(0, "/");
  EXPECT_GT(compare_single_rules(patterns, paths(escapes, soak() ? 4 : 3), Dialect::rfc9309()), 12'000'000U);
}

TEST(Exhaustive, EscapesInUrlsUnderRfc9309) {
  std::vector<std::string> patterns = words(broken_escapes, 3);
  for (std::string& pattern : patterns) pattern.insert(0, "/");
  EXPECT_GT(compare_single_rules(patterns, paths(broken_escapes, soak() ? 6 : 4), Dialect::rfc9309()), 2'500'000U);
}

TEST(Exhaustive, EscapesUnderTheOtherEncodings) {
  std::vector<std::string> patterns = words(escapes, 3);
  for (std::string& pattern : patterns) pattern.insert(0, "/");
  for (const Dialect& dialect : {Dialect::google(), Dialect::original_1994(), Dialect::draft_1996()}) {
    EXPECT_GT(compare_single_rules(patterns, paths(escapes, soak() ? 4 : 3), dialect), 1'200'000U);
  }
}

// Several rules a file, the whole answer compared: the index, ties, first lines, runners-up.
std::size_t compare_file(const std::string& robots, const std::vector<std::string>& urls, const Dialect& dialect) {
  const oracle::File file = oracle::read(robots, dialect);
  const Rules rules = Rules::compile(robots, "FooBot", dialect);
  for (const std::string& url : urls) {
    const oracle::Answer expected = oracle::ask(file, "FooBot", url, dialect);
    const oracle::Answer found = answer_of(rules.check(url));
    if (expected == found) continue;
    ADD_FAILURE() << dialect.name << "\nfile: " << shown(robots) << "\nurl: " << shown(url)
                  << "\noracle: " << shown(to_string(expected)) << "\nengine: " << shown(to_string(found));
    return 0;
  }
  return urls.size();
}

TEST(Exhaustive, PairsOfRules) {
  const std::vector<std::string> patterns = words(wild, soak() ? 3 : 2);
  const std::vector<std::string> urls = paths(plain, soak() ? 4 : 3);
  std::size_t compared = 0;
  for (const std::string& allow : patterns) {
    for (const std::string& disallow : patterns) {
      const std::string robots = "User-agent: *\nAllow: " + allow + "\nDisallow: " + disallow;
      for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google(), Dialect::draft_1996()}) {
        const std::size_t done = compare_file(robots, urls, dialect);
        if (done == 0) return;
        compared += done;
      }
    }
  }
  EXPECT_GT(compared, 100'000U);
}

// Literals that share beginnings, with wildcards between them: what an index must keep apart.
TEST(Exhaustive, ManyRulesAFile) {
  std::mt19937 random(9309);
  const std::vector<std::string> patterns = words({"a", "b", "*", "$", "/", "index.html", "%61"}, 4);
  const std::vector<std::string> urls = paths(plain, 4);
  const std::size_t files = soak() ? 20'000 : 500;
  for (std::size_t i = 0; i < files; ++i) {
    std::string robots = "User-agent: FooBot\n";
    const std::size_t rules = 1 + random() % 40;
    const bool literal_only = random() % 3 == 0;
    for (std::size_t r = 0; r < rules;) {
      const std::string& pattern = patterns[random() % patterns.size()];
      if (literal_only && pattern.find_first_of("*$") != std::string::npos) continue;
      robots += (random() % 2 == 0 ? "Allow: /" : "Disallow: /") + pattern + "\n";
      ++r;
    }
    for (const Dialect& dialect : {Dialect::rfc9309(), Dialect::google(), Dialect::draft_1996()}) {
      if (compare_file(robots, urls, dialect) == 0) return;
    }
  }
}

// Long literals: an index by the first bytes alone would not tell them apart.
TEST(Exhaustive, LongLiteralsWithCommonBeginnings) {
  std::mt19937 random(512);
  for (std::size_t i = 0; i < (soak() ? 2'000U : 60U); ++i) {
    std::string robots = "User-agent: *\n";
    std::vector<std::string> urls;
    const std::string stem(random() % 40, 'x');
    for (std::size_t r = 0; r < 60; ++r) {
      std::string path = "/" + stem;
      for (std::size_t letter = random() % 12; letter > 0; --letter) path += "ab/"[random() % 3];
      robots += (random() % 2 == 0 ? "Allow: " : "Disallow: ") + path + (random() % 8 == 0 ? "$\n" : "\n");
      urls.push_back(path);
      urls.push_back(path + "a");
      urls.push_back(path.substr(0, path.size() / 2));
    }
    if (compare_file(robots, urls, Dialect::rfc9309()) == 0) return;
    if (compare_file(robots, urls, Dialect::google()) == 0) return;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
