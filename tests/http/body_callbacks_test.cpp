// Bodies that go to a callback of the program, and the head before them.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using BodyCallbacks = LocalAgent;

TEST_F(BodyCallbacks, SuccessGoesToACallbackPieceByPiece) {
  server.on("", "/good", reply(std::string(100'000, 'x')));
  server.on("", "/bad", [](const SeenRequest&) {
    Reply made = status(500);
    made.body = "told";
    return made;
  });
  UserAgent ua = agent();
  std::size_t bytes = 0;
  Request request;
  request.url = url("/good");
  request.on_body = [&](std::string_view piece) {
    bytes += piece.size();
    return true;
  };
  EXPECT_EQ(ua.request(request).body, "");
  EXPECT_EQ(bytes, 100'000U);
  request.url = url("/bad");
  EXPECT_EQ(ua.request(request).body, "told") << "only what succeeds goes elsewhere";
  EXPECT_EQ(bytes, 100'000U);
  request.url = url("/good");
  request.on_body = [](std::string_view) { return false; };
  const Response stopped = ua.request(request);
  EXPECT_EQ(stopped.code, 200);
  EXPECT_LT(stopped.body_size, 100'000U);
  request.on_body = [](std::string_view) -> bool { throw std::runtime_error("of the program"); };
  const Response threw = ua.request(request);
  EXPECT_EQ(threw.source, ResponseSource::internal);
  EXPECT_NE(threw.warning.find("of the program"), std::string::npos) << threw.warning;
}

TEST_F(BodyCallbacks, TheHeadIsToldBeforeTheCallbackGetsTheBody) {
  server.on("", "/moved", redirect(302, "/good"));
  server.on("", "/good", reply("text", "text/plain; charset=koi8-r"));
  server.on("", "/bad", status(500));
  UserAgent ua = agent();
  std::vector<std::string> told;
  Request request;
  request.on_head = [&](const Response& head) {
    told.push_back(head.url + " " + std::string(head.headers.get("Content-Type").value_or("")));
  };
  request.on_body = [&](std::string_view piece) {
    told.emplace_back(piece);
    return true;
  };
  for (const char* path : {"/moved", "/bad"}) {
    request.url = url(path);
    ua.request(request);
  }
  EXPECT_EQ(told, (std::vector<std::string>{url("/good") + " text/plain; charset=koi8-r", "text"}))
      << "neither of a redirect nor of an error";
  request.on_body = nullptr;
  request.url = url("/good");
  ua.request(request);
  EXPECT_EQ(told.size(), 2U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
