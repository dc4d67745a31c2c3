// The pages say of flags, exit statuses and settings what the tables of the command say.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "cli/flags/flag_settings.hpp"
#include "cli/flags/flags.hpp"
#include "cli/flags/given.hpp"
#include "cli/get/get_options.hpp"
#include "support/markdown.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const cli::Command& get_command() { return *cli::find_command("get"); }

// Returns "1s" of "... (default: 1s). ..."; empty if the help names none.
std::string default_of(const cli::Flag& flag) {
  constexpr std::string_view mark = "(default: ";
  const std::size_t at = flag.help.find(mark);
  if (at == flag.help.npos) return {};
  return std::string(flag.help.substr(at + mark.size(), flag.help.find(')', at) - at - mark.size()));
}

bool takes_size(const cli::Flag& flag) {
  return flag.takes == cli::Takes::size || flag.takes == cli::Takes::size_or_none;
}

std::string range_of(const cli::Flag& flag) { return takes_size(flag) ? "a size" : cli::accepted_range(flag); }

TEST(DocsFlags, GetsTableHasEachRangeAndEachDefault) {
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& row : table_of(section_of(page_text("docs/get.md"), "## Ranges and defaults"))) rows[row[0]] = row;
  for (const cli::Flag& flag : get_command().flags) {
    if (range_of(flag).empty()) continue;
    const auto row = rows.extract("`--" + std::string(flag.name) + "`");
    ASSERT_FALSE(row.empty()) << flag.name << " has no row";
    EXPECT_TRUE(row.mapped()[1].starts_with(range_of(flag))) << flag.name << " takes " << range_of(flag);
    EXPECT_EQ(row.mapped()[2], default_of(flag)) << flag.name;
  }
  for (const auto& [name, row] : rows) ADD_FAILURE() << name << " is not an option of get with a range";
}

TEST(DocsFlags, OfOtherCommandsTheRowOfAFlagHasItsRangeAndItsDefault) {
  const std::string page = page_text("docs/cli.md");
  for (const cli::Command& command : cli::commands()) {
    for (const cli::Flag& flag : command.flags) {
      if (&command == &get_command() || range_of(flag).empty()) continue;
      const std::size_t at = page.find("\n| `" + cli::with_placeholder(flag) + "` |");
      ASSERT_NE(at, page.npos) << command.name << " --" << flag.name << " has no row";
      const std::string row = page.substr(at, page.find('\n', at + 1) - at);
      EXPECT_NE(row.find(", " + range_of(flag)), row.npos) << row << "\nlacks " << range_of(flag);
      if (default_of(flag).empty()) continue;
      EXPECT_NE(row.find("(default: " + default_of(flag) + ")"), row.npos) << row << "\nlacks " << default_of(flag);
    }
  }
}

// "`--tries` attempts (3)": a number in parentheses after a flag is its default.
TEST(DocsFlags, NumbersInParenthesesAreDefaults) {
  const std::regex pattern(R"(`--([a-z-]+)`(?: attempts)? \(([0-9][0-9.]*) ?([a-zA-Z]*))");
  std::size_t found = 0;
  for (const std::string path : {"README.md", "docs/get.md", "docs/operations.md", "docs/fleet.md"}) {
    const std::string page = on_one_line(page_text(path));
    for (std::sregex_iterator at(page.begin(), page.end(), pattern), end; at != end; ++at) {
      const auto flag = std::ranges::find(get_command().flags, (*at)[1].str(), &cli::Flag::name);
      ASSERT_NE(flag, get_command().flags.end()) << path << ": " << (*at)[0];
      const std::string unit = (*at)[3] == "seconds" ? "s" : (*at)[3].str();
      EXPECT_EQ((*at)[2].str() + unit, default_of(*flag)) << path << ": " << (*at)[0];
      ++found;
    }
  }
  EXPECT_GE(found, 10U);
}

// The numbers that the options of get lead to.
std::string numbers_of(const cli::Given& given) {
  const auto choice = cli::read_get(given, {}, {});
  if (!choice) return choice.error().message;
  const cli::GetOptions& chosen = choice.value();
  const Pace& pace = chosen.robot.pace;
  std::ostringstream text;
  text << pace.delay.count() << ' ' << pace.adaptive << ' ' << pace.max_in_flight << ' '
       << chosen.crawl.max_wait.count() << ' ' << chosen.robot.http.max_in_flight << ' ' << chosen.crawl.max_size << ' '
       << chosen.robot.http.max_memory << ' ' << chosen.robot.http.limits.max_total_time.count() << ' '
       << chosen.robot.http.max_redirect << ' ' << chosen.crawl.max_tries << ' ' << chosen.stop_within.count();
  return text.str();
}

TEST(DocsFlags, ADefaultIsWhatGetDoesWithoutTheFlag) {
  cli::Given given(get_command());
  given.set(*cli::find_flag(get_command(), "from"), {"me@example.org"});
  const std::string without = numbers_of(given);
  for (const cli::Flag& flag : get_command().flags) {
    const std::string standard = default_of(flag).substr(0, default_of(flag).find(','));
    if (range_of(flag).empty() || standard.empty() || standard == "no limit" || flag.name == "level") continue;
    cli::Given with = given;
    with.set(flag, {standard});
    EXPECT_EQ(numbers_of(with), without) << flag.name << " " << standard;
    with.set(flag, {standard == "7" ? "8" : "7"});
    EXPECT_NE(numbers_of(with), without) << flag.name << " changes nothing that this test sees";
  }
}

TEST(DocsFlags, ThePageOfGetHasItsExitStatusesInTheSameWords) {
  const MarkdownTable rows = table_of(section_of(page_text("docs/get.md"), "## Exit status"));
  ASSERT_EQ(rows.size(), get_command().statuses.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const cli::Status& status = get_command().statuses[i];
    std::string means(status.means.substr(0, status.means.size() - 1));
    means.front() = static_cast<char>(std::tolower(means.front()));
    EXPECT_EQ(rows[i][0], std::to_string(status.number));
    EXPECT_EQ(rows[i][1], means);
  }
}

TEST(DocsFlags, TheTableOfExitStatusesHasThoseOfEachCommand) {
  const std::string section = section_of(page_text("docs/cli.md"), "### Exit status");
  const std::string line = section.substr(section.find("| status"), section.find("\n|---") - section.find("| status"));
  std::vector<std::string> head;
  std::istringstream cells(line.substr(1));
  for (std::string cell; std::getline(cells, cell, '|');) head.push_back(cell);
  const MarkdownTable rows = table_of(section, "| status");
  for (const cli::Command& command : cli::commands()) {
    if (command.hidden || command.name == "get" || command.name == "help") continue;
    const auto column = std::ranges::find_if(
        head, [&](const std::string& cell) { return (" " + cell).find(" " + std::string(command.name)) != cell.npos; });
    ASSERT_NE(column, head.end()) << command.name << " has no column";
    std::set<std::string> documented, known;
    for (const auto& row : rows) {
      if (!row.at(static_cast<std::size_t>(column - head.begin())).empty()) documented.insert(row[0]);
    }
    for (const cli::Status& status : command.statuses) known.insert(std::to_string(status.number));
    EXPECT_EQ(documented, known) << command.name;
  }
}

TEST(DocsFlags, ThePageNamesTheOptionsThatContradictEachOther) {
  const std::string text =
      on_one_line(section_of(page_text("docs/cli.md"), "### Options in a file or in the environment"));
  std::string pairs;
  for (const auto& [one, other] : cli::contradictions()) {
    pairs.append(pairs.empty() ? "" : ", ").append("`").append(one).append("` and `").append(other).append("`");
  }
  EXPECT_NE(text.find("These pairs are " + pairs + "."), text.npos) << pairs;
}

TEST(DocsFlags, ThePageNamesTheOptionsThatNeedADatabase) {
  const std::string text =
      on_one_line(section_of(page_text("docs/cli.md"), "### Options in a file or in the environment"));
  std::map<std::string_view, std::vector<std::string_view>> options;
  for (const cli::Need& need : cli::needs()) {
    EXPECT_EQ(need.needs, "db");
    options[need.command].push_back(need.option);
  }
  std::string list;
  for (const auto& [command, names] : options) {
    list += list.empty() ? "" : ", and ";
    for (std::size_t i = 0; i < names.size(); ++i) {
      list.append(i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `").append(names[i]).append("`");
    }
    list.append(" of `").append(command).append("`");
  }
  EXPECT_NE(text.find("mean nothing without a database: " + list + "."), text.npos) << list;
}

TEST(DocsFlags, ThePageNamesTheOptionsOfTheCommandLineAlone) {
  const std::string text =
      on_one_line(section_of(page_text("docs/cli.md"), "### Options in a file or in the environment"));
  const std::string list = text.substr(text.find("These options are only for the command line"));
  std::set<std::string> documented, known{"--version"};
  for (const std::string& word : quoted_words(list)) {
    if (word.starts_with("--")) documented.insert(word);
  }
  for (const cli::Command& command : cli::commands()) {
    for (const cli::Flag& flag : command.flags) {
      if (cli::takes_settings(command) && flag.is_typed_only) known.insert("--" + std::string(flag.name));
    }
  }
  EXPECT_EQ(documented, known);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
