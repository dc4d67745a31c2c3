// What a crawl reports of its sites, on its own.
#include "crawl/site_reports.hpp"

#include <gtest/gtest.h>

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using crawl::ActiveSite;
using crawl::SiteReports;
using crawl::UrlTask;

ActiveSite site_of(std::int64_t id) {
  ActiveSite site;
  site.known = {.id = id, .origin = "http://a.test"};
  return site;
}

Response response_of(ResponseSource source, const std::string& url = "http://a.test/1") {
  Response response;
  response.source = source;
  response.url = url;
  response.warning = url + ": no answer";
  return response;
}

TEST(SiteReports, TheFirstFailureOfASiteIsReported) {
  SiteReports reports(true);
  const ActiveSite site = site_of(1);
  EXPECT_NE(reports.note_failure(site, {}, response_of(ResponseSource::network), true), nullptr);
  EXPECT_EQ(reports.note_failure(site, {}, response_of(ResponseSource::timeout), true), nullptr);
  EXPECT_EQ(reports.note_failure(site_of(2), {}, response_of(ResponseSource::robots_denied), true), nullptr);
  const auto taken = reports.take();
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].origin, "http://a.test");
  EXPECT_EQ(taken[0].why, "network");
  EXPECT_EQ(taken[0].sentence, "no answer");
  EXPECT_TRUE(taken[0].is_final);
  EXPECT_FALSE(reports.has_news());
}

TEST(SiteReports, AFailureAfterARedirectNamesTheOtherSite) {
  SiteReports reports(true);
  const auto* failure =
      reports.note_failure(site_of(1), {}, response_of(ResponseSource::network, "http://b.test/"), true);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->sentence, "a page is redirected to http://b.test: no answer");
}

TEST(SiteReports, ASiteThatIsGivenUpIsReportedAgain) {
  SiteReports reports(true);
  ActiveSite site = site_of(1);
  EXPECT_NE(reports.note_failure(site, {}, response_of(ResponseSource::network), false), nullptr);
  site.given_up = response_of(ResponseSource::network);
  reports.note_given_up(site, {.pauses = 7, .lasts = 11min});
  const auto taken = reports.take();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[1].sentence, "no answer for 11 minutes, so all of its URLs have failed: no answer");
}

TEST(SiteReports, ASiteIsLeftOutOnceButEachTargetOfARedirectIsNamed) {
  SiteReports reports(true);
  Response response = response_of(ResponseSource::parked);
  response.try_again_at = Timestamp(7s);
  reports.note_left_out(site_of(1), response);
  reports.note_left_out(site_of(1), response);
  reports.note_left_out(site_of(1), response_of(ResponseSource::parked, "http://b.test/"));
  const auto taken = reports.take();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].left_out_until, Timestamp(7s));
  EXPECT_EQ(taken[1].origin, "http://b.test/");
}

TEST(SiteReports, WithoutACallbackNothingIsKept) {
  SiteReports reports(false);
  EXPECT_EQ(reports.note_failure(site_of(1), {}, response_of(ResponseSource::network), true), nullptr);
  reports.note_left_out(site_of(1), response_of(ResponseSource::parked));
  EXPECT_FALSE(reports.has_news());
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
