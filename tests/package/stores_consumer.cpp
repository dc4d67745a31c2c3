// The same for stores by their names: all kinds of servers that the build has are there, however the library is linked.
#include <cstdio>
#include <iostream>
#include <string>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/url_queue.hpp>

int main() {
  using namespace robotrules;
  const std::string path = "stores_consumer.db";
  for (const char* end : {"", "-wal", "-shm"}) std::remove((path + end).c_str());
  const auto store = open_store(path, {.sqlite = {.first_ever = true}});
  if (!store) return std::cerr << store.error().message << '\n', 2;
  auto rules = RobotRules::open(store.value(), "FooBot/1.0", Dialect::rfc9309(), OtherAgent::refused);
  if (!rules || !rules.value().parse("https://example.org/robots.txt", "User-agent: FooBot\nDisallow: /private\n"))
    return 2;
  std::cout << to_string(rules.value().allowed("https://example.org/private/page")) << " from a file";
  if (!open_url_queue("")) return 2;
  // Nothing listens there, so a kind of server that the build has cannot be reached, and another one is no name of a
  // store.
  for (const char* server : {"redis://127.0.0.1:1", "postgresql://127.0.0.1:1/none"}) {
    const auto none = open_store(server);
    if (none || none.error().code != "store-unreachable") return std::cerr << server << " is not known\n", 1;
  }
  std::cout << ", and every server is known\n";
}
