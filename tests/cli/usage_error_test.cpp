// Errors of the command line: one line with one hint.
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/flags/given.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

struct Mistake {
  std::vector<std::string> words;
  const char* said;
};

void expect_refused(const Mistake& mistake) {
  const Ran ran = run(mistake.words);
  EXPECT_EQ(ran.status, 2) << mistake.said;
  EXPECT_EQ(ran.out, "") << mistake.said;
  EXPECT_EQ(ran.err, std::string(mistake.said) + "\n");
}

TEST(UsageErrors, AreOneLineWithOneHint) {
  const Mistake mistakes[] = {
      {{"gte"}, "robotrules: unknown command \"gte\"; did you mean get?"},
      {{"lnit", "x"}, "robotrules: unknown command \"lnit\"; did you mean lint?"},
      {{"zzzzzz"}, "robotrules: unknown command \"zzzzzz\"; robotrules --help lists the commands"},
      {{"--versoin"}, "robotrules: unknown option --versoin; did you mean --version?"},
      {{"--zzzzzz"}, "robotrules: unknown option --zzzzzz; robotrules --help lists the options"},
      {{"get", "--delya", "1"}, "robotrules get: unknown option --delya; did you mean --delay?"},
      {{"get", "-Z"}, "robotrules get: unknown option -Z; robotrules get --help-all lists the options"},
      {{"get", "--delay"},
       "robotrules get: --delay needs a value; give a time from 0 to 1d, such as 90 (seconds), 500ms, 2m or 1h"},
      {{"get", "--pace-by", "--quiet", "http://a.test/"},
       "robotrules get: --pace-by needs a value; give host, domain or address"},
      {{"get", "--no-bodies=maybe"}, "robotrules get: --no-bodies takes no value; leave it out"},
      {{"get", "-qH"}, "robotrules get: --header needs a value; give NAME: VALUE"},
      {{"get"}, "robotrules get: no URLs were given; give URLs, --input or --sitemap"},
      {{"check"}, "robotrules check: no URL was given; write: robotrules check [OPTION]... URL..."},
      {{"check", "--agent", "--json", "/x"}, "robotrules check: --agent needs a value; give NAME"},
      {{"check", "--agent=", "/x"},
       "robotrules check: --agent \"\" contains no robot name; give a name such as FooBot"},
      {{"check", "--policy"},
       "robotrules check: --policy needs a value; give rfc9309, strict, robotstxt-rb or lwp-fixed"},
      {{"check", "--allow-port"}, "robotrules check: --allow-port needs a value; give a whole number from 1 to 65535"},
      {{"batch", "x"}, "robotrules batch: unexpected operand \"x\"; write: robotrules batch [OPTION]..."},
      {{"show"}, "robotrules show: no FILE|URL was given; write: robotrules show [OPTION]... FILE|URL"},
      {{"show", "a", "b"}, "robotrules show: unexpected operand \"b\"; write: robotrules show [OPTION]... FILE|URL"},
      {{"diff", "a"}, "robotrules diff: no B was given; write: robotrules diff [OPTION]... A B"},
      {{"agents"}, "robotrules agents: no FILE|URL was given; write: robotrules agents [OPTION]... FILE|URL"},
      {{"lint"}, "robotrules lint: no FILE|URL was given; write: robotrules lint [OPTION]... [FILE|URL]..."},
      {{"lint", ""}, "robotrules lint: FILE|URL is empty; write: robotrules lint [OPTION]... [FILE|URL]..."},
      {{"lint", "--", "a", ""}, "robotrules lint: FILE|URL is empty; write: robotrules lint [OPTION]... [FILE|URL]..."},
      {{"diff", "a", ""}, "robotrules diff: B is empty; write: robotrules diff [OPTION]... A B"},
      {{"check", "--robots", "", "/x"}, "robotrules check: --robots needs a value; give FILE|URL"},
      {{"get", "--input=", "-o", "x"}, "robotrules get: --input needs a value; give FILE"},
      {{"batch", "--robots-dir", ""}, "robotrules batch: --robots-dir needs a value; give DIR"},
      {{"db", "", "ls"}, "robotrules db: PATH is empty; write: robotrules db [OPTION]... PATH ACTION [ARGUMENT]..."},
      {{"lint", "--format"}, "robotrules lint: --format needs a value; give text, json, sarif or github"},
      {{"db"}, "robotrules db: no PATH was given; write: robotrules db [OPTION]... PATH ACTION [ARGUMENT]..."},
      {{"db", "x"},
       "robotrules db: no ACTION was given; use one of ls, show, why, import, export, forget, prune, check, stats, "
       "jobs, "
       "queue"},
      {{"db", "x", "lss"}, "robotrules db: unknown action lss; did you mean ls?"},
      {{"db", "x", "show"}, "robotrules db: no ORIGIN was given; write: robotrules db PATH show ORIGIN"},
      {{"db", "x", "ls", "y"},
       "robotrules db: ls takes no argument, but \"y\" was given; write: robotrules db PATH ls"},
      {{"db", "x", "queue"}, "robotrules db: no ls|export|rm was given; write: robotrules db PATH queue ls|export|rm"},
      {{"generate", "tcsh"}, "robotrules generate: cannot make \"tcsh\"; use one of man, bash, zsh, fish"},
      {{"generate", "man", "gte"}, "robotrules generate: unknown command \"gte\"; did you mean get?"},
      {{"generate", "bash", "get"}, "robotrules generate: bash is for all commands; write: robotrules generate bash"},
      {{"help", "get", "x"}, "robotrules help: unexpected operand \"x\"; write: robotrules help [OPTION]... [COMMAND]"},
  };
  for (const Mistake& mistake : mistakes) expect_refused(mistake);
}

// A state matters only to the actions that look at it.
TEST(UsageErrors, AWrongStateIsToldAfterAWrongActionOnTheQueue) {
  const Mistake mistakes[] = {
      {{"db", "x", "queue", "zap", "--state", "bad"},
       "robotrules db: \"zap\" is not an action on the queue; use ls (lines), export (NDJSON) or rm (remove the job, "
       "or URLs from it)"},
      {{"db", "x", "queue", "ls", "y", "--state", "bad"},
       "robotrules db: queue ls takes no URLs, but \"y\" was given; name the job with --job"},
      {{"db", "x", "queue", "rm", "--state", "bad"},
       "robotrules db: queue rm removes a job with all its URLs; name the job with --job"},
      {{"db", "x", "queue", "rm", "y", "--state", "bad"},
       "robotrules db: queue rm removes URLs from a job; name the job with --job"},
      {{"db", "x", "queue", "rm", "--job", "j", "--state", "bad"},
       "robotrules db: queue rm does not look at states; --state is for ls and export"},
      {{"db", "x", "queue", "ls", "--state", "bad"},
       "robotrules db: --state: \"bad\" is not a state; use one of pending, done, denied, failed, parked, cut"},
  };
  for (const Mistake& mistake : mistakes) expect_refused(mistake);
}

TEST(UsageErrors, AFlagWithoutItsValueIsToldInEveryCommand) {
  for (const cli::Command& command : cli::commands()) {
    for (const cli::Flag& flag : command.flags) {
      if (flag.takes == cli::Takes::nothing || cli::value_is_optional(flag)) continue;
      const std::string name = "--" + std::string(flag.name);
      for (const std::vector<std::string>& after : {std::vector<std::string>{}, {"--help"}, {name, "x"}, {"--", "x"}}) {
        std::vector<std::string> words{name};
        words.insert(words.end(), after.begin(), after.end());
        const std::string said = cli::parse(command, words).error;
        EXPECT_EQ(said.rfind(name + " needs a value; give ", 0), 0U) << command.name << ": " << said;
      }
    }
  }
}

// Nothing listens at the server's port: a crawl would wait for it, and never end.
TEST(UsageErrors, AWrongValueForTheNetworkIsToldBeforeAServerIsWaitedFor) {
  const Mistake mistakes[] = {
      {{"--from", "x"}, "--from does not accept \"x\"; give an e-mail address with an \"@\" that reaches you\n"},
      {{"--policy", "stirct"}, "unknown policy \"stirct\"; use one of "},
      {{"--strict", "--policy", "lwp-fixed"}, "--strict and --policy lwp-fixed are two policies; give one\n"},
      {{"--proxy", "ftp://a.test"}, "--proxy does not accept this value; give URL|none\n"},
      {{"--resolve", "x"}, "--resolve does not accept \"x\"; give HOST:PORT:ADDRESS\n"},
      {{"--allow-address", "x"}, "--allow-address: "},
      {{"--ca-file", "/there/is/none"}, "--ca-file: "},
      {{"-4", "-6"}, "--ipv4 and --ipv6 exclude each other; give one\n"}};
  for (const auto& [words, said] : mistakes) {
    for (const std::vector<std::string>& others : {std::vector<std::string>{},
                                                   {"--job", "j"},
                                                   {"--db", "/there/is/none.db"},
                                                   {"--queue", "q", "http://a.test/"},
                                                   {"--db", "postgresql://127.0.0.1:1/x", "http://a.test/"},
                                                   {"--db", "postgresql://127.0.0.1:1/x"}}) {
      std::vector<std::string> all{"get"};
      all.insert(all.end(), words.begin(), words.end());
      all.insert(all.end(), others.begin(), others.end());
      const Ran ran = run(all);
      EXPECT_EQ(ran.status, 2) << said;
      EXPECT_TRUE(ran.err.starts_with(std::string("robotrules get: ") + said)) << ran.err;
      EXPECT_EQ(lines_of(ran.err).size(), 1U) << ran.err;
    }
  }
  const Ran key = run({"get", "--db", "postgresql://127.0.0.1:1/x", "--client-key", "k", "http://a.test/"});
  EXPECT_EQ(key.status, 2);
  EXPECT_EQ(key.err, "robotrules get: --client-key belongs to a certificate: give --client-cert too\n");
}

TEST(CommandLine, AValueMayBeEmptyOrEndWithAnEqualsSign) {
  const cli::Command& get = *cli::find_command("get");
  const std::vector<std::string> words{"--agent=", "--user=example.org=a:b=", "--header", "A: b=", "-o",
                                       "=",        "http://a.test/?q="};
  const cli::Parsed parsed = cli::parse(get, words);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.given.text("agent"), "");
  EXPECT_EQ(parsed.given.all("user"), std::vector<std::string>{"example.org=a:b="});
  EXPECT_EQ(parsed.given.all("header"), std::vector<std::string>{"A: b="});
  EXPECT_EQ(parsed.given.text("output"), "=");
  EXPECT_EQ(parsed.given.operands, std::vector<std::string>{"http://a.test/?q="});
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
