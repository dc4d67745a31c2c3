// robotrules agents: which known crawlers a file lets in.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/agents/crawlers.hpp"
#include "cli/command.hpp"
#include "support/test_data.hpp"

namespace robotrules::test {
namespace {

using Json = nlohmann::json;

constexpr std::string_view list =
    R"({"updated": "2026-01-01", "purposes": {"search": "finds", "train": "learns", "none": "no one"}, "crawlers": [
    {"name": "FooBot", "operator": "Foo", "purpose": "train", "source": "https://foo.example/"},
    {"name": "Bar", "operator": "Bar", "purpose": "search", "source": ""},
    {"name": "Big Long Spider", "operator": "Big", "purpose": "search", "source": ""}]})";

class Agents : public ::testing::Test {
 protected:
  Ran agents(std::string_view robots, std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"agents", "--agents-file", list_, folder_.file("robots.txt", robots)});
    return run(words);
  }
  TemporaryFolder folder_;
  std::string list_ = folder_.file("list.json", list);
};

TEST_F(Agents, AreGroupedByPurposeWithReachAndGroup) {
  const Ran ran = agents(
      "User-agent: *\nDisallow: /private\n\nUser-agent: foobot\nDisallow: /\n\n"
      "User-agent: Big Long Spider\nDisallow:\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "search: finds\n"
            "  Bar              partly      * (line 1)\n"
            "  Big Long Spider  everywhere  Big Long Spider (line 7)\n"
            "\n"
            "train: learns\n"
            "  FooBot  nowhere  foobot (line 4)\n"
            "\n"
            "3 crawlers: 1 everywhere, 1 partly, 1 nowhere\n");
}

struct Reached {
  const char* name;
  const char* robots;
  const char* reach;
  const char* dialect;
};

class AgentsReach : public ::testing::TestWithParam<Reached> {};

TEST_P(AgentsReach, IsAsItsRulesSay) {
  TemporaryFolder folder;
  const Ran ran =
      run({"agents", "--json", "--dialect", GetParam().dialect, "--agents-file", folder.file("l", list), "-"},
          GetParam().robots);
  EXPECT_EQ(Json::parse(ran.out)["crawlers"][0]["access"], GetParam().reach);
}

INSTANTIATE_TEST_SUITE_P(
    Table, AgentsReach,
    ::testing::Values(
        Reached{"no_file_to_speak_of", "", "everywhere", "rfc9309"},
        Reached{"empty_disallow", "User-agent: *\nDisallow:\n", "everywhere", "rfc9309"},
        Reached{"all_closed", "User-agent: *\nDisallow: /\n", "nowhere", "rfc9309"},
        Reached{"all_closed_with_a_star", "User-agent: *\nDisallow: *\n", "nowhere", "rfc9309"},
        Reached{"only_robots_txt_is_open", "User-agent: *\nDisallow: /\nAllow: /robots.txt\n", "nowhere", "rfc9309"},
        Reached{"a_hole", "User-agent: *\nDisallow: /\nAllow: /$\n", "partly", "rfc9309"},
        Reached{"a_hole_by_wildcard", "User-agent: *\nDisallow: /\nAllow: /*.css$\n", "partly", "rfc9309"},
        Reached{"a_hole_that_this_dialect_does_not_know", "User-agent: *\nAllow: /pub\nDisallow: /\n", "nowhere",
                "original-1994"},
        Reached{"beaten_by_allow", "User-agent: *\nDisallow: /a\nAllow: /\nAllow: /a\n", "everywhere", "rfc9309"},
        Reached{"by_name", "User-agent: *\nDisallow: /\n\nUser-agent: FooBot\nAllow: /\n", "everywhere", "rfc9309"},
        Reached{"by_part_of_the_name", "User-agent: Foo\nDisallow: /\n", "nowhere", "www-robotrules"}),
    [](const auto& info) { return info.param.name; });

TEST_F(Agents, JsonIsADocument) {
  const Json document = Json::parse(agents("User-agent: FooBot\nDisallow: /x\n", {"--json"}).out);
  EXPECT_EQ(document["dialect"], "rfc9309");
  EXPECT_EQ(document["updated"], "2026-01-01");
  ASSERT_EQ(document["crawlers"].size(), 3u);
  EXPECT_EQ(document["crawlers"][0], Json({{"name", "FooBot"},
                                           {"operator", "Foo"},
                                           {"purpose", "train"},
                                           {"source", "https://foo.example/"},
                                           {"access", "partly"},
                                           {"group", {{"line", 1}, {"agent", "FooBot"}, {"default", false}}}}));
  EXPECT_EQ(document["crawlers"][1]["group"], nullptr);
}

TEST_F(Agents, RobotsOfOneGroupAreEachNamedByTheirOwnLine) {
  const Json crawlers =
      Json::parse(agents("User-agent: bar\nUser-agent: FOOBOT\nDisallow: /x\n", {"--json"}).out)["crawlers"];
  EXPECT_EQ(crawlers[0]["group"]["agent"], "FOOBOT");
  EXPECT_EQ(crawlers[1]["group"]["agent"], "bar");
  EXPECT_EQ(crawlers[1]["group"]["line"], 1);
}

TEST_F(Agents, TheListInsideIsTheFileOfTheProject) {
  const std::string json = test::bytes_of(test::source_folder() / "data" / "crawlers.json");
  EXPECT_EQ(cli::known_crawlers(), json);
  const cli::Crawlers known = cli::read_crawlers(json);
  EXPECT_EQ(known.error, "");
  EXPECT_GT(known.crawlers.size(), 20u);
  const Ran ran = run({"agents", "-"}, "User-agent: GPTBot\nDisallow: /\n");
  EXPECT_EQ(ran.status, 0);
  const auto at = ran.out.find("\n  GPTBot ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  EXPECT_NE(ran.out.substr(at, 80).find("nowhere     GPTBot (line 1)\n"), std::string::npos) << ran.out.substr(at, 80);
  EXPECT_NE(ran.out.find("\n  CCBot "), std::string::npos);
}

TEST_F(Agents, AMalformedListIsAClearError) {
  const struct {
    const char* json;
    const char* said;
  } cases[] = {{"", "is not JSON"},
               {"{\"crawlers\": [}", "is not JSON"},
               {"[]", "is not a JSON object"},
               {"{}", "has no object \"purposes\""},
               {R"({"purposes": {"a": 1}})", "has no text for the purpose \"a\""},
               {R"({"purposes": {}})", "has no array \"crawlers\""},
               {R"({"purposes": {}, "crawlers": [1]})", "is malformed: crawler 1 is not an object"},
               {R"({"purposes": {}, "crawlers": [{}]})", "crawler 1 has no \"name\""},
               {R"({"purposes": {"a": ""}, "crawlers": [{"name": "X", "purpose": "a"}, {"name": "Y"}]})",
                "crawler 2 (Y) has no \"purpose\""},
               {R"({"purposes": {}, "crawlers": [{"name": "X\u001b", "purpose": "b"}]})",
                "crawler 1 (X\\x1B) has the purpose \"b\", which is not one of \"purposes\""}};
  for (const auto& each : cases) {
    const std::string file = folder_.file("bad.json", each.json);
    const Ran ran = run({"agents", "--agents-file", file, "-"});
    EXPECT_EQ(ran.status, 2) << each.json;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find("robotrules agents: " + file + " "), std::string::npos) << ran.err;
    EXPECT_NE(ran.err.find(each.said), std::string::npos) << ran.err;
  }
}

TEST_F(Agents, InputErrorsAreStatus2) {
  EXPECT_EQ(run({"agents"}).status, 2);
  EXPECT_EQ(run({"agents", folder_.path() + "/none"}).status, 2);
  EXPECT_EQ(run({"agents", "--agents-file", folder_.path() + "/none", "-"}).status, 2);
  EXPECT_EQ(run({"agents", "--agents-file", "-", "-"}).status, 2);
  EXPECT_EQ(run({"agents", "https://example.org/robots.txt"}).status, 2);
  EXPECT_EQ(run({"agents", "-"}, "<html>\n").status, 0);
}

TEST_F(Agents, EscapesWhatComesFromTheFiles) {
  const std::string evil = folder_.file(
      "evil.json",
      R"({"purposes": {"a\u001b": "b\u202e"}, "crawlers": [{"name": "X\u001b[2J", "purpose": "a\u001b"}]})");
  const Ran ran = run({"agents", "--agents-file", evil, "-"}, "User-agent: X\x1B[2J\nDisallow: /\n");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out.find('\x1B'), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("\xE2\x80\xAE"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace robotrules::test
