// Content-Type (RFC 9110 section 8.3), Content-Disposition (RFC 6266), Link (RFC 8288).
#include <gtest/gtest.h>

#include <string>

#include "fields/content_type.hpp"
#include "page/file_name.hpp"
#include "page/link_header.hpp"

namespace robotrules::agent {
namespace {

TEST(Rfc9110Section83, TypeAndCharsetAreLowerCase) {
  const struct {
    const char* field;
    const char* type;
    const char* charset;
  } rows[] = {{"text/html;charset=utf-8", "text/html", "utf-8"},
              {"Text/HTML; Charset=\"UTF-8\"", "text/html", "utf-8"},
              {"text/html ; a=b ; charset = utf-8 ", "text/html", "utf-8"},
              {"text/html; charset='utf-8'", "text/html", "utf-8"},
              {"text/html; x=\"; charset=no\"; charset=yes", "text/html", "yes"},
              {"text/html; charset=a; charset=b", "text/html", "a"},
              {"text/plain, text/html; charset=b", "text/plain", ""},
              {"application/rss+xml", "application/rss+xml", ""},
              {"", "", ""},
              {"text", "", ""},
              {"text/", "", ""},
              {"/html", "", ""},
              {"text/ht ml", "", ""},
              {";charset=x", "", "x"},
              {"text/html; charset", "text/html", ""},
              {"text/html; charset=\"utf", "text/html", "utf"}};
  for (const auto& row : rows) {
    EXPECT_EQ(parse_content_type(row.field).type, row.type) << row.field;
    EXPECT_EQ(parse_content_type(row.field).charset, row.charset) << row.field;
  }
  EXPECT_TRUE(parse_content_type("application/atom+xml").is_xml());
}

TEST(Rfc6266, FilenameIsTakenFromEitherParameterAndTheExtendedOneGoesFirst) {
  const struct {
    const char* field;
    std::optional<std::string> name;
  } rows[] = {{"attachment; filename=example.html", "example.html"},
              {"INLINE; FILENAME= \"an example.html\"", "an example.html"},
              {"attachment; filename=a b.txt; x=y", "a b.txt"},
              {"attachment; filename=\"a\\\"b.txt\"", "a\"b.txt"},
              {"attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "\u20AC rates"},
              {"attachment; filename*=utf-8''%e2%82%ac%20rates; filename=\"EURO rates\"", "\u20AC rates"},
              {"attachment; filename*=iso-8859-1'en'%A3%20rates", "\u00A3 rates"},
              {"attachment; filename*=utf-8''%ff; filename=plain", "plain"},
              {"attachment; filename*=koi8-r''x; filename=plain", "plain"},
              {"attachment; filename*=broken; filename=plain", "plain"},
              {"attachment; filename=\"caf\xE9\"", "caf\u00E9"},
              {"attachment; filename=\"caf\xC3\xA9\"", "caf\u00E9"},
              {"attachment; filename=\"=?iso-8859-1?Q?caf=E9_x?=\"", "caf\u00E9 x"},
              {"attachment; filename=\"=?UTF-8?B?w6kudHh0?=\"", "\u00E9.txt"},
              {"attachment", std::nullopt},
              {"", std::nullopt},
              {"attachment; filename=", std::nullopt},
              {"attachment; filename=\"\"", std::nullopt}};
  for (const auto& row : rows) EXPECT_EQ(disposition_filename(row.field), row.name) << row.field;
}

TEST(Rfc6266Section43, ANameIsNeverAPathNorHoldsControls) {
  const struct {
    const char* field;
    std::optional<std::string> name;
  } rows[] = {{"a; filename=\"../../etc/passwd\"", "passwd"},
              {"a; filename=\"C:\\\\Windows\\\\x.exe\"", "x.exe"},
              {"a; filename*=utf-8''..%2F..%2Fetc%2Fpasswd", "passwd"},
              {"a; filename*=utf-8''a%00b%0A%7F.txt", "ab.txt"},
              {"a; filename*=iso-8859-1''a%85%9Fb", "ab"},
              {"a; filename=\"..\"", std::nullopt},
              {"a; filename=\".\"", std::nullopt},
              {"a; filename=\"/\"", std::nullopt},
              {"a; filename=\"x/..\"", std::nullopt},
              {"a; filename*=utf-8''%2E%2E; filename=ok", "ok"},
              {"a; filename=\" .. \"", std::nullopt},
              {"a; filename*=utf-8''.%00.", std::nullopt}};
  for (const auto& row : rows) EXPECT_EQ(disposition_filename(row.field), row.name) << row.field;
  const std::string longest =
      disposition_filename("a; filename=" + std::string(100, 'x') + std::string(90, '\xE9')).value();
  EXPECT_EQ(longest.size(), 254u);  // 100 and 77 characters of two bytes
}

TEST(ResponseFilename, ComesFromDispositionLocationAndUrlInThisOrder) {
  EXPECT_EQ(response_filename("a; filename=d", "http://h/l", "http://h/u"), "d");
  EXPECT_EQ(response_filename("inline", "http://h/l", "http://h/u"), "l");
  EXPECT_EQ(response_filename("", "", "http://h/a/u.html?x=/y#/z"), "u.html");
  EXPECT_EQ(response_filename("", "../x", "http://h/a"), "x");
  EXPECT_EQ(url_filename("http://h/a%20b%2Fc"), "c");
  EXPECT_EQ(url_filename("http://h/%2e%2e"), std::nullopt);
  EXPECT_EQ(url_filename("http://h/a/"), std::nullopt);
  EXPECT_EQ(url_filename("http://h"), std::nullopt);
  EXPECT_EQ(url_filename(""), std::nullopt);
}

std::vector<Link> links(std::string_view line) {
  const std::string_view lines[] = {line};
  return parse_links(lines);
}

TEST(Rfc8288Section3, LinksHaveATargetAndParameters) {
  const auto found = links(R"(<http://example.com/TheBook/chapter2>; rel="previous"; title="a, b; c", </>; REL=next)");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].target, "http://example.com/TheBook/chapter2");
  EXPECT_EQ(*find_parameter(found[0].parameters, "title"), "a, b; c");
  EXPECT_TRUE(found[0].has_relation("Previous"));
  EXPECT_EQ(found[1].target, "/");
  EXPECT_TRUE(found[1].has_relation("next"));
}

TEST(Rfc8288Section33, TheFirstRelCountsAndHoldsSeveralRelations) {
  const auto found = links("<a>; rel=\"start  http://example.net/x\"; rel=next");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].relations(), (std::vector<std::string>{"start", "http://example.net/x"}));
}

TEST(Rfc8288Section341, AnExtendedTitleGoesFirst) {
  const auto found = links("<a>; title=x; title*=UTF-8'de'n%c3%a4chstes");
  EXPECT_EQ(*find_parameter(found.at(0).parameters, "title"), "n\u00E4chstes");
}

TEST(LinkHeader, WhatIsMalformedIsPassedOver) {
  EXPECT_EQ(links("").size(), 0u);
  EXPECT_EQ(links("a; rel=x, <b>").size(), 1u);
  EXPECT_EQ(links("\"<a>, \", , <b>;;;=;rel").size(), 1u);
  EXPECT_EQ(links("<a").size(), 0u);
  std::string many;
  for (int i = 0; i < 5'000; ++i) many += "<a>,";
  EXPECT_EQ(links(many).size(), 1000u);
}

}  // namespace
}  // namespace robotrules::agent
