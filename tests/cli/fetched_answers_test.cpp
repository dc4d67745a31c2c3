// The commands that fetch a robots.txt give one reading of each answer: lint, show, check --robots, and check of a URL.
#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "support/server/bodies.hpp"
#include "support/server/server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const std::string no_x = "User-agent: *\nDisallow: /x\n";

struct Answer {
  const char* name;
  Reply reply;
  const char* finding;  // of lint; null: it is a file
  bool is_open;         // without a file: whether the site is open
};

Reply coded(const char* coding, std::string body, int status = 200) {
  Reply made{.status = status, .body = std::move(body)};
  made.headers.push_back({"Content-Type", "text/plain"});
  if (coding != nullptr) made.headers.push_back({"Content-Encoding", coding});
  return made;
}

std::vector<Answer> answers() {
  const std::string gzip = packed(Coding::gzip, no_x);
  Reply challenge = coded(nullptr, no_x, 202);
  challenge.headers.push_back({"x-amzn-waf-action", "challenge"});
  Reply nowhere{.status = 302};
  Reply elsewhere = redirect(302, "ftp://a.test/robots.txt");
  return {
      {"a file", coded(nullptr, no_x), nullptr, true},
      {"gzip", coded("gzip", gzip), nullptr, true},
      {"gzip without the field", coded(nullptr, gzip), nullptr, true},
      {"no coding", coded("none", no_x), nullptr, true},
      {"a charset as coding", coded("UTF-8", no_x), nullptr, true},
      {"202 with rules", coded(nullptr, no_x, 202), nullptr, true},
      {"an unknown coding", coded("sdch", no_x), "[file-unreachable]", false},
      {"plain text as gzip", coded("gzip", no_x), "[file-unreachable]", false},
      {"half a gzip file", coded(nullptr, gzip.substr(0, 30)), "[file-unreachable]", false},
      {"202 without a body", coded(nullptr, "", 202), "[file-unreachable]", false},
      {"a challenge", challenge, "[file-unreachable]", false},
      {"a part", coded(nullptr, no_x, 206), "[file-unreachable]", false},
      {"a redirect without a Location", nowhere, "[file-unreachable]", false},
      {"a redirect to ftp", elsewhere, "[file-unreachable]", false},
      {"a redirect in a loop", redirect(302, "/robots.txt"), "[file-unavailable]", true},
      {"404 with a coding that is damaged", coded("gzip", no_x, 404), "[file-unavailable]", true},
      {"426", coded(nullptr, no_x, 426), "[file-unreachable]", false},
  };
}

TEST(FetchedAnswers, HaveOneReading) {
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
  for (const Answer& each : answers()) {
    SCOPED_TRACE(each.name);
    ScriptedServer server;
    const std::uint16_t port = server.listen();
    server.on("", "/robots.txt", each.reply);
    const std::string site = url_of(port, "", "127.0.0.1");
    const auto online = [](std::vector<std::string> words) {
      words.insert(words.begin() + 1, {"--allow-address", "127.0.0.0/8"});
      return run(words, "");
    };
    const bool is_file = each.finding == nullptr;
    const Ran check = online({"check", site + "/x", site + "/y"});
    EXPECT_EQ(check.out, (is_file || !each.is_open ? "disallowed\t" : "allowed\t") + site + "/x\n" +
                             (each.is_open ? "allowed\t" : "disallowed\t") + site + "/y\n");
    const Ran show = online({"show", site});
    EXPECT_EQ(show.status, is_file ? 0 : 2) << show.err;
    const Ran given = online({"check", "--robots", site, "/x", "/y"});
    EXPECT_EQ(given.out, is_file ? "disallowed\t/x\nallowed\t/y\n" : "") << given.err;
    EXPECT_EQ(given.status, is_file ? 1 : 2);
    if (!is_file) {
      EXPECT_NE(given.err, "");
    }
    const Ran lint = online({"lint", site});
    if (is_file) {
      EXPECT_EQ(lint.out, "");
      EXPECT_EQ(lint.status, 0) << lint.err;
    } else {
      EXPECT_NE(lint.out.find(each.finding), std::string::npos) << lint.out << lint.err;
    }
  }
}

TEST(FetchedAnswers, AWebPageInPlaceOfTheFileIsSaid) {
  for (const char* name : {"http_proxy", "all_proxy", "ALL_PROXY"}) ::unsetenv(name);
  ScriptedServer server;
  const std::uint16_t port = server.listen();
  server.on("", "/robots.txt", reply("<!DOCTYPE html>\n<html><head><title>Shop</title></head></html>\n", "text/html"));
  const std::string site = url_of(port, "", "127.0.0.1");
  const Ran ran = run({"check", "--allow-address", "127.0.0.0/8", site + "/x", site + "/y"}, "");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "robotrules check: note: " + site +
                         "/robots.txt is an HTML page, not a robots.txt; see robotrules "
                         "lint\n");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
