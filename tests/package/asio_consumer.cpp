// The agent in a coroutine. ASIO_FIRST: Asio's own headers stand before ours.
#if defined(ASIO_FIRST)
#include <utility>

#include <boost/asio.hpp>
#endif

#include <robotrules/asio.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>
#include <memory>

#include <robotrules/robot_ua.hpp>

namespace {

boost::asio::awaitable<void> read(robotrules::UserAgent& agent) {
  const robotrules::AsioAgent ua(agent);
  robotrules::Request request;
  request.url = "http://127.0.0.1/";  // refused by the agent itself: this must not go online
  const robotrules::Response page = co_await ua.request(request);
  std::cout << (page.source == robotrules::ResponseSource::address_refused ? "disallowed: " : "unexpected: ")
            << page.status_line() << '\n';
}

}  // namespace

int main() {
  robotrules::UserAgent agent({.agent = "MyTool/1.0"});
  boost::asio::io_context context;
  boost::asio::co_spawn(context, read(agent), boost::asio::detached);
  context.run();
}
