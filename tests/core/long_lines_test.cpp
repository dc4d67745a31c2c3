// Lines that are longer than the buffers of other parsers, or than a line of a table can be.
#include <gtest/gtest.h>

#include <string>

#include "core/ask.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

// httrack #1316 read the tail of a line that was longer than its buffer as a new line, and the rule in it opened a
// closed path.
TEST(LongLines, TailOfALongLineIsNotARule) {
  for (const Dialect* dialect : {&Dialect::rfc9309(), &Dialect::google()}) {
    for (const std::size_t width :
         {128, 256, 512, 1'024, 2'048, 4'096, 8'192, 16'384, 16'663, 16'664, 32'768, 65'536}) {
      for (std::size_t offset = 0; offset < 24; ++offset) {
        const std::string filler(width - 12 + offset, 'x');
        for (const std::string& head : {"# "s, "Disallow: /y"s, "Nonsense: "s}) {
          const auto question = for_everyone(*dialect, "Disallow: /secret\n" + head + filler + "Allow: /secret\n");
          ASSERT_EQ(question("/secret"), Access::disallowed) << dialect->name << ' ' << width << '+' << offset;
        }
      }
    }
  }
}

TEST(LongLines, RuleOfAMegabyte) {
  Dialect unlimited = Dialect::rfc9309();
  unlimited.file_limit = 0;
  const std::string path = "/" + std::string(1'000'000, 'A');
  EXPECT_DISALLOWED(for_everyone(unlimited, "Disallow: " + path), path);
  EXPECT_ALLOWED(for_everyone(unlimited, "Disallow: " + path), path.substr(0, 999'999));
}

// The conformance runner does not ask the oracle about files of this size: it takes seconds.
TEST(LongLines, OracleAgreesOnARuleThatGoogleCuts) {
  const std::string robots = "User-agent: *\nDisallow: /" + std::string(20'000, 'a');
  const std::string url = "http://foo.bar/" + std::string(16'999, 'a');
  EXPECT_EQ(oracle::ask(robots, "FooBot", url, Dialect::rfc9309()).access, Access::allowed);
  EXPECT_EQ(oracle::ask(robots, "FooBot", url, Dialect::google()).access, Access::disallowed);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
