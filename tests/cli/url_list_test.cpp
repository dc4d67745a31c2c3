// Lists of URLs: lines, comments, compression, and what a line without a scheme means.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::string_literals;

struct Read {
  std::vector<std::string> lines;  // "2: http://a.test/"
  std::string error;
};

Read read_list(std::string_view bytes, std::size_t piece = std::string_view::npos) {
  Read read;
  UrlListReader reader;
  const auto take = [&read](std::string_view line, std::uint64_t number) {
    read.lines.push_back(std::to_string(number) + ": " + std::string(line));
    return true;
  };
  Result<void> result;
  for (std::size_t at = 0; at < bytes.size() && result; at += std::min(piece, bytes.size())) {
    result = reader.write(bytes.substr(at, piece), take);
  }
  if (result) result = reader.finish(take);
  if (!result) read.error = std::string(result.error().code) + ": " + result.error().message;
  return read;
}

const std::string some_text =
    "\xEF\xBB\xBF# a list\r\nhttp://a.test/1\r\n\r\n  # indented\n \t http://a.test/#2 \t\n#\n{\"url\":\t\"x\"}\nlast"s;
const std::vector<std::string> some_lines{"2: http://a.test/1", "5: http://a.test/#2", "7: {\"url\":\t\"x\"}",
                                          "8: last"};

TEST(UrlListReader, LeavesOutCommentsBlanksLineEndsAndAByteOrderMark) {
  for (const std::size_t piece : {1U, 2U, 3U, 5U, 1'000U}) {
    const Read read = read_list(some_text, piece);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(read.lines, some_lines) << piece;
  }
  EXPECT_TRUE(read_list("").lines.empty());
  EXPECT_TRUE(read_list("\n\n").lines.empty());
  EXPECT_EQ(read_list("a").lines, std::vector<std::string>{"1: a"});
  EXPECT_EQ(read_list("\xEF\xBB\xBF").lines, std::vector<std::string>{});
}

TEST(UrlListReader, ReadsGzipAndZstdMembersAndFramesOneAfterTheOther) {
  for (const Coding coding : {Coding::gzip, Coding::zstd}) {
    const std::string one = packed(coding, some_text);
    const std::string two =
        packed(coding, some_text.substr(0, 20)) + packed(coding, "") + packed(coding, some_text.substr(20));
    for (const std::size_t piece : {1U, 7U, 100'000U}) {
      for (const std::string& bytes : {one, two}) {
        const Read read = read_list(bytes, piece);
        EXPECT_EQ(read.error, "");
        EXPECT_EQ(read.lines, some_lines);
      }
    }
    EXPECT_EQ(read_list(packed(coding, "")).error, "");
  }
  const std::string skippable = "\x50\x2A\x4D\x18\x02\0\0\0xx"s;  // as pzstd writes it
  EXPECT_EQ(read_list(skippable + packed(Coding::zstd, "a\nb\n")).lines, (std::vector<std::string>{"1: a", "2: b"}));
}

TEST(UrlListReader, ATruncatedListIsAnErrorAndItsLastLineIsNoUrl) {
  std::string text;
  std::set<std::string> urls;
  for (int i = 0; i < 20'000; ++i) {
    const std::string url = "http://a.test/" + std::to_string(i * 7'919 % 1'000'003);
    text += url + "\n";
    urls.insert(url);
  }
  for (const auto& [coding, name] : {std::pair(Coding::gzip, "gzip"), std::pair(Coding::zstd, "zstd")}) {
    const std::string whole = packed(coding, text);
    const Read read = read_list(std::string_view(whole).substr(0, whole.size() - 5), 1'000);
    EXPECT_EQ(read.error, "invalid-list: the " + std::string(name) + " data ends too early, after line " +
                              std::to_string(read.lines.size()) + "; get the whole file");
    for (const std::string& line : read.lines) ASSERT_EQ(urls.count(line.substr(line.find(' ') + 1)), 1U) << line;
  }
}

TEST(UrlListReader, DamageIsAnErrorInWords) {
  std::string damaged = packed(Coding::gzip, "http://a.test/1\nhttp://a.test/2\n");
  damaged[damaged.size() - 6] = static_cast<char>(~damaged[damaged.size() - 6]);
  const Read read = read_list(damaged);
  EXPECT_EQ(read.error,
            "invalid-list: the gzip data is damaged after line 2 (incorrect data check); get an undamaged copy");
  EXPECT_EQ(read.lines.size(), 2U);
  EXPECT_EQ(read_list(packed(Coding::zstd, "a\n") + "more").error.find("invalid-list: the zstd data is damaged"), 0U);
  EXPECT_EQ(read_list(packed(Coding::gzip, "a\nb") + "http://a.test/3\n").error,
            "invalid-list: bytes that are not gzip follow the gzip data, after line 1; compress the whole list");
  EXPECT_EQ(read_list("\xFF\xFEh\0t\0t\0p\0"s).error,
            "invalid-list: the list is UTF-16; convert it to UTF-8, for example with iconv");
}

TEST(UrlListReader, ALineHasALimitSoABombTakesNoMemory) {
  const std::string error = "invalid-list: line 2 is longer than 16 MiB; write one URL per line";
  EXPECT_EQ(read_list(bomb(Coding::gzip, std::size_t{40} << 20, "http://a.test/\n", 'x'), 10'000).error, error);
  EXPECT_EQ(read_list(bomb(Coding::zstd, std::size_t{40} << 20, "http://a.test/\n", 'x'), 10'000).error, error);
}

TEST(UrlListReader, StopsWhenItIsTold) {
  UrlListReader reader;
  int lines = 0;
  const auto take = [&lines](std::string_view, std::uint64_t) { return ++lines < 2; };
  EXPECT_TRUE(reader.write("a\nb\nc\nd", take));
  EXPECT_TRUE(reader.write("e\nf\n", take));
  EXPECT_TRUE(reader.finish(take));
  EXPECT_EQ(lines, 2);
}

TEST(UrlLine, IgnoresWhatFollowsATab) {
  const auto read = read_url_line("http://a.test/x y#part\t200\t\"text\"");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().url, "http://a.test/x%20y");
  EXPECT_EQ(read_url_line("\t http://a.test/x \r").value().url, "http://a.test/x");
  EXPECT_EQ(read_url_line("{\"url\":\t\"http://a.test/\"}").value().url, "http://a.test/");
}

TEST(UrlLine, AHostNameWithoutASchemeIsHttps) {
  const std::pair<const char*, const char*> cases[] = {
      {"example.org/x", "https://example.org/x"},
      {"example.org", "https://example.org/"},
      {"Example.ORG:8443/x?y=/http://a.test/", "https://example.org:8443/x?y=/http://a.test/"},
      {"example.org?q", "https://example.org/?q"},
      {"example.org#top", "https://example.org/"},
      {"a-b.example.org/1", "https://a-b.example.org/1"},
      {"b\xC3\xBC"
       "cher.example/x",
       "https://xn--bcher-kva.example/x"},
      {"example.\xE4\xB8\xAD\xE5\x9B\xBD", "https://example.xn--fiqs8s/"},
      {"example.org/x\t200", "https://example.org/x"},
      {R"({"url":"example.org/x"})", "https://example.org/x"}};
  for (const auto& [line, url] : cases) {
    const auto read = read_url_line(line);
    ASSERT_TRUE(read.ok()) << line << read.error().message;
    EXPECT_EQ(read.value().url, url);
  }
}

TEST(UrlLine, AllOtherTextWithoutASchemeIsAnError) {
  for (const char* line :
       {"allowed", "allowed\thttps://example.org/", "/x", "?x", "//example.org/", "localhost/x", "1.5", "10.1.2.3/x",
        "me@example.org", "mailto:me@example.org", "ftp://example.org/", "ftp.example.org:x/", "a b.example/", "#x",
        ".org", "example.org:/", "file.", "javascript:a.b"}) {
    EXPECT_FALSE(read_url_line(line).ok()) << line;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
