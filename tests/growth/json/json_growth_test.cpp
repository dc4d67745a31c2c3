// Steps and memory of reading JSON with many members: a line of `db import`, and the file of `agents --agents-file`.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/agents/agents.hpp"
#include "cli/db/import_record.hpp"
#include "growth/counters.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// Returns n members with different names.
std::string members(std::size_t n, std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text.append(",\"m" + std::to_string(i) + "\":").append(value);
  return text;
}

void expect_linear(std::string (*input_of)(std::size_t), void (*read)(const std::string&)) {
  std::vector<Count> counts;
  for (const std::size_t n : {2'000, 4'000, 8'000}) {
    const std::string input = input_of(n);
    counts.push_back(count([&] { read(input); }));
  }
  EXPECT_LE(growth(counts, &Count::steps), max_growth) << counts.back().steps;
  EXPECT_LE(growth(counts, &Count::allocated), max_byte_growth) << counts.back().allocated;
}

void import(const std::string& line) { EXPECT_EQ(cli::record_of_line(line, {}).fault, ""); }

TEST(JsonGrowth, AnImportLineWithManyMembers) {
  expect_linear([](std::size_t n) { return R"({"origin":"https://a.example","robots":"")" + members(n, "1") + "}"; },
                import);
  expect_linear(
      [](std::size_t n) { return R"({"origin":"https://a.example","robots":"","x":{"a":1)" + members(n, "1") + "}}"; },
      import);
}

TEST(JsonGrowth, AFileOfManyCrawlersAndKinds) {
  expect_linear(
      [](std::size_t n) {
        std::string crawlers;
        for (std::size_t i = 0; i < n; ++i) {
          const std::string number = std::to_string(i);
          crawlers += std::string(i == 0 ? "" : ",") + R"({"name":"c)" + number + R"(","kind":"m)" + number + R"("})";
        }
        return R"({"kinds":{"k":"text")" + members(n, R"("text")") + R"(},"crawlers":[)" + crawlers + "]}";
      },
      [](const std::string& file) {
        const auto read = cli::read_crawlers(file);
        EXPECT_TRUE(read.ok()) << read.error().message;
      });
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
