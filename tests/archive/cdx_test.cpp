// The index of a WARC file (CDXJ), and the keys of its lines.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "archive/cdx_file.hpp"
#include "archive/cdx_line.hpp"
#include "archive/recorded_response.hpp"
#include "archive/sort_lines.hpp"
#include "archive/surt.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// The keys are those of the Python package surt 0.3.1.
TEST(Surt, IsThatOfPywb) {
  struct Case {
    const char* url;
    const char* key;
  };
  const Case cases[] = {
      {"http://example.com/", "com,example)/"},
      {"https://www.example.com/path/?b=2&a=1", "com,example)/path?a=1&b=2"},
      {"HTTP://WWW2.Example.COM:80/A/B/../C//d/./e/", "com,example)/a/c/d/e"},
      {"https://example.com:443/x", "com,example)/x"},
      {"https://example.com:8080/x", "com,example:8080)/x"},
      {"http://ana:pass@example.com/x", "com,example)/x"},
      {"http://www.com/", "com)/"},
      {"http://www./", "www)/"},
      {"http://127.0.0.1:8080/a", "1,0,0,127:8080)/a"},
      {"http://[::1]:8080/a", "::1:8080)/a"},
      {"http://[::1]/a", "::1)/a"},
      {"http://example.com./a", "com,example)/a"},
      {"http://a..example.com/a", "com,example,a)/a"},
      {"http://example.com", "com,example)/"},
      {"http://example.com?x", "com,example)/?x"},
      {"http://example.com/?", "com,example)/"},
      {"http://example.com/#top", "com,example)/"},
      {"http://example.com/a%2525b", "com,example)/a%25b"},
      {"http://example.com/a%20b%41%zz%", "com,example)/a%20ba%25zz%25"},
      {"http://example.com/%C3%A9?q=%C3%A9%26x", "com,example)/%c3%a9?q=%c3%a9&x"},
      {"http://example.com/../../a", "com,example)/a"},
      {"http://example.com/a/..", "com,example)/"},
      {"http://example.com/a/.", "com,example)/a"},
      {"http://example.com/?b&a&a=&a=1&c=3=4", "com,example)/?a&a=&a=1&b&c=3=4"},
      {"http://example.com/p?x=1&jsessionid=0123456789abcdef0123456789ABCDEF", "com,example)/p?&x=1"},
      {"http://example.com/p?PHPSESSID=0123456789abcdef0123456789abcdef&x=1", "com,example)/p?x=1"},
      {"http://example.com/p?sid=0123456789abcdef0123456789abcdef", "com,example)/p"},
      {"http://example.com/p?sid=0123456789abcdef0123456789abcde",
       "com,example)/p?sid=0123456789abcdef0123456789abcde"},
      {"http://example.com/p?a=1&aspsessionidABCDEFGH=abcdefghijklmnopqrstuvwx&z=2", "com,example)/p?a=1&z=2"},
      {"http://example.com/p?cfid=12&cftoken=34&z=2", "com,example)/p?z=2"},
      {"http://example.com/p?z=2&cfid=12&cftoken=34", "com,example)/p?&z=2"},
      {"http://example.com/(a(0123456789abcdef01234567))/x/page.aspx?y=1", "com,example)/x/page.aspx?y=1"},
      {"http://example.com/(0123456789abcdef01234567)/page.aspx", "com,example)/page.aspx"},
      {"http://example.com/a/(0123456789abcdef01234567)/page.html",
       "com,example)/a/(0123456789abcdef01234567)/page.html"},
      {"http://example.com/A?B=C&&D", "com,example)/a?&b=c&d"},
      {"http://example.com/a%3Fb?c%3Dd", "com,example)/a?b?c=d"},
      {"http://example.com/x;v=1,2!$'()*:@", "com,example)/x;v=1,2!$'()*:@"},
      {"http://example.com/x?&", "com,example)/x?&"},
      {"http://example.com/x?=", "com,example)/x?="},
      {"http://example.com/a//", "com,example)/a"},
      {"http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"},
  };
  for (const Case& one : cases) EXPECT_EQ(archive::surt_of(one.url), one.key) << one.url;
}

// The cost is linear: with a quadratic one, the test would take hours.
TEST(Surt, OfALongHostileUrlIsMadeToo) {
  constexpr std::size_t size = std::size_t{1} << 20;
  const auto repeated = [](std::string_view text) {
    std::string all;
    while (all.size() < size) all += text;
    return all;
  };
  const std::string session = "/(0123456789abcdef01234567)";
  const std::pair<std::string, std::string> cases[] = {
      {"http://a.test/%" + repeated("25"), "test,a)/%25"},
      {"http://a.test/?%" + repeated("25"), "test,a)/?%25"},
      {"http://" + repeated(".") + "a.test/", "test,a)/"},
      {"http://a.test" + repeated(session) + "/%3F.aspx", "test,a)" + repeated(session) + "/?.aspx"},
      {"http://a.test/?" + repeated("cfid="), "test,a)/?" + repeated("cfid=")},
  };
  for (const auto& [url, key] : cases) EXPECT_TRUE(archive::surt_of(url) == key) << url.substr(0, 40);
}

class Cdx : public ::testing::TestWithParam<const char*> {
 protected:
  std::string path() const { return folder.path() + "/" + GetParam(); }
  std::string index() const { return folder.path() + "/a.cdxj"; }
  static Packing packing() { return read_output_name(GetParam()).value().packing; }
  static std::unique_ptr<PageOutput> open(const std::string& path) {
    auto output = open_output(path, {.dedup = true, .cdx = true});
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? std::move(output).value() : nullptr;
  }
  static void write(PageOutput& output, const std::string& url, const std::string& body) {
    const Response page = answered(url, "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML; charset=utf-8\r\n\r\n", body);
    ASSERT_TRUE(output.write({.response = page, .url = url, .method = "GET"}).ok());
  }
  // Pages and a robots.txt, in an order that is not that of their keys.
  static void write_all(PageOutput& output) {
    write(output, "http://z.test/", "same");
    write(output, "http://a.test/2?b&a", "other");
    write(output, "http://a.test/1", "same");
    const Response robots = answered("http://b.test/robots.txt", "HTTP/1.1 404 Gone\r\n\r\n", "");
    ASSERT_TRUE(output.write_robots_txt(robots).ok());
    write(output, "http://a.test/\"x\"", "last");
  }
  void expect_index() const {
    const std::string whole = contents(path());
    std::vector<std::string> lines = lines_of(contents(index()));
    EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
    std::vector<std::string> urls;
    for (const std::string& line : lines) {
      const std::size_t begin = line.find('{');
      const auto facts = nlohmann::json::parse(line.substr(begin));
      urls.push_back(facts["url"]);
      EXPECT_EQ(line.substr(0, begin), archive::surt_of(urls.back()) + " 20261121150405 ");
      EXPECT_EQ(facts["filename"], GetParam());
      const std::string_view stored = std::string_view(whole).substr(std::stoul(facts["offset"].get<std::string>()),
                                                                     std::stoul(facts["length"].get<std::string>()));
      const auto records = read_warc(stored, packing());
      ASSERT_EQ(records.size(), 1U) << line;
      EXPECT_EQ(records[0].get("WARC-Target-URI"), urls.back());
      EXPECT_EQ(records[0].get("WARC-Payload-Digest"), facts["digest"].get<std::string>());
      const bool revisit = records[0].get("WARC-Type") == "revisit";
      EXPECT_EQ(revisit, urls.back() == "http://a.test/1");
      const bool robots = urls.back().ends_with("robots.txt");
      EXPECT_EQ(facts["status"], robots ? "404" : "200");
      EXPECT_EQ(facts.value("mime", ""), revisit ? "warc/revisit" : robots ? "" : "Text/HTML");
    }
    EXPECT_EQ(urls, (std::vector<std::string>{"http://a.test/\"x\"", "http://a.test/1", "http://a.test/2?b&a",
                                              "http://b.test/robots.txt", "http://z.test/"}));
  }
  TemporaryFolder folder;
};

TEST_P(Cdx, HasALineForEachResponseAndRevisit) {
  const auto output = open(path());
  write_all(*output);
  ASSERT_TRUE(output->complete().ok());
  expect_index();
}

TEST_P(Cdx, IsMadeOfAFileThatHasNone) {
  {
    auto output = open_output(path(), {.dedup = true});
    ASSERT_TRUE(output.ok());
    write_all(*output.value());
    EXPECT_FALSE(std::filesystem::exists(index()));
  }
  ASSERT_TRUE(open(path())->complete().ok());
  expect_index();
}

// A killed process leaves lines in the order of the records, and the last ones are missing.
TEST_P(Cdx, IsCompletedWhereverItEnds) {
  {
    const auto output = open(path());
    write_all(*output);
    ASSERT_TRUE(output->complete().ok());
  }
  const std::string whole = contents(index());
  std::vector<std::string> lines = lines_of(whole);
  const auto end_of = [](const std::string& line) { return *archive::end_in_cdx_line(line, GetParam()); };
  std::sort(lines.begin(), lines.end(), [&](const auto& a, const auto& b) { return end_of(a) < end_of(b); });
  std::string grown;
  for (const std::string& line : lines) grown += line + "\n";
  for (std::size_t size = 0; size <= grown.size(); size += 7) {
    put_file(index(), grown.substr(0, size));
    ASSERT_TRUE(open(path())->complete().ok());
    ASSERT_EQ(contents(index()), whole) << size;
  }
  std::string damaged = whole;
  for (std::size_t at = 0; at < 60; ++at) damaged[whole.size() / 2 + at] = '\0';  // lost with the machine's power
  put_file(index(), damaged);
  ASSERT_TRUE(open(path())->complete().ok());
  EXPECT_EQ(contents(index()), whole);
}

TEST_P(Cdx, LosesTheLinesOfRecordsThatWereCutOff) {
  std::uint64_t end = 0;
  std::string before;
  {
    const auto output = open(path());
    write(*output, "http://a.test/1", "one");
    end = output->position();
    ASSERT_TRUE(output->complete().ok());
    before = contents(index());
  }
  {
    const auto output = open(path());
    write(*output, "http://a.test/2", "two");
    ASSERT_TRUE(output->complete().ok());
    EXPECT_EQ(lines_of(contents(index())).size(), 2U);
  }
  std::filesystem::resize_file(path(), end);
  ASSERT_TRUE(open(path())->complete().ok());
  EXPECT_EQ(contents(index()), before);
}

// pywb would replay a HEAD exchange with the length of its head and no body, and the head of a 304 as an empty page.
// For a revisit without a block it replays the page.
TEST_P(Cdx, HasNoLineForARecordThatHidesThePage) {
  const auto write_pages = [](PageOutput& output) {
    for (const char* method : {"HEAD", "GET", "HEAD"}) {
      const Response page = answered("http://a.test/", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n",
                                     method == std::string_view("GET") ? "one" : "", method);
      ASSERT_TRUE(output.write({.response = page, .url = page.url, .method = method}).ok());
    }
    for (const char* url : {"http://a.test/unasked", "http://a.test/same"}) {
      const Response same = answered(url, "HTTP/1.1 304 Not Modified\r\n\r\n", "");
      FetchedPage page{.response = same, .url = same.url, .method = "GET"};
      if (same.url.ends_with("/unasked")) page.why = unasked_status;
      page.known = PayloadRecord{"http://b.test/", Timestamp{}, "sha1:A"};
      ASSERT_TRUE(output.write(page).ok());
    }
    write(output, "http://b.test/", "last");
  };
  {
    const auto output = open(path());
    write_pages(*output);
    ASSERT_TRUE(output->complete().ok());
  }
  const std::string whole = contents(index());
  const std::vector<std::string> lines = lines_of(whole);
  ASSERT_EQ(lines.size(), 3U) << whole;
  EXPECT_TRUE(lines[0].starts_with("test,a)/ ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("test,a)/same ")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("test,b)/ ")) << lines[2];
  const auto revisit = nlohmann::json::parse(lines[1].substr(lines[1].find('{')));
  EXPECT_EQ(revisit["mime"], "warc/revisit");
  EXPECT_EQ(revisit["digest"], "sha1:A");
  EXPECT_FALSE(revisit.contains("status"));
  const auto record_of = [&](const std::string& line) {
    const auto facts = nlohmann::json::parse(line.substr(line.find('{')));
    return read_warc(contents(path()).substr(std::stoul(facts["offset"].get<std::string>()),
                                             std::stoul(facts["length"].get<std::string>())),
                     packing());
  };
  EXPECT_TRUE(record_of(lines[0]).at(0).block.ends_with("one")) << "the line is that of the GET exchange";
  std::filesystem::remove(index());
  ASSERT_TRUE(open(path())->complete().ok());
  EXPECT_EQ(contents(index()), whole) << "made from the file";
}

INSTANTIATE_TEST_SUITE_P(Packings, Cdx, ::testing::Values("a.warc", "a.warc.gz", "a.warc.zst"));

// Files of older versions have the head of the 304 in the revisit record, for which pywb shows an empty page.
TEST(CdxOfAnOlderFile, HasNoLineForTheHeadOfA304) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.warc";
  std::string file;
  for (const std::string block : {"HTTP/1.1 304 Not Modified\r\n\r\n", ""}) {
    file +=
        "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-11-21T15:04:05Z\r\n"
        "WARC-Target-URI: http://a.test/" +
        std::to_string(block.size()) + "\r\nContent-Length: " + std::to_string(block.size()) + "\r\n\r\n" + block +
        "\r\n\r\n";
  }
  put_file(path, file);
  auto output = open_output(path, {.cdx = true});
  ASSERT_TRUE(output.ok()) << output.error().message;
  ASSERT_TRUE(output.value()->complete().ok());
  const auto lines = lines_of(contents(folder.path() + "/a.cdxj"));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("test,a)/0 ")) << lines[0];
}

class SortLines : public ::testing::Test {
 protected:
  void expect_sorted(std::size_t max_bytes) const {
    std::vector<std::string> lines;
    for (int i = 0; i < 5'000; ++i) lines.push_back(std::to_string(i * 7'919 % 5'003) + std::string(i % 50, 'x'));
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    const std::string path = folder.file("lines", text);
    const auto sorted = archive::sort_lines(path, max_bytes);
    ASSERT_TRUE(sorted.ok()) << sorted.error().message;
    std::sort(lines.begin(), lines.end());
    EXPECT_EQ(lines_of(contents(path)), lines);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "no temporary file is left";
  }
  TemporaryFolder folder;
};

TEST_F(SortLines, SortsMoreThanFitsIntoMemory) { expect_sorted(20'000); }

TEST_F(SortLines, NeedsFewOpenFiles) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlimit small = limit;
  small.rlim_cur = 100;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &small), 0);
  expect_sorted(300);  // more than 1,000 temporary files
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

// RFC 9112 section 5.2.
TEST(CdxHead, AFieldMayHaveSeveralLines) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"HTTP/1.1 200 OK\r\nContent-Type:\r\n text/html;\r\n charset=x\r\n\r\n", "text/html"},
      {"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: a\r\n content-type: b/c\r\n\r\n", "text/html"}};
  for (const auto& [head, mime] : cases) {
    archive::CdxRecord record;
    archive::read_head_for_cdx(head, record);
    EXPECT_EQ(record.mime, mime) << head;
  }
}

TEST(RecordedHead, IsReadBackAsItWasRead) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"X: a\r\n b\r\n", "a b"}, {"X:\r\n b\r\n", "b"}, {"X: a\r\n \r\n b\r\n", "a b"}, {"X: a\r\n \r\n", "a"}};
  for (const auto& [lines, value] : cases) {
    const std::string block = "HTTP/1.1 200 OK\r\n" + std::string(lines) + "Content-Length: 2\r\n\r\nok";
    const archive::RecordedResponse read = archive::read_recorded_response(block, 10, false);
    EXPECT_EQ(read.headers.get("X"), value) << lines;
    EXPECT_EQ(read.body, "ok") << lines << read.fault;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
