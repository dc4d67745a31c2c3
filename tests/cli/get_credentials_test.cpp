// What opens pages: --user, --netrc, --cookies and --header. It goes to the sites that it is for, and into no database.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <robotrules/crawl.hpp>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

class GetCredentials : public GetRig {
 protected:
  GetCredentials() {
    for (const char* name : {"ROBOTRULES_USER", "ROBOTRULES_HEADER"}) ::unsetenv(name);
    page("/*", reply("a page"));
    page("/private*", [](const SeenRequest& request) -> Answer {
      if (request.header("Authorization")) return reply("private");
      return status(401, {{"WWW-Authenticate", "Basic realm=\"x\""}});
    });
    page("/away", redirect(302, url("/private", "b")));
  }

  std::string site(std::string_view name = "a") const {
    return "http://" + std::string(name) + ".localhost:" + std::to_string(port);
  }
  // The values of a field in the requests to a host, in their order; "-": a request without it.
  std::vector<std::string> sent(const std::string& name, std::string_view host = "a") const {
    std::vector<std::string> values;
    for (const SeenRequest& request : server.witness().requests()) {
      if (request.host() != std::string(host) + ".localhost:" + std::to_string(port)) continue;
      values.push_back(request.header(name).value_or("-"));
    }
    return values;
  }
  static constexpr const char* me_secret = "Basic bWU6czNjcmV0OnM=";  // me:s3cret:s
};

TEST_F(GetCredentials, AUserIsForItsSiteAlone) {
  const Ran ran = get({"--user", site() + "=me:s3cret:s", url("/private"), url("/private2"), url("/away"),
                       url("/private", "b"), url("/private", "c"), "--log", in_folder("log")});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_EQ(line_of(in_folder("log"), url("/private"))["status"], 200);
  EXPECT_EQ(line_of(in_folder("log"), url("/private", "b"))["status"], 401);
  const std::vector<std::string> own = sent("Authorization");
  EXPECT_EQ(own.front(), "-") << "robots.txt";
  EXPECT_EQ(std::count(own.begin(), own.end(), me_secret), 3) << "two pages and the one that redirects";
  for (const std::string host : {"b", "c"}) {
    for (const std::string& value : sent("Authorization", host)) EXPECT_EQ(value, "-") << host;
  }
}

TEST_F(GetCredentials, AUserIsForASchemeAndAPort) {
  const std::string host_port = "127.0.0.1:" + std::to_string(port);
  for (const auto& [user, is_sent] :
       {std::pair("http://" + host_port, true), std::pair(std::string("http://127.0.0.1"), false),
        std::pair(host_port, false), std::pair("https://" + host_port, false)}) {
    server.witness().clear();
    EXPECT_EQ(get({"-u", user + "=me:s3cret:s", "http://" + host_port + "/private"}).status, is_sent ? 0 : 3) << user;
  }
  const std::uint16_t secure = server.listen("127.0.0.1", true);
  EXPECT_EQ(get({"-u", "127.0.0.1:" + std::to_string(secure) + "=me:s3cret:s", "--ca-file", server.ca_file(),
                 url_of(secure, "/private", "127.0.0.1", "https")})
                .status,
            0);
}

TEST_F(GetCredentials, AUserOfAnotherSchemeIsNoted) {
  page("/locked", test::status(401, {{"WWW-Authenticate", "Basic realm=\"r\""}}));
  const std::string host = "a.localhost:" + std::to_string(port);
  const Ran ran = get({url("/locked"), url("/locked?2"), "--user", host + "=joe:x"});
  const std::string note = "robotrules get: http://" + host +
                           " asks for a name and a password, and --user is for https://" + host +
                           "; for this site write --user http://" + host + "=NAME:PASSWORD\n";
  const std::size_t at = ran.err.find(note);
  EXPECT_NE(at, std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find(note, at + 1), std::string::npos) << "once for each site";
}

TEST_F(GetCredentials, ANetrcFileIsForItsHosts) {
  const std::string file = folder.file(".netrc",
                                       "machine a.localhost login me password s3cret:s\n"
                                       "default login me password s3cret:s\n");
  for (const Words& flags : {Words{"--netrc-file", file}, Words{"--netrc"}}) {
    server.witness().clear();
    const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
    ::setenv("HOME", folder.path().c_str(), 1);
    Words words = flags;
    words.insert(words.end(), {url("/private"), url("/private", "b")});
    EXPECT_EQ(get(words).status, 3);
    ::setenv("HOME", home.c_str(), 1);
    EXPECT_EQ(sent("Authorization").back(), me_secret);
    for (const std::string& value : sent("Authorization", "b")) EXPECT_EQ(value, "-");
  }
}

TEST_F(GetCredentials, ThoseInAURLAreNotSentAndThisIsSaidOnceForASite) {
  const auto with = [&](const std::string& path, const std::string& name) {
    return "http://me:s3cret@" + name + ".localhost:" + std::to_string(port) + path;
  };
  const std::string input =
      list({with("/2", "a"), R"({"headers":{"X-From":"https://x.test/"},"url":")" + with("/3", "b") + "\"}",
            with("/private", "c"), url("/4", "d") + "?q=me:s3cret@x"});
  const Ran ran = get({with("/1", "a"), "-i", input, "--user", site("c") + "=me:s3cret:s", "--log", in_folder("log"),
                       "--db", in_folder("c.db")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* name : {"a", "b"}) {
    const std::string sentence = "the user name and password in the URL of " + site(name) +
                                 " are not sent; use --user " + site(name) + "=NAME:PASSWORD or --netrc-file\n";
    const std::size_t at = ran.err.find(sentence);
    EXPECT_NE(at, std::string::npos) << ran.err;
    EXPECT_EQ(ran.err.find(sentence, at + 1), std::string::npos) << ran.err;
    for (const std::string& value : sent("Authorization", name)) EXPECT_EQ(value, "-");
  }
  for (const char* name : {"c", "d"}) EXPECT_FALSE(holds(ran.err, "URL of " + site(name))) << ran.err;
  EXPECT_FALSE(holds(ran.err + contents(in_folder("log")), "me:s3cret@a")) << ran.err;

  std::vector<std::string> many;
  for (int i = 0; i < 15; ++i) many.push_back(with("/x", "s" + std::to_string(i)));
  const Ran more = get({"-i", list(many)});
  EXPECT_TRUE(holds(more.err, "URL of " + site("s9"))) << more.err;
  EXPECT_FALSE(holds(more.err, "URL of " + site("s10"))) << more.err;
  EXPECT_TRUE(holds(more.err, "the URLs of further sites have user names and passwords, which are not sent"))
      << more.err;
}

TEST_F(GetCredentials, CookiesOfAFileGoToTheirSitesAndNewOnesAreKeptForTheRun) {
  const std::string text =
      "# Netscape HTTP Cookie File\n"
      "a.localhost\tFALSE\t/\tFALSE\t4102444800\tkept\ts3cret\n"
      "a.localhost\tFALSE\t/\tFALSE\t0\tsession\tone\n"
      "a.localhost\tFALSE\t/\tFALSE\t1000\texpired\tx\n"
      "b.localhost\tFALSE\t/\tFALSE\t0\tother\ttwo\n";
  const std::string file = folder.file("cookies.txt", text);
  page("/set", Reply{.headers = {{"Set-Cookie", "new=three"}}});
  const Ran ran =
      get({"--cookies", file, url("/set"), url("/2"), url("/3", "b"), url("/4", "c"), "-o", in_folder("a.warc")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::vector<std::string> own = sent("Cookie");
  ASSERT_EQ(own.size(), 3U);
  EXPECT_EQ(own[0], "-") << "robots.txt";
  for (const auto& [cookies, names] : {std::pair(own[1], Words{"kept=s3cret", "session=one"}),
                                       std::pair(own[2], Words{"kept=s3cret", "session=one", "new=three"})}) {
    for (const std::string& name : names) EXPECT_TRUE(holds(cookies, name)) << cookies;
  }
  EXPECT_FALSE(holds(own[1], "expired") || holds(own[1], "other") || holds(own[1], "new")) << own[1];
  EXPECT_EQ(sent("Cookie", "b").back(), "other=two");
  EXPECT_EQ(sent("Cookie", "c").back(), "-");
  EXPECT_EQ(contents(file), text) << "the file does not change";
  EXPECT_FALSE(holds(contents(in_folder("a.warc")), "s3cret"));

  const Ran none = get({"--cookies", folder.file("empty", ""), url("/5")});
  EXPECT_EQ(none.status, 0);
  EXPECT_TRUE(holds(none.err, "contains no valid cookie in Netscape's format")) << none.err;
  const Ran lost = get({"--cookies", "/nowhere", url("/6")});
  EXPECT_EQ(lost.status, 2);
  EXPECT_TRUE(holds(lost.err, "--cookies: /nowhere cannot be read")) << lost.err;
}

TEST_F(GetCredentials, AHeaderGoesWithEveryPageAndNotAfterARedirectToAnotherSite) {
  page("/away", redirect(302, url("/there", "c")));
  page("/near", redirect(302, "/here"));
  const std::string input = list({R"({"url":")" + url("/own") + R"(","headers":{"X-Key":"own"}})"});
  const Ran ran = get({"--header", "X-Key: s3cret, x", "-H", "Accept-Language: de", url("/1"), url("/near"),
                       url("/away"), url("/2", "b"), "-i", input});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto value = [&](std::string_view path, const std::string& name) {
    return server.witness().requests(path).at(0).header(name).value_or("-");
  };
  for (const std::string path : {"/1", "/near", "/here", "/away", "/2"})
    EXPECT_EQ(value(path, "X-Key"), "s3cret, x") << path;
  EXPECT_EQ(value("/own", "X-Key"), "own");
  EXPECT_EQ(value("/own", "Accept-Language"), "de");
  for (const std::string path : {"/there", "/robots.txt"}) {
    EXPECT_EQ(value(path, "X-Key"), "-") << path;
    EXPECT_EQ(value(path, "Accept-Language"), "-") << path;
  }
}

TEST_F(GetCredentials, AHeaderMayAskForPartsAndChanges) {
  page("/part", status(206));
  page("/same", status(304));
  EXPECT_EQ(get({url("/part"), url("/same")}).status, 3);
  EXPECT_EQ(get({"--header", "Range: bytes=0-9", url("/part")}).status, 0);
  EXPECT_EQ(get({"--header", "If-None-Match: \"x\"", url("/same")}).status, 0);
}

TEST_F(GetCredentials, ValuesThatCannotBeUsedAreRefusedAndNotShown) {
  const std::string bad_user = "--user does not accept this value; give SITE=NAME:PASSWORD";
  const std::string bad_header = "--header does not accept this value; give NAME: VALUE";
  const struct {
    Words flags;
    std::string sentence;
  } cases[] = {
      {{"--user", "me:s3cret"}, bad_user},
      {{"--user", "a.test=s3cret"}, bad_user},
      {{"--user", "=me:s3cret"}, bad_user},
      {{"--user", "a.test=:s3cret"}, bad_user},
      {{"--user", "a.test/x=me:s3cret"}, bad_user},
      {{"--user", "ftp://a.test=me:s3cret"}, bad_user},
      {{"--user", "me@a.test=me:s3cret"}, bad_user},
      {{"--netrc-file", "/nowhere"}, "--netrc-file: /nowhere: "},
      {{"--header", "s3cret"}, bad_header},
      {{"--header", ": s3cret"}, bad_header},
      {{"--header", "Host: s3cret"}, "--header: only the robot may set Host; remove this field"},
      {{"--header", "user-agent: s3cret"}, "--header: only the robot may set user-agent; remove this field"},
      {{"--header", "From: s3cret"}, "--header: only the robot may set From"},
      {{"--header", "Connection: s3cret"}, "--header: only the robot may set Connection"},
      {{"--header", "Proxy-Authorization: s3cret"}, "--header: only the robot may set Proxy-Authorization"},
      {{"--header", "X: s3cret\r\nY: s3cret"}, "--header: a field cannot be sent"},
      {{"--header", "X Y: s3cret"}, "--header: a field cannot be sent"},
      {{"--header", "authorization: s3cret"},
       "--header: every site would get the value of authorization; give --user or --netrc-file"},
      {{"--header", "Cookie: s3cret"}, "--header: every site would get the value of Cookie; give --cookies"},
  };
  for (const auto& one : cases) {
    Words words = one.flags;
    words.push_back(url("/x"));
    const Ran ran = get(words);
    EXPECT_EQ(ran.status, 2) << one.flags[1];
    EXPECT_TRUE(holds(ran.err, one.sentence)) << ran.err;
    EXPECT_FALSE(holds(ran.err, "s3cret")) << ran.err;
  }
  EXPECT_EQ(server.witness().connection_count(), 0U);
}

TEST_F(GetCredentials, TheyMayComeFromAFileOrFromVariables) {
  const std::string config = folder.file(
      "get.toml", "[get]\nuser = \"" + site() + "=me:s3cret:s\"\n" + "header = [\"X-One: 1, 2\", \"X-Two: 2\"]\n");
  EXPECT_EQ(get({"--config", config, url("/private")}).status, 0);
  EXPECT_EQ(sent("Authorization").back(), me_secret);
  EXPECT_EQ(sent("X-One").back(), "1, 2");
  EXPECT_EQ(sent("X-Two").back(), "2");
  ::setenv("ROBOTRULES_USER", (site() + "=me:s3,cret").c_str(), 1);
  ::setenv("ROBOTRULES_HEADER", "X-One: 3, 4\nX-Two: 5", 1);
  EXPECT_EQ(get({url("/private")}).status, 0);
  ::unsetenv("ROBOTRULES_USER");
  ::unsetenv("ROBOTRULES_HEADER");
  EXPECT_EQ(sent("Authorization").back(), "Basic bWU6czMsY3JldA==");
  EXPECT_EQ(sent("X-One").back(), "3, 4");
  EXPECT_EQ(sent("X-Two").back(), "5");
}

TEST_F(GetCredentials, ADatabaseKeepsNoneOfThem) {
  const std::string db = in_folder("c.db");
  const std::uint16_t proxy = server.open({.manner = Manner::proxy, .proxy_credentials = "me:s3cret"});
  const std::string netrc = folder.file("netrc", "machine b.localhost login me password s3cret\n");
  page("/private9", status(500));
  const Ran ran = get({"--db", db, "--job", "mine", "-o", in_folder("a.warc"), "--user", site() + "=me:s3cret",
                       "--header", "X-Key: k3y", "--proxy", "http://me:s3cret@127.0.0.1:" + std::to_string(proxy),
                       "--netrc-file", netrc, "-4", url("/private"), url("/private9")});
  EXPECT_EQ(ran.status, 3) << ran.err;
  EXPECT_EQ(server.witness().requests("/private").back().header("X-Key"), "k3y");
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
    if (file.path() == netrc) continue;
    const std::string text = contents(file.path().string());
    EXPECT_FALSE(holds(text, "s3cret") || holds(text, "bWU6czNjcmV0")) << file.path();
    EXPECT_EQ(holds(text, "k3y"), file.path() == in_folder("a.warc")) << file.path();
  }
  const Json flags = Json::parse(run({"db", db, "jobs", "--json"}).out)["flags"];
  EXPECT_EQ(flags["not-kept"], Json({"user", "header", "proxy"}));
  EXPECT_EQ(flags["proxy"], "http://127.0.0.1:" + std::to_string(proxy));
  EXPECT_EQ(flags["netrc-file"], netrc);
  EXPECT_EQ(flags["ipv4"], "true");

  Running again({"get", "--db", db, "--job", "mine", "--retry", "--tries", "1", "--max-wait", "0"});
  const std::string told = again.read_err_until("the crawl waits until it can use the proxy");
  EXPECT_TRUE(holds(told, "the job mine began with --user, --header, --proxy, and a database keeps no passwords"))
      << told;
  again.signal(SIGINT);
  EXPECT_EQ(again.finish().status, 130);
  const std::string proxy_flag = "http://me:s3cret@127.0.0.1:" + std::to_string(proxy);
  const Ran repeated = run({"get", "--db", db, "--job", "mine", "--retry", "--user", site() + "=me:s3cret", "--header",
                            "X-Key: k3y", "--proxy", proxy_flag});
  EXPECT_FALSE(holds(repeated.err, "keeps no passwords")) << repeated.err;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
