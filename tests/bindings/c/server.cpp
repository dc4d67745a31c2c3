#include "server.h"

#include <exception>
#include <memory>

#include "support/server/server.hpp"

namespace {

struct TestServer {
  robotrules::test::ScriptedServer server;
  robotrules::test::Gate slow;  // never opens
};
std::unique_ptr<TestServer> running;

}  // namespace

unsigned test_server_start() {
  using robotrules::test::Script;
  try {
    running = std::make_unique<TestServer>();
    auto& server = running->server;
    server.on("", "/robots.txt", robotrules::test::reply("User-agent: *\nDisallow: /private\n"));
    server.on("", "/page", robotrules::test::reply("Hello, robot."));
    server.on("", "/moved", robotrules::test::redirect(302, "/page"));
    server.on("", "/echo", [](const robotrules::test::SeenRequest& seen) {
      return robotrules::test::reply(seen.method + " " + seen.header("X-Test").value_or("") + " " + seen.body);
    });
    server.on("", "/slow",
              Script().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").wait(running->slow).send("cd").keep());
    return server.listen();
  } catch (const std::exception&) {
    return 0;
  }
}

int test_server_wait_for_slow(unsigned count) { return running->slow.wait_reached(count) ? 1 : 0; }

void test_server_stop() { running.reset(); }
