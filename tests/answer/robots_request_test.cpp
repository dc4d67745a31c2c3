// robots_step(): what is requested next, and which bodies are files.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "answer/exchanges.hpp"

namespace robotrules {
namespace {

// --- what is requested next ------------------------------------------------------------------------------------------

TEST(RobotsRequests, TheFirstIsTheSitesOwnAndConditionalIfThereIsACopy) {
  const RobotsExchange begin{.request = {.url = robots_url}};
  const RobotsRequest first = request_after(begin);
  EXPECT_EQ(first.url, robots_url);
  EXPECT_EQ(first.at, start);
  EXPECT_TRUE(first.headers.has("Accept"));
  EXPECT_FALSE(first.headers.has("If-None-Match"));
  RobotsRecord copy = good_copy();
  copy.fresh_until = start - 1us;
  const RobotsRequest again = request_after(begin, &copy);
  EXPECT_EQ(again.headers.get("If-None-Match"), "\"1\"");
  EXPECT_EQ(again.headers.get("If-Modified-Since"), "Sun, 01 Feb 2026 00:00:00 GMT");
  copy.url = "http://b.test/robots.txt";  // the copy came from there, after a redirect
  EXPECT_FALSE(request_after(begin, &copy).headers.has("If-None-Match"));
  const RobotsRequest moved = request_after(answered(301, {{"Location", copy.url}}), &copy);
  EXPECT_EQ(moved.headers.get("If-None-Match"), "\"1\"");
}

TEST(RobotsRequests, WaitUntilTheRecordIsNoLongerFresh) {
  const RobotsRecord copy = good_copy();
  EXPECT_EQ(request_after({.request = {.url = robots_url}}, &copy).at, copy.fresh_until);
  const RobotsRecord failing = after(nullptr, failed(), start);
  EXPECT_EQ(request_after({.request = {.url = robots_url}}, &failing).at, start + 1min);
}

TEST(RobotsRequests, FollowFiveRedirectsAlsoToOtherAuthorities) {
  RobotsExchange exchange = answered(301, {{"Location", "https://b.test/1"}});
  for (int i = 2; i <= 6; ++i) {
    const RobotsRequest next = request_after(exchange);
    EXPECT_EQ(next.url, "https://b.test/" + std::to_string(i - 1));
    EXPECT_EQ(next.hops.size(), static_cast<std::size_t>(i - 1));
    EXPECT_FALSE(next.is_repeated);
    exchange = answered(i % 2 == 0 ? 302 : 308, {{"Location", std::to_string(i)}});
    exchange.request = next;
  }
  const RobotsResult result = result_of(nullptr, exchange, start);
  EXPECT_EQ(result.record.outcome, RobotsOutcome::unavailable);
  EXPECT_EQ(result.record.status, 302);
  EXPECT_EQ(result.record.hops.size(), 6U);
  EXPECT_EQ(result.reason, "https://b.test/5 redirects (302) beyond the limit of redirects");
}

TEST(RobotsRequests, ALocationIsResolvedAndItsUserinfoAndFragmentAreLeftOut) {
  for (const auto& [location, url] :
       {std::pair{"/r.txt", "http://a.test/r.txt"}, std::pair{"r.txt?x", "http://a.test/r.txt?x"},
        std::pair{" //b.test/r ", "http://b.test/r"}, std::pair{"http://ann:pw@b.test/r", "http://b.test/r"},
        std::pair{"/r#part", "http://a.test/r"}}) {
    EXPECT_EQ(request_after(answered(302, {{"Location", location}})).url, url) << location;
  }
}

TEST(RobotsRequests, ARedirectThatLeadsNowhereIsNoAnswer) {
  for (const auto& [headers, reason] :
       {std::pair<Headers, const char*>{{}, "without a Location"},
        std::pair<Headers, const char*>{{{"Location", " "}}, "without a Location"},
        std::pair<Headers, const char*>{{{"Location", "ftp://b.test/"}}, "cannot be followed"},
        std::pair<Headers, const char*>{{{"Location", "http:///robots.txt"}}, "cannot be followed"}}) {
    const RobotsResult result = result_of(nullptr, answered(302, headers), start);
    EXPECT_EQ(result.record.outcome, RobotsOutcome::unreachable) << reason;
    EXPECT_EQ(result.record.status, 302) << reason;
    EXPECT_NE(result.reason.find(reason), std::string::npos) << result.reason;
  }
  RobotsExchange downgrade = answered(302, {{"Location", "http://a.test/robots.txt"}});
  downgrade.request.url = "https://a.test/robots.txt";
  EXPECT_EQ(result_of(nullptr, downgrade, start).record.outcome, RobotsOutcome::unreachable);
  RobotsPolicy policy;
  policy.allow_downgrade = true;
  EXPECT_EQ(request_after(downgrade, nullptr, policy).url, "http://a.test/robots.txt");
}

TEST(RobotsRequests, StatusesAboutTheConnectionAreAskedOnceMore) {
  for (const int status : {408, 421, 425}) {
    RobotsExchange exchange = answered(status);
    exchange.request.is_repeated = false;
    const RobotsRequest again = request_after(exchange);
    EXPECT_EQ(again.url, robots_url);
    EXPECT_EQ(again.at, start);
    EXPECT_TRUE(again.is_repeated);
    exchange.request = again;
    EXPECT_EQ(result_of(nullptr, exchange, start).record.outcome, RobotsOutcome::unavailable) << status;
  }
}

TEST(RobotsRequests, AfterAProxyTheSiteIsAskedAgainLaterAndNothingIsRecorded) {
  RobotsExchange exchange = failed();
  exchange.end = RobotsEnd::by_proxy;
  exchange.request = {.url = "http://b.test/r", .hops = {robots_url}};
  for (const microseconds wait : std::initializer_list<microseconds>{1min, 2min, 4min}) {
    const RobotsRequest again = request_after(exchange);
    EXPECT_EQ(again.url, robots_url);
    EXPECT_EQ((again.at - start).count(), wait.count());
    ++exchange.refusals;
  }
}

// --- bodies ----------------------------------------------------------------------------------------------------------

// "User-agent: *\nDisallow: /x\n"
const std::string rules_text = "User-agent: *\nDisallow: /x\n";
const std::string gzip_rules(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x0b\x2d\x4e\x2d\xd2\x4d\x4c\x4f\xcd\x2b\xb1\x52\xd0\xe2\x72\xc9\x2c\x4e"
    "\xcc\xc9\xc9\x2f\xb7\x52\xd0\xaf\xe0\x02\x00\xdf\x99\x83\xb7\x1b\x00\x00\x00",
    47);

RobotsRecord of_body(std::string body, Headers headers, bool is_decoded, int status = 200) {
  RobotsExchange exchange = answered(status, std::move(headers), std::move(body));
  exchange.is_decoded = is_decoded;
  return after(nullptr, exchange, start);
}

TEST(RobotsBody, AsReceivedIsDecodedAndADecodedOneIsNotDecodedAgain) {
  const Headers coded{{"Content-Encoding", "gzip"}};
  for (const RobotsRecord& record : {of_body(gzip_rules, coded, false), of_body(rules_text, coded, true),
                                     of_body(gzip_rules, {}, false), of_body(gzip_rules, {}, true)}) {
    EXPECT_EQ(record.outcome, RobotsOutcome::rules);
    ASSERT_NE(record.body, nullptr);
    EXPECT_EQ(*record.body, rules_text);
  }
  const std::string half = gzip_rules.substr(0, 30);
  for (const RobotsRecord& record :
       {of_body(rules_text, coded, false), of_body(half, coded, false), of_body(half, {}, false),
        of_body(rules_text, {{"Content-Encoding", "gzip, gzip, gzip"}}, true)}) {
    EXPECT_EQ(record.outcome, RobotsOutcome::unreachable);
    EXPECT_EQ(record.status, 0);
  }
}

TEST(RobotsBody, PackedBytesAreNoRulesWhateverTheClientSays) {
  const Headers coded{{"Content-Encoding", "gzip"}};
  EXPECT_EQ(*of_body(gzip_rules, coded, true).body, rules_text) << "the client did not decode it";
  RobotsExchange part = answered(200, {}, gzip_rules);
  part.is_cut = true;  // there may be another member
  EXPECT_EQ(after(nullptr, part, start).outcome, RobotsOutcome::unreachable);
  part.headers = coded;
  part.is_decoded = false;
  EXPECT_TRUE(after(nullptr, part, start).truncated);
}

TEST(RobotsBody, AFailureIsNotTakenForAFileThatIsNotThere) {
  for (const RobotsEnd end : {RobotsEnd::failed, RobotsEnd::ours}) {
    for (const int status : {200, 401, 403, 404, 408, 410, 418}) {
      RobotsExchange exchange = answered(status);
      exchange.end = end;
      EXPECT_EQ(after(nullptr, exchange, start).status, 0) << status;
    }
    for (const int status : {301, 407, 426, 429, 500, 503}) {
      RobotsExchange exchange = answered(status);
      exchange.end = end;
      EXPECT_EQ(after(nullptr, exchange, start).status, status);
    }
  }
}

TEST(RobotsBody, CodingsThatAreNoneAndOthersThatAreUnknown) {
  for (const char* none : {"identity", "none", "binary", "7bit", "8bit", "UTF-8", "utf8", "iso-8859-1", ""}) {
    EXPECT_EQ(of_body(rules_text, {{"Content-Encoding", none}}, false).outcome, RobotsOutcome::rules) << none;
  }
  for (const char* unknown : {"sdch", "compress", "utf-16"}) {
    EXPECT_EQ(of_body(rules_text, {{"Content-Encoding", unknown}}, true).outcome, RobotsOutcome::unreachable);
  }
}

TEST(RobotsBody, A202IsAFileIfItHasADirective) {
  EXPECT_EQ(of_body(rules_text, {}, true, 202).outcome, RobotsOutcome::rules);
  EXPECT_EQ(of_body("", {}, true, 202).outcome, RobotsOutcome::unreachable);
  EXPECT_EQ(of_body("<html>wait</html>", {}, true, 202).outcome, RobotsOutcome::unreachable);
  EXPECT_EQ(of_body(rules_text, {{"x-amzn-waf-action", "challenge"}}, true, 202).outcome, RobotsOutcome::unreachable);
}

TEST(RobotsBody, IsCutAfterItsLastWholeLine) {
  RobotsPolicy policy;
  policy.body_limit = 20;
  const RobotsRecord record = after(nullptr, answered(200, {}, rules_text), start, policy);
  EXPECT_EQ(*record.body, "User-agent: *\n");
  EXPECT_TRUE(record.truncated);
  RobotsExchange exchange = answered(200, {{"Content-Encoding", "gzip"}}, gzip_rules);
  exchange.is_decoded = false;
  EXPECT_EQ(*after(nullptr, exchange, start, policy).body, "User-agent: *\n");
}

TEST(RobotsBody, WithoutACertainEndIsNoAnswer) {
  RobotsExchange exchange = answered(200, {}, rules_text);
  exchange.is_whole = false;
  EXPECT_EQ(after(nullptr, exchange, start).outcome, RobotsOutcome::unreachable);
  exchange.is_cut = true;  // the caller has stopped
  EXPECT_EQ(after(nullptr, exchange, start).outcome, RobotsOutcome::rules);
  exchange = answered(200, {{"Content-Encoding", "gzip"}}, gzip_rules);
  exchange.is_decoded = exchange.is_whole = false;
  EXPECT_EQ(after(nullptr, exchange, start).outcome, RobotsOutcome::rules) << "gzip tells its end";
}

// RFC 2781 section 4.3: the label alone may tell the byte order, and the stored file must tell it itself.
TEST(RobotsBody, Utf16GetsTheMarkOfItsLabel) {
  const std::string wide("U\0s\0", 4);
  const RobotsRecord record = of_body(wide, {{"Content-Type", "text/plain; charset=utf-16le"}}, true);
  EXPECT_EQ(*record.body, "\xFF\xFE" + wide);
}

}  // namespace
}  // namespace robotrules
