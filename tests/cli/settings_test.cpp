// Options from the command line, from ROBOTRULES_* variables and from a TOML file.
#include <cstdlib>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/flags/flag_settings.hpp"
#include "cli/flags/given.hpp"
#include "cli/get/job.hpp"
#include "support/folder.hpp"
#include "support/test_data.hpp"

namespace robotrules::cli {
namespace {

class Settings : public ::testing::Test {
 protected:
  ~Settings() override {
    for (const char* name : {"ROBOTRULES_DELAY", "ROBOTRULES_QUIET", "ROBOTRULES_INPUT", "ROBOTRULES_CONFIG",
                             "ROBOTRULES_DIALECT", "ROBOTRULES_ALLOW_PORT", "ROBOTRULES_AGENT", "ROBOTRULES_FAIL_ON",
                             "ROBOTRULES_STRICT", "ROBOTRULES_POLICY", "ROBOTRULES_JSON", "ROBOTRULES_EXPLAIN",
                             "ROBOTRULES_WRITE", "ROBOTRULES_ONLY", "ROBOTRULES_OBEY_PAGE", "ROBOTRULES_TIMEOT"}) {
      ::unsetenv(name);
    }
  }
  static Parsed parsed(const std::vector<std::string>& words, std::string_view command = "get") {
    return parse(*find_command(command), words);
  }
  std::string file(const std::string& text) {
    const std::string path = test::new_folder() + "/get.toml";
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(Settings, AFileSaysWhatTheCommandLineLeavesOut) {
  const Parsed read =
      parsed({"--config",
              file("# a crawl\n[get]\ndelay = \"2500ms\"\ntimeout = 1.5\nconcurrency = 10\nquiet = true\n"
                   "allow-address = [\n  \"127.0.0.0/8\", # loopback\n  \"10.0.0.0/8\",\n]\n"
                   "allow-port = [25, 26]\nmax-size = \"1M\"\nmemory = 1_000_000\ninput = \"a,b\"\n"),
              "--concurrency", "20", "http://a.test/"});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.given.text("delay"), "2500ms");
  EXPECT_EQ(read.given.text("timeout"), "1.5");
  EXPECT_EQ(read.given.text("concurrency"), "20");
  EXPECT_TRUE(read.given.has("quiet"));
  EXPECT_EQ(read.given.all("allow-address"), (std::vector<std::string>{"127.0.0.0/8", "10.0.0.0/8"}));
  EXPECT_EQ(read.given.all("allow-port"), (std::vector<std::string>{"25", "26"}));
  EXPECT_EQ(read.given.text("max-size"), "1M");
  EXPECT_EQ(read.given.text("memory"), "1000000");
  EXPECT_EQ(read.given.all("input"), std::vector<std::string>{"a,b"});
  EXPECT_EQ(read.given.operands, std::vector<std::string>{"http://a.test/"});
}

TEST_F(Settings, TheFileInTheDocumentationIsThatOfANightlyCrawl) {
  std::ifstream page(test::source_folder() / "docs/operations.md");
  std::string text;
  for (std::string line; std::getline(page, line);) {
    if (line == "    [get]" || (!text.empty() && line.starts_with("    "))) text += line + "\n";
    if (!text.empty() && line.empty()) break;
  }
  const Parsed read = parsed({"--config", file(text)});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.given.text("job"), "news");
  EXPECT_TRUE(read.given.has("revisit") && read.given.has("retry") && read.given.has("quiet"));
}

TEST_F(Settings, VariablesGoBeforeTheFileAndFlagsBeforeBoth) {
  ::setenv("ROBOTRULES_DELAY", "7", 1);
  ::setenv("ROBOTRULES_QUIET", "false", 1);
  ::setenv("ROBOTRULES_INPUT", "a,b", 1);
  ::setenv("ROBOTRULES_CONFIG", file("[get]\ndelay = 8\ninput = [\"c\"]\nrate = 3\n").c_str(), 1);
  const Parsed read = parsed({});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.given.text("delay"), "7");
  EXPECT_FALSE(read.given.has("quiet"));
  EXPECT_EQ(read.given.all("input"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read.given.text("rate"), "3");
  EXPECT_EQ(parsed({"--delay", "9"}).given.text("delay"), "9");
}

TEST_F(Settings, TablesOfOtherCommandsAreLeftAlone) {
  const Parsed read =
      parsed({"--config", file("[check]\nagent = 1\nfuture = true\n[get]\ndelay = 2\n[db.x]\ny = 1\n")});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.given.text("delay"), "2");
  EXPECT_EQ(read.given.text("agent"), std::nullopt);
  EXPECT_EQ(parsed({"--config", file("")}).error, "");
}

TEST_F(Settings, AnErrorInAFileNamesItsPlaceAndSaysWhatToDo) {
  struct Case {
    const char* text;
    const char* error;  // after "get.toml:"
  } const cases[] = {
      {"[get]\ndealy = 1\n", "2:1: \"dealy\" is not an option of robotrules get; did you mean delay?"},
      {"[get]\nxyzzyx = 1\n",
       "2:1: \"xyzzyx\" is not an option of robotrules get; robotrules get --help-all lists them"},
      {"[get]\nhelp = true\n", "2:1: \"help\" cannot be set in a file; give it on the command line"},
      {"[get]\nconfig = \"a.toml\"\n", "2:1: \"config\" is not an option of robotrules get;"},
      {"dealy = 1\n", "1:1: \"dealy\" is not an option of robotrules; did you mean delay?"},
      {"xyzzyx = 1\n", "1:1: \"xyzzyx\" is not an option of robotrules; robotrules COMMAND --help-all lists them"},
      {"delay = true\n", "1:9: delay takes seconds or a string with units"},
      {"older-than = true\n", "1:14: older-than takes seconds or a string with units"},
      {"write = true\n", "1:1: \"write\" cannot be set in a file; give it on the command line"},
      {"check = 1\n", "1:1: \"check\" is not a table; write [check] in a line of its own"},
      {"[[get]]\ndelay = 1\n", "1:3: \"get\" is not a table; write [get] in a line of its own"},
      {"[got]\ndelay = 1\n", "1:2: [got] is not a command of robotrules; did you mean [get]?"},
      {"[settings]\ndelay = 1\n", "1:2: [settings] is not a command of robotrules; the options of get are in [get]"},
      {"[get]\ndelay = [1, 2]\n", "2:9: delay takes one value, not an array"},
      {"[get]\n  delay = true\n",
       "2:11: delay takes seconds or a string with units, such as \"500ms\"; true or false was given"},
      {"[get]\nquiet = \"yes\"\n", "2:9: quiet takes true or false; a string was given"},
      {"[get]\nmax-size = 1.5\n",
       "2:12: max-size takes a number of bytes or a string with a unit, such as \"10MB\"; a fraction was given"},
      {"[get]\nconcurrency = \"10\"\n", "2:15: concurrency takes a whole number; a string was given"},
      {"[get]\nrate = 1979-05-27\n", "2:8: rate takes a number; a date or a time of day was given"},
      {"[get]\ninput = [\"a\", 3]\n", "2:15: input takes a string; a whole number was given"},
      {"[get]\noutput = {}\n", "2:10: output takes a string; a table was given"},
      {"[get]\ndelay = \"soon\"\n", "2:9: delay does not accept \"soon\"; give a time from 0 to 1d, such as"},
      {"[get]\ndelay = 100_000\n", "2:9: delay does not accept \"100000\"; give a time from 0 to 1d, such as"},
      {"[get]\nper-host = 0\n", "2:12: per-host does not accept \"0\"; give a whole number from 1 to 1000"},
      {"[get]\nrate = inf\n", "2:8: rate does not accept \"inf\"; give a number from"},
      {"[get]\ndialect = \"gogle\"\n", "2:11: dialect: unknown dialect \"gogle\"; use one of"},
      {"[get]\npolicy = \"stirct\"\n", "2:10: policy: unknown policy \"stirct\"; use one of"},
      {"[get]\npace-by = \"site\"\n", "2:11: pace-by does not accept \"site\"; give host, domain or address"},
      {"[get]\nuser = 3\n", "2:8: user takes a string; a whole number was given"},
      {"[get]\nallow-port = [\n  25,\n  70000,\n]\n", "4:3: allow-port does not accept \"70000\"; give a whole number"},
      {"[get]\ndelay = 1\ndelay = 2\n", "3:"},
      {"[get]\nthis is no TOML\n", "2:6: the file is not valid TOML ("},
      {"[get]\nagent = \"\xFF\"\n", "2:"},
  };
  for (const Case& one : cases) {
    const std::string path = file(one.text);
    const std::string error = parsed({"--config", path}).error;
    EXPECT_EQ(error.rfind(path + ":" + one.error, 0), 0U) << one.text << error;
  }
  EXPECT_NE(parsed({"--config", "/there/is/none.toml"}).error, "");
}

TEST_F(Settings, AFileIsCheckedAlsoWhereAFlagOverridesIt) {
  EXPECT_NE(parsed({"--delay", "1", "--config", file("[get]\ndelay = \"soon\"\n")}).error, "");
}

TEST_F(Settings, AnErrorInAVariableNamesIt) {
  ::setenv("ROBOTRULES_QUIET", "loud", 1);
  EXPECT_EQ(parsed({}).error, "ROBOTRULES_QUIET: takes true or false, not \"loud\"");
  ::setenv("ROBOTRULES_QUIET", "true", 1);
  ::setenv("ROBOTRULES_DELAY", "1 h", 1);
  EXPECT_EQ(parsed({}).error.rfind("ROBOTRULES_DELAY does not accept \"1 h\"; give a time from 0 to 1d", 0), 0U);
  EXPECT_EQ(parsed({"--delay", "1h"}).error, "");
  ::unsetenv("ROBOTRULES_DELAY");
  ::setenv("ROBOTRULES_DIALECT", "gogle", 1);
  EXPECT_EQ(parsed({}).error.rfind("ROBOTRULES_DIALECT: unknown dialect \"gogle\"", 0), 0U);
  ::unsetenv("ROBOTRULES_DIALECT");
  ::setenv("ROBOTRULES_ALLOW_PORT", "25,http", 1);
  EXPECT_EQ(parsed({}).error.rfind("ROBOTRULES_ALLOW_PORT does not accept \"http\"; give a whole number", 0), 0U);
}

TEST_F(Settings, TheLastOfRepeatedFlagsCounts) {
  const Parsed read =
      parsed({"--delay", "1", "-o", "a", "--delay=2", "http://a.test/", "--output", "b", "--delay", "3"});
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.given.text("delay"), "3");
  EXPECT_EQ(read.given.text("output"), "b");
  EXPECT_EQ(read.given.operands, std::vector<std::string>{"http://a.test/"});
  EXPECT_EQ(parsed({"--allow-port", "25", "--allow-port", "26"}).given.all("allow-port").size(), 2U);
  EXPECT_EQ(parsed({"--delay", "1", "--delay"}).error,
            "--delay needs a value; give a time from 0 to 1d, such as 90 (seconds), 500ms, 2m or 1h");
}

TEST_F(Settings, OneLineTellsOfAWrongCommandLineFileOrVariable) {
  const std::string config = file("[get]\ndealy = 1\n");
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"get", "--config", config},
       config + ":2:1: \"dealy\" is not an option of robotrules get; did you mean delay?\n"},
      {{"get", "--dealy", "1"}, "unknown option --dealy; did you mean --delay?\n"}};
  for (const auto& [words, line] : cases) EXPECT_EQ(test::run(words).err, "robotrules get: " + line);
  ::setenv("ROBOTRULES_DELAY", "soon", 1);
  const std::string said = test::run({"get"}).err;
  EXPECT_TRUE(said.starts_with("robotrules get: ROBOTRULES_DELAY does not accept \"soon\"; ")) << said;
  EXPECT_EQ(test::lines_of(said).size(), 1U) << said;
}

TEST_F(Settings, AMisspeltVariableIsReportedOnce) {
  struct Case {
    const char* variable;
    const char* meant;  // empty: it is not reported
  } const cases[] = {
      {"ROBOTRULES_DELLAY", "ROBOTRULES_DELAY"},
      {"ROBOTRULES_MAXSIZE", "ROBOTRULES_MAX_SIZE"},
      {"ROBOTRULES_delay", "ROBOTRULES_DELAY"},
      {"ROBOTRULES_DELAY", ""},
      {"ROBOTRULES_SERVICE_HOST", ""},
      {"ROBOTRULES_PORT", ""},
      {"ROBOTRULES_VERSION", ""},
  };
  const Command& command = *find_command("get");
  for (const auto& [variable, meant] : cases) {
    ::setenv(variable, "1", 1);
    const std::string sentence = std::string(variable) + " is not an option of get; did you mean " + meant + "?";
    const auto found = find_useless_variables(command);
    EXPECT_EQ(found, *meant == '\0' ? std::vector<std::string>() : std::vector{sentence}) << variable;
    EXPECT_EQ(find_useless_variables(*find_command("check")).size(), 0U);
    if (*meant != '\0') {
      EXPECT_NE(test::run({"get"}).err.find(sentence + "\n"), std::string::npos);
    }
    ::unsetenv(variable);
  }
}

// Every option of every command, as a variable, as a key of its table, and as a key above all tables.
TEST_F(Settings, HoldForEveryCommand) {
  for (const Command& command : commands()) {
    for (const Flag& flag : command.flags) {
      if (flag.takes != Takes::nothing || flag.is_typed_only) continue;
      SCOPED_TRACE(std::string(command.name) + " " + std::string(flag.name));
      const std::string line = std::string(flag.name) + " = true\n";
      const std::vector<std::string> operands(command.operands.empty() ? 0 : command.operands.size(), "x");
      for (const std::string& text : {line, "[" + std::string(command.name) + "]\n" + line}) {
        std::vector<std::string> words{"--config", file(text)};
        words.insert(words.end(), operands.begin(), operands.end());
        const Parsed read = parse(command, words);
        EXPECT_EQ(read.error, "") << text;
        const bool needs_another = std::ranges::any_of(
            needs(), [&](const Need& need) { return need.command == command.name && need.option == flag.name; });
        EXPECT_EQ(read.given.has(flag.name), !needs_another) << text;
      }
      const std::string variable = variable_of(flag);
      ::setenv(variable.c_str(), "true", 1);
      const Parsed read = parse(command, operands);
      EXPECT_EQ(read.error, "") << variable;
      ::unsetenv(variable.c_str());
    }
  }
}

struct Source {
  const char* name;
  const char* command;
  std::string file;
  std::vector<std::pair<const char*, const char*>> variables;
  std::vector<std::string> words;
  std::string error;  // its end; empty: there is none
  std::function<bool(const Given&)> holds = [](const Given&) { return true; };
};

class SettingsOf : public Settings, public ::testing::WithParamInterface<Source> {};

TEST_P(SettingsOf, ACommandAreThoseOfTheNearestSource) {
  const Source& source = GetParam();
  for (const auto& [name, value] : source.variables) ::setenv(name, value, 1);
  std::vector<std::string> words = source.words;
  if (!source.file.empty()) words.insert(words.begin(), {"--config", file(source.file)});
  const Parsed read = parsed(words, source.command);
  if (source.error.empty()) {
    EXPECT_EQ(read.error, "");
    EXPECT_TRUE(source.holds(read.given));
  } else {
    EXPECT_TRUE(read.error.ends_with(source.error)) << read.error;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, SettingsOf,
    ::testing::Values(Source{"table_of_the_command",
                             "lint",
                             "[lint]\nnotes = true\nonly = [\"a\", \"b\"]\n",
                             {},
                             {"x"},
                             "",
                             [](const Given& o) {
                               return o.has("notes") && o.all("only") == std::vector<std::string>{"a", "b"};
                             }},
                      Source{"key_for_all",
                             "check",
                             "dialect = \"google\"\nnotes = true\n[lint]\nall = true\n",
                             {},
                             {"x"},
                             "",
                             [](const Given& o) {
                               return o.text("dialect") == "google" && find_flag(o.command(), "notes") == nullptr &&
                                      find_flag(o.command(), "all") == nullptr;
                             }},
                      Source{"table_before_key_for_all",
                             "check",
                             "dialect = \"google\"\n[check]\ndialect = \"all\"\n",
                             {},
                             {"x"},
                             "",
                             [](const Given& o) { return o.text("dialect") == "all"; }},
                      Source{"variable_before_file",
                             "check",
                             "dialect = \"google\"\n",
                             {{"ROBOTRULES_DIALECT", "draft-1996"}},
                             {"x"},
                             "",
                             [](const Given& o) { return o.text("dialect") == "draft-1996"; }},
                      Source{"false_before_true",
                             "get",
                             "quiet = true\n",
                             {{"ROBOTRULES_QUIET", "false"}},
                             {"x"},
                             "",
                             [](const Given& o) { return !o.has("quiet"); }},
                      Source{"flag_before_both",
                             "check",
                             "dialect = \"google\"\n",
                             {{"ROBOTRULES_DIALECT", "draft-1996"}},
                             {"-D", "rfc9309", "x"},
                             "",
                             [](const Given& o) { return o.text("dialect") == "rfc9309"; }},
                      Source{"one_agent",
                             "show",
                             "agent = \"FooBot\"\n",
                             {},
                             {"x"},
                             "",
                             [](const Given& o) { return o.text("agent") == "FooBot"; }},
                      Source{"several_agents",
                             "check",
                             "agent = \"FooBot\"\n",
                             {},
                             {"x"},
                             "",
                             [](const Given& o) { return o.all("agent") == std::vector<std::string>{"FooBot"}; }},
                      Source{"a_header_with_commas",
                             "check",
                             "",
                             {{"ROBOTRULES_AGENT", "Foo/1 (KHTML, like Gecko)\nBar"}},
                             {"x"},
                             "",
                             [](const Given& o) {
                               return o.all("agent") == std::vector<std::string>{"Foo/1 (KHTML, like Gecko)", "Bar"};
                             }},
                      Source{"a_list_with_commas",
                             "lint",
                             "",
                             {{"ROBOTRULES_ONLY", "a,b"}},
                             {"x"},
                             "",
                             [](const Given& o) { return o.all("only") == std::vector<std::string>{"a", "b"}; }},
                      Source{"of_another_command", "show", "delay = 3\n", {{"ROBOTRULES_QUIET", "maybe"}}, {"x"}, ""},
                      Source{"value_for_another_command",
                             "lint",
                             "fail-on = \"denied\"\nexplain = true\n",
                             {{"ROBOTRULES_FAIL_ON", "denied"}, {"ROBOTRULES_EXPLAIN", "1"}},
                             {"x"},
                             "",
                             [](const Given& o) { return !o.has("fail-on") && !o.has("explain"); }},
                      Source{"value_for_this_command",
                             "lint",
                             "fail-on = \"note\"\n",
                             {{"ROBOTRULES_FAIL_ON", "warning"}},
                             {"x"},
                             "",
                             [](const Given& o) { return o.text("fail-on") == "warning"; }},
                      Source{"value_for_no_command",
                             "lint",
                             "",
                             {{"ROBOTRULES_FAIL_ON", "denid"}},
                             {"x"},
                             "ROBOTRULES_FAIL_ON does not accept \"denid\"; give error, warning or note"},
                      Source{"key_with_a_value_for_no_command",
                             "check",
                             "fail-on = \"denid\"\n",
                             {},
                             {"x"},
                             "get.toml:1:11: fail-on does not accept \"denid\"; give error, warning or note"},
                      Source{"table_with_a_value_for_another_command",
                             "lint",
                             "[lint]\nfail-on = \"denied\"\n",
                             {},
                             {"x"},
                             "get.toml:2:11: fail-on does not accept \"denied\"; give error, warning or note"},
                      Source{"strict_flag_before_policy",
                             "check",
                             "policy = \"lwp-fixed\"\n",
                             {},
                             {"--strict", "x"},
                             "",
                             [](const Given& o) { return o.has("strict") && !o.has("policy"); }},
                      Source{"policy_flag_before_strict",
                             "check",
                             "",
                             {{"ROBOTRULES_STRICT", "1"}},
                             {"-P", "lwp-fixed", "x"},
                             "",
                             [](const Given& o) { return !o.has("strict") && o.text("policy") == "lwp-fixed"; }},
                      Source{"format_flag_before_json",
                             "lint",
                             "json = true\n",
                             {},
                             {"--format", "github", "x"},
                             "",
                             [](const Given& o) { return !o.has("json") && o.text("format") == "github"; }},
                      Source{"robots_flag_before_db",
                             "check",
                             "db = \"rules.db\"\n",
                             {},
                             {"--robots", "r", "x"},
                             "",
                             [](const Given& o) { return !o.has("db"); }},
                      Source{"policy_without_db",
                             "batch",
                             "policy = \"strict\"\n",
                             {},
                             {},
                             "",
                             [](const Given& o) { return !o.has("policy"); }},
                      Source{"retry_without_db",
                             "get",
                             "retry = true\nrevisit = true\n",
                             {},
                             {"x"},
                             "",
                             [](const Given& o) { return !o.has("retry") && !o.has("revisit"); }},
                      Source{"policy_with_db",
                             "batch",
                             "policy = \"strict\"\ndb = \"rules.db\"\n",
                             {},
                             {},
                             "",
                             [](const Given& o) { return o.text("policy") == "strict"; }},
                      Source{"not_in_a_file",
                             "lint",
                             "[lint]\nfix = true\n",
                             {},
                             {"x"},
                             "get.toml:2:1: \"fix\" cannot be set in a file; give it on the command line"},
                      Source{"misspelt_key",
                             "lint",
                             "[lint]\nonyl = \"a\"\n",
                             {},
                             {"x"},
                             "get.toml:2:1: \"onyl\" is not an option of robotrules lint; did you mean only?"},
                      Source{"misspelt_table",
                             "lint",
                             "[lnit]\n",
                             {},
                             {"x"},
                             "get.toml:1:2: [lnit] is not a command of robotrules; did you mean [lint]?"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(Settings, AVariableForAnOptionThatOnlyTheCommandLineSetsIsReported) {
  ::setenv("ROBOTRULES_WRITE", "1", 1);
  const Parsed read = parsed({"x"}, "lint");
  EXPECT_FALSE(read.given.has("write"));
  EXPECT_EQ(find_useless_variables(*find_command("lint")),
            std::vector<std::string>{"ROBOTRULES_WRITE is not read: give this option on the command line"});
  EXPECT_TRUE(find_useless_variables(*find_command("get")).empty());
}

TEST_F(Settings, ASwitchThatIsOnIsTrueFromEverySource) {
  const std::string typed = flags_to_keep(parsed({"--obey-page", "x"}).given);
  EXPECT_EQ(typed, R"({"obey-page":"true"})");
  EXPECT_EQ(flags_to_keep(parsed({"--config", file("[get]\nobey-page = true\n"), "x"}).given), typed);
  for (const char* value : {"1", "true"}) {
    ::setenv("ROBOTRULES_OBEY_PAGE", value, 1);
    EXPECT_EQ(flags_to_keep(parsed({"x"}).given), typed) << value;
  }
  ::setenv("ROBOTRULES_OBEY_PAGE", "0", 1);
  EXPECT_EQ(flags_to_keep(parsed({"x"}).given), "{}");
}

TEST_F(Settings, AMisspeltVariableIsReportedBeforeAWrongValue) {
  ::setenv("ROBOTRULES_TIMEOT", "5", 1);
  const test::Ran ran = test::run({"lint", "--timeout", "x", "f"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(
      ran.err,
      "robotrules lint: ROBOTRULES_TIMEOT is not an option of lint; did you mean ROBOTRULES_TIMEOUT?\n"
      "robotrules lint: --timeout does not accept \"x\"; give a time from 1ms to 1h, such as 90 (seconds), 500ms, "
      "2m or 1h\n");
}

TEST_F(Settings, AFileChangesWhatACommandPrints) {
  const std::string robots = test::new_folder() + "/robots.txt";
  std::ofstream(robots) << "User-agent: *\nDisallow: /a*\n";
  ::setenv("ROBOTRULES_CONFIG", file("[lint]\nnotes = true\n[check]\nexplain = true\n").c_str(), 1);
  EXPECT_NE(test::run({"lint", robots}).out.find("[star-at-end]"), std::string::npos);
  EXPECT_NE(test::run({"check", "-r", robots, "/a"}).out.find("    why "), std::string::npos);
}

}  // namespace
}  // namespace robotrules::cli
