// A robots.txt is read up to 512,000 decoded bytes, cut behind its last whole line: RFC 9309 section 2.5.
#include <gtest/gtest.h>

#include <string>

#include "support/agent/loopback.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr std::size_t limit = 512'000;

// `size` bytes whose last line is "Disallow: /x" and whatever `end` is.
std::string sized(std::size_t size, std::string_view end, std::string_view line_end = "\n") {
  const std::string first = "User-agent: *" + std::string(line_end);
  const std::string last = "Disallow: /x" + std::string(end);
  const std::size_t filling = size - first.size() - last.size() - line_end.size();
  return first + std::string(filling, '#') + std::string(line_end) + last;
}

struct Size {
  std::string name;
  std::string body;
  bool disallowed;
  std::size_t kept;
};

std::vector<Size> sizes() {
  const std::size_t rest = std::string_view("Disallow: /x").size();
  return {
      {"511999_without_a_line_end", sized(511'999, ""), true, 511'999},
      {"512000_without_a_line_end", sized(512'000, ""), true, 512'000},
      {"512001_without_a_line_end", sized(512'001, ""), false, 512'001 - rest},
      {"512000_with_a_line_end", sized(512'000, "\n"), true, 512'000},
      {"512001_with_a_line_end", sized(512'001, "\n"), false, 512'001 - rest - 1},
      {"a_line_end_at_the_limit_and_more", sized(512'000, "\n") + "Allow: /x\n", true, 512'000},
      {"a_CR_at_the_limit_and_its_LF_beyond", sized(512'000, "\r", "\r\n") + "\nAllow: /x\r\n", true, 512'000},
      {"a_rule_that_a_cut_would_widen", sized(511'900, "\n") + "#" + std::string(89, '#') + "\nAllow: /xyz-only\n",
       true, 511'991},
      {"600000_with_the_rule_first", no_x + std::string(600'000, '\n'), true, 512'000},
      {"600000_with_the_rule_last", sized(600'000, "\n"), false, 14},
      {"one_line_of_600000", std::string(600'000, 'a'), false, 0},
  };
}

class RobotsSize : public testing::TestWithParam<std::tuple<Size, Coding>> {};

TEST_P(RobotsSize, IsReadUpToTheLimit) {
  const auto& [size, coding] = GetParam();
  Loopback site;
  const bool plain = coding == Coding::brotli;  // stands for none
  site.robots_txt(plain ? reply(size.body)
                        : Reply{.headers = {{"Content-Encoding", std::string(name_of(coding))}},
                                .body = packed(coding, size.body)});
  const Response page = site.get("/x");
  EXPECT_EQ(page.source, size.disallowed ? ResponseSource::robots_denied : ResponseSource::server) << page.warning;
  const auto record = site.record();
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->outcome, RobotsOutcome::rules);
  ASSERT_NE(record->body, nullptr);
  EXPECT_EQ(record->body->size(), size.kept);
  EXPECT_EQ(*record->body, size.body.substr(0, size.kept));
  EXPECT_EQ(record->truncated, size.body.size() > limit);
  ASSERT_NE(page.robots, nullptr);
  EXPECT_EQ(page.robots->truncated, size.body.size() > limit);
}

INSTANTIATE_TEST_SUITE_P(Of, RobotsSize,
                         testing::Combine(testing::ValuesIn(sizes()), testing::Values(Coding::brotli, Coding::gzip)),
                         [](const auto& size) {
                           return std::get<0>(size.param).name +
                                  (std::get<1>(size.param) == Coding::gzip ? "_gzip" : "");
                         });

TEST(RobotsSizeLimit, IsThePolicys) {
  Loopback site;
  site.policy().body_limit = 20;
  site.robots_txt(reply(no_x));
  EXPECT_EQ(site.get("/x").code, 200);
  EXPECT_EQ(*site.record()->body, "User-agent: *\n");
}

// The bytes of a line end can be halves of two letters.
TEST(RobotsSizeLimit, OfUtf16IsCutAtALineEndAndNotWithinALetter) {
  for (const bool little : {true, false}) {
    for (const bool mark : {true, false}) {
      std::string body;
      const auto put = [&](unsigned unit) {
        const char high = static_cast<char>(unit >> 8);
        const char low = static_cast<char>(unit & 0xFF);
        body += little ? low : high;
        body += little ? high : low;
      };
      const auto say = [&](std::string_view plain) {
        for (const char letter : plain) put(static_cast<unsigned char>(letter));
      };
      if (mark) put(0xFEFF);
      say("User-agent: *\nDisallow: /x\n#");
      while (body.size() < limit - 200) put('#');
      say("\n");
      const std::size_t whole = body.size();
      say("Allow: /x");
      while (body.size() < limit + 100) put(0x0A0D);  // a Gurmukhi letter of the bytes LF and CR
      Loopback site;
      site.robots_txt(reply(body, little ? "text/plain; charset=utf-16le" : "text/plain; charset=utf-16be"));
      EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied) << little << mark;
      EXPECT_EQ(site.record()->body->size(), whole + (mark ? 0 : 2)) << little << mark;
    }
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
