// What a response that was fetched says of its name, its links and its age.
#include <robotrules/page.hpp>

#include <gtest/gtest.h>

#include <robotrules/message.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

Response response_of(Headers headers, std::string url = "http://a.test/folder/page.html?x=/y") {
  Response response;
  response.code = 200;
  response.url = std::move(url);
  response.headers = std::move(headers);
  return response;
}

TEST(FilenameOf, IsByDispositionElseContentLocationElseTheUrl) {
  Headers headers{{"Content-Location", "/other/b.txt"}, {"Content-Disposition", "attachment; filename=\"../a.txt\""}};
  EXPECT_EQ(filename_of(response_of(headers)), "a.txt");
  headers.remove("Content-Disposition");
  EXPECT_EQ(filename_of(response_of(headers)), "b.txt");
  EXPECT_EQ(filename_of(response_of({})), "page.html");
  EXPECT_EQ(filename_of(response_of({}, "http://a.test/")), std::nullopt);
  EXPECT_EQ(filename_of(response_of({}, "http://a.test/%2E%2E")), std::nullopt);
}

TEST(LinksOf, AreThoseOfAllLinkFieldsWithAbsoluteUrls) {
  const auto links = links_of(response_of(
      {{"Link", "<next.html#part>; rel=\"Next  x\"; title*=UTF-8''n%C3%A4chste, <//b.test/>; REL=prev; hreflang=de"},
       {"Link", "<mailto:me@a.test>; rel=author; anchor=\"#me\""}}));
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0].url, "http://a.test/folder/next.html");
  EXPECT_EQ(links[0].target, "next.html#part");
  EXPECT_EQ(links[0].relations, (std::vector<std::string>{"next", "x"}));
  EXPECT_TRUE(links[0].has_relation("NEXT"));
  EXPECT_FALSE(links[0].has_relation("prev"));
  EXPECT_EQ(links[0].parameters.get("title"), "n\u00E4chste");
  EXPECT_EQ(links[1].url, "http://b.test/");
  EXPECT_TRUE(links[1].has_relation("prev"));
  EXPECT_EQ(links[1].parameters.get("hreflang"), "de");
  EXPECT_EQ(links[2].url, "");
  EXPECT_EQ(links[2].target, "mailto:me@a.test");
  EXPECT_EQ(links[2].parameters.get("anchor"), "#me");
  EXPECT_TRUE(links_of(response_of({})).empty());
  EXPECT_EQ(links_of(response_of({{"Link", "<http://b.test/x>"}}, "")).at(0).url, "");
}

TEST(LinksOf, AreFoundInTheSpellingOfTheirPage) {
  Response page = response_of({{"Link", "<x>"}}, "http://a.test/~joe/");
  EXPECT_EQ(links_of(page).at(0).found, "");
  page.found = "http://a.test/%7Ejoe/";
  EXPECT_EQ(links_of(page).at(0).url, "http://a.test/~joe/x");
  EXPECT_EQ(links_of(page).at(0).found, "http://a.test/%7Ejoe/x");
}

TEST(FreshnessOf, IsThatOfTheHeadersAtTheTimeTheyCame) {
  Response response = response_of({{"Cache-Control", "public"}, {"Cache-Control", "max-age=600"}, {"Age", "60"}});
  response.received_at = Timestamp{std::chrono::sys_days{std::chrono::year(2026) / 6 / 1}};
  response.requested_at = response.received_at - 10s;
  const Freshness freshness = freshness_of(response);
  EXPECT_EQ(freshness.lifetime, 600s);
  EXPECT_EQ(freshness.age_when_received, 70s);
  EXPECT_EQ(freshness.fresh_until(), response.received_at + 530s);
  response.headers = {{"Date", "Mon, 01 Jun 2026 00:00:00 GMT"}, {"Last-Modified", "Fri, 22 May 2026 00:00:00 GMT"}};
  EXPECT_EQ(freshness_of(response).lifetime, std::nullopt);
  EXPECT_EQ(freshness_of(response, {.heuristic = true}).lifetime, 24h);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
