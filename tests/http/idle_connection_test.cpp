// A kept connection on which something came while it was idle: it is never taken for the next response.
#include <functional>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

const std::string timeout_notice = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

struct Late {
  std::string name;
  std::function<Script(const Reply& first, const Gate& late)> answer;
};

const std::vector<Late> late_bytes = {
    {"a 408",
     [](const Reply& first, const Gate& late) { return Script().send(first).wait(late).send(timeout_notice).keep(); }},
    {"a 408 and the end",
     [](const Reply& first, const Gate& late) { return Script().send(first).wait(late).send(timeout_notice); }},
    {"another answer",
     [](const Reply& first, const Gate& late) { return Script().send(first).wait(late).send(reply("late")).keep(); }},
    {"one byte", [](const Reply& first, const Gate& late) { return Script().send(first).wait(late).send("H").keep(); }},
    {"the end", [](const Reply& first, const Gate& late) { return Script().send(first).wait(late); }},
    {"a reset", [](const Reply& first, const Gate& late) { return Script().send(first).wait(late).reset(); }},
    {"an answer behind the body",
     [](const Reply& first, const Gate& late) {
       return Script().send(bytes_of(first) + bytes_of(reply("late"))).wait(late).keep();
     }},
    {"an answer in the last piece of the body",
     [](const Reply& first, const Gate& late) {
       const std::string bytes = bytes_of(first);
       return Script()
           .send(bytes.substr(0, bytes.size() - 2))
           .send(bytes.substr(bytes.size() - 2) + bytes_of(reply("late")))
           .wait(late)
           .keep();
     }},
};

class IdleConnection : public testing::TestWithParam<std::tuple<Late, bool>> {};

TEST_P(IdleConnection, HasNoAnswerForTheNextRequest) {
  const auto& [what, tls] = GetParam();
  Loopback site;
  const Gate late;
  site.server.on("", "/first", what.answer(reply("first"), late));
  site.server.on("", "/second", reply("second"));
  const auto url = [&, secure = tls](std::string_view path) { return secure ? site.secure_url(path) : site.url(path); };
  static_cast<void>(url("/"));  // names the CA
  UserAgent ua = site.agent();
  EXPECT_EQ(ua.get(url("/first")).body, "first");
  late.open();
  ASSERT_TRUE(site.server.witness().wait_for_answers(1));
  const Response second = ua.get(url("/second"));
  EXPECT_EQ(second.body, "second") << second.code << ' ' << second.warning;
  EXPECT_EQ(site.times("/second"), 1U);
  EXPECT_EQ(site.server.witness().connection_count(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Late, IdleConnection,
                         testing::Combine(testing::ValuesIn(late_bytes), testing::Values(false, true)),
                         [](const auto& info) {
                           return as_test_name(std::get<0>(info.param).name) +
                                  (std::get<1>(info.param) ? "_over_TLS" : "");
                         });

// The end may come at the moment of the request. The server then sees one further connection, not two.
TEST(IdleConnections, ThatEndAtTheRequestCostOneConnection) {
  Loopback site;
  site.server.on("", "/first", reply("first"));
  site.server.on("", "/second", in_turn({Script(), reply("second")}));
  UserAgent ua = site.agent();
  EXPECT_EQ(ua.get(site.url("/first")).body, "first");
  const Response second = ua.get(site.url("/second"));
  EXPECT_EQ(second.body, "second") << second.code << ' ' << second.warning;
  EXPECT_EQ(site.times("/second"), 2U);
  EXPECT_EQ(site.server.witness().connection_count(), 2U);
}

// A body can be sent only once if its source cannot go back; here nothing was sent.
TEST(IdleConnections, ThatAreNotSilentCostNoRequest) {
  Loopback site;
  const Gate late;
  site.server.on("", "/first", Script().send(reply("first")).wait(late).send(timeout_notice));
  site.server.on("", "/form", reply("taken"));
  UserAgent ua = site.agent();
  EXPECT_EQ(ua.get(site.url("/first")).body, "first");
  late.open();
  ASSERT_TRUE(site.server.witness().wait_for_answers(1));
  EXPECT_EQ(ua.post(site.url("/form"), "a=b").body, "taken");
  EXPECT_EQ(site.times("/form"), 1U);
}

// The 408 of a closing server may not become the robots.txt of a site that closes a page.
TEST(IdleConnections, OpenNoSite) {
  Loopback site;
  const Gate late;
  site.robots_txt(reply(no_x));
  site.server.on("", "/first", Script().send(reply("first")).wait(late).send(timeout_notice));
  EXPECT_EQ(site.get("/first").body, "first");
  site.clock->advance(std::chrono::hours(25));
  late.open();
  ASSERT_TRUE(site.server.witness().wait_for_answers(2));
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.times("/robots.txt"), 2U);
  EXPECT_EQ(site.times("/x"), 0U);
}

// RFC 9110 section 15.5.9: the server has waited for a request on this connection, and sees this one too late.
TEST(RequestTimeout, OnAKeptConnectionIsAskedAgainOnce) {
  Loopback site;
  const Reply timeout = {.status = 408, .close = true};
  site.server.on("", "/first", reply("first"));
  site.server.on("", "/second", in_turn({timeout, reply("second")}));
  site.server.on("", "/third", timeout);
  UserAgent ua = site.agent();
  ua.get(site.url("/first"));
  EXPECT_EQ(ua.get(site.url("/second")).body, "second");
  EXPECT_EQ(site.times("/second"), 2U);
  EXPECT_EQ(ua.get(site.url("/third")).code, 408);
  EXPECT_EQ(site.times("/third"), 2U);
  UserAgent other = site.agent();
  EXPECT_EQ(other.get(site.url("/third")).code, 408);
  EXPECT_EQ(site.times("/third"), 3U) << "on a new connection it counts";
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
