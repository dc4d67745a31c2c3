// The whole system on one page: the robot fetches what each robots.txt allows, waits between two requests to a site,
// and keeps rules, visits, URLs and results in one file. Run again, also after a crash, it goes on where it was. With
// the name of a PostgreSQL database in place of the file, the same program on several machines is one crawl.
//
//   17_whole_crawl crawl.db https://example.org/ https://example.org/about
#include <iostream>
#include <string>
#include <vector>

#include <robotrules/all.hpp>

using namespace robotrules;

// Without arguments the program goes nowhere: the rules are given, and a handler answers in place of a server.
static std::vector<std::string> stay_here(RobotUA& robot) {
  robot.delay(std::chrono::milliseconds(1));
  robot.rules()->parse("http://shop.example/robots.txt", "User-agent: *\nDisallow: /cart\n").value();
  const auto answer = [](HandlerCall& call) {
    std::cout << "fetches " << call.request->url << '\n';
    HandlerAnswer page;
    page.response.emplace().code = 200;
    return page;
  };
  HandlerMatch shoes;
  shoes.path_prefix = "/shoes";
  robot.add_handler(Phase::request_send, answer, shoes);
  return {"http://shop.example/shoes", "http://shop.example/cart/7", "http://shop.example/shoes?size=42"};
}

static int run(const std::string& place, std::vector<std::string> urls) {
  const auto store = open_store(place, {.sqlite = {.first_ever = true}});  // or redis://..., postgresql://...
  if (!store) return std::cerr << store.error().message << '\n', 2;
  auto robot = RobotUA::make("FooBot/1.0", "bots@example.org", {.store = *store});
  if (!robot) return std::cerr << robot.error().message << '\n', 2;
  if (urls.empty()) urls = stay_here(*robot);
  const auto counts = crawl_urls(*robot, urls, place + ".warc.gz", {.queue = place});
  if (!counts) return std::cerr << counts.error().message << '\n', 2;
  std::cout << counts->done << " fetched, " << counts->denied << " denied\n";
  return 0;
}

int main(int count, char** words) {
  if (count > 1) return run(words[1], {words + 2, words + count});
  for (const char* left : {"example_17.db", "example_17.db.warc.gz"}) std::remove(left);
  return run("example_17.db", {}) + run("example_17.db", {});  // the second run fetches nothing again
}
