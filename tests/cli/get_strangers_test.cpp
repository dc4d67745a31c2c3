// robotrules get with what strangers wrote: URLs, lists, sitemaps and answers that lead where nobody meant to go.
#include <gtest/gtest.h>

#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using test::redirect;
using test::reply;
using test::SeenRequest;
using test::status;

class GetStrangers : public GetRig {};

TEST_F(GetStrangers, DotSegmentsGoRoundNoRule) {
  server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /secret\n"));
  page("/*", reply("."));
  page("/moved", redirect(302, "/y/%2e%2e/secret/3"));
  const std::string log = in_folder("log");
  const Ran ran =
      get({url("/x/%2e%2e/secret/1"), url("/%2E/secret/2"), url("/moved"), url("/a/%2e%2e/b%7e"), "--log", log});
  EXPECT_EQ(ran.out, ".");
  EXPECT_EQ(asked(), (std::vector<std::string>{"/moved", "/b~"}));
  EXPECT_EQ(line_of(log, url("/secret/1"))["why"], "robots-denied");
  EXPECT_EQ(line_of(log, url("/secret/2"))["why"], "robots-denied");
  EXPECT_EQ(line_of(log, url("/moved"))["why"], "robots-denied");
}

TEST_F(GetStrangers, PortsOfOtherProtocolsAreNotAskedAndTheFlagIsNamed) {
  page("/moved", redirect(302, "http://a.localhost:6379/"));
  const std::string redis = "http://a.localhost:6379/";
  const std::string log = in_folder("log");
  const Ran refused = get({redis, url("/moved"), "--log", log});
  EXPECT_NE(refused.err.find("robotrules get: http://a.localhost:6379: port 6379 is not permitted; --allow-port"),
            std::string::npos)
      << refused.err;
  for (const std::string& one : {redis, url("/moved")}) {
    const Json line = line_of(log, one);
    EXPECT_EQ(line["why"], "port-refused") << line.dump();
    EXPECT_TRUE(line["warning"].get<std::string>().ends_with("port 6379 is not permitted")) << line.dump();
  }
  const Ran usage = get({"--allow-port", "http", redis});
  EXPECT_EQ(usage.status, 2);
  EXPECT_NE(usage.err.find("--allow-port does not accept"), std::string::npos) << usage.err;
  const Ran asked = run({"check", "--allow-address", "127.0.0.0/8", redis});
  EXPECT_EQ(asked.out, "unknown\t" + redis + "\n");
  EXPECT_NE(asked.err.find("port 6379 is not permitted; --allow-port permits it"), std::string::npos) << asked.err;
}

// Neither is the page, and --retry asks for it without the validators that came with it.
TEST_F(GetStrangers, AnUnasked304Or206IsNotDone) {
  const test::Reply part{
      .status = 206, .headers = {{"ETag", "\"2\""}, {"Content-Range", "bytes 0-3/9"}}, .body = "part"};
  page("/304", test::in_turn({status(304, {{"ETag", "\"1\""}}), reply("first")}));
  page("/206", test::in_turn({part, reply("second")}));
  const std::string out = in_folder("a.warc");
  const Words words = {url("/304"), url("/206"), "--db", in_folder("c.db"), "--output", out, "--log", in_folder("log")};
  get(words);
  EXPECT_EQ(line_of(in_folder("log"), url("/304"))["why"], "unasked-status");
  EXPECT_EQ(line_of(in_folder("log"), url("/206"))["why"], "unasked-status");
  EXPECT_TRUE(pages_in(out, Packing::none).revisits.empty());
  Words again = words;
  again.push_back("--retry");
  EXPECT_EQ(get(again).status, 0);
  EXPECT_EQ(times("/304"), 2U);
  EXPECT_EQ(times("/206"), 2U);
  EXPECT_EQ(server.witness().requests("/304").back().header("If-None-Match"), std::nullopt);

  const Ran bodies = get({url("/304"), url("/206")});
  EXPECT_EQ(bodies.out, "firstsecond");
}

// RFC 9110 section 15.4, RFC 3986 section 5.2.2.
TEST_F(GetStrangers, ARedirectToNowhereOrToItselfIsNotDone) {
  page("/none", status(302));
  page("/empty", redirect(301, ""));
  page("/d/self", redirect(302, "#part"));
  const Ran ran = get({url("/none"), url("/empty"), url("/d/self"), "--output", in_folder("a.ndjson"), "--log",
                       in_folder("log"), "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 3) << ran.err;
  const std::pair<const char*, const char*> cases[] = {
      {"/none", "it has no Location"}, {"/empty", "it has no Location"}, {"/d/self", "it leads in a loop"}};
  for (const auto& [path, why] : cases) {
    const Json line = line_of(in_folder("log"), url(path));
    EXPECT_EQ(line["why"], "redirect-refused") << line.dump();
    EXPECT_NE(line.value("warning", "").find(why), std::string::npos) << line.dump();
  }
  EXPECT_EQ(times("/d/"), 0U) << "the folder of the page";
}

TEST_F(GetStrangers, AnAsked206IsDone) {
  page("/part", test::Reply{.status = 206, .headers = {{"Content-Range", "bytes 0-3/9"}}, .body = "part"});
  const Ran ran = get({"--input", list({"{\"url\":\"" + url("/part") + "\",\"headers\":{\"Range\":\"bytes=0-3\"}}"})});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "part");
}

TEST_F(GetStrangers, FieldsOfAListDoNotCrossOrigins) {
  page("/here", redirect(302, url("/there", "b")));
  page("/near", redirect(302, "/there"));
  page("/there", reply("."));
  const auto line = [&](const std::string& path) {
    return "{\"url\":\"" + url(path) + "\",\"headers\":{\"X-Key\":\"secret\",\"Accept-Language\":\"ca\"}}";
  };
  EXPECT_EQ(get({"--input", list({line("/here")})}).out, ".");
  const SeenRequest elsewhere = server.witness().requests("/there").back();
  EXPECT_EQ(elsewhere.header("X-Key"), std::nullopt);
  EXPECT_EQ(elsewhere.header("Accept-Language"), std::nullopt);
  EXPECT_EQ(elsewhere.header("From"), "me@example.org");
  EXPECT_EQ(get({"--input", list({line("/near")})}).out, ".");
  EXPECT_EQ(server.witness().requests("/there").back().header("X-Key"), "secret");
}

TEST_F(GetStrangers, ASitemapListsItsOwnHostUnlessToldOtherwise) {
  page("/map.txt", reply(url("/1") + "\n" + url("/2", "victim") + "\n", "text/plain"));
  for (const char* path : {"/1", "/2"}) page(path, reply("."));
  const Ran ran = get({"--sitemap", url("/map.txt")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("lists 1 URL of other hosts"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("--sitemap-any-host"), std::string::npos) << ran.err;
  EXPECT_EQ(times("/2"), 0U);
  EXPECT_EQ(get({"--sitemap", url("/map.txt"), "--sitemap-any-host"}).status, 0);
  EXPECT_EQ(times("/2"), 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
