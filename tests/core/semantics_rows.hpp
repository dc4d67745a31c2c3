// How six readers take the same line: one row a difference, measured by running each of them
// (tests/conformance/semantics.tsv).
//
// `robots` is written short: "UA" at the start of a line stands for "User-agent". The agent is FooBot and the site
// http://foo.bar unless a row says otherwise. `answers` has a letter a dialect, in the order of Dialect::presets():
// rfc9309, google, www-robotrules, robotstxt-rb, original-1994, draft-1996; A is allowed, D disallowed.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/rules.hpp>

namespace robotrules::test {

struct SemanticsRow {
  int number = 0;
  std::string name;
  std::string robots;
  std::string url;
  std::string answers;
  // Where the rfc9309 preset goes another way than the letter of RFC 9309: why. Empty: it does not.
  std::string deviation = "";
  std::string agent = "FooBot";
};

inline const std::vector<SemanticsRow>& semantics_rows() {
  using namespace std::string_literals;
  static const std::vector<SemanticsRow> rows{
      {1, "LongestOrFirst", "UA: *\nDisallow: /\nAllow: /pub/", "/pub/x", "AADDDD"},
      {2, "LongestOrFirstReversed", "UA: *\nAllow: /\nDisallow: /cgi", "/cgi", "DDDADA"},
      {3, "TieGoesToAllow", "UA: *\nDisallow: /p\nAllow: /p", "/p", "AADDDD"},
      {4, "AllowIsARule", "UA: *\nAllow: /a\nDisallow: /", "/a", "AADADA"},
      {5, "GroupsOfOneNameMerge", "UA: FooBot\nDisallow: /a\n\nUA: BarBot\nDisallow: /b\n\nUA: FooBot\nDisallow: /c",
       "/c", "DDAAAA"},
      {6, "DefaultGroupsMerge", "UA: *\nDisallow: /a\n\nUA: *\nDisallow: /b", "/b", "DDDAAA"},
      {7, "BlankLineBehindAgent", "UA: *\n\nDisallow: /", "/x", "DDADAA"},
      {8, "BlankLineBetweenAgents", "UA: FooBot\n\nUA: BarBot\nDisallow: /", "/x", "DDADAA"},  // ruby: its README
      {9, "BlankLineBetweenRules", "UA: FooBot\nDisallow: /a\n\nDisallow: /b", "/b", "DDADAA"},
      {10, "AgentBehindRuleStartsGroup", "UA: BarBot\nDisallow: /\nUA: FooBot\nDisallow: /z", "/x", "AAAADA"},
      {11, "DefaultGroupFirstInFile", "UA: *\nDisallow: /\n\nUA: FooBot\nDisallow: /z", "/x", "AAADAA"},
      {12, "TwoAgentsShareRules", "UA: FooBot\nUA: BarBot\nDisallow: /", "/x", "DDDDDD"},  // ruby: its README
      {13, "ValueIsPartOfName", "UA: Foo\nDisallow: /", "/x", "AADDDA"},
      {14, "NameIsPartOfValue", "UA: FooBot-News\nDisallow: /", "/x", "AAAAAD"},
      {15, "PartOfNameBeforeWholeName", "UA: Foo\nDisallow: /a\n\nUA: FooBot\nDisallow: /b", "/a", "AADDDA"},
      {16, "VersionInValue", "UA: FooBot/2.1\nDisallow: /", "/x", "DDAAAD"},
      {17, "SecondWordInValue", "UA: FooBot Images\nDisallow: /", "/x", "DDAAAD"},
      {18, "DigitsInName", "UA: MJ12bot\nDisallow: /", "/x", "DADDDD", "a robot whose name holds digits is found",
       "MJ12bot"},
      {19, "TokenBeforeDigits", "UA: MJ12bot\nDisallow: /", "/x", "DDAAAD", "", "MJ"},
      {20, "EmptyAgent", "UA:\nDisallow: /", "/x", "AADDAA"},
      {21, "StarWithRemark", "UA: * everyone\nDisallow: /", "/x", "DDAAAA"},
      {22, "RuleBeforeAnyAgent", "Disallow: /", "/x", "AADDAA"},
      {23, "EmptyDisallowThenDisallow", "UA: *\nDisallow:\nDisallow: /x", "/x", "DDAAAA"},
      {24, "EmptyAllowThenDisallow", "UA: *\nAllow:\nDisallow: /x", "/x", "DDDADD"},
      {25, "Wildcard", "UA: *\nDisallow: /*.php", "/a.php", "DDADAA"},
      {26, "StarAlone", "UA: *\nDisallow: *", "/x", "DDADAA"},
      {27, "EndAnchor", "UA: *\nDisallow: /a$", "/a", "DDADAA"},
      {28, "EndAnchorBeforeQuery", "UA: *\nDisallow: /*.pdf$", "/x.pdf?y=1", "AAADAA"},
      {29, "DollarInside", "UA: *\nDisallow: /a$b", "/a$bc", "DDDDDD"},
      {30, "StarCountsForPriority", "UA: *\nAllow: /abc\nDisallow: /*", "/abcdef", "AAAAAA"},
      {31, "UnreservedEscapeInRule", "UA: *\nDisallow: /%62ar", "/bar", "DAADAD"},
      {32, "UnreservedEscapeInUrl", "UA: *\nDisallow: /~joe/", "/%7ejoe/", "DAADAD"},
      {33, "EscapedSlashIsNoSlash", "UA: *\nDisallow: /a%2fb", "/a/b", "AAAAAA"},
      {34, "EscapesInOtherCase", "UA: *\nDisallow: /a%2Fb", "/a%2fb", "DAADAD"},
      {35, "EscapedStarMatchesStar", "UA: *\nDisallow: /a%2Ab", "/a*b", "DAADAD"},
      {36, "EscapedStarIsNoWildcard", "UA: *\nDisallow: /a%2Ab", "/aXXb", "AAADAA"},
      {37, "RawUtf8InRule", "UA: *\nDisallow: /\xC3\xBC", "/%C3%BC", "DDDDAD"},
      {38, "RawUtf8InUrl", "UA: *\nDisallow: /%C3%BC", "/\xC3\xBC", "DADDAD"},
      {39, "SpaceInRule", "UA: *\nDisallow: /a b", "/a%20b", "DADDAD"},
      {40, "NoSlashInFront", "UA: *\nDisallow: foo", "/foo", "AADAAA"},
      {41, "WholeUrlAsRule", "UA: *\nDisallow: http://foo.bar/priv", "/priv", "AADAAA"},
      {42, "TwoSlashesInFront", "UA: *\nDisallow: //x", "//x/y", "DDADDD"},
      {43, "RelativeRule", "UA: *\nDisallow: ./", "/x", "AADAAA"},
      {44, "CommentWithoutSpace", "UA: *\nDisallow: /a#b", "/a", "DDDADD"},
      {45, "MissingColon", "UA: *\nDisallow /x", "/x", "DDAAAA", "lenient in spelling, as Google"},
      {46, "Misspelling", "UA: *\nDisalow: /x", "/x", "DDAAAA", "lenient in spelling, as Google"},
      {47, "KeyIsPrefix", "UA: *\nDisallow: /\nAllowance: /x", "/x", "DADDDD"},
      {48, "SitemapBetweenAgents", "UA: FooBot\nSitemap: http://s/\nUA: BarBot\nDisallow: /", "/x", "DDDADD"},
      {49, "CrawlDelayBetweenAgents", "UA: FooBot\nCrawl-delay: 5\nUA: BarBot\nDisallow: /", "/x", "DDDADD"},
      {50, "RobotsTxtItself", "UA: *\nDisallow: /", "/robots.txt", "ADDDDA"},
      {51, "ByteOrderMarkBeforeStar", "\xEF\xBB\xBFUA: *\nDisallow: /x", "/x", "DDDDAA"},
      {52, "ByteOrderMarkBeforeOther", "\xEF\xBB\xBFUA: BarBot\nDisallow: /x", "/x", "AADDAA"},
      {53, "NulInRule", "UA: *\nDisallow: /x\0y"s, "/x", "ADAAAA"},
      {54, "IndexHtml", "UA: *\nAllow: /d/index.html\nDisallow: /", "/d/", "DADDDD"},
      {55, "UrlWithoutPath", "UA: *\nDisallow: /", "", "DDADDD"},
      {56, "LastGroupWithoutRules", "UA: *\nDisallow: /\n\nUA: FooBot", "/x", "AAADAA"},
      {57, "LineFeedInUrl", "UA: *\nDisallow: /secret", "/x%0A/secret", "AAADAA"},
      {58, "LongLine", "UA: *\nDisallow: /" + std::string(20'000, 'a'), "/" + std::string(16'999, 'a'), "ADAAAA"},
      {59, "WholeHeaderAsAgent", "UA: FooBot\nDisallow: /", "/x", "AAADAA", "", "Mozilla/5.0 (compatible; FooBot/1.0)"},
  };
  return rows;
}

// The file as a server would send it.
inline std::string expanded(const SemanticsRow& row) {
  std::string text = row.robots;
  for (std::size_t at = text.find("UA:"); at != std::string::npos; at = text.find("UA:", at + 1)) {
    text.replace(at, 2, "User-agent");
  }
  return text;
}

inline char answer_letter(const SemanticsRow& row, const Dialect& dialect) {
  const Rules rules = Rules::compile(expanded(row), row.agent, dialect, "http://foo.bar/robots.txt");
  return rules.check("http://foo.bar" + row.url).allowed() ? 'A' : 'D';
}

inline std::string row_name(const SemanticsRow& row) {
  const std::string number = std::to_string(row.number);
  return "Row" + std::string(number.size() < 2 ? "0" : "") + number + "_" + row.name;
}

inline void PrintTo(const SemanticsRow& row, std::ostream* out) { *out << row_name(row); }

}  // namespace robotrules::test
