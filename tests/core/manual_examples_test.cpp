// The files that the manuals of the field show, under every preset: those of WWW::RobotRules, and what Appendix C of
// "Web Client Programming with Perl" says of robots.txt. The files are laid out as there, with remarks of our own.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <robotrules/core.hpp>

namespace robotrules {
namespace {

// A and D under rfc9309, google, www-robotrules, robotstxt-rb, original-1994 and draft-1996 in turn.
std::string answers(std::string_view robots, std::string_view agent, std::string_view path) {
  const std::string site = "http://www.example.com";
  std::string letters;
  for (const Dialect& dialect : Dialect::presets()) {
    const Rules rules = Rules::compile(robots, agent, dialect, site + "/robots.txt");
    letters += rules.check(site + std::string(path)).allowed() ? 'A' : 'D';
  }
  return letters;
}

constexpr std::string_view cyberworld =
    "# robots.txt for http://www.example.com/\n"
    "\n"
    "User-agent: *\n"
    "Disallow: /cyberworld/map/ # has no end\n"
    "Disallow: /tmp/ # comes and goes\n";

TEST(PerlManual, CyberworldKeepsEverybodyOutOfTwoFolders) {
  EXPECT_EQ(answers(cyberworld, "FooBot", "/cyberworld/map/1"), "DDDDDD");
  EXPECT_EQ(answers(cyberworld, "FooBot", "/tmp/"), "DDDDDD");
  EXPECT_EQ(answers(cyberworld, "FooBot", "/cyberworld/"), "AAAAAA");
  EXPECT_EQ(answers(cyberworld, "cybermapper", "/cyberworld/map/1"), "DDDDDD");
}

constexpr std::string_view cybermapper =
    "# robots.txt for http://www.example.com/\n"
    "\n"
    "User-agent: *\n"
    "Disallow: /cyberworld/map/ # has no end\n"
    "\n"
    "# This one may.\n"
    "User-agent: cybermapper\n"
    "Disallow:\n";

TEST(PerlManual, CybermapperMayGoEverywhere) {
  // robotstxt-parser takes the first group in file order that names the robot or "*".
  EXPECT_EQ(answers(cybermapper, "cybermapper", "/cyberworld/map/1"), "AAADAA");
  EXPECT_EQ(answers(cybermapper, "Cybermapper", "/cyberworld/map/1"), "AAADAA");
  EXPECT_EQ(answers(cybermapper, "FooBot", "/cyberworld/map/1"), "DDDDDD");
  EXPECT_EQ(answers(cybermapper, "FooBot", "/"), "AAAAAA");
}

TEST(PerlManual, GoAwayKeepsEverybodyOut) {
  constexpr std::string_view go_away = "# go away\nUser-agent: *\nDisallow: /\n";
  EXPECT_EQ(answers(go_away, "FooBot", "/"), "DDDDDD");
  EXPECT_EQ(answers(go_away, "FooBot", "/any/page.html"), "DDDDDD");
}

// The blank lines between its records are missing. The 1994 reading sees one record with three names.
constexpr std::string_view ancientcastle =
    "# robots.txt for ancientcastle.example.com\n"
    "# Nobody comes in.\n"
    "User-agent: *\n"
    "Disallow: /\n"
    "# She may, but for one wing.\n"
    "User-agent: Belle\n"
    "Disallow: /west-wing/ # not there\n"
    "# He may go anywhere.\n"
    "User-agent: Beast\n"
    "Disallow:\n";

TEST(PerlManual, AncientcastleWithoutBlankLines) {
  EXPECT_EQ(answers(ancientcastle, "Belle", "/hall/"), "AAADDA");
  EXPECT_EQ(answers(ancientcastle, "Belle", "/west-wing/rose"), "DDDDDD");
  EXPECT_EQ(answers(ancientcastle, "Beast", "/west-wing/rose"), "AAADDA");
  EXPECT_EQ(answers(ancientcastle, "Gaston", "/hall/"), "DDDDDD");
}

TEST(WebClientAppendixC, DisallowIsAPrefix) {
  constexpr std::string_view robots = "User-agent: *\nDisallow: /index\n";
  EXPECT_EQ(answers(robots, "FooBot", "/index.html"), "DDDDDD");
  EXPECT_EQ(answers(robots, "FooBot", "/index/"), "DDDDDD");
  EXPECT_EQ(answers(robots, "FooBot", "/index/page"), "DDDDDD");
  EXPECT_EQ(answers(robots, "FooBot", "/inde"), "AAAAAA");
}

TEST(WebClientAppendixC, SeveralUserAgentsShareARecord) {
  constexpr std::string_view robots = "User-agent: FooBot\nUser-agent: BarBot\nDisallow: /a\n";
  EXPECT_EQ(answers(robots, "FooBot", "/a"), "DDDDDD");
  EXPECT_EQ(answers(robots, "BarBot", "/a"), "DDDDDD");
  EXPECT_EQ(answers(robots, "OtherBot", "/a"), "AAAAAA");
}

TEST(WebClientAppendixC, GeneralRecordFirstSpecificRecordLater) {
  constexpr std::string_view robots = "User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nDisallow: /a\n";
  EXPECT_EQ(answers(robots, "FooBot", "/b"), "AAADAA");  // all but the one that goes by file order
  EXPECT_EQ(answers(robots, "FooBot", "/a"), "DDDDDD");
  EXPECT_EQ(answers(robots, "OtherBot", "/b"), "DDDDDD");
}

// The last example, without a blank line as the text has it: by the grammar of 1996 an agent line behind a rule begins
// a record.
TEST(WebClientAppendixC, LastExampleLetsSearchThingyIn) {
  constexpr std::string_view robots = "User-agent: *\nDisallow: /\nUser-agent: search-thingy\nAllow: /\n";
  EXPECT_EQ(answers(robots, "search-thingy", "/b"), "AAADDA");
  EXPECT_EQ(answers(robots, "OtherBot", "/b"), "DDDDDD");
}

// "Later listings override earlier ones" is what rfc9309 and google say where the later one is the more specific.
TEST(WebClientAppendixC, LaterAndMoreSpecificListingOverrides) {
  constexpr std::string_view opened = "User-agent: *\nDisallow: /docs/\nAllow: /docs/public/\n";
  EXPECT_EQ(answers(opened, "FooBot", "/docs/public/a"), "AADDDD");
  EXPECT_EQ(answers(opened, "FooBot", "/docs/a"), "DDDDDD");
  constexpr std::string_view closed = "User-agent: *\nAllow: /\nDisallow: /private/\n";
  EXPECT_EQ(answers(closed, "FooBot", "/private/a"), "DDDADA");
  EXPECT_EQ(answers(closed, "FooBot", "/a"), "AAAAAA");
}

// And where it is the more general, no preset lets it: the longest rule stays, or the first.
TEST(WebClientAppendixC, LaterAndMoreGeneralListingDoesNot) {
  constexpr std::string_view robots = "User-agent: *\nDisallow: /docs/private/\nAllow: /docs/\n";
  EXPECT_EQ(answers(robots, "FooBot", "/docs/private/a"), "DDDDDD");
}

}  // namespace
}  // namespace robotrules
