// How a response says that its body is not whole, and who ended it.
#include <functional>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

struct Ending {
  const char* name;
  std::function<void(UserAgent&, Request&)> arrange;
};

class BodyEnds : public LocalAgent, public testing::WithParamInterface<Ending> {};

TEST_P(BodyEnds, ByTheProgramAreMarked) {
  server.on("", "/big", reply(std::string(500'000, 'x')));
  UserAgent ua = agent();
  Request request{.url = url("/big")};
  GetParam().arrange(ua, request);
  const Response response = ua.request(request);
  EXPECT_EQ(response.code, 200);
  EXPECT_EQ(response.source, ResponseSource::server);
  EXPECT_TRUE(response.truncated);
  EXPECT_NE(response.warning.find("the program stopped"), std::string::npos) << response.warning;
  EXPECT_LT(response.body_size, 500'000U);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, BodyEnds,
    testing::Values(Ending{"each", [](UserAgent&, Request& request) { request.on_body = [](auto) { return false; }; }},
                    Ending{"data",
                           [](UserAgent& ua, Request&) {
                             ua.add_handler(Phase::response_data,
                                            [](HandlerCall&) { return HandlerAnswer{.go_on = false}; });
                           }},
                    Ending{"header",
                           [](UserAgent& ua, Request&) {
                             ua.add_handler(Phase::response_header,
                                            [](HandlerCall&) { return HandlerAnswer{.go_on = false}; });
                           }}),
    [](const auto& way) { return way.param.name; });

using BodyCut = LocalAgent;

TEST_F(BodyCut, ByTheServerIsNoFailureToConnect) {
  server.on("", "/cut", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"));
  server.on("", "/mute", Script().reset());
  const std::uint16_t dead = server.refuse();
  UserAgent ua = agent();
  for (const char* path : {"/cut", "/mute"}) {
    const Response response = ua.get(url(path));
    EXPECT_EQ(response.source, ResponseSource::network) << path;
    EXPECT_EQ(response.status_line(), "500 The connection broke") << response.warning;
  }
  EXPECT_EQ(ua.get(url_of(dead, "/")).status_line(), "500 Can't connect");
}

// RFC 9112 section 6.3: Transfer-Encoding overrides Content-Length.
TEST_F(BodyCut, IsNotWhatAContentLengthBesideChunksSays) {
  server.on("", "/both",
            Script().send("HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "4\r\npage\r\n0\r\n\r\n"));
  const Response response = agent().get(url("/both"));
  EXPECT_EQ(response.code, 200) << response.warning;
  EXPECT_EQ(response.body, "page");
}

TEST_F(BodyCut, AtTheLimitSaysSoAndNotThatTheProgramEndedIt) {
  server.on("", "/big", reply(std::string(500'000, 'x')));
  const Request request{.url = url("/big"), .max_size = 10};
  const Response response = agent().request(request);
  EXPECT_TRUE(response.truncated);
  EXPECT_NE(response.warning.find("cut at 10"), std::string::npos) << response.warning;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
