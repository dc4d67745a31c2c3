// What the command says of itself: --help, --help-all, help, --version.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include <robotrules/url_queue.hpp>

#include "cli/command.hpp"
#include "cli/flags/flag_help.hpp"
#include "cli/flags/flags.hpp"
#include "cli/shell.hpp"
#include "cli/terminal.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string name_of(const cli::Command& command) { return std::string(command.name); }

TEST(Help, AllOfItHasEveryFlagTheExamplesAndTheExitStatuses) {
  for (const cli::Command& command : cli::commands()) {
    SCOPED_TRACE(name_of(command));
    const Ran ran = run({name_of(command), "--help-all"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    for (const cli::Flag& flag : command.flags) EXPECT_TRUE(holds(ran.out, "--" + std::string(flag.name))) << flag.name;
    for (const cli::Operand& operand : command.operands) EXPECT_TRUE(holds(ran.out, operand.name)) << operand.name;
    for (const cli::Action& action : command.actions) EXPECT_TRUE(holds(ran.out, "\n  " + std::string(action.name)));
    ASSERT_FALSE(command.examples.empty());
    for (const cli::Example& example : command.examples) {
      EXPECT_TRUE(holds(ran.out, cli::wrapped_command(example.line, 78, 6))) << example.line;
    }
    EXPECT_TRUE(holds(ran.out, "\nExit status:\n"));
    for (const cli::Status& status : command.statuses)
      EXPECT_TRUE(holds(ran.out, "  " + std::to_string(status.number)));
  }
}

TEST(Help, FitsOnAScreen) {
  for (const cli::Command& command : cli::commands()) {
    SCOPED_TRACE(name_of(command));
    const Ran ran = run({name_of(command), "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(run({name_of(command), "-h"}).out, ran.out);
    const std::vector<std::string> lines = lines_of(ran.out);
    ASSERT_FALSE(lines.empty());
    EXPECT_LE(lines.size(), 40U);
    EXPECT_EQ(lines.front(), "Usage: " + cli::usage_line(command));
    EXPECT_EQ(lines.back(), "robotrules " + name_of(command) + " --help-all lists all " +
                                std::to_string(command.flags.size()) + " options.");
    EXPECT_TRUE(holds(ran.out, "\nExamples:\n  "));
  }
  EXPECT_LE(lines_of(run({"--help"}).out).size(), 40U);
}

TEST(Help, HasALineForEachFlagThatMostPeopleNeed) {
  for (const cli::Command& command : cli::commands()) {
    SCOPED_TRACE(name_of(command));
    const std::string help = run({name_of(command), "--help"}).out;
    for (const cli::Flag& flag : command.flags) {
      const std::string head = " --" + std::string(flag.name);
      const bool is_listed = std::ranges::any_of(lines_of(help), [&head, &flag](const std::string& line) {
        const bool begins =
            line.find(head) == 5 && (line.size() == 5 + head.size() || !std::isalpha(line[5 + head.size()]));
        return begins && line.ends_with(flag.brief.empty() ? "?" : flag.brief);
      });
      EXPECT_EQ(is_listed, !flag.brief.empty()) << flag.name;
      EXPECT_EQ(holds(help, "\n" + std::string(cli::heading_of(flag)) + ":\n"),
                std::ranges::any_of(
                    command.flags,
                    [&flag](const cli::Flag& other) { return other.group == flag.group && !other.brief.empty(); }))
          << flag.name;
    }
    for (const cli::Action& action : command.actions) EXPECT_TRUE(holds(help, std::string(action.brief) + "\n"));
  }
}

TEST(Help, LinesAreAtMost80ColumnsWide) {
  for (const cli::Command& command : cli::commands()) {
    for (const char* const flag : {"--help", "--help-all"}) {
      for (const std::string& line : lines_of(run({name_of(command), flag}).out)) EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(Help, IsAsWideAsTheTerminalAndAtMost100Columns) {
  const struct {
    std::size_t terminal;
    std::size_t least;
    std::size_t most;
  } cases[] = {{70, 61, 70}, {80, 71, 80}, {95, 86, 95}, {200, 91, 100}};
  for (const auto& [terminal, least, most] : cases) {
    const auto nothing = [](const Screen&) { return std::string(); };
    const OnTerminal ran = run_on_terminal({"get", "--help-all"}, terminal, 50, nothing, true);
    std::size_t longest = 0;
    for (const std::string& line : lines_of(ran.written))
      longest = std::max(longest, line.size() - line.ends_with('\r'));
    EXPECT_GE(longest, least) << terminal;
    EXPECT_LE(longest, most) << terminal;
  }
}

TEST(Help, IsACommandToo) {
  for (const cli::Command& command : cli::commands()) {
    const Ran ran = run({"help", name_of(command)});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, run({name_of(command), "--help"}).out);
  }
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  const Ran near = run({"help", "gte"});
  EXPECT_EQ(near.status, 2);
  EXPECT_EQ(near.out, "");
  EXPECT_EQ(near.err, "robotrules help: unknown command \"gte\"; did you mean get?\n");
  EXPECT_EQ(run({"help", "zzzzzz"}).err,
            "robotrules help: unknown command \"zzzzzz\"; robotrules --help lists the commands\n");
}

TEST(Help, OfTheProgramNamesEveryCommandThatIsNotHidden) {
  const Ran ran = run({"--help"});
  EXPECT_EQ(ran.status, 0);
  for (const cli::Command& command : cli::commands()) {
    EXPECT_EQ(holds(ran.out, "\n  " + name_of(command) + " "), !command.hidden) << command.name;
  }
  const Ran nothing = run({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, ran.out);
}

TEST(Flags, ALetterMeansTheSameInEveryCommand) {
  std::map<char, std::string_view> names;
  const auto check = [&names](const cli::Command& command) {
    std::map<char, int> uses;
    for (const cli::Flag& flag : command.flags) {
      if (flag.letter == 0) continue;
      EXPECT_EQ(names.emplace(flag.letter, flag.name).first->second, flag.name) << flag.letter << command.name;
      EXPECT_EQ(++uses[flag.letter], 1) << flag.letter << command.name;
    }
  };
  check(cli::program());
  for (const cli::Command& command : cli::commands()) check(command);
}

TEST(Flags, TheStatesOfAQueueAreThoseOfTheLibrary) {
  std::vector<std::string_view> states;
  for (const UrlState state : all_url_states) states.push_back(to_string(state));
  EXPECT_EQ(cli::words_for(cli::Takes::choice, cli::find_flag(*cli::find_command("db"), "state")->placeholder), states);
}

TEST(WrappedCommand, BreaksLinesAtWordsOfTheShell) {
  const struct {
    const char* line;
    const char* wrapped;
  } cases[] = {
      {"robotrules get -i urls.txt --db x", "robotrules get \\\n  -i urls.txt \\\n  --db x"},
      {"printf 'a b c d e f g' | robotrules", "printf \\\n  'a b c d e f g' \\\n  | robotrules"},
      {"robotrules batch < in > out.txt", "robotrules batch \\\n  < in > out.txt"},
      {"robotrules lint", "robotrules lint"},
  };
  for (const auto& [line, wrapped] : cases) EXPECT_EQ(cli::wrapped_command(line, 19, 2), wrapped);
}

TEST(Version, IsTheHeadersOwn) {
  const Ran ran = run({"--version"});
  EXPECT_EQ(ran.status, 0);
  std::ifstream header(test::source_folder() / "include/robotrules/version.hpp");
  const std::string text((std::istreambuf_iterator<char>(header)), {});
  ASSERT_EQ(ran.out.rfind("robotrules ", 0), 0u);
  const std::string version = ran.out.substr(11, ran.out.find('\n') - 11);
  EXPECT_TRUE(holds(text, "ROBOTRULES_VERSION \"" + version + "\"")) << version;
}

TEST(Version, NamesTheLibrariesAndTheFeatures) {
  const std::string version = run({"--version"}).out;
  const std::vector<std::string> lines = lines_of(version);
  ASSERT_GE(lines.size(), 4U);
  EXPECT_LE(lines.size(), 24U);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(lines[1].find("libcurl "), 0u) << lines[1];
  EXPECT_TRUE(holds(lines[1], "SSL/") || holds(lines[1], "TLS/")) << lines[1];
  for (const char* const library : {"SQLite/3.", "OpenSSL/", "zlib/1.", "zstd/1.", "Brotli/1.", "libdeflate/1.",
                                    "Expat/2.", "libpsl/", "toml++/", "CLI11/", "nlohmann-json/"}) {
    EXPECT_TRUE(holds(version, std::string(" ") + library)) << library;
  }
  EXPECT_TRUE(holds(version, "\nFeatures on: ")) << version;
  EXPECT_TRUE(holds(version, "\nFeatures off: ")) << version;
  for (const char* const feature : {"HTTP/2", "IPv6", "IDN", "AVX2"}) EXPECT_TRUE(holds(version, feature)) << feature;
}

TEST(Docs, TheCommandsOfThePagePrintWhatItShows) {
  const std::string root = test::source_folder();
  const std::string command = command_path();
  const Ran ran =
      shell(root + "/tools/check_readme.sh " + root + "/docs/cli.md " + command.substr(0, command.rfind('/')));
  EXPECT_EQ(ran.status, 0) << ran.out;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
