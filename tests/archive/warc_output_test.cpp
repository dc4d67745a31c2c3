// WARC files as robotrules get writes them, read back by a reader of the tests' own.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <set>

#include "archive/digest.hpp"
#include "archive/known_payloads.hpp"
#include "archive/stored_head.hpp"
#include "archive/warc_reader.hpp"
#include "archive/warc_record.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
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
    const std::string bytes = contents(path);
    EXPECT_EQ(output.value()->position(), bytes.size());
    return read_warc(bytes, packing);
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

TEST_F(WarcOutput, HoldsTheBytesOfBothMessages) {
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
  payloads.add({"http://a.test/1", Timestamp{}, "sha1:A"});
  EXPECT_FALSE(payloads.find("sha1:A"));
  payloads.take_back();
  payloads.commit();
  EXPECT_FALSE(payloads.find("sha1:A"));
  payloads.add({"http://a.test/2", Timestamp{}, "sha1:A"});
  payloads.commit();
  ASSERT_TRUE(payloads.find("sha1:A"));
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

// Writes one page after the other into a file, and reads the file.
class WarcRevisits : public ::testing::Test {
 protected:
  WarcRevisits() { open({.dedup = true}); }
  void open(const OutputOptions& options) {
    output.reset();
    auto opened = open_output(path, options);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    output = std::move(opened).value();
  }
  // Returns what the output says of the page.
  std::optional<PayloadRecord> write(const Response& page, std::optional<PayloadRecord> known = {},
                                     std::string_view why = {}) {
    const auto hops = page.redirects();
    FetchedPage fetched{.response = page, .url = hops.empty() ? page.url : hops.front()->url, .method = page.method};
    fetched.known = std::move(known);
    fetched.why = why;
    const auto wrote = output->write(fetched);
    EXPECT_TRUE(wrote.ok()) << wrote.error().message;
    return output->last_payload();
  }
  static Response page(const std::string& url, const std::string& body = "hello", const std::string& fields = {}) {
    return answered(url, "HTTP/1.1 200 OK\r\n" + fields + "\r\n", body);
  }
  static Response not_modified(const std::string& url) {
    return answered(url, "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nX-Odd (x): y\r\nVary: a,\r\n b\r\n\r\n", "");
  }
  static PayloadRecord record(std::string url, std::string digest, int hours = 0) {
    return {std::move(url), Timestamp(std::chrono::hours(hours)), std::move(digest)};
  }
  // The response and revisit records of the file.
  std::vector<ReadRecord> records() const {
    std::vector<ReadRecord> found;
    for (ReadRecord& one : read_warc(contents(path), Packing::none)) {
      if (one.get("WARC-Type") == "response" || one.get("WARC-Type") == "revisit") found.push_back(std::move(one));
    }
    return found;
  }
  TemporaryFolder folder;
  const std::string path = folder.path() + "/r.warc";
  std::unique_ptr<PageOutput> output;
  const std::string of_hello = "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N";
};

// WARC 1.1, section 6.7.3: without a block, with a Content-Length of zero. Section 5.9: the payload digest of what a
// profile leaves off.
TEST_F(WarcRevisits, A304IsOneWithoutABlock) {
  const auto known = record("http://b.test/y", of_hello, 1);
  EXPECT_EQ(write(not_modified("http://a.test/x"), known), known);
  const ReadRecord revisit = records().at(0);
  EXPECT_EQ(revisit.get("WARC-Type"), "revisit");
  EXPECT_EQ(revisit.get("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/server-not-modified");
  EXPECT_EQ(revisit.get("WARC-Target-URI"), "http://a.test/x");
  EXPECT_EQ(revisit.get("WARC-Refers-To-Target-URI"), "http://b.test/y");
  EXPECT_EQ(revisit.get("WARC-Refers-To-Date"), "1970-01-01T01:00:00.000000Z");
  EXPECT_EQ(revisit.get("WARC-Payload-Digest"), of_hello);
  EXPECT_EQ(revisit.get("Content-Length"), "0");
  EXPECT_EQ(revisit.get("Content-Type"), "");
  EXPECT_EQ(revisit.get("WARC-Truncated"), "");
  EXPECT_EQ(revisit.block, "");
  const ReadRecord metadata = read_warc(contents(path), Packing::none).at(3);
  EXPECT_TRUE(has_line(metadata.block, "http-status-line: HTTP/1.1 304 Not Modified")) << metadata.block;
  EXPECT_TRUE(has_line(metadata.block, "http-header-etag: \"a\""));
  EXPECT_TRUE(has_line(metadata.block, "http-header-vary: a, b"));
  EXPECT_EQ(metadata.block.find("x-odd"), std::string::npos) << "it is not a name of a field";
}

TEST_F(WarcRevisits, A304OfAnUnknownPageNamesOnlyItsUrl) {
  EXPECT_FALSE(write(not_modified("http://a.test/x")));
  EXPECT_EQ(records().at(0).get("WARC-Refers-To-Target-URI"), "http://a.test/x");
  EXPECT_EQ(records().at(0).get("WARC-Refers-To-Date"), "");
  EXPECT_EQ(records().at(0).get("WARC-Payload-Digest"), "");
}

// Its digest would lead pywb to no record at all.
TEST_F(WarcRevisits, AnEmptyPayloadHasNoDigestInThem) {
  const auto empty = write(page("http://a.test/x", ""));
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->digest, records().at(0).get("WARC-Payload-Digest"));
  write(not_modified("http://a.test/x"), empty);
  EXPECT_EQ(records().at(0).get("WARC-Payload-Digest"), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  EXPECT_EQ(records().at(1).get("WARC-Payload-Digest"), "");
  EXPECT_EQ(records().at(1).get("WARC-Refers-To-Date"), records().at(0).get("WARC-Date"));
}

TEST_F(WarcRevisits, ACopyOfAnEarlierRunIsOne) {
  const auto known = record("http://b.test/y", of_hello, 1);
  EXPECT_EQ(write(page("http://a.test/x"), known), known);
  EXPECT_EQ(write(page("http://a.test/z")), known) << "a page without an earlier fetch may be a copy too";
  EXPECT_NE(write(page("http://a.test/other", "other"), known), known);
  const auto all = records();
  ASSERT_EQ(all.size(), 3U);
  for (const std::size_t copy : {0U, 1U}) {
    const ReadRecord& revisit = all[copy];
    EXPECT_EQ(revisit.get("WARC-Type"), "revisit");
    EXPECT_EQ(revisit.get("WARC-Profile"), "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
    EXPECT_EQ(revisit.get("WARC-Refers-To-Target-URI"), "http://b.test/y");
    EXPECT_EQ(revisit.get("WARC-Refers-To-Date"), "1970-01-01T01:00:00.000000Z");
    EXPECT_EQ(revisit.get("WARC-Payload-Digest"), of_hello);
    EXPECT_EQ(revisit.get("WARC-Truncated"), "length") << "WARC 1.1, section 6.7.2";
    EXPECT_EQ(revisit.block, "HTTP/1.1 200 OK\r\n\r\n");
  }
  EXPECT_EQ(all[2].get("WARC-Type"), "response");
}

TEST_F(WarcRevisits, WithoutDedupEveryPayloadIsWritten) {
  open({});
  EXPECT_EQ(write(page("http://a.test/x"), record("http://b.test/y", of_hello, 1))->url, "http://a.test/x");
  EXPECT_EQ(records().at(0).get("WARC-Type"), "response");
}

// A page, its copy under another URL, and a 304 for the copy: both refer to the page.
TEST_F(WarcRevisits, TheyNameAResponseAndNeverEachOther) {
  const auto first = write(page("http://a.test/1"));
  const auto copy = write(page("http://a.test/2"));
  ASSERT_TRUE(first && copy);
  EXPECT_EQ(copy->url, "http://a.test/1");
  const auto confirmed = write(not_modified("http://a.test/2"), copy);
  EXPECT_EQ(confirmed, first);
  write(page("http://a.test/2"), confirmed);
  const auto all = records();
  ASSERT_EQ(all.size(), 4U);
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(all[i].get("WARC-Type"), "revisit") << i;
    EXPECT_EQ(all[i].get("WARC-Refers-To-Target-URI"), "http://a.test/1") << i;
    EXPECT_EQ(all[i].get("WARC-Refers-To-Date"), all[0].get("WARC-Date")) << i;
    EXPECT_EQ(all[i].get("WARC-Payload-Digest"), of_hello) << i;
  }
}

// The record of the page is that of the last hop.
TEST_F(WarcRevisits, APageAfterARedirectIsUnderItsOwnUrl) {
  const Response first = answered("http://a.test/one", "HTTP/1.1 302 Found\r\nLocation: /two\r\n\r\n", "away");
  const auto known = write(after(first, page("http://a.test/two")));
  ASSERT_TRUE(known);
  EXPECT_EQ(known->url, "http://a.test/two");
  EXPECT_EQ(known->digest, of_hello);
  EXPECT_FALSE(write(after(first, denied("http://a.test/no", "User-agent: *\nDisallow: /\n"))));
}

TEST_F(WarcRevisits, ACutBodyIsNeverTheirOriginal) {
  const auto cut = [](Response response, RecordingCut by) {
    auto recording = *response.recording;
    recording.cut = by;
    response.recording = std::make_shared<const Recording>(recording);
    return response;
  };
  EXPECT_FALSE(write(cut(page("http://a.test/1"), RecordingCut::length)));
  Response decoded = page("http://a.test/2");  // its record has all of it, but the page is cut
  decoded.truncated = true;
  EXPECT_FALSE(write(decoded, {}, body_cut));
  Response reset = page("http://a.test/3");
  reset.end_unknown = true;
  EXPECT_FALSE(write(reset, {}, end_unknown));
  EXPECT_FALSE(write(answered("http://a.test/4", "HTTP/1.1 206 Partial Content\r\n\r\n", "hello"), {}, unasked_status));
  EXPECT_FALSE(write(not_modified("http://a.test/5"), {}, unasked_status));
  EXPECT_TRUE(write(page("http://a.test/6")));
  for (const ReadRecord& record : records()) EXPECT_EQ(record.get("WARC-Type"), "response");
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
  EXPECT_EQ(found.exchange.request.url, "http://a.test/robots.txt");
  EXPECT_EQ(found.exchange.body, robots);
  EXPECT_EQ(found.exchange.failure, "");
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
    EXPECT_EQ(found.exchange.failure, "") << file;
    EXPECT_EQ(found.exchange.body, robots) << file;
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
}  // namespace robotrules::test::THIS_FILE
