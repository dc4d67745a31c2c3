// The head of a page as LWP's parse_head gives it (HTML::HeadParser), and charsets (HTTP::Message, the WHATWG's
// labels).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include <robotrules/message.hpp>
#include <robotrules/page.hpp>

#include "charset/charset_labels.hpp"
#include "charset/to_utf8.hpp"
#include "page/find_charset.hpp"
#include "page/html_head.hpp"

namespace robotrules::agent {
namespace {

using namespace std::string_literals;

std::string fields(std::string_view html) {
  std::string text;
  for (const HtmlField& field : read_html_head(html).fields) text += field.name + ": " + field.value + "\n";
  return text;
}

TEST(HeadParser, GivesTheFieldsOfItsManual) {
  EXPECT_EQ(fields(R"(<html><head><title>
        Stupid  &amp; example </title>
      <base href=" http://www.linpro.no/lwp/ ">
      <link rel="next" href="b.html" title='a "b"'>
      <meta name="author" content="G&ouml;sta"><meta name="og:title" content=x>
      <meta http-equiv="Refresh" content="5; url=c.html"><meta charset="utf-8">
      Normal text starts here. <title>no</title><meta name=no content=no>)"),
            "Title: Stupid & example\n"
            "Content-Base: http://www.linpro.no/lwp/\n"
            "Link: <b.html>; rel=\"next\"; title=\"a \\\"b\\\"\"\n"
            "X-Meta-Author: G\u00F6sta\n"
            "X-Meta-Og-title: x\n"
            "Refresh: 5; url=c.html\n"
            "X-Meta-Charset: utf-8\n");
}

TEST(HeadParser, APagesWordsMakeNoFieldsOfTheirOwn) {
  EXPECT_EQ(fields("<meta http-equiv='Set-Cookie' content='a=b'><meta http-equiv='set-cookie2' content='a=b'>"), "");
  EXPECT_EQ(fields("<meta http-equiv='a b' content=x><meta name='a\nb' content=x><meta http-equiv='x\r\ny' content=z>"),
            "");
  EXPECT_EQ(fields("<meta name=a content='b&#13;&#10;Set-Cookie: c'>"), "X-Meta-A: b  Set-Cookie: c\n");
  EXPECT_EQ(fields("<title>a\r\n&#0;&#11;b</title>"), "Title: a \xEF\xBF\xBD b\n");
}

TEST(HeadParser, OfSeveralTheFirstCounts) {
  const HtmlHead head = read_html_head("<title>a</title><title>b</title><base target=x><base href=c><base href=d>");
  EXPECT_EQ(head.title, "a");
  EXPECT_EQ(head.base, "c");
}

Response html_page(std::string body, std::string type = "text/html") {
  Response page;
  page.code = 200;
  page.url = "http://a.test/folder/page.html?q";
  page.headers.add("Content-Type", type);
  page.body = std::move(body);
  return page;
}

TEST(PageHead, HasTitleBaseAndFieldsApartFromTheServersHeaders) {
  const Response page = html_page(
      "<title> On\n robots </title><base href='../other/'><link rel=next href=2.html><meta name=description "
      "content=short><meta http-equiv=Refresh content=5><body><title>no</title>");
  const PageHead head = page_head_of(page);
  EXPECT_EQ(head.title, "On robots");
  EXPECT_EQ(head.base, "http://a.test/other/");
  EXPECT_EQ(head.fields, (Headers{{"Title", "On robots"},
                                  {"Content-Base", "../other/"},
                                  {"Link", "<2.html>; rel=\"next\""},
                                  {"X-Meta-Description", "short"},
                                  {"Refresh", "5"}}));
  EXPECT_EQ(page.headers.size(), 1u);
  EXPECT_EQ(read_page_head(page.body).base, "../other/");
  EXPECT_EQ(read_page_head("").title, std::nullopt);
}

TEST(PageHead, TheBaseIsThePagesOwnWhereNoneMeansAUrl) {
  for (const char* body : {"", "<title>x</title>", "<base target=x>", "<base href='javascript:1'>", "<base href=''>"}) {
    EXPECT_EQ(page_head_of(html_page(body)).base, "http://a.test/folder/page.html?q") << body;
  }
  EXPECT_EQ(page_head_of(html_page("<base href='//b.test/x'>")).base, "http://b.test/x");
}

TEST(PageHead, TheBaseKeepsTheSpellingInWhichItWasFound) {
  Response page = html_page("<title>x</title>");
  page.found = "http://a.test/f%6Flder/page.html?q";
  EXPECT_EQ(page_head_of(page).base, page.found);
  page.body = "<base href='%7Ejoe/'>";
  EXPECT_EQ(page_head_of(page).base, "http://a.test/f%6Flder/%7Ejoe/");
}

TEST(PageHead, IsOfHtmlAloneAndInItsCharset) {
  EXPECT_EQ(page_head_of(html_page("<title>G\xF6sta</title>", "text/html; charset=iso-8859-1")).title, "G\u00F6sta");
  EXPECT_EQ(page_head_of(html_page("<title>x</title>", "text/plain")).title, std::nullopt);
  EXPECT_TRUE(page_head_of(html_page("<title>x</title>", "")).fields.empty());
}

TEST(HeadParser, EndsAtItsLimitAndWithTheDocument) {
  EXPECT_EQ(read_html_head("<title>abc</title><meta name=a content=b>", {.document = 25}).fields.size(), 1u);
  EXPECT_EQ(read_html_head("<title>abc").title, "abc");
  EXPECT_EQ(read_html_head("<title").title, std::nullopt);
  EXPECT_EQ(read_html_head("").fields.size(), 0u);
}

TEST(HeadParser, CharsetIsThatOfTheFirstMetaThatNamesOne) {
  EXPECT_EQ(
      read_html_head("<meta http-equiv=content-type content='text/html; charset=KOI8-R'><meta charset=x>").charset,
      "koi8-r");
  EXPECT_EQ(read_html_head("<meta charset=' x '><meta charset=y>").charset, "x");
}

std::string_view guess(std::string_view bytes, std::string_view type) {
  return find_charset(bytes, parse_content_type(type));
}

TEST(Charset, IsThatOfTheContentTypeThenTheMarkThenTheDocument) {
  EXPECT_EQ(guess("\xEF\xBB\xBFx", "text/html; charset=latin1"), "iso-8859-1");
  EXPECT_EQ(guess("\xEF\xBB\xBF<meta charset=koi8-r>", "text/html"), "utf-8");
  EXPECT_EQ(guess("\xFF\xFEx\0"s, "text/plain"), "utf-16le");
  EXPECT_EQ(guess("\xFE\xFF\0x"s, "text/plain"), "utf-16be");
  EXPECT_EQ(guess("\xFF\xFE\0\0x\0\0\0"s, "text/plain"), "utf-32le");
  EXPECT_EQ(guess("<meta charset=koi8-r>", "text/html"), "koi8-r");
  EXPECT_EQ(guess("<meta charset=koi8-r>", "text/plain"), "utf-8");
  EXPECT_EQ(guess("<meta charset=utf-16>", "text/html"), "utf-8");
  EXPECT_EQ(guess("<meta charset=nonsense>\xE9", "text/html"), "iso-8859-1");
  EXPECT_EQ(guess("<?xml version=\"1.0\" encoding = 'windows-1251'?>", "application/xml"), "windows-1251");
  EXPECT_EQ(guess("<?xml version='1.0'?>", "application/rss+xml"), "utf-8");
  EXPECT_EQ(guess("<\0?\0"s, "text/xml"), "utf-16le");
  EXPECT_EQ(guess("\0{\0}"s, "application/json"), "utf-16be");
  EXPECT_EQ(guess("caf\xC3\xA9", "text/plain"), "utf-8");
  EXPECT_EQ(guess("caf\xE9", "text/plain; charset=nonsense"), "iso-8859-1");
}

TEST(ToUtf8, ReadsTheCharsetsThatPagesHave) {
  const struct {
    std::string bytes;
    const char* charset;
    const char* text;
  } rows[] = {{"caf\xE9", "ISO-8859-1", "caf\u00E9"},
              {"\x93x\x94", "windows-1252", "\u201Cx\u201D"},
              {"\xEF\xBB\xBFx", "utf8", "x"},
              {"\xF0\xD2\xC9", "koi8-r", "\u041F\u0440\u0438"},
              {"\x93\xFA\x96\x7B", "Shift_JIS", "\u65E5\u672C"},
              {"\x1B$BF|K\\\x1B(B", "iso-2022-jp", "\u65E5\u672C"},
              {"\xC4\xE3", "gb2312", "\u4F60"},
              {"\xFE\xFF\0x"s, "utf-16be", "x"},
              {"x\0\x3D\xD8\0\xDE"s, "utf-16", "x\U0001F600"},
              {"caf\xE9", "x-unknown", "caf\u00E9"},
              {"caf\xC3\xA9", "", "caf\u00E9"}};
  for (const auto& row : rows) {
    const Utf8Text found = to_utf8(row.bytes, row.charset);
    EXPECT_EQ(found.text, row.text) << row.charset;
    EXPECT_FALSE(found.replaced || found.cut) << row.charset;
  }
}

TEST(ToUtf8, BytesThatMeanNothingAreReplaced) {
  const std::string mark = "\uFFFD";
  const struct {
    std::string bytes;
    const char* charset;
    std::string text;
  } rows[] = {{"a\xFF"s + "b", "utf-8", "a" + mark + "b"},
              {"a\xC3", "utf-8", "a" + mark},
              {"\xED\xA0\x80", "utf-8", mark + mark + mark},
              {"\xF4\x90\x80\x80", "utf-8", mark + mark + mark + mark},
              {"a\xF8\x88\x80\x80\x80", "utf-8", "a" + mark + mark + mark + mark + mark},
              {"\xF7\xBF\xBF\xBFz\xF4\x8F\xBF\xBF", "utf-8", mark + mark + mark + mark + "z\xF4\x8F\xBF\xBF"},
              {"\xC0\xAF", "utf-8", mark + mark},
              {"a\0\0\xDC"
               "b\0"s,
               "utf-16le", "a" + mark + "b"},
              {"a\0b"s, "utf-16le", "a" + mark},
              {"\x81", "windows-1252", mark}};
  for (const auto& row : rows) {
    const Utf8Text found = to_utf8(row.bytes, row.charset);
    EXPECT_EQ(found.text, row.text) << testing::PrintToString(row.bytes);
    EXPECT_TRUE(found.replaced);
  }
}

TEST(ToUtf8, IsCutBetweenCharacters) {
  const Utf8Text cut = to_utf8("\xE9\xE9\xE9", "latin1", 3);
  EXPECT_EQ(cut.text, "\u00E9");
  EXPECT_TRUE(cut.cut);
  EXPECT_EQ(to_utf8("abc", "latin1", 2).text, "ab");
  EXPECT_FALSE(to_utf8("abc", "latin1", 3).cut);
  EXPECT_EQ(to_utf8(std::string(100'000, '\xE9'), "latin1", 1'000).text.size(), 1'000u);
}

TEST(CharsetLabels, AreSortedAndEachCanBeRead) {
  const auto labels = charset_labels();
  EXPECT_TRUE(std::is_sorted(labels.begin(), labels.end(), [](auto& a, auto& b) { return a.label < b.label; }));
  for (const CharsetLabel& one : labels) {
    EXPECT_EQ(find_charset_label(one.label), &one);
    EXPECT_EQ(known_charset(one.name), one.name) << one.name;
    const bool wide = one.name.starts_with("utf-16") || one.name.starts_with("utf-32");
    const std::string a = !wide ? "a\x1B" : ""s;
    EXPECT_EQ(to_utf8(a.substr(0, 1), one.label).replaced, false) << one.label;
  }
  EXPECT_EQ(known_charset(" LATIN1 "), "iso-8859-1");
  for (const char* none : {"", "utf-7", "//TRANSLIT", "utf-8//IGNORE", "ibm1364", "x"})
    EXPECT_EQ(known_charset(none), "");
  EXPECT_EQ(known_charset(std::string(10'000, 'x')), "");
}

}  // namespace
}  // namespace robotrules::agent
