// robotrules get --metrics: what Prometheus is told of a crawl.
#include <robotrules/sqlite_store.hpp>
#include <robotrules/user_agent.hpp>

#include <robotrules/crawl.hpp>
#include "archive/outputs.hpp"
#include "cli/get/metrics.hpp"
#include "cli/get_site.hpp"

namespace robotrules::test {
namespace {

using namespace std::chrono_literals;

class GetMetrics : public GetSite {
 protected:
  GetMetrics() {
    RobotUAOptions options;
    static_cast<void>(options.http.connection.guard.allow("127.0.0.0/8"));
    options.pace.delay = 0ms;
    robot_.emplace(RobotUA::make("TestBot/1.0", "me@test.example", options).value());
    queue_ = open_url_queue("").value();
    output_ = open_output(in_folder("pages.ndjson"), {}).value();
  }
  static Response asked(const std::string& address) {
    UserAgentOptions options;
    static_cast<void>(options.connection.guard.allow("127.0.0.0/8"));
    return UserAgent(options).get("http://" + address + "/metrics");
  }

  std::optional<RobotUA> robot_;
  std::unique_ptr<UrlQueue> queue_;
  std::unique_ptr<PageOutput> output_;
};

TEST_F(GetMetrics, CountsWhatBecameOfEachUrl) {
  server_.on("", "/page", test::reply("twelve chars"));
  const std::vector<QueuedUrl> urls{{url("a", "/page"), "GET", {}, 0},
                                    {url("b", "/page"), "GET", {}, 0},
                                    {url("a", "/no/1"), "GET", {}, 0},
                                    {url("a", "/missing"), "GET", {}, 0}};
  ASSERT_TRUE(queue_->add(urls));
  Crawl crawl(*robot_, *queue_, *output_, nullptr, {});
  const auto metrics = cli::serve_metrics("0", crawl);
  ASSERT_TRUE(metrics.ok()) << metrics.error().message;
  crawl.urls_added(false);
  while (!crawl.wait_for(1s)) {
  }
  const Response page = asked(metrics.value()->address());
  ASSERT_EQ(page.code, 200) << page.warning;
  for (const char* line : {"robotrules_urls_total{result=\"done\"} 2", "robotrules_urls_total{result=\"denied\"} 1",
                           "robotrules_urls_total{result=\"failed\"} 1", "robotrules_urls_total{result=\"parked\"} 0",
                           "robotrules_urls_total{result=\"cut\"} 0", "robotrules_body_octets_total 24",
                           "robotrules_urls_pending 0", "robotrules_requests_on_the_wire 0"}) {
    EXPECT_NE(page.body.find(std::string(line) + "\n"), std::string::npos) << line << "\n" << page.body;
  }
}

TEST_F(GetMetrics, AreServedOnTheLoopbackAddressUnlessAnotherIsGiven) {
  Crawl crawl(*robot_, *queue_, *output_, nullptr, {});
  const auto metrics = cli::serve_metrics("0", crawl);
  ASSERT_TRUE(metrics.ok());
  const std::string address = metrics.value()->address();
  EXPECT_EQ(address.substr(0, 10), "127.0.0.1:");
  for (const std::string& where : {std::string("no-port"), std::string("999999"), address}) {
    EXPECT_FALSE(cli::serve_metrics(where, crawl).ok()) << where;
  }
}

}  // namespace
}  // namespace robotrules::test
