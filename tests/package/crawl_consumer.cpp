// The same for the crawl, which must not go online to say so.
#include <chrono>
#include <iostream>
#include <memory>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/open_store.hpp>

int main() {
  auto rules = std::make_shared<robotrules::RobotRules>("FooBot");
  if (!rules->parse("https://example.org/robots.txt", "User-agent: FooBot\nDisallow: /private\n")) return 2;
  auto robot = robotrules::RobotUA::make("FooBot/1.0", "me@example.org", rules);
  auto queue = robotrules::open_url_queue("");
  auto output = robotrules::open_output("-");
  auto url = robotrules::read_url_line(R"({"url": "https://example.org/private/page"})");
  if (!robot || !queue || !output || !url || !queue.value()->add({&url.value(), 1})) return 2;
  robotrules::Crawl crawl(robot.value(), *queue.value(), *output.value());
  crawl.urls_added(false);
  while (!crawl.wait_for(std::chrono::seconds(1))) {
  }
  std::cout << crawl.counts().denied << " disallowed\n";
  return crawl.counts().denied == 1 ? 0 : 1;
}
