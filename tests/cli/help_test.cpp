// What is made from the table of flags: help, the manual page, completions.
#include <sys/wait.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cli/command.hpp"
#include "cli/flags/flags.hpp"
#include "support/test_data.hpp"

namespace robotrules::test {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Output of a shell command with its status; standard error goes along.
Ran shell(const std::string& line) {
  Ran ran;
  FILE* pipe = ::popen((line + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) ran.out.append(buffer, got);
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return ran;
}

bool installed(const std::string& program) { return shell("command -v " + program).status == 0; }

std::string generated(const std::string& what) {
  const Ran ran = run({"generate", what});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

TEST(Help, OfEveryCommandHasEveryFlagTheExamplesAndTheExitStatuses) {
  for (const cli::Command& command : cli::commands()) {
    SCOPED_TRACE(std::string(command.name));
    const Ran ran = run({std::string(command.name), "--help"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_EQ(run({std::string(command.name), "-h"}).out, ran.out);
    for (const cli::Flag& flag : command.flags) EXPECT_TRUE(holds(ran.out, "--" + std::string(flag.name))) << flag.name;
    for (const cli::Operand& operand : command.operands) EXPECT_TRUE(holds(ran.out, operand.name)) << operand.name;
    ASSERT_FALSE(command.examples.empty());
    for (const cli::Example& example : command.examples) EXPECT_TRUE(holds(ran.out, example.line)) << example.line;
    EXPECT_TRUE(holds(ran.out, "\nExit status:\n"));
    for (const cli::Status& status : command.statuses)
      EXPECT_TRUE(holds(ran.out, "  " + std::to_string(status.number)));
  }
}

TEST(Help, LinesAreAtMost80ColumnsWideButForExamples) {
  for (const cli::Command& command : cli::commands()) {
    for (const std::string& line : lines_of(run({std::string(command.name), "--help"}).out)) {
      const bool example = line.rfind("  robotrules ", 0) == 0 || holds(line, "| robotrules");
      EXPECT_TRUE(example || line.size() <= 80) << line;
    }
  }
}

TEST(Help, OfTheProgramNamesEveryCommandThatIsNotHidden) {
  const Ran ran = run({"--help"});
  EXPECT_EQ(ran.status, 0);
  for (const cli::Command& command : cli::commands()) {
    EXPECT_EQ(holds(ran.out, "\n  " + std::string(command.name) + " "), !command.hidden) << command.name;
  }
  const Ran nothing = run({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_EQ(nothing.out, "");
  EXPECT_EQ(nothing.err, ran.out);
}

TEST(Help, VersionIsTheHeadersOwn) {
  const Ran ran = run({"--version"});
  EXPECT_EQ(ran.status, 0);
  std::ifstream header(test::source_folder() / "include/robotrules/version.hpp");
  std::string text((std::istreambuf_iterator<char>(header)), {});
  ASSERT_EQ(ran.out.rfind("robotrules ", 0), 0u);
  const std::string version = ran.out.substr(11, ran.out.find('\n') - 11);
  EXPECT_TRUE(holds(text, "ROBOTRULES_VERSION \"" + version + "\"")) << version;
}

TEST(Help, VersionNamesTheLibcurlThatIsLoaded) {
  const std::vector<std::string> lines = lines_of(run({"--version"}).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].find("libcurl "), 0u) << lines[1];
  EXPECT_TRUE(holds(lines[1], "SSL/") || holds(lines[1], "TLS/")) << lines[1];
}

TEST(Help, AWrongCommandIsAUsageErrorWithASuggestion) {
  const Ran ran = run({"lnit", "x"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(holds(ran.err, "did you mean lint?")) << ran.err;
  EXPECT_EQ(run({"--versoin"}).status, 2);
}

TEST(Generate, TheManualPageTellsOfVariablesAndOfTheOptionFile) {
  const std::string man = generated("man");
  for (const char* part : {".SH ENVIRONMENT", "ROBOTRULES_MAX_SIZE", "ROBOTRULES_CONFIG", ".SH FILES", "[get]\n"}) {
    EXPECT_TRUE(holds(man, part)) << part;
  }
}

TEST(Generate, HoldsEveryFlagOfTheTable) {
  const std::string man = generated("man");
  const std::string bash = generated("bash");
  const std::string zsh = generated("zsh");
  const std::string fish = generated("fish");
  for (const cli::Command& command : cli::commands()) {
    EXPECT_TRUE(holds(man, ".SS robotrules " + std::string(command.name))) << command.name;
    EXPECT_TRUE(holds(bash, "    " + std::string(command.name) + ")\n")) << command.name;
    EXPECT_TRUE(holds(zsh, "    " + std::string(command.name) + ")\n")) << command.name;
    for (const cli::Flag& flag : command.flags) {
      const std::string name(flag.name);
      std::string in_roff;
      for (const char c : name) in_roff += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_TRUE(holds(man, "\\fB\\-\\-" + in_roff + "\\fR")) << name;
      EXPECT_TRUE(holds(bash, "--" + name)) << name;
      EXPECT_TRUE(holds(zsh, "'--" + name + "[")) << name;
      const std::string letter = flag.letter == 0 ? "" : " -s " + std::string(1, flag.letter);
      EXPECT_TRUE(
          holds(fish, "__fish_seen_subcommand_from " + std::string(command.name) + "'" + letter + " -l " + name + " "))
          << name;
    }
  }
}

TEST(Generate, AnythingElseIsAUsageError) {
  const Ran ran = run({"generate", "tcsh"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(holds(ran.err, "use one of man bash zsh fish")) << ran.err;
}

TEST(Generate, TheManualPageHasNoWarnings) {
  TemporaryFolder folder;
  const std::string page = folder.file("robotrules.1", generated("man"));
  if (!installed("groff") && !installed("mandoc")) GTEST_SKIP() << "neither groff nor mandoc is installed";
  if (installed("groff")) {
    const Ran ran = shell("groff -man -Tutf8 -ww -z " + page);
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(holds(shell("groff -man -Tascii " + page).out, "robotrules check"));
  }
  if (installed("mandoc")) {
    // The page has no date, so that the same source always makes the same page.
    EXPECT_EQ(shell("mandoc -T lint -W warning " + page + " | grep -v 'missing date'").out, "");
  }
}

TEST(Generate, ShellsCanReadTheirCompletions) {
  TemporaryFolder folder;
  int shells = 0;
  for (const std::string name : {"bash", "zsh", "fish"}) {
    if (!installed(name)) continue;
    ++shells;
    const Ran ran = shell(name + " -n " + folder.file(name, generated(name)));
    EXPECT_EQ(ran.status, 0) << name;
    EXPECT_EQ(ran.out, "") << name;
  }
  if (shells == 0) GTEST_SKIP() << "no shell is installed";
}

struct Completion {
  const char* name;
  std::string words;  // of the command line, the last one unfinished
  std::vector<std::string> offered;
};

class BashCompletes : public ::testing::TestWithParam<Completion> {};

TEST_P(BashCompletes, AsTheTableSays) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  TemporaryFolder folder;
  folder.file("robots.txt", "");
  const std::string script = folder.file("script", generated("bash") + "\ncompopt() { :; }\ncd " + folder.path() +
                                                       "\nCOMP_WORDS=(" + GetParam().words +
                                                       ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_robotrules\n"
                                                       "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  EXPECT_EQ(lines_of(shell("bash " + script).out), GetParam().offered);
}

INSTANTIATE_TEST_SUITE_P(Table, BashCompletes,
                         ::testing::Values(Completion{"commands", "robotrules s", {"show"}},
                                           Completion{"flags", "robotrules check --exp", {"--explain"}},
                                           Completion{"values", "robotrules check --dialect goo", {"google"}},
                                           Completion{"all_dialects", "robotrules check --dialect al", {"all"}},
                                           Completion{"not_all_dialects", "robotrules diff --dialect al", {""}},
                                           Completion{"second_file", "robotrules diff x rob", {"robots.txt"}},
                                           Completion{"letters", "robotrules batch -D goo", {"google"}},
                                           Completion{"choices", "robotrules get --pace-by d", {"domain"}},
                                           Completion{"files", "robotrules lint rob", {"robots.txt"}},
                                           Completion{"shells", "robotrules generate z", {"zsh"}}),
                         [](const auto& info) { return info.param.name; });

TEST(Docs, TheCommandsOfThePagePrintWhatItShows) {
  const std::string root = test::source_folder();
  const std::string command = command_path();
  const Ran ran =
      shell(root + "/tools/check_readme.sh " + root + "/docs/cli.md " + command.substr(0, command.rfind('/')));
  EXPECT_EQ(ran.status, 0) << ran.out;
}

}  // namespace
}  // namespace robotrules::test
