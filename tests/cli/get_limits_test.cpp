// What robotrules get takes from lists, and what the system allows it.
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>

#include "archive/append_file.hpp"
#include "cli/get_rig.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

TEST(UrlLine, SetsNoFieldThatIsTheRobotsOrTheConnectionsOwn) {
  for (const std::string name : {"Host", "From", "User-Agent", "Connection", "Upgrade", "host", "USER-AGENT",
                                 "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer",
                                 "Transfer-Encoding", "Content-Length", "Expect", "HTTP2-Settings"}) {
    for (const std::string& headers : {R"({")" + name + R"(":"x"})", R"([["Accept","*/*"],[")" + name + R"(","x"]])"}) {
      const auto read = read_url_line(R"({"url":"http://a.test/","headers":)" + headers + "}");
      ASSERT_FALSE(read.ok()) << headers;
      EXPECT_EQ(read.error().message, "\"headers\": only the robot may set " + name + "; remove this field");
    }
  }
  for (const std::string name : {"Accept", "Accept-Language", "Authorization", "Cookie", "Referer", "X-Host"}) {
    EXPECT_TRUE(read_url_line(R"({"url":"http://a.test/","headers":{")" + name + R"(":"x"}})").ok()) << name;
  }
}

TEST(UrlLine, AsksForPagesAlone) {
  for (const std::string method : {"GET", "HEAD"}) {
    EXPECT_TRUE(read_url_line(R"({"url":"http://a.test/","method":")" + method + R"("})").ok()) << method;
  }
  for (const std::string method :
       {"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "", "PURGE"}) {
    const auto read = read_url_line(R"({"url":"http://a.test/","method":")" + method + R"("})");
    ASSERT_FALSE(read.ok()) << method;
    EXPECT_EQ(read.error().code, "invalid-method");
  }
}

TEST(UrlLine, NamesAMemberThatItDoesNotKnow) {
  const auto error = [](const std::string& members) {
    const auto read = read_url_line(R"({"url":"http://a.test/",)" + members + "}");
    return read.ok() ? std::string() : std::string(read.error().code) + ": " + read.error().message;
  };
  EXPECT_EQ(error(R"("metod":"HEAD")"),
            "unknown-member: it has a member \"metod\", which is not known; a list may set url, method, headers and "
            "priority");
  EXPECT_EQ(error(R"("user-agent":"x/1")"),
            "unknown-member: it has a member \"user-agent\", which is not known; a list may set url, method, headers "
            "and priority");
  EXPECT_EQ(error(R"("body":"a=1")"),
            "unknown-member: it has a \"body\", but GET and HEAD requests are sent without a body; remove it");
  EXPECT_EQ(error(R"("method":"GET","headers":{"Accept":"*/*"},"priority":-3)"), "");
}

// The command under `ulimit -n`, which a test must not set for itself.
std::string limited(int files, const std::string& words) {
  const std::string line =
      "exec 2>&1; ulimit -n " + std::to_string(files) + "; '" + command_path() + "' " + words + "; echo status $?";
  std::FILE* pipe = ::popen(line.c_str(), "r");  // NOLINT(cert-env33-c): a shell sets the limit
  std::string said;
  std::array<char, 4'096> piece{};
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), pipe)) said.append(piece.data(), count);
  ::pclose(pipe);
  return said;
}

class Limits : public GetRig {};

TEST_F(Limits, TooFewFilesAreSaidToBeThat) {
  for (const std::string words :
       {"get --from me@example.org http://a.localhost/", "get --from me@example.org --dry-run http://a.localhost/",
        "check http://a.localhost/", "show http://a.localhost/"}) {
    const std::string said = limited(8, words);
    EXPECT_NE(said.find("raise the limit (ulimit -n)"), std::string::npos) << words << '\n' << said;
    EXPECT_EQ(said.find("memory"), std::string::npos) << said;
    EXPECT_NE(said.find("status 2"), std::string::npos) << said;
  }
}

TEST_F(Limits, RequestsAtOnceAreAsManyAsFilesAllowAndNoPageFailsForIt) {
  page("/*", test::reply("a page"));
  std::vector<std::string> urls;
  for (int i = 0; i < 40; ++i) urls.push_back(url("/" + std::to_string(i), "s" + std::to_string(i)));
  const std::string log = in_folder("log");
  const std::string said =
      limited(80, "get --from me@example.org --allow-address 127.0.0.0/8 --delay 0 -i " + list(urls) + " -o " +
                      in_folder("a.warc") + " --log " + log + " --db " + in_folder("c.db"));
  EXPECT_NE(said.find("--concurrency 256 is reduced to "), std::string::npos) << said;
  EXPECT_NE(said.find("status 0"), std::string::npos) << said;
  for (const Json& line : json_lines(log)) EXPECT_EQ(line.at("status"), 200) << line.dump();
}

TEST_F(Limits, BodiesInTemporaryFilesAreAsManyAsFilesAllowAndNoPageFailsForIt) {
  page("/*", test::reply(std::string((std::size_t{1} << 20) + 1'000, 'x')));
  std::vector<std::string> urls;
  for (int i = 0; i < 60; ++i) urls.push_back(url("/" + std::to_string(i), "s" + std::to_string(i)));
  const std::string log = in_folder("log");
  const std::string said =
      limited(80, "get --from me@example.org --allow-address 127.0.0.0/8 --delay 0 --concurrency 8 -i " + list(urls) +
                      " -o " + in_folder("a.warc") + " --log " + log + " --db " + in_folder("c.db"));
  EXPECT_NE(said.find("--memory is reduced to "), std::string::npos) << said;
  EXPECT_NE(said.find("status 0"), std::string::npos) << said;
  for (const Json& line : json_lines(log)) EXPECT_EQ(line.at("status"), 200) << line.dump();
}

TEST(AppendFile, OpensNoLinkOfAnotherUser) {
  const TemporaryFolder folder;
  const std::string target = folder.file("target.ndjson", "");
  const std::string link = folder.path() + "/link.ndjson";
  ASSERT_EQ(::symlink(target.c_str(), link.c_str()), 0);
  EXPECT_TRUE(archive::AppendFile::open(link).ok()) << "one's own is followed";
  constexpr uid_t another = 65'534;
  if (::lchown(link.c_str(), another, another) != 0) GTEST_SKIP() << "only root can give a link away";
  const auto opened = archive::AppendFile::open(link);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message, link + " is a link that belongs to another user; name the file itself");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
