// Many pages on one thread, each in a coroutine that reads as if it waited. A handler answers in the servers' place
// here.
#include <robotrules/asio.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <iostream>
#include <map>

using robotrules::HandlerAnswer;
using robotrules::HandlerCall;
using robotrules::Phase;

boost::asio::awaitable<void> read(robotrules::UserAgent& agent, std::string url,
                                  std::map<std::string, std::string>& pages) {
  const robotrules::AsioAgent ua(agent);
  const robotrules::Response page = co_await ua.get(url);
  pages[url] = page.status_line();
}

int main() {
  robotrules::UserAgent agent({.agent = "MyTool/1.0"});
  agent.add_handler(Phase::request_send, [](HandlerCall& call) {
    HandlerAnswer answer;
    answer.response.emplace();
    answer.response->code = call.request->url.ends_with("/missing") ? 404 : 200;
    answer.response->message = answer.response->code == 200 ? "OK" : "Not Found";
    return answer;
  });
  boost::asio::io_context context;
  std::map<std::string, std::string> pages;
  for (const char* url : {"https://a.example/", "https://a.example/missing", "https://b.example/"}) {
    boost::asio::co_spawn(context, read(agent, url, pages), boost::asio::detached);
  }
  context.run();
  for (const auto& [url, status] : pages) std::cout << url << ' ' << status << '\n';
}
