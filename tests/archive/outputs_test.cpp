// Which output a name means, NDJSON and log lines, bodies, and what goes wrong with files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include <nlohmann/json.hpp>

#include "archive/outputs.hpp"
#include "archive/page_json.hpp"
#include "base/base64.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using nlohmann::json;

constexpr std::string_view head = "HTTP/1.1 200 OK\r\nX-Two: 1\r\nX-Two: 2\r\nContent-Length: 5\r\n\r\n";

TEST(OutputName, AFolderWithTheNameOfAFileIsAnError) {
  const TemporaryFolder folder;
  for (const std::string name : {"/a.warc", "/a.warc.gz", "/a.warc.zst", "/a.ndjson", "/a.jsonl"}) {
    const std::string path = folder.path() + name;
    std::filesystem::create_directory(path);
    const auto read = read_output_name(path);
    ASSERT_FALSE(read) << name;
    EXPECT_EQ(read.error().code, "output-is-folder");
    EXPECT_NE(read.error().message.find("\"" + path + "\" has the name of a file"), std::string::npos);
    EXPECT_EQ(read_output_name(path + "/").value().kind, OutputKind::tree) << "that is what was asked for";
  }
}

TEST(OutputName, SaysWhatToWrite) {
  const TemporaryFolder folder;
  struct Case {
    std::string name;
    OutputKind kind;
    Packing packing = Packing::none;
  };
  for (const Case& one :
       {Case{"-", OutputKind::bodies}, Case{"a.warc", OutputKind::warc},
        Case{"b/a.warc.gz", OutputKind::warc, Packing::gzip}, Case{"a.warc.zst", OutputKind::warc, Packing::zstd},
        Case{"a.ndjson", OutputKind::ndjson}, Case{"a.jsonl", OutputKind::ndjson}, Case{"new/", OutputKind::tree},
        Case{"a.warc/", OutputKind::tree}, Case{folder.path(), OutputKind::tree}}) {
    const auto read = read_output_name(one.name);
    ASSERT_TRUE(read.ok()) << one.name;
    EXPECT_EQ(read.value().kind, one.kind) << one.name;
    EXPECT_EQ(read.value().packing, one.packing) << one.name;
  }
  for (const std::string name : {"", "out", "a.gz", "a.txt", "\x1b[1m"}) {
    const auto read = read_output_name(name);
    ASSERT_FALSE(read.ok()) << name;
    EXPECT_EQ(read.error().code, "unknown-output");
    EXPECT_EQ(read.error().message.find('\x1b'), std::string::npos);
  }
}

TEST(LogLine, HasTheNumberOfTriesOfAPageThatWasTriedAgain) {
  for (const unsigned tries : {1U, 2U}) {
    const Response response = answered("http://a.test/1", std::string(head), "12345");
    const FetchedPage page{.response = response, .url = "http://a.test/1", .method = "GET", .tries = tries};
    std::string line;
    archive::append_page_facts(line, page);
    EXPECT_EQ(json::parse(line + "}").value("tries", 1U), tries);
    EXPECT_EQ(line.find("\"tries\"") != std::string::npos, tries > 1) << line;
  }
}

TEST(OutputFiles, SayWhatIsWrongWithThem) {
  const TemporaryFolder folder;
  const auto missing = open_output(folder.path() + "/no/a.warc", {});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, "output-failed");
  EXPECT_EQ(missing.error().message,
            folder.path() + "/no/a.warc cannot be opened for writing: No such file or directory");
  const auto tree = open_output(folder.file("f", "x") + "/", {});
  ASSERT_FALSE(tree.ok());
  EXPECT_EQ(tree.error().code, "output-failed");
  auto full = open_log("/dev/full");
  ASSERT_TRUE(full.ok()) << full.error().message;
  const Response page = answered("http://a.test/", std::string(head), "hello");
  const auto wrote = full.value()->write({.response = page, .url = page.url, .method = "GET"});
  ASSERT_FALSE(wrote.ok());
  EXPECT_EQ(wrote.error().message, "/dev/full cannot be written: No space left on device");
}

class Ndjson : public ::testing::Test {
 protected:
  json line(const Response& page, archive::NdjsonParts parts = {}) {
    const std::string path = folder.path() + "/" + std::to_string(++count) + ".ndjson";
    auto output = archive::open_ndjson(path, parts);
    EXPECT_TRUE(output.value()->write({.response = page, .url = "http://a.test/asked", .method = "GET"}).ok());
    const std::string text = contents(path);
    EXPECT_EQ(output.value()->position(), text.size());
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    return json::parse(text);
  }
  TemporaryFolder folder;
  int count = 0;
};

TEST_F(Ndjson, HasAllOfAPage) {
  const json object = line(answered("http://a.test/x", std::string(head), "hello"));
  EXPECT_EQ(object["url"], "http://a.test/asked");
  EXPECT_EQ(object["final_url"], "http://a.test/x");
  EXPECT_EQ(object["method"], "GET");
  EXPECT_EQ(object["status"], 200);
  EXPECT_EQ(object["why"], "server");
  EXPECT_EQ(object["requested_at"], "2026-11-21T15:04:05.123456Z");
  EXPECT_EQ(object["received_at"], "2026-11-21T15:04:05.135456Z");
  EXPECT_EQ(object["ms"], 12);
  EXPECT_EQ(object["bytes"], 5);
  EXPECT_EQ(object["wire_bytes"], 5);
  EXPECT_EQ(object["headers"], json::parse(R"([["X-Two","1"],["X-Two","2"],["Content-Length","5"]])"));
  EXPECT_EQ(object["body"], "hello");
  EXPECT_FALSE(object.contains("robots"));
  EXPECT_FALSE(object.contains("truncated"));
}

TEST_F(Ndjson, BringsBackEveryByteOfABody) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  for (const std::string& body :
       {std::string(), std::string("\0\x1b\"\\\n", 5), std::string("\u202e\u0085 caf\u00e9"), all}) {
    const json object = line(answered("http://a.test/x", std::string(head), body));
    std::string back;
    if (object.contains("body")) {
      back = object["body"].get<std::string>();
    } else {
      ASSERT_TRUE(base::decode_base64(object["body_b64"].get<std::string>(), back));
    }
    EXPECT_EQ(back, body);
  }
}

TEST_F(Ndjson, OfADeniedPageHasTheVerdict) {
  const json object = line(denied("http://a.test/no", "User-agent: *\nDisallow: /no\n"));
  EXPECT_EQ(object["status"], 0) << "no server answered";
  EXPECT_EQ(object["why"], "robots-denied");
  EXPECT_EQ(object["access"], "disallowed");
  EXPECT_EQ(object["line"], 2);
  EXPECT_EQ(object["rule"], "Disallow: /no");
  EXPECT_EQ(object["robots"]["url"], "http://a.test/robots.txt");
  EXPECT_EQ(object["robots"]["outcome"], "rules");
  EXPECT_FALSE(object.contains("body"));
  EXPECT_FALSE(object.contains("bytes"));
}

TEST_F(Ndjson, OfALogHasNeitherHeadersNorBody) {
  const json object =
      line(answered("http://a.test/x", std::string(head), "hello"), {.headers = false, .bodies = false});
  EXPECT_FALSE(object.contains("headers"));
  EXPECT_FALSE(object.contains("body"));
  EXPECT_EQ(object["bytes"], 5);
}

TEST_F(Ndjson, CountsRedirectsAndTellsOfCuts) {
  Response last = answered("http://a.test/x", std::string(head), "hello");
  last.truncated = true;
  last.warning = "the body is cut at 5 bytes";
  const json object = line(after(answered("http://a.test/asked", "HTTP/1.1 302 Found\r\n\r\n", ""), last));
  EXPECT_EQ(object["redirects"], 1);
  EXPECT_EQ(object["truncated"], true);
  EXPECT_EQ(object["warning"], last.warning);
}

TEST(Bodies, OfSuccessesStandOneBehindTheOther) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto output = archive::bodies_to(ends[1]);
  const Response good = answered("http://a.test/1", std::string(head), "hello");
  const Response bad = answered("http://a.test/2", "HTTP/1.1 404 Not Found\r\n\r\n", "not this");
  for (const Response* page : {&good, &bad, &good}) {
    ASSERT_TRUE(output->write({.response = *page, .url = page->url, .method = "GET"}).ok());
  }
  close(ends[1]);
  char bytes[64];
  EXPECT_EQ(std::string(bytes, static_cast<std::size_t>(read(ends[0], bytes, sizeof bytes))), "hellohello");
  close(ends[0]);
}

TEST(Outputs, SayWhatTheyNeed) {
  const TemporaryFolder folder;
  const auto needs = [&](const std::string& name, bool bodies = true) {
    auto output = open_output(name, {.bodies = bodies});
    return output.value()->needs();
  };
  EXPECT_TRUE(needs(folder.path() + "/a.warc").recording);
  EXPECT_FALSE(needs(folder.path() + "/a.warc").body);
  EXPECT_FALSE(needs(folder.path() + "/a.ndjson").recording);
  EXPECT_TRUE(needs(folder.path() + "/a.ndjson").body);
  EXPECT_FALSE(needs(folder.path() + "/a.ndjson", false).body);
  EXPECT_TRUE(needs(folder.path()).body);
  EXPECT_TRUE(needs("-").body);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
