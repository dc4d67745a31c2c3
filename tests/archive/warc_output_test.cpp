// WARC files as robotrules get writes them, read back by a reader of the tests' own.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "archive/digest.hpp"
#include "archive/known_payloads.hpp"
#include "archive/stored_head.hpp"
#include "archive/warc_reader.hpp"
#include "archive/warc_record.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test {
namespace {

constexpr std::string_view plain_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n";

class WarcOutput : public ::testing::Test {
 protected:
  // Writes the pages, each under the URL of the first request, and reads the file.
  std::vector<ReadRecord> written(const std::vector<Response>& pages, const std::string& name = "a.warc",
                                  Packing packing = Packing::none) {
    const std::string path = folder.path() + "/" + name;
    auto output = open_output(path, {.agent = "TestBot/1.0", .from = "me@a.test", .policy = "rfc9309", .dedup = dedup});
    EXPECT_TRUE(output.ok()) << output.error().message;
    for (const Response& page : pages) {
      const auto hops = page.redirects();
      const std::string& url = hops.empty() ? page.url : hops.front()->url;
      const auto wrote = output.value()->write({.response = page, .url = url, .method = page.method});
      EXPECT_TRUE(wrote.ok()) << wrote.error().message;
    }
    EXPECT_TRUE(output.value()->flush().ok());
    const std::string octets = contents(path);
    EXPECT_EQ(output.value()->position(), octets.size());
    return read_warc(octets, packing);
  }
  TemporaryFolder folder;
  bool dedup = false;
};

std::string all_of(const ReadRecord& record) {
  std::string text;
  for (const auto& [name, value] : record.fields) text += name + ": " + value + "\n";
  return text;
}

std::vector<std::string> types_of(const std::vector<ReadRecord>& records) {
  std::vector<std::string> types;
  for (const ReadRecord& record : records) types.push_back(record.get("WARC-Type"));
  return types;
}

bool has_line(const std::string& block, const std::string& line) {
  return ("\r\n" + block).find("\r\n" + line + "\r\n") != std::string::npos;
}

TEST_F(WarcOutput, BeginsWithWhatItIs) {
  const auto records = written({answered("http://a.test/x", std::string(plain_head), "hello")});
  ASSERT_EQ(types_of(records), (std::vector<std::string>{"warcinfo", "response", "request", "metadata"}));
  const ReadRecord& info = records[0];
  EXPECT_EQ(info.get("Content-Type"), "application/warc-fields");
  EXPECT_EQ(info.get("WARC-Filename"), "a.warc");
  EXPECT_TRUE(info.block.starts_with("software: robotrules/")) << info.block;
  EXPECT_TRUE(has_line(info.block, "format: WARC File Format 1.1"));
  EXPECT_TRUE(has_line(info.block, "robots: rfc9309"));
  EXPECT_TRUE(has_line(info.block, "http-header-user-agent: TestBot/1.0"));
  EXPECT_NE(info.block.find("conformsTo: http://iipc.github.io/"), std::string::npos);
}

TEST_F(WarcOutput, HoldsTheOctetsOfBothMessages) {
  const auto records = written({answered("http://a.test/x", std::string(plain_head), "hello")});
  const ReadRecord& response = records.at(1);
  EXPECT_EQ(response.block, std::string(plain_head) + "hello");
  EXPECT_EQ(response.get("WARC-Target-URI"), "http://a.test/x");
  EXPECT_EQ(response.get("WARC-Date"), "2026-11-21T15:04:05.123456Z");
  EXPECT_EQ(response.get("WARC-IP-Address"), "192.0.2.7");
  EXPECT_EQ(response.get("Content-Type"), "application/http;msgtype=response");
  EXPECT_EQ(response.get("WARC-Warcinfo-ID"), records[0].get("WARC-Record-ID"));
  EXPECT_EQ(response.get("WARC-Truncated"), "");
  // printf hello | openssl sha1 -binary | base32
  EXPECT_EQ(response.get("WARC-Payload-Digest"), "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
  const ReadRecord& request = records.at(2);
  EXPECT_EQ(request.block, "GET /asked HTTP/1.1\r\nHost: a.test\r\nUser-Agent: TestBot/1.0\r\n\r\n");
  EXPECT_EQ(request.get("Content-Type"), "application/http;msgtype=request");
  EXPECT_EQ(request.get("WARC-Concurrent-To"), response.get("WARC-Record-ID"));
  EXPECT_EQ(records.at(3).get("WARC-Concurrent-To"), response.get("WARC-Record-ID"));
  EXPECT_TRUE(has_line(records.at(3).block, "page-url: http://a.test/x")) << records.at(3).block;
  EXPECT_TRUE(has_line(records.at(3).block, "fetchTimeMs: 12"));
}

TEST_F(WarcOutput, PacksEachRecordByItself) {
  std::vector<Response> pages;
  for (int i = 0; i < 20; ++i) {
    pages.push_back(
        answered("http://a.test/" + std::to_string(i), std::string(plain_head), std::string(i * 5'000, 'x')));
  }
  const auto plain = written(pages, "p.warc");
  for (const auto& [name, packing] : {std::pair{"p.warc.gz", Packing::gzip}, {"p.warc.zst", Packing::zstd}}) {
    const auto packed = written(pages, name, packing);
    ASSERT_EQ(packed.size(), plain.size()) << name;
    for (std::size_t i = 1; i < plain.size(); ++i) EXPECT_EQ(packed[i].block, plain[i].block) << name << ' ' << i;
  }
}

// A page that could not be written is not the original of a later one.
TEST_F(WarcOutput, RefersOnlyToWhatIsInTheFile) {
  archive::KnownPayloads payloads;
  payloads.add("sha1:A", {"http://a.test/1", "2026"});
  EXPECT_EQ(payloads.find("sha1:A"), nullptr);
  payloads.take_back();
  payloads.commit();
  EXPECT_EQ(payloads.find("sha1:A"), nullptr);
  payloads.add("sha1:A", {"http://a.test/2", "2026"});
  payloads.commit();
  ASSERT_NE(payloads.find("sha1:A"), nullptr);
  EXPECT_EQ(payloads.find("sha1:A")->url, "http://a.test/2");
}

TEST_F(WarcOutput, NamesEveryRecordAnew) {
  std::set<std::string> names;
  const auto records =
      written(std::vector<Response>(100, answered("http://a.test/x", std::string(plain_head), "hello")));
  for (const ReadRecord& record : records) {
    const std::string name = record.get("WARC-Record-ID");
    EXPECT_EQ(name.size(), 47U);
    EXPECT_TRUE(name.starts_with("<urn:uuid:")) << name;
    EXPECT_EQ(name[24], '4') << name;
    names.insert(name);
  }
  EXPECT_EQ(names.size(), records.size());
}

TEST_F(WarcOutput, HasEachHopWithItsOwnRecords) {
  const Response first = answered("http://a.test/one", "HTTP/1.1 302 Found\r\nLocation: /two\r\n\r\n", "");
  const auto records = written({after(first, answered("http://a.test/two", std::string(plain_head), "hello"))});
  ASSERT_EQ(types_of(records), (std::vector<std::string>{"warcinfo", "response", "request", "metadata", "response",
                                                         "request", "metadata"}));
  EXPECT_EQ(records[1].get("WARC-Target-URI"), "http://a.test/one");
  EXPECT_EQ(records[4].get("WARC-Target-URI"), "http://a.test/two");
  EXPECT_EQ(records[3].block.find("page-"), std::string::npos);
  EXPECT_TRUE(has_line(records[6].block, "via: http://a.test/one"));
  EXPECT_TRUE(has_line(records[6].block, "page-url: http://a.test/one"));
}

TEST_F(WarcOutput, SaysOfADeniedPageWhy) {
  const auto records = written({denied("http://a.test/no", "User-agent: *\nDisallow: /n\x80\n")});
  ASSERT_EQ(types_of(records), (std::vector<std::string>{"warcinfo", "metadata"}));
  const std::string& block = records[1].block;
  EXPECT_TRUE(has_line(block, "robots-access: disallowed") || has_line(block, "robots-access: allowed")) << block;
  EXPECT_TRUE(has_line(block, "robots-url: http://a.test/robots.txt")) << block;
  EXPECT_TRUE(has_line(block, "page-why: robots-denied")) << block;
  EXPECT_TRUE(has_line(block, "page-status: 0")) << block;
  EXPECT_EQ(records[1].get("WARC-Concurrent-To"), "");
}

TEST_F(WarcOutput, NamesTheDecidingRule) {
  const auto records = written({denied("http://a.test/no", "User-agent: *\nDisallow: /no\n")});
  EXPECT_TRUE(has_line(records.at(1).block, "robots-access: disallowed"));
  EXPECT_TRUE(has_line(records.at(1).block, "robots-rule: Disallow: /no"));
  EXPECT_TRUE(has_line(records.at(1).block, "robots-line: 2"));
}

TEST_F(WarcOutput, OfA304IsARevisit) {
  const Response page = answered("http://a.test/x", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n", "");
  const std::string path = folder.path() + "/r.warc";
  auto output = open_output(path, {});
  ASSERT_TRUE(output.ok());
  ASSERT_TRUE(
      output.value()->write({.response = page, .url = page.url, .method = "GET", .known_since = Timestamp{}}).ok());
  const auto records = read_warc(contents(path), Packing::none);
  ASSERT_EQ(types_of(records).at(1), "revisit");
  EXPECT_EQ(records[1].get("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
  EXPECT_EQ(records[1].get("WARC-Refers-To-Target-URI"), "http://a.test/x");
  EXPECT_EQ(records[1].get("WARC-Refers-To-Date"), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(records[1].get("WARC-Payload-Digest"), "");
  EXPECT_EQ(records[1].block, page.recording->response_head);
}

TEST_F(WarcOutput, SaysWhereABodyWasCut) {
  for (const auto& [cut, word] : {std::pair{RecordingCut::length, "length"},
                                  {RecordingCut::time, "time"},
                                  {RecordingCut::disconnect, "disconnect"},
                                  {RecordingCut::unspecified, "unspecified"}}) {
    Response page = answered("http://a.test/x", std::string(plain_head), "hel");
    auto recording = *page.recording;
    recording.cut = cut;
    page.recording = std::make_shared<const Recording>(recording);
    const auto records = written({page}, std::string(word) + ".warc");
    EXPECT_EQ(records.at(1).get("WARC-Truncated"), word);
    EXPECT_EQ(records.at(1).block, std::string(plain_head) + "hel");
  }
}

// The body may have been cut, so no length is made up for it, and neither is it a copy nor has it one.
TEST_F(WarcOutput, MakesUpNoLengthWhereTheEndIsUnknown) {
  dedup = true;
  const std::string head = "HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n";
  const std::string stored = "HTTP/1.1 200 \r\ncontent-type: text/html\r\n";
  for (const bool end_unknown : {false, true}) {
    std::vector<Response> pages;
    for (const char* url : {"http://a.test/1", "http://a.test/2"}) {
      pages.push_back(answered(url, head, "hello"));
      pages.back().end_unknown = end_unknown;
    }
    const auto records = written(pages, end_unknown ? "unknown.warc" : "known.warc");
    ASSERT_EQ(records.size(), 7U);
    EXPECT_EQ(records[1].block, stored + (end_unknown ? "\r\nhello" : "Content-Length: 5\r\n\r\nhello"));
    EXPECT_EQ(records[4].get("WARC-Type"), end_unknown ? "response" : "revisit");
  }
}

TEST_F(WarcOutput, ATransferThatFailedKeepsWhatCame) {
  Response page = answered("http://a.test/x", std::string(plain_head), "");
  auto recording = *page.recording;
  recording.cut = RecordingCut::time;
  recording.body = "he";
  recording.body_is_plain = false;
  page.recording = std::make_shared<const Recording>(recording);
  page.source = ResponseSource::timeout;
  page.code = 500;
  const auto records = written({page});
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[1].block, std::string(plain_head) + "he");
  EXPECT_TRUE(has_line(records[3].block, "page-why: timeout"));
}

TEST_F(WarcOutput, GoesOnWhereItStopped) {
  written({answered("http://a.test/1", std::string(plain_head), "hello")}, "g.warc.gz", Packing::gzip);
  const auto records =
      written({answered("http://a.test/2", std::string(plain_head), "hello")}, "g.warc.gz", Packing::gzip);
  EXPECT_EQ(records.size(), 8U);
  EXPECT_EQ(records.at(5).get("WARC-Warcinfo-ID"), records.at(4).get("WARC-Record-ID"));
}

TEST_F(WarcOutput, IsReadByTheImportOfDatabases) {
  const std::string robots = "User-agent: *\nDisallow: /x\n";
  written({answered("http://a.test/" + std::string(100'000, 'x'), std::string(plain_head), "hello"),
           answered("http://a.test/robots.txt",
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n", robots)},
          "i.warc.gz", Packing::gzip);
  archive::WarcReader reader(folder.path() + "/i.warc.gz");
  WarcRobots found;
  ASSERT_TRUE(reader.next(found)) << reader.error();
  EXPECT_EQ(found.url, "http://a.test/robots.txt");
  EXPECT_EQ(found.body, robots);
  EXPECT_EQ(found.fault, "");
  EXPECT_FALSE(reader.next(found));
  EXPECT_EQ(reader.error(), "");
}

TEST_F(WarcOutput, TheReaderOfRobotsTxtFilesDecodesWhatARobotDecodes) {
  const std::string robots = "User-agent: *\nDisallow: /x\n";
  for (const Coding coding : {Coding::gzip, Coding::deflate, Coding::raw_deflate, Coding::brotli, Coding::zstd}) {
    const std::string head =
        "HTTP/1.1 200 OK\r\nContent-Encoding: " + std::string(name_of(coding)) + "\r\nContent-Type: text/plain\r\n\r\n";
    const std::string file = std::string(name_of(coding)) + (coding == Coding::raw_deflate ? "-raw" : "") + ".warc.gz";
    written({answered("http://a.test/robots.txt", head, packed(coding, robots))}, file, Packing::gzip);
    archive::WarcReader reader(folder.path() + "/" + file);
    WarcRobots found;
    ASSERT_TRUE(reader.next(found)) << reader.error();
    EXPECT_EQ(found.fault, "") << file;
    EXPECT_EQ(found.body, robots) << file;
  }
}

TEST_F(WarcOutput, LetsNoUrlOrWordEndALine) {
  Response page = answered("http://u:p@a.test/a b\r\nWARC-Type: x<>#frag", std::string(plain_head), "hello");
  page.warning = "one\r\ntwo";
  const auto records = written({page});
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[1].get("WARC-Target-URI"), "http://a.test/a%20b%0D%0AWARC-Type:%20x%3C%3E");
  EXPECT_EQ(all_of(records[1]).find("WARC-Type: x"), std::string::npos);
}

TEST(Base32, IsThatOfRfc4648Section10) {
  for (const auto& [plain, coded] : {std::pair{"", ""},
                                     {"f", "MY======"},
                                     {"fo", "MZXQ===="},
                                     {"foo", "MZXW6==="},
                                     {"foob", "MZXW6YQ="},
                                     {"fooba", "MZXW6YTB"},
                                     {"foobar", "MZXW6YTBOI======"}}) {
    EXPECT_EQ(archive::base32(plain), coded);
  }
}

TEST(StoredHead, OfEachKind) {
  struct Case {
    std::string_view head;
    std::optional<std::uint64_t> length;
    std::string_view stored;
  };
  for (const Case& one : std::initializer_list<Case>{
           {plain_head, 5, plain_head},
           {"HTTP/1.1 200 OK\r\nA: b\r\n\r\n", 5, "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"},
           {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 5,
            "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"},
           {"HTTP/1.1 200 OK\r\ntransfer-encoding : chunked\r\nContent-length: 99\r\n\r\n", 5,
            "HTTP/1.1 200 OK\r\nX-Crawler-transfer-encoding : chunked\r\nX-Crawler-Content-length: 99\r\n"
            "Content-Length: 5\r\n\r\n"},
           {"HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n", std::nullopt,
            "HTTP/1.1 200 OK\r\nX-Crawler-Content-Length: 99\r\nX-Crawler-Transfer-Encoding: chunked\r\n\r\n"},
           {"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", 5,
            "HTTP/1.1 200 OK\nX-Crawler-Transfer-Encoding: chunked\nContent-Length: 5\n\n"},
           {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", std::nullopt,
            "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\n\r\n"},
           {"HTTP/2 200 \r\ncontent-type: text/html\r\n\r\n", 7,
            "HTTP/1.1 200 \r\ncontent-type: text/html\r\nContent-Length: 7\r\n\r\n"},
           {"HTTP/1.1 200 OK\r\nA: b,\r\n Transfer-Encoding: c\r\n\tContent-Length: 9\r\n\r\n", 5,
            "HTTP/1.1 200 OK\r\nA: b,\r\n Transfer-Encoding: c\r\n\tContent-Length: 9\r\n\r\n"},
           {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b,\r\n content-length: 9\r\n\r\n", 5,
            "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\nA: b,\r\n content-length: 9\r\n"
            "Content-Length: 5\r\n\r\n"},
           {"", 5, ""},
           {"HTTP/2", 5, "HTTP/1.1"},
       }) {
    EXPECT_EQ(archive::stored_response_head(one.head, one.length), one.stored) << one.head;
  }
  EXPECT_EQ(archive::stored_request_head("GET /x HTTP/2\r\nHost: a\r\n\r\n", true),
            "GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(archive::stored_request_head("GET /x HTTP/1.1\r\nHost: a\r\n\r\n", true),
            "GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(archive::protocol_of("HTTP/2 200 \r\n"), "h2");
  EXPECT_EQ(archive::protocol_of("HTTP/1.1 200 OK\r\n"), "");
}

}  // namespace
}  // namespace robotrules::test
