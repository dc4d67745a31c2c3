// Colours: when they are used, and that they change nothing else.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/get_rig.hpp"
#include "cli/io/colours.hpp"
#include "cli/terminal.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using cli::Paint;
using cli::Style;

bool has_colours(std::string_view text) { return text.find('\x1b') != std::string_view::npos; }

std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      plain += text[i];
    } else {
      i = text.find('m', i);
    }
  }
  return plain;
}

// Variables of the environment that decide about colours.
class ColourVariables : public ::testing::Test {
 protected:
  ColourVariables() { clear(); }
  ~ColourVariables() override { clear(); }
  static void clear() {
    for (const char* name : {"NO_COLOR", "CLICOLOR_FORCE", "ROBOTRULES_COLOR"}) ::unsetenv(name);
  }
  TemporaryFolder folder_;
  std::string file_ = folder_.file("robots.txt", "User-agent: *\nDisallow: /x\n");
};

using Variables = std::vector<std::pair<const char*, const char*>>;

struct WhenCase {
  const char* name;
  Variables variables;
  std::vector<std::string> words;
  const char* term = "xterm";
  bool on_terminal = false;
  bool in_pipe = false;
};

class ColoursAreUsed : public ColourVariables, public ::testing::WithParamInterface<WhenCase> {};

TEST_P(ColoursAreUsed, IfTheFlagTheVariablesAndTheStreamSaySo) {
  const WhenCase& when = GetParam();
  for (const auto& [name, value] : when.variables) ::setenv(name, value, 1);
  std::vector<std::string> words{"check", "--robots", file_, "/y"};
  words.insert(words.begin() + 1, when.words.begin(), when.words.end());
  const OnTerminal shown = run_on_terminal(words, 80, 24, [](const Screen&) { return ""; }, true, nullptr, when.term);
  EXPECT_EQ(has_colours(shown.written), when.on_terminal) << shown.written;
  EXPECT_EQ(shown.status, 0);
  const Ran piped = run(words);
  EXPECT_EQ(has_colours(piped.out), when.in_pipe) << piped.out;
  EXPECT_EQ(without_colours(piped.out), "allowed\t/y\n");
}

INSTANTIATE_TEST_SUITE_P(
    Table, ColoursAreUsed,
    ::testing::Values(
        WhenCase{"by_default", {}, {}, "xterm", true, false},
        WhenCase{"no_color", {{"NO_COLOR", "1"}}, {}, "xterm", false, false},
        WhenCase{"empty_no_color", {{"NO_COLOR", ""}}, {}, "xterm", true, false},
        WhenCase{"dumb_terminal", {}, {}, "dumb", false, false}, WhenCase{"unknown_terminal", {}, {}, "", false, false},
        WhenCase{"forced", {{"CLICOLOR_FORCE", "1"}}, {}, "xterm", true, true},
        WhenCase{"not_forced", {{"CLICOLOR_FORCE", "0"}}, {}, "xterm", true, false},
        WhenCase{"forced_and_no_color", {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}, {}, "xterm", false, false},
        WhenCase{"always", {{"NO_COLOR", "1"}}, {"--color=always"}, "dumb", true, true},
        WhenCase{"never", {{"CLICOLOR_FORCE", "1"}}, {"--color", "never"}, "xterm", false, false},
        WhenCase{"auto_flag", {}, {"--color=auto"}, "xterm", true, false},
        WhenCase{"variable", {{"ROBOTRULES_COLOR", "always"}, {"NO_COLOR", "1"}}, {}, "xterm", true, true},
        WhenCase{"flag_and_variable", {{"ROBOTRULES_COLOR", "always"}}, {"--color=never"}, "xterm", false, false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(ColourVariables, AWrongValueIsAnErrorOfEveryCommand) {
  for (const std::string command : {"check", "batch", "show", "diff", "agents", "lint", "db", "get"}) {
    const Ran ran = run({command, "--color=sometimes", "a", "b"});
    EXPECT_EQ(ran.status, 2) << command;
    if (command == "batch" || command == "show" || command == "agents") continue;  // too many operands
    EXPECT_NE(ran.err.find("--color does not accept \"sometimes\"; give auto, always or never\n"), std::string::npos)
        << ran.err;
  }
}

// A pseudo terminal; what is written to it stays in its buffer.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    char name[128];
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0 ||
        ::ptsname_r(master_, name, sizeof name) != 0) {
      throw std::runtime_error("no terminal");
    }
    number_ = ::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  ~Terminal() {
    ::close(number_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  int number() const { return number_; }
  std::string written() const {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(master_, buffer.data(), buffer.size());
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }

 private:
  int master_;
  int number_ = -1;
};

TEST_F(ColourVariables, StandardOutputAndStandardErrorAreJudgedApart) {
  ::setenv("TERM", "xterm", 1);
  const std::vector<std::string> words{"lint", folder_.file("faulty.txt", "User-agent: *\nDisallow: x\n")};
  const Terminal messages;
  const Ran piped = run_with({.err = messages.number()}, words);
  EXPECT_NE(piped.out.find("error: "), std::string::npos);
  EXPECT_FALSE(has_colours(piped.out)) << piped.out;
  EXPECT_TRUE(messages.written().starts_with("\x1b[1mrobotrules lint:\x1b[0m 1 file: \x1b[31m1 error\x1b[0m"));
  const Terminal results;
  const Ran shown = run_with({.out = results.number()}, words);
  EXPECT_NE(results.written().find("\x1b[31merror\x1b[0m: "), std::string::npos);
  EXPECT_TRUE(shown.err.starts_with("robotrules lint: 1 file: 1 error")) << shown.err;
}

struct Printed {
  const char* name;
  std::vector<std::string> words;  // "A" and "B" are files
  std::string out;                 // part of standard output with colours; empty: it has none
  std::string err = {};
};

class ColoursOf : public ColourVariables, public ::testing::WithParamInterface<Printed> {};

TEST_P(ColoursOf, ACommandChangeNothingElse) {
  std::vector<std::string> words = GetParam().words;
  for (std::string& word : words) {
    if (word == "A") {
      word = folder_.file("a.txt", "User-agent: *\nDisallow: /x\nDisallow: y/z\nSitemap: https://a.test/s.xml\n");
    }
    if (word == "B") word = folder_.file("b.txt", "User-agent: *\nDisallow: /z\n\nUser-agent: FooBot\nAllow: /\n");
  }
  const Ran plain = run(words);
  words.push_back("--color=always");
  const Ran coloured = run(words);
  EXPECT_EQ(coloured.status, plain.status);
  EXPECT_EQ(without_colours(coloured.out), plain.out);
  EXPECT_EQ(without_colours(coloured.err), plain.err);
  EXPECT_FALSE(has_colours(plain.out + plain.err));
  if (GetParam().out.empty()) {
    EXPECT_FALSE(has_colours(coloured.out)) << coloured.out;
  } else {
    EXPECT_NE(coloured.out.find(GetParam().out), std::string::npos) << coloured.out;
  }
  EXPECT_NE(coloured.err.find(GetParam().err), std::string::npos) << coloured.err;
  EXPECT_NE(plain.out + plain.err, "");
}

INSTANTIATE_TEST_SUITE_P(
    Table, ColoursOf,
    ::testing::Values(
        Printed{"allowed", {"check", "-r", "A", "/a"}, "\x1b[32mallowed\x1b[0m\t/a\n"},
        Printed{"disallowed", {"check", "-r", "A", "/x"}, "\x1b[31mdisallowed\x1b[0m\t/x\n"},
        Printed{"explained", {"check", "-r", "A", "-e", "/x"}, ": \x1b[31mDisallow: /x\x1b[0m\n"},
        Printed{"all_dialects", {"check", "-r", "A", "-D", "all", "/y/z"}, "\x1b[35mdiffers\x1b[0m\t/y/z\n"},
        Printed{"check_note",
                {"check", "-r", "A", "-a", "Googlebot-News", "/a"},
                "\x1b[32mallowed\x1b[0m",
                "\x1b[1mrobotrules check:\x1b[0m \x1b[36mnote:\x1b[0m Googlebot-News obeys"},
        Printed{"check_json", {"check", "-r", "A", "--json", "/x"}, ""},
        Printed{"an_error", {"check", "-r", "/nowhere/x", "/"}, "", "\x1b[31mrobotrules check:\x1b[0m /nowhere/x: "},
        Printed{"show", {"show", "A"}, "\x1b[2m     2\x1b[0m  \x1b[31mDisallow:\x1b[0m /x\n"},
        Printed{"show_dialects", {"show", "--dialects", "A"}, "\x1b[1mrfc9309\x1b[0m  "},
        Printed{"show_json", {"show", "--json", "A"}, ""},
        Printed{"diff_removed", {"diff", "A", "B"}, "    \x1b[31m- A line 2: Disallow: /x\x1b[0m\n"},
        Printed{"diff_added", {"diff", "A", "B"}, "    \x1b[32m+ B line 2: Disallow: /z\x1b[0m\n"},
        Printed{"diff_sitemap", {"diff", "A", "B"}, "\x1b[31m- A line 4: https://a.test/s.xml\x1b[0m\n"},
        Printed{"diff_heading", {"diff", "A", "B"}, "\x1b[1mevery other robot (*)\x1b[0m\n"},
        Printed{"diff_json", {"diff", "--json", "A", "B"}, ""},
        Printed{"agents", {"agents", "B"}, "\x1b[35mpartly\x1b[0m"},
        Printed{"agents_page", {"agents", "--url", "/z", "B"}, "\x1b[31mdisallowed\x1b[0m"},
        Printed{"agents_json", {"agents", "--json", "B"}, ""},
        Printed{"lint",
                {"lint", "A"},
                ":3:11:\x1b[0m \x1b[31merror\x1b[0m: ",
                "\x1b[31m1 error\x1b[0m, 0 warnings, 0 notes"},
        Printed{"lint_remedy", {"lint", "A"}, "[path-without-slash]\x1b[0m\n    Write "},
        Printed{"lint_fix", {"lint", "--fix=path-without-slash", "A"}, "\x1b[31m-Disallow: y/z\x1b[0m\n\x1b[32m+Dis"},
        Printed{"lint_json", {"lint", "--json", "A"}, ""},
        Printed{"lint_sarif", {"lint", "--format", "sarif", "A"}, ""},
        Printed{"lint_github", {"lint", "--format", "github", "A"}, ""}),
    [](const auto& info) { return std::string(info.param.name); });

class ColoursOfGet : public GetRig {};

TEST_F(ColoursOfGet, TheSummaryHasColours) {
  page("/page", reply("a page"));
  page("/gone", status(404));
  const Ran ran = run(line({url("/page"), url("/gone"), "-o", in_folder("o.ndjson"), "--color=always"}));
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("\x1b[32mfetched\x1b[0m               1   "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("\x1b[31mfailed\x1b[0m                1   "), std::string::npos) << ran.err;
}

TEST(Colours, OfADiffAreThoseOfItsLines) {
  const std::string diff = "--- a\n+++ a\n@@ -1,2 +1,2 @@\n same\n---b\n+++b";
  EXPECT_EQ(cli::painted_diff(Paint(true), diff),
            "\x1b[1m--- a\x1b[0m\n\x1b[1m+++ a\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n same\n\x1b[31m---b\x1b[0m\n"
            "\x1b[32m+++b\x1b[0m");
  EXPECT_EQ(cli::painted_diff(Paint(), diff), diff);
}

TEST(Colours, TakeNoColumns) {
  const Paint paint(true);
  EXPECT_EQ(paint(Style::good, ""), "");
  EXPECT_EQ(cli::plain_size(paint(Style::good, "abc") + "d" + paint(Style::aside, "ef")), 6U);
  EXPECT_EQ(cli::plain_size("abc"), 3U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
