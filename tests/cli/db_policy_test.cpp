// A record that is kept means the same to everything that is asked about it, and a database keeps the policy by which
// it means that.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/command.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using nlohmann::json;

// A record as `db import` reads it, and what it means under rfc9309, strict, robotstxt-rb and lwp-fixed.
struct Row {
  std::string name;
  std::string record;
  std::vector<std::string> access;
};

const std::vector<std::string> policies{"rfc9309", "strict", "robotstxt-rb", "lwp-fixed"};

std::vector<Row> rows() {
  const std::string copy = R"("robots":"User-agent: *\nDisallow: /x\n",)";
  const std::vector<std::string> always(4, "allowed");
  const std::vector<std::string> never(4, "disallowed");
  const std::vector<std::string> rb_only{"disallowed", "disallowed", "allowed", "disallowed"};
  std::vector<Row> table{
      {"rules-allow", R"("robots":"User-agent: *\nDisallow: /y\n")", always},
      {"rules-disallow", copy + R"("outcome":"rules")", never},
      {"no-body-404", R"("outcome":"unavailable","status":404)", always},
      {"gone-410", R"("outcome":"unavailable","status":410)", always},
      {"teapot-418", R"("outcome":"unavailable","status":418)", always},
      {"redirects", R"("outcome":"unavailable","status":302)", {"allowed", "disallowed", "allowed", "allowed"}},
      {"stale", copy + R"("outcome":"unreachable","status":503)", rb_only},
      {"down-503", R"("outcome":"unreachable","status":503)", rb_only},
      {"no-answer", R"("outcome":"unreachable","status":0)", rb_only},
      {"limited-429", R"("outcome":"unreachable","status":429)", rb_only}};
  for (const char* status : {"401", "403"}) {
    table.push_back({std::string("closed-") + status,
                     R"("outcome":"unavailable","status":)" + std::string(status),
                     {"allowed", "disallowed", "disallowed", "allowed"}});
  }
  return table;
}

std::string url_of(const Row& row) { return "https://" + row.name + ".example/x"; }

class KeptRecord : public ::testing::Test {
 protected:
  KeptRecord() {
    std::string lines;
    for (const Row& row : rows()) {
      lines += "{\"origin\":\"https://" + row.name + ".example\"," + row.record + "}\n";
    }
    EXPECT_EQ(run({"db", path_, "import", folder_.file("records.ndjson", lines), "--agent", "FooBot"}).status, 0);
  }

  std::string check(const std::string& url, const std::vector<std::string>& flags) const {
    std::vector<std::string> words{"check", "--db", path_, url};
    words.insert(words.end(), flags.begin(), flags.end());
    const Ran ran = run(words);
    return ran.out.substr(0, ran.out.find('\t'));
  }
  std::string batch(const std::string& url, const std::vector<std::string>& flags) const {
    std::vector<std::string> words{"batch", "--db", path_, "--agent", "FooBot"};
    words.insert(words.end(), flags.begin(), flags.end());
    return json::parse(run(words, "{\"url\":\"" + url + "\"}\n").out)["access"];
  }
  std::string why(const std::string& url, const std::vector<std::string>& flags) const {
    std::vector<std::string> words{"db", path_, "why", url, "--json"};
    words.insert(words.end(), flags.begin(), flags.end());
    return json::parse(run(words).out)["access"];
  }
  std::string rules(const std::string& url, const RobotsPolicy& policy) const {
    auto kept = open_store(path_).value();
    EXPECT_TRUE(kept->set_policy(policy).ok());
    return std::string(to_string(RobotRules::open(kept).value().allowed(url)));
  }
  std::string robot(const std::string& url, const RobotsPolicy& policy) const {
    auto kept = std::make_shared<RobotRules>(RobotRules::open(open_store(path_).value()).value());
    RobotUAOptions options;
    options.policy = policy;
    auto ua = RobotUA::make("FooBot/1.0", "me@example.org", kept, options);
    return std::string(to_string(ua.value().allowed(url)));
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path() + "/rules.db";
};

TEST_F(KeptRecord, MeansTheSameToWhateverIsAskedByThatPolicy) {
  for (std::size_t i = 0; i < policies.size(); ++i) {
    const std::vector<std::string> flags{"--policy", policies[i]};
    const RobotsPolicy& policy = *RobotsPolicy::find(policies[i]);
    for (const Row& row : rows()) {
      SCOPED_TRACE(policies[i] + " " + row.name);
      const std::string url = url_of(row);
      EXPECT_EQ(check(url, {flags[0], flags[1], "--offline"}), row.access[i]);
      EXPECT_EQ(batch(url, flags), row.access[i]);
      EXPECT_EQ(why(url, flags), row.access[i]);
      EXPECT_EQ(rules(url, policy), row.access[i]);
      EXPECT_EQ(robot(url, policy), row.access[i]);
      EXPECT_EQ(check(url, flags), row.access[i]) << "fetches what is not fresh";
    }
  }
}

TEST_F(KeptRecord, IsJudgedByThePolicyThatTheDatabaseKeeps) {
  const std::string url = "https://closed-403.example/x";
  const auto everywhere = [&](const std::string& access) {
    EXPECT_EQ(check(url, {"--offline"}), access);
    EXPECT_EQ(batch(url, {}), access);
    EXPECT_EQ(why(url, {}), access);
    EXPECT_EQ(check(url, {}), access);
    EXPECT_EQ(to_string(RobotRules::open(open_store(path_).value()).value().allowed(url)), access);
  };
  everywhere("allowed");
  EXPECT_EQ(check(url, {"--strict"}), "disallowed");  // a question changes nothing for others
  everywhere("allowed");
  ASSERT_TRUE(open_store(path_).value()->set_policy(RobotsPolicy::strict()).ok());
  everywhere("disallowed");
  EXPECT_EQ(json::parse(run({"db", path_, "stats", "--json"}).out)["policy"], "strict");
  EXPECT_EQ(check(url, {"--policy", "rfc9309", "--offline"}), "allowed");  // what only asks does not
  everywhere("disallowed");
  EXPECT_EQ(check(url, {"--policy", "rfc9309"}), "allowed");
  everywhere("disallowed");
}

class ExportedPolicy : public KeptRecord {
 protected:
  ExportedPolicy() { EXPECT_TRUE(open_store(path_).value()->set_policy(RobotsPolicy::strict()).ok()); }

  std::string access_in(const std::string& path) const {
    const std::vector<std::string> words{"check", "--offline", "--agent", "FooBot", "--db", path, closed_};
    const Ran ran = run(words);
    return ran.out.substr(0, ran.out.find('\t'));
  }

  // Writes over a text in the file.
  void damage(const std::string& from, const std::string& to) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = bytes.find(from);
    ASSERT_NE(at, std::string::npos);
    file.clear();
    file.seekp(static_cast<std::streamoff>(at));
    file << to;
  }

  std::string closed_ = "https://closed-403.example/x";
  std::string copy_ = folder_.path() + "/copy.db";
};

TEST_F(ExportedPolicy, GoesWithTheRecordsIntoANewDatabase) {
  const std::string exported = run({"db", path_, "export"}).out;
  const json first = json::parse(exported.substr(0, exported.find('\n')));
  EXPECT_EQ(first["database"]["agent"], "FooBot");
  EXPECT_EQ(first["database"]["policy"].get<std::string>().find("strict unauthorized=disallow_all "), 0U);
  EXPECT_EQ(run({"db", copy_, "import", "-"}, exported).status, 0);
  EXPECT_EQ(access_in(path_), "disallowed");
  EXPECT_EQ(access_in(copy_), "disallowed");
  EXPECT_EQ(run({"db", copy_, "export"}).out, exported);
}

TEST_F(ExportedPolicy, LeavesAloneADatabaseThatHasItsOwn) {
  const std::string exported = run({"db", path_, "export"}).out;
  {
    auto copy = open_store(copy_).value();
    ASSERT_TRUE(copy->set_agent("BarBot").ok());
    ASSERT_TRUE(copy->set_policy(RobotsPolicy::rfc9309()).ok());
  }
  const Ran ran = run({"db", copy_, "import", "-"}, exported);
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(
      ran.err.find("standard input:1: the exported database has another policy (strict); this database keeps its own "
                   "(rfc9309)\n"),
      std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("belongs to the robot FooBot; this database still belongs to BarBot\n"), std::string::npos)
      << ran.err;
  const json stats = json::parse(run({"db", copy_, "stats", "--json"}).out);
  EXPECT_EQ(stats["policy"], "rfc9309");
  EXPECT_EQ(stats["agent"], "BarBot");
  EXPECT_EQ(stats["origins"], rows().size());
  const Ran again = run({"db", path_, "import", "-"}, exported);
  EXPECT_EQ(again.err.find("policy"), std::string::npos) << "the same is nothing to tell: " << again.err;
}

TEST_F(ExportedPolicy, ThatCantBeReadEndsTheImport) {
  const std::string record = "{\"origin\":\"https://a.example\",\"robots\":\"\"}\n";
  for (const char* policy : {R"("strict")", R"("")", "7", R"("strict colour=blue")"}) {
    const Ran ran =
        run({"db", copy_, "import", "-"}, R"({"database":{"policy":)" + std::string(policy) + "}}\n" + record);
    EXPECT_EQ(ran.status, 2) << policy;
    EXPECT_NE(ran.err.find("standard input:1: its policy cannot be read: "), std::string::npos) << ran.err;
  }
  EXPECT_EQ(json::parse(run({"db", copy_, "stats", "--json"}).out)["origins"], 0);
  EXPECT_EQ(run({"db", copy_, "import", "-"}, "{\"database\":{}}\n" + record).status, 0);
  EXPECT_EQ(json::parse(run({"db", copy_, "stats", "--json"}).out)["origins"], 1);
}

TEST_F(ExportedPolicy, NobodyReadsIsStrictAfterARepair) {
  damage("=disallow_all not_found", "=disallow_alk not_found");
  const Ran ran = run({"db", path_, "check", "--repair"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("its policy could not be read, so the new file has the policy strict"), std::string::npos)
      << ran.err;
  const std::string record = R"({"origin":"https://closed-403.example","outcome":"unavailable","status":403})";
  EXPECT_EQ(run({"db", path_, "import", "-"}, record).status, 0);
  EXPECT_EQ(access_in(path_), "disallowed");
}

TEST_F(ExportedPolicy, OfANewerVersionIsLeftAloneButByARepair) {
  damage("unauthorized=", "unauthorizes=");
  const Ran ran = run({"db", path_, "check"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("was written by a newer version of robotrules"), std::string::npos) << ran.err;
  EXPECT_EQ(run({"db", path_, "check", "--repair"}).status, 1);
  EXPECT_EQ(json::parse(run({"db", path_, "stats", "--json"}).out)["policy"], "strict");
  EXPECT_EQ(run({"db", path_, "check"}).status, 0);
}

TEST_F(KeptRecord, OfASiteWithoutRulesSaysWhichPolicyDecided) {
  const Ran ran = run({"check", "--db", path_, "--offline", "--strict", "--explain", "https://closed-403.example/x"});
  EXPECT_NE(ran.out.find("robots.txt answers 403, so by the policy strict the whole site is disallowed "
                         "[robots-unavailable]"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(check("https://closed-403.example/robots.txt", {"--offline", "--strict"}), "allowed");
}

TEST_F(KeptRecord, APolicyIsForBatchWithADatabaseOnly) { EXPECT_EQ(run({"batch", "--strict"}).status, 2); }

TEST_F(KeptRecord, ARunOfGetKeepsItsPolicy) {
  test::ScriptedServer server;
  server.on("", "/robots.txt", test::status(403));
  const std::uint16_t port = server.listen();
  const std::string url = test::url_of(port, "/x", "a.localhost");
  const std::vector<std::string> words{"get",
                                       "--db",
                                       folder_.path() + "/crawl.db",
                                       "--allow-address",
                                       "127.0.0.0/8",
                                       "-q",
                                       "--from",
                                       "me@test.example",
                                       "--agent",
                                       "FooBot/1.0"};
  auto strict = words;
  strict.insert(strict.end(), {"--strict", "--fail-on", "denied", url});
  EXPECT_EQ(run(strict).status, 1);
  auto later = words;
  later.insert(later.end(), {"--fail-on", "denied", url + "2"});
  EXPECT_EQ(run(later).status, 1) << "judged by the policy of the first run";
  EXPECT_EQ(server.witness().request_count(), server.witness().requests("/robots.txt").size());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
