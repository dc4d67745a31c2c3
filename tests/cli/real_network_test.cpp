// Crawls of many sites over real servers and proxies that end idle connections and are restarted meanwhile: no page is
// lost, no site is opened, and no attempt is counted for a request that no server saw.
// A few seconds in every run. With ROBOTRULES_SOAK=1: 30 sites with 20 pages each, at the pace of the server's limit on
// idle connections.
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>

#include <robotrules/crawl.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/robot_ua.hpp>

#include "cli/get_rig.hpp"
#include "support/server/certificates.hpp"
#include "support/server/real_server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

enum class Way { directly, squid, socks };

struct Network {
  std::string name;
  bool tls;
  bool http2;
  Way way;
};

class Sink final : public PageOutput {
 public:
  Result<void> write(const FetchedPage& page) override {
    const Response& response = page.response;
    if (response.source == ResponseSource::server && response.code == 200) {
      ++pages[std::string(page.url)];
      ++by_version[response.http_version];
      EXPECT_EQ(response.peer.empty(), is_proxied);
    } else {
      ++others[std::string(page.reason())];
      if (response.source != ResponseSource::robots_denied)
        failures += std::string(page.url) + ": " + response.warning + '\n';
    }
    ++written;
    return {};
  }
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return written; }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }

  bool is_proxied = false;
  std::map<std::string, int> pages;
  std::map<std::string, int> others;
  std::map<int, int> by_version;
  std::string failures;
  std::uint64_t written = 0;
};

class RealNetwork : public testing::TestWithParam<Network> {
 protected:
  static bool is_long() { return std::getenv("ROBOTRULES_SOAK") != nullptr; }
  const int sites = is_long() ? 30 : 4;
  const int pages = is_long() ? 20 : 6;

  static std::string host(int number) { return "h" + std::to_string(number) + ".test"; }
};

TEST_P(RealNetwork, LosesNoPage) {
  const Network& network = GetParam();
  TestCa ca;
  std::vector<std::string> names;
  std::string hosts;
  for (int site = 0; site < sites; ++site) {
    names.push_back(host(site));
    hosts += "127.0.0.1 " + host(site) + "\n";
  }
  const Certificate certificate = ca.issue({.names = names});
  RealServer nginx = RealServer::nginx(
      "keepalive_timeout 1s; default_type text/plain;\n"
      "server { listen 127.0.0.1:{port}; listen 127.0.0.1:{port1} ssl" +
          std::string(network.http2 ? " http2" : "") +
          ";\nssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;\n"
          "location = /robots.txt { return 200 'User-agent: *\\nDisallow: /no\\n'; }\n"
          "location / { return 200 'a page'; } }",
      {{"ca.pem", ca.pem()}, {"certificate.pem", certificate.pem()}, {"key.pem", certificate.key_pem()}});
  std::optional<RealServer> proxy;
  if (network.way == Way::squid) proxy.emplace(RealServer::squid(hosts));
  if (network.way == Way::socks) proxy.emplace(RealServer::socks());
  if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
  if (proxy && !proxy->installed()) GTEST_SKIP() << proxy->why_not();
  ASSERT_TRUE(nginx.running()) << nginx.why_not();
  ASSERT_TRUE(!proxy || proxy->running()) << proxy->why_not();

  RobotUAOptions http;
  http.pace.delay = is_long() ? 1s : std::chrono::milliseconds(20);
  ConnectionOptions& connection = http.http.connection;
  ASSERT_TRUE(connection.guard.allow("127.0.0.0/8").ok());
  connection.resolve = [](std::string_view, std::uint16_t) { return std::vector<std::string>{"127.0.0.1"}; };
  connection.tls.ca_file = nginx.folder() + "/ca.pem";
  connection.http2 = network.http2;
  connection.ports = {nginx.port(), nginx.port(1)};
  if (proxy) {
    const std::string scheme = network.way == Way::squid ? "http" : "socks5";
    const std::string where = scheme + "://127.0.0.1:" + std::to_string(proxy->port());
    connection.proxy = {.http = where, .https = where};
  }
  auto rules = std::make_shared<RobotRules>(RobotRules::open(make_memory_store(), "TestBot").value());
  RobotUA robot = RobotUA::make("TestBot/1.0", "me@example.org", std::move(rules), std::move(http)).value();
  const auto queue = open_url_queue("").value();
  std::vector<QueuedUrl> urls;
  for (int page = 0; page < pages; ++page) {
    for (int site = 0; site < sites; ++site) {
      const std::string origin =
          url_of(nginx.port(network.tls ? 1 : 0), "", host(site), network.tls ? "https" : "http");
      urls.push_back({origin + "/" + host(site) + "/" + std::to_string(page)});
      if (page == 0) urls.push_back({origin + "/no"});
    }
  }
  ASSERT_TRUE(queue->add(urls).ok());
  Sink sink;
  sink.is_proxied = proxy.has_value();
  CrawlOptions options;
  options.max_tries = 5;
  options.disk_full_wait = 10ms;
  int faults = 0;
  int waits = 0;
  options.on_page = [&](const FetchedPage&) {
    if (sink.written % 60 != 5) return;
    ++faults;
    proxy ? proxy->end() : nginx.signal(SIGHUP);  // nginx ends its idle connections, over HTTP/2 with GOAWAY
  };
  options.on_proxy_failed = [&](std::string_view sentence) {
    if (sentence.empty()) return;
    ++waits;
    proxy->start_again();
  };
  Crawl crawl(robot, *queue, sink, nullptr, options);
  crawl.urls_added(false);
  while (!crawl.wait_for(1s)) {
  }
  ASSERT_TRUE(crawl.result().ok()) << crawl.result().error().message;
  const CrawlCounts counts = crawl.counts();
  EXPECT_GE(faults, 1);
  EXPECT_EQ(sink.pages.size(), static_cast<std::size_t>(sites * pages)) << sink.failures;
  for (const auto& [url, times] : sink.pages) EXPECT_EQ(times, 1) << url;
  EXPECT_EQ(sink.others, (std::map<std::string, int>{{"robots-denied", sites}})) << sink.failures;
  EXPECT_EQ(counts.failed, 0U);
  EXPECT_TRUE(proxy || counts.retried == 0) << counts.retried << ": the server saw each request that counts";
  EXPECT_EQ(sink.by_version[network.http2 ? 20 : 11], sites * pages);
  std::map<std::string, int> seen;
  int seen_again = 0;
  for (const std::string& line : nginx.access_log()) {
    const std::size_t from = line.find("\"GET ") + 5;
    const std::string target = line.substr(from, line.find(' ', from) - from);
    if (++seen[target] > 1 && target != "/robots.txt") ++seen_again;
  }
  EXPECT_EQ(seen.count("/no"), 0U) << "no site was opened";
  std::cout << network.name << ": " << faults << " faults, " << waits << " waits, " << counts.retried << " retried, "
            << seen_again << " pages that nginx saw again" << std::endl;
}

INSTANTIATE_TEST_SUITE_P(
    Over, RealNetwork,
    testing::Values(Network{"http", false, false, Way::directly}, Network{"https", true, false, Way::directly},
                    Network{"http2", true, true, Way::directly}, Network{"squid", false, false, Way::squid},
                    Network{"squid_tunnel", true, false, Way::squid}, Network{"socks", false, false, Way::socks},
                    Network{"socks_tls", true, false, Way::socks}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
