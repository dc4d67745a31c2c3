// Fetches a list of URLs into a WARC file, as `robotrules get` does. Without arguments it goes nowhere: the rules are
// given and a handler answers in place of a server.
//
//   10_crawl urls.txt pages.warc.gz bots@example.org
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/open_store.hpp>

namespace {

int fail(const robotrules::Error& error) {
  std::cerr << error.message << '\n';
  return 2;
}

int fetch(robotrules::RobotUA& robot, std::istream& list, const std::string& file) {
  std::vector<robotrules::QueuedUrl> urls;
  for (std::string line; std::getline(list, line);) {
    auto url = robotrules::read_url_line(line);
    if (!url) return fail(url.error());
    urls.push_back(std::move(url).value());
  }
  auto queue = robotrules::open_url_queue("");  // in memory; a path keeps it between runs
  if (!queue) return fail(queue.error());
  if (auto added = queue.value()->add(urls); !added) return fail(added.error());
  auto output = robotrules::open_output(file, {.agent = "FooBot/1.0", .from = "bots@example.org"});
  if (!output) return fail(output.error());

  robotrules::CrawlOptions options;
  options.on_page = [](const robotrules::FetchedPage& page) { std::cout << page.url << ": " << page.reason() << '\n'; };
  robotrules::Crawl crawl(robot, *queue.value(), *output.value(), options);
  crawl.urls_added(false);  // no more will come
  while (!crawl.wait_for(std::chrono::seconds(1))) std::cerr << crawl.counts().pending << " to go\n";

  if (auto ended = crawl.result(); !ended) return fail(ended.error());
  if (auto written = output.value()->flush(); !written) return fail(written.error());
  std::cout << crawl.counts().done << " fetched, " << crawl.counts().denied << " denied\n";
  return 0;
}

int fetch_offline() {
  auto rules = std::make_shared<robotrules::RobotRules>("FooBot");
  if (!rules->parse("http://shop.example/robots.txt", "User-agent: *\nDisallow: /cart\n")) return 2;
  auto robot = robotrules::RobotUA::make("FooBot/1.0", "bots@example.org", rules);
  if (!robot) return fail(robot.error());
  robot.value().delay(std::chrono::milliseconds(1));
  const auto answer = [](robotrules::HandlerCall&) {
    robotrules::Response page;
    page.code = 200;
    page.body = "Hello, robot.";
    return robotrules::HandlerAnswer{.go_on = true, .response = page, .request = {}};
  };
  robotrules::HandlerMatch shoes;  // for other pages the robot would ask the server
  shoes.path_prefix = "/shoes";
  robot.value().add_handler(robotrules::Phase::request_send, answer, shoes);
  std::istringstream list("http://shop.example/shoes\nhttp://shop.example/cart/7\nhttp://shop.example/shoes?size=42\n");
  const std::string file = (std::filesystem::temp_directory_path() / "robotrules_example.ndjson").string();
  const int status = fetch(robot.value(), list, file);
  std::filesystem::remove(file);
  return status;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return fetch_offline();
  auto robot = robotrules::RobotUA::make("FooBot/1.0", words[3]);
  if (!robot) return fail(robot.error());
  std::ifstream list(words[1]);
  return fetch(robot.value(), list, words[2]);
}
