// What is generated from the table of flags: manual pages and completions.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/command.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/flags/flags.hpp"
#include "cli/shell.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string generated(std::vector<std::string> what) {
  what.insert(what.begin(), "generate");
  const Ran ran = run(what);
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  return ran.out;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string in_roff(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '-' ? std::string("\\-") : std::string(1, c);
  return out;
}

// The pages by the commands that they are about, and robotrules(1).
std::vector<std::string> pages() {
  std::vector<std::string> pages{generated({"man"})};
  for (const cli::Command& command : cli::commands()) pages.push_back(generated({"man", std::string(command.name)}));
  return pages;
}

TEST(Man, EveryCommandHasAPage) {
  const std::string overview = generated({"man"});
  EXPECT_EQ(overview.rfind(".TH ROBOTRULES 1 ", 0), 0U);
  EXPECT_LE(lines_of(overview).size(), 120U);
  for (const cli::Command& command : cli::commands()) {
    const std::string name = "robotrules\\-" + std::string(command.name);
    SCOPED_TRACE(name);
    EXPECT_TRUE(holds(overview, name)) << overview;
    const std::string page = generated({"man", std::string(command.name)});
    EXPECT_EQ(page.rfind(".TH ROBOTRULES-", 0), 0U);
    EXPECT_TRUE(holds(page, ".SH NAME\n" + name + " \\- "));
    for (const cli::Flag& flag : command.flags) {
      EXPECT_TRUE(holds(page, "\\fB\\-\\-" + in_roff(flag.name) + "\\fR")) << flag.name;
    }
    for (const cli::Action& action : command.actions) EXPECT_TRUE(holds(page, "\n\\fB" + std::string(action.name)));
    for (const char* const part : {".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n", ".SH EXIT STATUS\n",
                                   ".SH ENVIRONMENT\n", "NO_COLOR", ".SH EXAMPLES\n", ".SH SEE ALSO\n"}) {
      EXPECT_TRUE(holds(page, part)) << part;
    }
  }
}

// Returns true if the page contains this name of a variable, and not only as the beginning of a longer one.
bool names_variable(const std::string& page, const std::string& name) {
  for (std::size_t at = page.find(name); at != std::string::npos; at = page.find(name, at + 1)) {
    const char next = at + name.size() < page.size() ? page[at + name.size()] : ' ';
    if (next != '_' && (next < 'A' || next > 'Z')) return true;
  }
  return false;
}

TEST(Man, TellsOfVariablesAndOfTheOptionsFileWhereTheyHold) {
  for (const cli::Command& command : cli::commands()) {
    const std::string page = generated({"man", std::string(command.name)});
    const bool takes = cli::takes_settings(command);
    EXPECT_EQ(holds(page, ".SH FILES\n"), takes) << command.name;
    EXPECT_EQ(holds(page, "\n[" + std::string(command.name) + "]\n"), takes) << command.name;
    for (const cli::Flag& flag : command.flags) {
      const bool is_told = takes && !flag.is_typed_only;
      EXPECT_EQ(names_variable(page, cli::variable_of(flag)), is_told) << command.name << " " << flag.name;
    }
  }
  const std::string overview = generated({"man"});
  for (const char* const part : {".SH ENVIRONMENT", "ROBOTRULES_CONFIG", ".SH FILES"}) {
    EXPECT_TRUE(holds(overview, part)) << part;
  }
}

TEST(Man, PagesHaveNoWarningsAndFit80Columns) {
  if (!installed("groff") && !installed("mandoc")) GTEST_SKIP() << "neither groff nor mandoc is installed";
  const TemporaryFolder folder;
  for (const std::string& text : pages()) {
    const std::string page = folder.file("page.1", text);
    if (installed("groff")) {
      const Ran ran = shell("groff -man -Tutf8 -ww -z " + page);
      EXPECT_EQ(ran.status, 0);
      EXPECT_EQ(ran.out, "");
      for (const std::string& line : lines_of(shell("groff -man -Tascii -P-cbou -rLL=78n " + page).out)) {
        EXPECT_LE(line.size(), 80U) << line;
      }
    }
    if (installed("mandoc")) {
      // The page has no date, so that the same source always makes the same page.
      EXPECT_EQ(shell("mandoc -T lint -W warning " + page + " | grep -v 'missing date'").out, "");
    }
  }
}

TEST(Man, TheBuildMakesThePageOfEveryCommand) {
  std::string names;
  for (const cli::Command& command : cli::commands()) names.append(" ").append(command.name);
  const std::string build = contents((test::source_folder() / "cli/CMakeLists.txt").string());
  EXPECT_TRUE(holds(build, "set(ROBOTRULES_COMMANDS" + names + ")")) << names;
}

TEST(Completions, HaveEveryFlagOfTheTable) {
  const std::string bash = generated({"bash"});
  const std::string zsh = generated({"zsh"});
  const std::string fish = generated({"fish"});
  for (const cli::Command& command : cli::commands()) {
    EXPECT_TRUE(holds(bash, "    " + std::string(command.name) + ")\n")) << command.name;
    EXPECT_TRUE(holds(zsh, "    " + std::string(command.name) + ")\n")) << command.name;
    for (const cli::Flag& flag : command.flags) {
      const std::string name(flag.name);
      const bool is_switch = flag.takes == cli::Takes::nothing;
      const std::string sign = is_switch ? "[" : cli::value_is_optional(flag) ? "=-[" : "=[";
      EXPECT_TRUE(holds(bash, "--" + name)) << name;
      EXPECT_TRUE(holds(zsh, "'--" + name + sign)) << name;
      const std::string letter = flag.letter == 0 ? "" : " -s " + std::string(1, flag.letter);
      EXPECT_TRUE(
          holds(fish, "__fish_seen_subcommand_from " + std::string(command.name) + "'" + letter + " -l " + name + " "))
          << name;
    }
  }
}

TEST(Completions, AreValidScripts) {
  const TemporaryFolder folder;
  int shells = 0;
  for (const std::string name : {"bash", "zsh", "fish"}) {
    if (!installed(name)) continue;
    ++shells;
    const Ran ran = shell(name + " -n " + folder.file(name, generated({name})));
    EXPECT_EQ(ran.status, 0) << name;
    EXPECT_EQ(ran.out, "") << name;
  }
  if (shells == 0) GTEST_SKIP() << "no shell is installed";
}

struct Completion {
  const char* name;
  std::string words;  // of the command line, the last one unfinished; bash makes three words of --flag=value
  std::vector<std::string> offered;
};

class BashCompletes : public ::testing::TestWithParam<Completion> {};

TEST_P(BashCompletes, AsTheTableSays) {
  if (!installed("bash")) GTEST_SKIP() << "bash is not installed";
  const TemporaryFolder folder;
  folder.file("robots.txt", "");
  const std::string script = folder.file("script", generated({"bash"}) + "\ncompopt() { :; }\ncd " + folder.path() +
                                                       "\nCOMP_WORDS=(" + GetParam().words +
                                                       ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_robotrules\n"
                                                       "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  EXPECT_EQ(lines_of(shell("bash " + script).out), GetParam().offered);
}

INSTANTIATE_TEST_SUITE_P(
    Table, BashCompletes,
    ::testing::Values(
        Completion{"commands", "robotrules s", {"show"}}, Completion{"flags", "robotrules check --exp", {"--explain"}},
        Completion{"values", "robotrules check --dialect goo", {"google"}},
        Completion{"values_after_equals", "robotrules check --dialect = goo", {"google"}},
        Completion{"values_in_one_word", "robotrules check --dialect=goo", {"--dialect=google"}},
        Completion{"all_values", "robotrules get --pace-by =", {"host", "domain", "address"}},
        Completion{"all_dialects", "robotrules check --dialect al", {"all"}},
        Completion{"not_all_dialects", "robotrules diff --dialect al", {""}},
        Completion{"policies", "robotrules get -P str", {"strict"}},
        Completion{"letters", "robotrules batch -D goo", {"google"}},
        Completion{"choices", "robotrules get --pace-by d", {"domain"}},
        Completion{"formats", "robotrules lint --format s", {"sarif"}},
        Completion{"severities", "robotrules lint --fail-on = w", {"warning"}},
        Completion{"codes", "robotrules lint --only split-g", {"split-group"}},
        Completion{"second_code", "robotrules lint --ignore star-at-end,split-g", {"star-at-end,split-group"}},
        Completion{"optional_codes", "robotrules lint --fix = split-g", {"split-group"}},
        Completion{"no_codes_as_next_word", "robotrules lint --fix rob", {"robots.txt"}},
        Completion{"kinds", "robotrules agents --kind trai", {"training"}},
        Completion{"second_kind", "robotrules agents --kind search,trai", {"search,training"}},
        Completion{"explained_code", "robotrules lint --explain split-g", {"split-group"}},
        Completion{"files", "robotrules lint rob", {"robots.txt"}},
        Completion{"second_file", "robotrules diff x rob", {"robots.txt"}},
        Completion{"file_after_values", "robotrules diff --agent x --dialect = google x rob", {"robots.txt"}},
        Completion{"database", "robotrules db rob", {"robots.txt"}},
        Completion{"actions", "robotrules db x e", {"export"}},
        Completion{"actions_after_a_flag", "robotrules db --job mine x --json im", {"import"}},
        Completion{"actions_after_a_colon", "robotrules db sqlite : x im", {"import"}},
        Completion{"imported_file", "robotrules db x import rob", {"robots.txt"}},
        Completion{"no_file", "robotrules db x show rob", {""}},
        Completion{"queue_actions", "robotrules db x queue \"\"", {"ls", "export", "rm"}},
        Completion{"states", "robotrules db x queue ls --state f", {"failed"}},
        Completion{"help", "robotrules help li", {"lint"}}, Completion{"shells", "robotrules generate z", {"zsh"}},
        Completion{"page", "robotrules generate man li", {"lint"}}),
    [](const auto& info) { return info.param.name; });

// What is typed, with tabs, and the words that the command then receives.
struct Typed {
  const char* keys;
  const char* received;
};
constexpr Typed typed[] = {
    {"robotrules check --dialect=goo\t /x", "<check><--dialect=google></x>"},
    {"robotrules check -D goo\t /x", "<check><-D><google></x>"},
    {"robotrules db rob\tqu\texp\t--state=fa\t", "<db><robots.txt><queue><export><--state=failed>"},
    {"robotrules lint --only=star-at-end,split-g\t rob\t", "<lint><--only=star-at-end,split-group><robots.txt>"},
    {"robotrules lint --fix=split-g\t", "<lint><--fix=split-group>"},
    {"robotrules hel\tget\t", "<help><get>"},
    {"robotrules generate ma\tche\t", "<generate><man><check>"},
};

// Types into an interactive shell on a terminal. `setup` is a line that loads the completions from the file "script".
std::vector<std::string> received(const std::string& shell_line, const std::string& script, const std::string& setup) {
  const TemporaryFolder folder;
  folder.file("robots.txt", "");
  folder.file("script", script);
  std::string keys = setup + "; robotrules() { printf '<%s>' \"$@\" >> received; echo >> received; }\n";
  for (const Typed& line : typed) keys.append(line.keys).append("\n");
  folder.file("keys", keys + "exit\n");
  shell("cd " + folder.path() + " && HOME=$PWD TERM=xterm timeout 60 script -qec '" + shell_line +
        "' /dev/null < keys");
  return lines_of(contents(folder.path() + "/received"));
}

std::vector<std::string> expected() {
  std::vector<std::string> lines;
  for (const Typed& line : typed) lines.emplace_back(line.received);
  return lines;
}

TEST(Completions, WorkInBash) {
  if (!installed("bash") || !installed("script")) GTEST_SKIP() << "bash or script is not installed";
  EXPECT_EQ(received("bash --norc --noprofile -i", generated({"bash"}), "source ./script"), expected());
}

TEST(Completions, WorkInZsh) {
  if (!installed("zsh") || !installed("script")) GTEST_SKIP() << "zsh or script is not installed";
  const std::string setup =
      "PS1=; autoload -Uz compinit; compinit -u -d ./dump; mv script _robotrules; fpath=($PWD $fpath)"
      "; autoload -Uz _robotrules; compdef _robotrules robotrules";
  EXPECT_EQ(received("zsh -f -i", generated({"zsh"}), setup), expected());
}

TEST(Completions, WorkInFish) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  const TemporaryFolder folder;
  folder.file("robots.txt", "");
  folder.file("script", generated({"fish"}));
  const std::pair<const char*, const char*> cases[] = {
      {"robotrules check --dialect=goo", "--dialect=google"},
      {"robotrules check -D goo", "google"},
      {"robotrules d", "db diff"},
      {"robotrules db x pr", "prune"},
      {"robotrules db --job a x queue ", "export ls rm"},
      {"robotrules db x import rob", "robots.txt"},
      {"robotrules lint --only star-at-end,split-g", "star-at-end,split-group"},
      {"robotrules lint --fix=split-g", "--fix=split-group"},
      {"robotrules help li", "lint"},
      {"robotrules generate man li", "lint"},
      {"robotrules diff x rob", "robots.txt"},
  };
  for (const auto& [line, offered] : cases) {
    const Ran ran = shell("cd " + folder.path() + " && HOME=$PWD fish --no-config -c 'source script; complete -C \"" +
                          line + "\"' | cut -f 1 | xargs echo");
    EXPECT_EQ(ran.out, std::string(offered) + "\n") << line;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
