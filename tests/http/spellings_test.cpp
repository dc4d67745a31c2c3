// The rules are asked about every spelling of a URL, so its normal form opens no page.
#include "http/spellings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <robotrules/url.hpp>

#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const std::string site = "http://site.test";

// The URL as it was sent before there was a normal form; `format` writes an escape.
std::string as_once_sent(const std::string& path, const char* format = "%%%02x") {
  std::string out;
  bool in_query = false;
  for (const char c : path) {
    in_query = in_query || c == '?';
    if (c == ' ') {
      out += in_query ? "+" : "%20";
    } else if (static_cast<unsigned char>(c) < 0x80) {
      out += c;
    } else {
      std::array<char, 4> escape{};
      std::snprintf(escape.data(), escape.size(), format, static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escape.data();
    }
  }
  return resolve_dot_segments(site + out);
}

// Paths that a pattern matches, and the same paths in other spellings.
std::vector<std::string> paths_of(std::string_view pattern) {
  std::string path;
  for (const char c : pattern) {
    if (c == '*') {
      path += "x";
    } else if (c != '#' && static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) {
      path += c;
    }
  }
  if (path.ends_with('$')) path.pop_back();
  if (!path.starts_with('/')) return {};
  std::string escaped = "/";   // its letters and bytes outside ASCII
  std::string decoded = "/";   // what its escapes stand for
  std::string lowered = path;  // the digits of its escapes in small letters
  for (std::size_t i = 1; i < path.size(); ++i) {
    const bool is_escape = path[i] == '%' && i + 2 < path.size() &&
                           std::isxdigit(static_cast<unsigned char>(path[i + 1])) &&
                           std::isxdigit(static_cast<unsigned char>(path[i + 2]));
    if (is_escape) {
      const auto byte = static_cast<char>(std::stoi(path.substr(i + 1, 2), nullptr, 16));
      const bool is_safe = static_cast<unsigned char>(byte) > 0x20 && byte != 0x7F && byte != '#';
      escaped += path.substr(i, 3);
      decoded += is_safe ? std::string(1, byte) : path.substr(i, 3);
      for (std::size_t digit = i + 1; digit < i + 3; ++digit)
        lowered[digit] = static_cast<char>(std::tolower(static_cast<unsigned char>(path[digit])));
      i += 2;
      continue;
    }
    const bool is_escaped =
        std::isalpha(static_cast<unsigned char>(path[i])) || static_cast<unsigned char>(path[i]) >= 0x80;
    std::array<char, 4> escape{};
    std::snprintf(escape.data(), escape.size(), "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(path[i])));
    escaped += is_escaped ? escape.data() : std::string(1, path[i]);
    decoded += path[i];
  }
  return {path, path + "x", escaped, decoded, lowered};
}

struct Tally {
  std::size_t asked = 0;
  std::size_t closed = 0;  // only the normal form is disallowed
  std::vector<std::string> wrong;
};

// Asks one file about paths of its own rules. A page that was closed stays closed, whichever spelling closed it; and no
// page is closed without a rule for one of its spellings.
void ask(const std::string& robots, const Dialect& dialect, const std::set<std::string>& paths, Tally& all) {
  const Rules rules = Rules::compile(robots, "spellingbot", dialect);
  for (const std::string& path : paths) {
    const auto plain = plain_url(site + path);
    if (!plain) continue;
    const bool was_allowed =
        rules.check(as_once_sent(path)).allowed() && rules.check(as_once_sent(path, "%%%02X")).allowed();
    const bool found_allowed = rules.check(resolve_dot_segments(site + path)).allowed();
    const bool sent_allowed = rules.check(plain.value()).allowed();
    const bool allowed = check_as_sent(rules, site + path).allowed();
    ++all.asked;
    if (was_allowed && found_allowed && !allowed) ++all.closed;
    if (allowed != (was_allowed && found_allowed && sent_allowed)) {
      all.wrong.push_back(std::string(dialect.name) + " " + path);
    }
  }
}

std::set<std::string> paths_of_file(const std::string& robots) {
  std::set<std::string> paths;
  std::size_t plain = 0;
  const Rules rules = Rules::compile(robots, "spellingbot", Dialect::google());
  for (const RuleLine& line : rules.lines()) {
    // Of patterns without a special byte a few are enough.
    const bool is_plain =
        line.pattern.find_first_of("%~|^`{}<>\"\\[] ") == std::string_view::npos &&
        std::ranges::all_of(line.pattern, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (is_plain && ++plain > 10) continue;
    for (std::string& path : paths_of(line.pattern)) paths.insert(std::move(path));
  }
  return paths;
}

TEST(Spellings, OfStoredFilesOpenNoPage) {
  const auto files = files_under(optional_folder("ROBOTRULES_CORPUS", "corpus"));
  if (files.empty()) GTEST_SKIP() << "no stored robots.txt files here: set ROBOTRULES_CORPUS to a folder of them";
  Tally all;
  for (const auto& path : files) {
    const std::string robots = bytes_of(path);
    const std::set<std::string> paths = paths_of_file(robots);
    for (const Dialect& dialect : Dialect::presets()) ask(robots, dialect, paths, all);
  }
  EXPECT_EQ(all.wrong, std::vector<std::string>());
  EXPECT_GT(all.asked, 100'000U);
  EXPECT_GT(all.closed, 0U);
  std::cout << files.size() << " files: " << all.asked << " questions, " << all.closed
            << " are closed by the normal form alone\n";
}

// The same for rules that are spelled in every way.
TEST(Spellings, OfHardRulesOpenNoPage) {
  const std::string patterns[] = {"/*a|b",  "/%7Ejoe", "/~joe",      "/caf%c3%a9", "/caf%C3%A9",   "/caf\xC3\xA9",
                                  "/a%20b", "/a b|c",  "/x?a+b",     "/x?a b|c",   "/%2Fx",        "/%2fx",
                                  "/[x]",   "/%5Bx]",  "/100%",      "/%%341",     "/%41%",        "/*c3*",
                                  "/%5e^",  "/`{}",    "/\"<\\>\"$", "/%E2%82%AC", "/\xE2\x82\xAC"};
  std::set<std::string> paths;
  for (const std::string& pattern : patterns) {
    for (std::string& path : paths_of(pattern)) paths.insert(std::move(path));
  }
  Tally all;
  for (const std::string& pattern : patterns) {
    for (const Dialect& dialect : Dialect::presets()) {
      ask("User-agent: *\nDisallow: " + pattern + "\n", dialect, paths, all);
      ask("User-agent: *\nAllow: " + pattern + "\nDisallow: /\n", dialect, paths, all);
    }
  }
  EXPECT_EQ(all.wrong, std::vector<std::string>());
  EXPECT_GT(all.closed, 0U);
}

// Under RFC 9309 all spellings are equal, so its answers are as before.
TEST(Spellings, TheNormalFormChangesNoAnswerOfRfc9309) {
  const Rules rules = Rules::compile("User-agent: *\nDisallow: /%7Ejoe\nDisallow: /caf\xC3\xA9\nDisallow: /*|\n", "x");
  for (const char* path :
       {"/~joe", "/%7Ejoe", "/%7ejoe", "/caf%c3%a9", "/caf\xC3\xA9", "/a|", "/a%7c", "/a", "/%%341"}) {
    EXPECT_EQ(check_as_sent(rules, site + path).access(), rules.check(as_once_sent(path)).access()) << path;
  }
}

TEST(Spellings, BytesOutsideAsciiAreAskedWithEscapesInSmallAndInCapitalLetters) {
  for (const char* pattern : {"/%7E%C3%A9", "/%7E%c3%a9", "/%7E\xC3\xA9", "/~%C3%A9"}) {
    for (const Dialect& dialect : Dialect::presets()) {
      const Rules rules = Rules::compile("User-agent: *\nDisallow: " + std::string(pattern) + "\n", "x", dialect);
      EXPECT_FALSE(check_as_sent(rules, site + "/%7E\xC3\xA9").allowed()) << dialect.name << ' ' << pattern;
    }
  }
}

TEST(Spellings, AUrlThatCannotBeSentIsAskedAsItIs) {
  const Rules rules = Rules::compile("User-agent: *\nDisallow: /x\n", "x");
  EXPECT_FALSE(check_as_sent(rules, "/x").allowed());
  EXPECT_TRUE(check_as_sent(rules, "/y").allowed());
  EXPECT_TRUE(check_as_sent(rules, "").allowed());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
