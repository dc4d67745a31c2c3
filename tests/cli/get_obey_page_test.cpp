// robotrules get --obey-page: pages that ask not to be kept are not in the output.
#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli/get_site.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const char* const kept[] = {"/open", "/nofollow", "/other-bot"};
const char* const kept_out[] = {"/noindex", "/noarchive", "/meta", "/expired", "/mine", "/folded"};

class GetObeyPage : public GetSite {
 protected:
  GetObeyPage() {
    server_.on("", "/robots.txt", test::reply(""));
    page("/open", {});
    page("/nofollow", {{"X-Robots-Tag", "nofollow"}});
    page("/other-bot", {{"X-Robots-Tag", "otherbot: noindex"}});
    page("/noindex", {{"X-Robots-Tag", "noindex"}});
    page("/noarchive", {{"X-Robots-Tag", "noarchive"}});
    page("/expired", {{"X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 GMT"}});
    page("/mine", {{"X-Robots-Tag", "testbot: none"}});
    server_.on("", "/meta",
               test::reply("<html><head><meta name=\"robots\" content=\"noindex\"></head>SECRET</html>", "text/html"));
    server_.on(
        "", "/folded",
        test::Script().send("HTTP/1.1 200 OK\r\nX-Robots-Tag:\r\n noindex\r\nContent-Length: 6\r\n\r\nSECRET").keep());
    server_.on("", "/away", test::redirect(302, "/noindex"));
  }

  // Answers 304 to whoever knows it.
  void page(const std::string& path, std::vector<test::HeaderLine> headers) {
    headers.push_back({"ETag", "\"1\""});
    const std::string body = path == "/open" ? "OPEN" : "SECRET";
    server_.on("", path, [headers, body](const test::SeenRequest& request) {
      if (request.header("If-None-Match")) return test::status(304, {{"ETag", "\"1\""}});
      test::Reply answer = test::reply(body);
      answer.headers.insert(answer.headers.end(), headers.begin(), headers.end());
      return answer;
    });
  }
  Words words(const std::string& output, const Words& more = {}) const {
    Words all = get({"-w", "0", "--obey-page", "--db", in_folder("c.db"), "-o", output});
    all.insert(all.end(), more.begin(), more.end());
    for (const char* path : kept) all.push_back(url("a", path));
    for (const char* path : kept_out) all.push_back(url("a", path));
    return all;
  }
};

TEST_F(GetObeyPage, OfAWarcOnlyTheMetadataAreLeft) {
  const std::string path = in_folder("o.warc");
  Words all = words(path, {url("a", "/away")});
  const Ran ran = run(all);
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("7 kept out of the output, as the pages ask"), std::string::npos) << ran.err;
  const auto check = [&](std::string_view type) {
    const auto records = read_warc(contents(path), Packing::none);
    const auto count = [&](std::string_view of_type, const std::string& of_url) {
      return std::count_if(records.begin(), records.end(), [&](const ReadRecord& record) {
        return record.get("WARC-Type") == of_type && record.get("WARC-Target-URI") == of_url;
      });
    };
    for (const char* known : kept) EXPECT_EQ(count(type, url("a", known)), 1) << known;
    for (const char* hidden : kept_out) {
      for (const char* of_type : {"response", "request", "revisit"}) {
        EXPECT_EQ(count(of_type, url("a", hidden)), 0) << of_type << ' ' << hidden;
      }
      EXPECT_GE(count("metadata", url("a", hidden)), 1) << hidden;
    }
    EXPECT_TRUE(std::any_of(records.begin(), records.end(), [&](const ReadRecord& record) {
      return record.block.find("page-url: " + url("a", "/away") + "\r\n") != std::string::npos &&
             record.block.find("page-why: page-rules\r\n") != std::string::npos;
    }));
  };
  check("response");
  const std::size_t asked = pages_asked();
  all.insert(all.begin() + 1, "--revisit");
  ASSERT_EQ(run(all).status, 0);
  EXPECT_GT(pages_asked(), asked);
  check("revisit");  // and no 304 speaks of what was never kept
}

TEST_F(GetObeyPage, ATreeHasNoFileOfThem) {
  const std::string path = in_folder("tree/");
  ASSERT_EQ(run(words(path)).status, 0);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back("/" + entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{"/nofollow", "/open", "/other-bot"}));
}

TEST_F(GetObeyPage, NdjsonTellsWhatBecameOfThemAndNothingOfThem) {
  const std::string path = in_folder("o.ndjson");
  ASSERT_EQ(run(words(path, {"--log", in_folder("log")})).status, 0);
  std::size_t hidden = 0;
  for (const std::string& line : lines_of(contents(path))) {
    const auto page = nlohmann::json::parse(line);
    const bool is_hidden = page["why"] == "page-rules";
    hidden += is_hidden ? 1U : 0U;
    EXPECT_EQ(page.contains("body"), !is_hidden) << line;
    EXPECT_EQ(page.contains("headers"), !is_hidden) << line;
    EXPECT_EQ(page["status"], 200) << line;
  }
  EXPECT_EQ(hidden, std::size(kept_out));
  const std::string log = contents(in_folder("log"));
  EXPECT_EQ(lines_of(log).size(), std::size(kept) + std::size(kept_out));
  EXPECT_EQ(log.find("SECRET"), std::string::npos);
}

// A condition would bring 304, and never the page.
TEST_F(GetObeyPage, ALaterRunWithoutTheFlagGetsWhatWasKeptOut) {
  for (const char* name : {"o.ndjson", "o.warc"}) {
    const std::string path = in_folder(name);
    const Words line = get({"-w", "0", "--db", in_folder("c.db"), "-o", path, url("a", "/noindex")});
    const auto with = [&](const char* flag) {
      Words all = line;
      all.emplace_back(flag);
      return all;
    };
    run(with("--obey-page"));
    EXPECT_EQ(contents(path).find("SECRET"), std::string::npos);
    const Ran ran = run(with("--revisit"));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_NE(contents(path).find("SECRET"), std::string::npos);
  }
}

TEST_F(GetObeyPage, WithoutTheFlagAllIsKept) {
  const std::string path = in_folder("o.ndjson");
  Words all = words(path);
  all.erase(std::find(all.begin(), all.end(), "--obey-page"));
  ASSERT_EQ(run(all).status, 0);
  EXPECT_EQ(contents(path).find("page-rules"), std::string::npos);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
