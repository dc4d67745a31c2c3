// docs/lint has a page for every code, says its severity, and describes nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <robotrules/crawlers.hpp>
#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const std::filesystem::path folder = source_folder() / "docs/lint";

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(LintDocs, EveryCodeHasAPageAndEveryPageACode) {
  std::set<std::string> codes, pages;
  for (const DiagnosticCode& code : diagnostic_codes()) codes.emplace(code.code);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "README.md") pages.insert(entry.path().stem().string());
  }
  EXPECT_EQ(codes, pages);
}

TEST(LintDocs, PagesSayTheSeverityAndHaveEverySection) {
  for (const DiagnosticCode& code : diagnostic_codes()) {
    const std::string page = content(folder / (std::string(code.code) + ".md"));
    EXPECT_TRUE(page.starts_with("# " + std::string(code.code) +
                                 "\n\nSeverity: " + std::string(to_string(code.severity)) + ". "))
        << code.code;
    for (const char* section : {"## What it means\n", "## Example\n", "## What robots do\n", "## Remedy\n"}) {
      EXPECT_NE(page.find(section), std::string::npos) << code.code << " lacks " << section;
    }
  }
}

TEST(LintDocs, TheIndexListsEachCodeInOrder) {
  const std::string index = content(folder / "README.md");
  std::size_t at = 0;
  for (const DiagnosticCode& code : diagnostic_codes()) {
    const std::string name(code.code);
    const std::string row = "| [" + name + "](" + name + ".md) | " + std::string(to_string(code.severity)) + " | " +
                            std::string(code.summary) + " |\n";
    const std::size_t found = index.find(row, at);
    EXPECT_NE(found, std::string::npos) << row;
    if (found != std::string::npos) at = found;
  }
  EXPECT_EQ(static_cast<std::size_t>(std::count(index.begin(), index.end(), '\n')), 10 + diagnostic_codes().size());
}

// Returns the bytes of an example, in which "\\xE9" is a byte, and "\\r" and "\\n" stand before the end of a line.
std::string bytes_of_example(const std::string& page) {
  const std::size_t begin = page.find("```\n", page.find("## Example\n")) + 4;
  const std::string text = page.substr(begin, page.find("```\n", begin) - begin);
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("\\x")) {
      bytes += static_cast<char>(std::stoi(text.substr(i + 2, 2), nullptr, 16));
      i += 3;
    } else if (rest.starts_with("\\r")) {
      bytes += '\r';
      ++i;
    } else if (rest.starts_with("\\n")) {
      ++i;
    } else {
      bytes += text[i];
    }
  }
  return bytes;
}

TEST(LintDocs, TheExampleHasTheFinding) {
  const std::set<std::string_view> shortened = {"binary-file", "file-over-limit", "long-line", "more-findings",
                                                "over-long-line"};
  for (const DiagnosticCode& code : diagnostic_codes()) {
    const std::string example = bytes_of_example(content(folder / (std::string(code.code) + ".md")));
    if (shortened.contains(code.code) || example.starts_with("GET ")) continue;  // GET: it is about the response
    const auto found = diagnose(RobotsTxt::parse(example), {.robots = robotrules::known_robots()});
    EXPECT_TRUE(std::ranges::any_of(found, [&](const Diagnostic& one) { return one.code == code.code; })) << code.code;
  }
}

TEST(LintDocs, CodesAreStableWords) {
  std::set<std::string_view> seen;
  for (const DiagnosticCode& code : diagnostic_codes()) {
    EXPECT_TRUE(seen.insert(code.code).second) << code.code;
    EXPECT_EQ(code.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos);
    EXPECT_FALSE(code.summary.empty());
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
