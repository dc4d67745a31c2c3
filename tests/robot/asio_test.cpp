// The opt-in header: coroutines and completion tokens of Boost.Asio.
#include <robotrules/asio.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <thread>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using Asio = LocalAgent;

TEST_F(Asio, CoroutinesGoOnOnTheirOwnExecutor) {
  server.on("", "/*", [](const SeenRequest& request) { return reply(request.target); });
  boost::asio::io_context context;
  UserAgent user_agent = agent();
  std::string got;
  std::vector<std::thread::id> threads;
  const auto reader = [&]() -> boost::asio::awaitable<void> {
    const AsioAgent ua(user_agent);
    for (const char* path : {"/one", "/two"}) {
      const Response page = co_await ua.get(url(path));
      got += page.body;
      threads.push_back(std::this_thread::get_id());
    }
    const Request request{.method = "DELETE", .url = url("/three")};
    const Response own = co_await ua.request(request);
    got += own.method;
  };
  boost::asio::co_spawn(context, reader(), boost::asio::detached);
  context.run();
  EXPECT_EQ(got, "/one/twoDELETE");
  EXPECT_EQ(threads, (std::vector<std::thread::id>(2, std::this_thread::get_id())));
}

TEST_F(Asio, ManyCoroutinesShareOneThread) {
  const Gate gate;
  server.on("", "/*", Script().wait(gate).send(reply("x")).keep());
  boost::asio::io_context context;
  UserAgent user_agent = agent();
  int good = 0;
  const auto reader = [&](int number) -> boost::asio::awaitable<void> {
    const AsioAgent ua(user_agent);
    const Response page = co_await ua.get(url("/" + std::to_string(number)));
    good += page.body == "x" ? 1 : 0;
  };
  for (int i = 0; i < 100; ++i) boost::asio::co_spawn(context, reader(i), boost::asio::detached);
  context.poll();
  ASSERT_TRUE(gate.wait_reached(100));
  gate.open();
  context.run();
  EXPECT_EQ(good, 100);
}

TEST_F(Asio, AStopTokenCancels) {
  const Gate never;
  server.on("", "/*", Script().wait(never));
  boost::asio::io_context context;
  UserAgent user_agent = agent();
  std::stop_source stop;
  ResponseSource source = ResponseSource::server;
  const auto reader = [&]() -> boost::asio::awaitable<void> {
    const AsioAgent ua(user_agent);
    const Response page = co_await ua.get(url("/"), {}, stop.get_token());
    source = page.source;
  };
  boost::asio::co_spawn(context, reader(), boost::asio::detached);
  context.poll();
  ASSERT_TRUE(never.wait_reached(1));
  stop.request_stop();
  context.run();
  EXPECT_EQ(source, ResponseSource::cancelled);
  // Before it begins, too.
  context.restart();
  source = ResponseSource::server;
  boost::asio::co_spawn(context, reader(), boost::asio::detached);
  context.run();
  EXPECT_EQ(source, ResponseSource::cancelled);
  never.open();
}

TEST_F(Asio, EveryCompletionTokenWillDo) {
  server.on("", "/", reply("x"));
  UserAgent user_agent = agent();
  EXPECT_EQ(async_request(user_agent, {.url = url("/")}, {}, boost::asio::use_future).get().body, "x");
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
