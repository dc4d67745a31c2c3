// Servers that drip, hang and never end (A13): a request ends at its deadline. What comes of it is tested in every run;
// how late it came is a matter of the machine's load, and held to its figure in a soak (ROBOTRULES_SOAK=1).
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include <robotrules/robot_ua.hpp>

#include "support/agent/loopback.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

bool soak() { return std::getenv("ROBOTRULES_SOAK") != nullptr; }

// Ways never to come to an end, by path.
std::map<std::string, Handler> never_ending() {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::string text(10'000, 'x');
  const std::string packed_text = packed(Coding::gzip, std::string(1'000'000, 'x'));
  std::map<std::string, Handler> ways;
  const auto add = [&](const char* path, Script script) { ways.emplace(path, std::move(script)); };
  add("/no-answer", Script().read_to_end());
  add("/half-a-line", Script().send("HTTP/1.1 2").read_to_end());
  add("/half-a-head", Script().send(ok + "X-A: b\r\n").read_to_end());
  add("/no-body", Script().send(ok + "Content-Length: 5\r\n\r\n").read_to_end());
  add("/half-a-body", Script().send(ok + "Content-Length: 5\r\n\r\nab").read_to_end());
  add("/half-a-chunk", Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nab").read_to_end());
  add("/no-last-chunk", Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n").read_to_end());
  add("/half-a-gzip", Script()
                          .send(ok + "Content-Encoding: gzip\r\nContent-Length: " + std::to_string(packed_text.size()) +
                                "\r\n\r\n" + packed_text.substr(0, packed_text.size() / 2))
                          .read_to_end());
  add("/head-drips", Script().drip(ok + "X-Slow: " + text, 1, 7ms));
  add("/heads-drip", Script().repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 200ms));
  add("/body-drips", Script().send(ok + "\r\n").drip(text, 1, 7ms));
  add("/chunks-drip", Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n").repeat("1\r\nx\r\n", 11ms));
  add("/body-floods", Script().send(ok + "\r\n").repeat(std::string(5'000, 'x'), 10ms));
  return ways;
}

class Deadlines : public LocalAgent {
 protected:
  Deadlines() {
    ways_ = never_ending();
    for (const auto& [path, way] : ways_) server.on("", path, way);
    // Each hop is quick enough, all of them together are not.
    server.on("", "/hops*", [](const SeenRequest& request) {
      return Script().pause(60ms).send(redirect(302, std::string(request.target) + "x")).keep();
    });
    options.limits.max_total_time = deadline_;
    options.limits.max_body_bytes = std::uint64_t{1} << 40;
    options.max_redirect = 1'000;
  }

  using Judge = std::function<void(const std::string& url, const Response& response)>;
  // Fetches all of them at once and keeps how far from the deadline they ended.
  void fetch_all(UserAgent& ua, const std::vector<std::string>& urls, const Judge& judge) {
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t left = urls.size();
    for (const std::string& url : urls) {
      Request request;
      request.url = url;
      request.on_body = [](std::string_view) { return true; };
      const auto begin = std::chrono::steady_clock::now();
      ua.start(std::move(request), [&, begin, url](const Response& response) {
        const auto took = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - begin);
        const std::lock_guard lock(mutex);
        judge(url, response);
        EXPECT_GE(took, deadline_ - 1ms) << url << " ended before its time";
        most_over_ = std::max(most_over_, took - deadline_);
        if (--left == 0) ended.notify_one();
      });
    }
    std::unique_lock lock(mutex);
    const auto due = std::chrono::steady_clock::now() + deadline_;
    if (!ended.wait_until(lock, due, [&] { return left == 0; })) {
      const auto late = std::chrono::steady_clock::now() - due;
      machine_over_ = std::max(machine_over_, std::chrono::duration_cast<microseconds>(late));
    }
    ended.wait(lock, [&] { return left == 0; });
  }

  void report() {
    RecordProperty("most_overrun_us", std::to_string(most_over_.count()));
    RecordProperty("machine_overrun_us", std::to_string(machine_over_.count()));
    if (soak()) {
      EXPECT_LE(most_over_, 250ms + machine_over_);
    }
  }

  // So many of each way, in so many rounds.
  static std::size_t copies() { return soak() ? 4 : 1; }
  static std::size_t rounds() { return soak() ? 25 : 1; }

  const std::chrono::milliseconds deadline_ = soak() ? 1'000ms : 300ms;
  std::map<std::string, Handler> ways_;
  microseconds most_over_{0};
  microseconds machine_over_{0};  // of a wait of this thread's own, beside them
};

TEST_F(Deadlines, EndEveryPageThatDripsOrHangs) {
  const std::uint16_t silent = server.open({.manner = Manner::silent});
  options.connection.connect_timeout = patience;
  std::vector<std::string> urls;
  for (std::size_t copy = 0; copy < copies(); ++copy) {
    for (const auto& [path, way] : ways_) {
      urls.push_back(url(path));
      urls.push_back(secure_url(path));
    }
    urls.push_back(url("/hops"));
    urls.push_back(url_of(silent, "/", "a.test"));
    urls.push_back(url_of(silent, "/", "a.test", "https"));  // no handshake either
  }
  UserAgent ua = agent();
  for (std::size_t round = 0; round < rounds(); ++round) {
    fetch_all(ua, urls, [](const std::string& url, const Response& response) {
      EXPECT_EQ(response.source, ResponseSource::timeout) << url << ": " << response.warning;
    });
    server.witness().clear();
  }
  RecordProperty("requests", std::to_string(urls.size() * rounds()));
  report();
  server.on("", "/good", reply("good"));
  options.limits.max_total_time = patience;
  EXPECT_EQ(agent().get(url("/good")).body, "good");
}

TEST_F(Deadlines, EndAHandshakeThatHangs) {
  const std::uint16_t silent = server.open({.manner = Manner::silent});
  options.limits.max_total_time = patience;
  options.connection.connect_timeout = deadline_;
  const std::vector<std::string> urls(copies(), url_of(silent, "/", "a.test", "https"));
  UserAgent ua = agent();
  for (std::size_t round = 0; round < rounds(); ++round) {
    fetch_all(ua, urls, [](const std::string&, const Response& response) {
      EXPECT_EQ(response.source, ResponseSource::timeout) << response.warning;
    });
  }
  report();
}

// Each host's robots.txt never ends in another way; its page is not asked for.
TEST_F(Deadlines, EndEveryRobotsTxtThatDripsOrHangs) {
  std::vector<std::string> urls;
  for (std::size_t copy = 0; copy < copies() * rounds(); ++copy) {
    for (const auto& [path, way] : ways_) {
      // It is cut at the size of a robots.txt before its time is over.
      if (path == "/body-floods") continue;
      const std::string host = "host-" + std::to_string(urls.size()) + ".test";
      server.on(host, "/robots.txt", way);
      urls.push_back(url("/page", host));
    }
  }
  options.limits.max_total_time = patience;
  policy().timeout = deadline_;
  const std::size_t at_once = ways_.size() * copies();
  for (std::size_t first = 0; first < urls.size(); first += at_once) {
    const auto begin = urls.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = urls.begin() + static_cast<std::ptrdiff_t>(std::min(urls.size(), first + at_once));
    fetch_all(robot(), {begin, end}, [](const std::string& url, const Response& response) {
      EXPECT_EQ(response.source, ResponseSource::robots_unreachable) << url << ": " << response.warning;
    });
  }
  EXPECT_TRUE(server.witness().requests("/page").empty());
  RecordProperty("requests", std::to_string(urls.size()));
  report();
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
