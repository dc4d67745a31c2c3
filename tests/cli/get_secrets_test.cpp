// What opens a server, a proxy or a connection is printed and written nowhere unless it is asked for.
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using test::reply;

class Secrets : public GetRig {
 protected:
  Secrets() { page("/*", reply("a page")); }

  std::string with_secrets(std::string_view path) const {
    return list({R"({"url":")" + url(path) + R"(","headers":{"Authorization":"Bearer s3cret","Cookie":"id=s3cret"}})"});
  }
  std::string request_in(const std::string& path, Packing packing = Packing::none) const {
    for (const ReadRecord& record : read_warc(contents(path), packing)) {
      const bool robots = record.get("WARC-Target-URI").ends_with("/robots.txt");
      if (!robots && record.get("WARC-Type") == "request") return record.block;
    }
    return {};
  }
  static unsigned mode_of(const std::string& path) {
    struct stat there{};
    EXPECT_EQ(::stat(path.c_str(), &there), 0);
    return there.st_mode & 0777U;
  }
};

TEST_F(Secrets, ANoteStandsInTheirPlaceInEveryOutput) {
  for (const std::string name : {"a.warc", "a.warc.gz", "a.ndjson", "a/"}) {
    const std::string out = in_folder(name);
    EXPECT_EQ(get({"-i", with_secrets("/" + name), "-o", out, "--log", out + "log", "--db", in_folder("c.db")}).status,
              0);
    EXPECT_EQ(contents(out + "log").find("s3cret"), std::string::npos);
    if (!name.ends_with('/')) {
      EXPECT_EQ(contents(out).find("s3cret"), std::string::npos);
    }
  }
  for (const auto& [name, packing] : {std::pair("a.warc", Packing::none), std::pair("a.warc.gz", Packing::gzip)}) {
    const std::string request = request_in(in_folder(name), packing);
    EXPECT_NE(request.find("\r\nAuthorization: (not kept)\r\n"), std::string::npos) << request;
    EXPECT_NE(request.find("\r\nCookie: (not kept)\r\n"), std::string::npos) << request;
  }
  EXPECT_EQ(server.witness().requests("/a.warc").at(0).header("Authorization"), "Bearer s3cret");
  EXPECT_EQ(server.witness().requests("/a.warc").at(0).header("Cookie"), "id=s3cret");
}

TEST_F(Secrets, WithKeepSecretsTheyAreThereForTheOwnerAlone) {
  const std::string fresh = in_folder("a.warc");
  const std::string open = folder.file("b.warc", "");
  ASSERT_EQ(::chmod(open.c_str(), 0644), 0);
  for (const std::string& out : {fresh, open}) {
    EXPECT_EQ(get({"-i", with_secrets("/x"), "-o", out, "--keep-secrets"}).status, 0);
    const std::string request = request_in(out);
    EXPECT_NE(request.find("\r\nAuthorization: Bearer s3cret\r\n"), std::string::npos) << request;
    EXPECT_NE(request.find("\r\nCookie: id=s3cret\r\n"), std::string::npos) << request;
    EXPECT_EQ(mode_of(out), 0600U);
  }
}

TEST_F(Secrets, WhatOpensTheProxyIsNeverKept) {
  const std::uint16_t proxy = server.open({.manner = test::Manner::proxy, .proxy_credentials = "me:s3cret"});
  ::setenv("http_proxy", ("http://me:s3cret@127.0.0.1:" + std::to_string(proxy)).c_str(), 1);
  const Ran ran = get({url("/x"), "-o", in_folder("a.warc"), "--keep-secrets"});
  ::unsetenv("http_proxy");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_GT(server.witness().connections_to(proxy), 0U);
  const std::string request = request_in(in_folder("a.warc"));
  EXPECT_NE(request.find("\r\nProxy-Authorization: (not kept)\r\n"), std::string::npos) << request;
  EXPECT_EQ(request.find("Basic"), std::string::npos) << request;
  EXPECT_EQ((ran.out + ran.err).find("s3cret"), std::string::npos) << ran.err;
}

TEST_F(Secrets, NoCommandPrintsUserAndPasswordOfAURL) {
  server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /no\n"));
  server.on("", "/page.html", reply("<!DOCTYPE html><title>no robots.txt</title>", "text/html"));
  const auto secret = [this](std::string_view path) {
    return "http://ana:s3cret@127.0.0.1:" + std::to_string(port) + std::string(path);
  };
  const std::string rules = in_folder("rules.db");
  const std::string file = folder.file("robots.txt", "User-agent: *\nDisallow: /no\n");
  const std::string none = "http://ana:s3cret@/x";  // names no site
  for (Words words : std::vector<Words>{{"check", secret("/no"), secret("/yes")},
                                        {"check", "--json", "--explain", secret("/no")},
                                        {"check", "--db", rules, secret("/no")},
                                        {"check", "--db", rules, "--offline", secret("/no"), none},
                                        {"check", "--robots", file, "--explain", secret("/no"), none},
                                        {"check", "--robots", file, "--dialect", "all", secret("/no")},
                                        {"check", "--robots", file, "--dialect", "all", "--json", secret("/no")},
                                        {"check", "--robots", secret("/robots.txt"), "--explain", "/no"},
                                        {"check", "--robots", secret("/page.html"), "/no"},
                                        {"check", "--robots", secret("/gone"), "/no"},
                                        {"show", secret("/robots.txt")},
                                        {"show", "--json", secret("/robots.txt")},
                                        {"show", "--dialects", secret("/page.html")},
                                        {"show", "--dialects", "--json", secret("/robots.txt")},
                                        {"show", "ftp://ana:s3cret@127.0.0.1/x"},
                                        {"lint", secret("/page.html")},
                                        {"lint", "--json", secret("/page.html")},
                                        {"diff", secret("/robots.txt"), secret("/page.html")},
                                        {"diff", "--json", secret("/robots.txt"), secret("/page.html")},
                                        {"agents", secret("/page.html")},
                                        {"agents", "--json", secret("/robots.txt")},
                                        {"get", "--from", "me@example.org", "--explain", secret("/no"), secret("/x")},
                                        {"get", "--from", "me@example.org", "--sitemap", secret("/sitemap.xml")},
                                        {"get", "--from", "me@example.org", "--dry-run", "--explain", secret("/no")},
                                        {"db", rules, "why", secret("/no")},
                                        {"db", rules, "why", "--json", secret("/no")},
                                        {"db", rules, "show", none}}) {
    const bool asks_robots = words[1] == "--robots" ? words[2] != file : words.front() != "db";
    if (asks_robots) {
      words.insert(words.begin() + 1, {"--allow-address", "127.0.0.0/8"});
    }
    std::string name;
    for (const std::string& word : words) name += word + ' ';
    const Ran ran = run(words);
    EXPECT_NE(ran.status, -1);
    EXPECT_EQ((ran.out + ran.err).find("s3cret"), std::string::npos) << name << '\n' << ran.out << ran.err;
  }
}

TEST_F(Secrets, NoKeyOfAConnectionIsWrittenWhereTheEnvironmentSays) {
  const std::uint16_t secure = server.listen("127.0.0.1", true);
  const std::string keys = in_folder("keys");
  ::setenv("SSLKEYLOGFILE", keys.c_str(), 1);
  run({"check", "--allow-address", "127.0.0.0/8", test::url_of(secure, "/", "127.0.0.1", "https")});
  ::unsetenv("SSLKEYLOGFILE");
  EXPECT_GT(server.witness().connections_to(secure), 0U);
  EXPECT_TRUE(!std::filesystem::exists(keys) || contents(keys).empty()) << contents(keys);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
