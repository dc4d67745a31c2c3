// robotrules get --metrics and --metrics-file: what Prometheus is told of a crawl.
#include <robotrules/open_store.hpp>
#include <robotrules/user_agent.hpp>

#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include <robotrules/crawl.hpp>
#include <robotrules/version.hpp>
#include "archive/outputs.hpp"
#include "cli/exposition.hpp"
#include "cli/get_site.hpp"
#include "cli/metrics/metrics.hpp"
#include "support/archive/fetched.hpp"
#include "support/markdown.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

namespace fs = std::filesystem;
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
  static std::string asked(const std::string& address) {
    UserAgentOptions options;
    static_cast<void>(options.connection.guard.allow("127.0.0.0/8"));
    const Response response = UserAgent(options).get("http://" + address + "/metrics");
    EXPECT_EQ(response.code, 200) << response.warning;
    return response.body;
  }
  // Returns the metrics after a crawl of these URLs.
  std::string crawled(const std::vector<std::string>& urls) {
    std::vector<QueuedUrl> queued;
    for (const std::string& one : urls) queued.push_back({one});
    EXPECT_TRUE(queue_->add(queued));
    CrawlOptions options;
    options.max_tries = 2;
    options.max_wait = 0s;
    Crawl crawl(*robot_, *queue_, *output_, options);
    const auto metrics = cli::serve_metrics("0");
    EXPECT_TRUE(metrics.ok());
    metrics.value()->show(crawl);
    crawl.urls_added(false);
    while (!crawl.wait_for(1s)) {
    }
    return asked(metrics.value()->address());
  }

  std::optional<RobotUA> robot_;
  std::unique_ptr<UrlQueue> queue_;
  std::unique_ptr<PageOutput> output_;
};

TEST_F(GetMetrics, CountsWhatBecameOfEachUrl) {
  server_.on("", "/page", test::reply("twelve chars"));
  server_.on("", "/moved", test::redirect(302, url("a", "/page")));
  server_.on("", "/broken", test::Script());  // the connection ends
  server_.on("", "/away", test::redirect(302, "ftp://a.localhost/"));
  server_.on("", "/busy", test::status(503));
  server_.on("c.localhost", "/robots.txt", test::status(404));
  server_.on("d.localhost", "/robots.txt", test::Script());
  const std::string text =
      crawled({url("a", "/page"), url("b", "/page"), url("a", "/no/1"), url("a", "/missing"), url("a", "/moved"),
               url("a", "/broken"), url("b", "/busy"), url("c", "/page"), url("d", "/page"), url("a", "/away")});
  const Exposition found = read_exposition(text);
  EXPECT_EQ(found.fault, "") << text;
  const std::pair<const char*, double> values[] = {
      {R"(robotrules_urls_total{result="done"})", 4},
      {R"(robotrules_urls_total{result="denied"})", 1},
      {R"(robotrules_urls_total{result="failed"})", 4},
      {R"(robotrules_urls_total{result="parked"})", 1},
      {R"(robotrules_urls_total{result="cut"})", 0},
      {R"(robotrules_failures_total{reason="server"})", 1},
      {R"(robotrules_failures_total{reason="network"})", 1},
      {R"(robotrules_failures_total{reason="redirect-refused"})", 1},
      {R"(robotrules_failures_total{reason="robots-unreachable"})", 1},
      {R"(robotrules_failures_total{reason="timeout"})", 0},
      {R"(robotrules_failures_total{reason="name-unknown"})", 0},
      {R"(robotrules_responses_total{class="1xx"})", 0},
      {R"(robotrules_responses_total{class="2xx"})", 4},
      {R"(robotrules_responses_total{class="3xx"})", 2},
      {R"(robotrules_responses_total{class="4xx"})", 1},
      {R"(robotrules_responses_total{class="5xx"})", 1},
      {R"(robotrules_responses_total{class="other"})", 0},
      {R"(robotrules_response_duration_seconds_bucket{le="+Inf"})", 8},
      {"robotrules_response_duration_seconds_count", 8},
      {R"(robotrules_robots_fetches_total{outcome="rules"})", 2},
      {R"(robotrules_robots_fetches_total{outcome="unavailable"})", 1},
      {R"(robotrules_robots_fetches_total{outcome="unreachable"})", 1},
      {"robotrules_received_bytes_total", 4 * 12},
      {"robotrules_retries_total", 0},
      {"robotrules_urls_pending", 0},
      {"robotrules_requests_in_flight", 0},
      {"robotrules_requests_waiting", 0},
      {"robotrules_sites_active", 0},
  };
  for (const auto& [name, value] : values) EXPECT_EQ(found.value(name), value) << name << "\n" << text;
  EXPECT_GT(found.value("robotrules_response_duration_seconds_sum"), 0);
  EXPECT_EQ(found.types.at("robotrules_response_duration_seconds"), "histogram");
}

TEST_F(GetMetrics, TellsOfTheVersionsAndOfTheProcess) {
  const std::string text = crawled({});
  const Exposition found = read_exposition(text);
  EXPECT_EQ(found.fault, "") << text;
  const std::string library = connection_library().substr(8);
  EXPECT_EQ(found.value("robotrules_build_info{version=\"" ROBOTRULES_VERSION "\",libcurl=\"" +
                        library.substr(0, library.find(' ')) + "\"}"),
            1)
      << text;
  EXPECT_GT(found.value("process_cpu_seconds_total"), 0);
  EXPECT_GT(found.value("process_resident_memory_bytes"), 1 << 20);
  EXPECT_GT(found.value("process_virtual_memory_bytes"), found.value("process_resident_memory_bytes"));
  EXPECT_GE(found.value("process_open_fds"), 4);
  EXPECT_GE(found.value("process_max_fds"), found.value("process_open_fds"));
  const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_LT(found.value("process_start_time_seconds"), now + 1);
  EXPECT_GT(found.value("process_start_time_seconds"), now - 86'400);
}

TEST_F(GetMetrics, OfThePortAreThoseOfThePage) {
  std::set<std::string> documented, beginnings;
  for (const auto& row : table_of(section_of(page_text("docs/get.md"), "### Metrics for Prometheus"), "| metric")) {
    const std::string name = quoted_words(row[0]).at(0);
    documented.insert(name.substr(0, name.find('_')));
  }
  for (const auto& [name, type] : read_exposition(crawled({})).types) beginnings.insert(name.substr(0, name.find('_')));
  EXPECT_EQ(documented, beginnings);
}

// Prometheus' own check, if it is installed. The server's metrics of itself ("exposer_") are not ours.
TEST_F(GetMetrics, AreWhatPromtoolAccepts) {
  if (std::system("command -v promtool > /dev/null 2>&1") != 0) GTEST_SKIP() << "promtool is not installed";
  std::string text;
  for (const std::string& line : lines_of(crawled({url("a", "/no/1")}))) {
    if (line.find("exposer_") == std::string::npos) text += line + "\n";
  }
  EXPECT_EQ(std::system(("promtool check metrics < " + folder_.file("metrics", text)).c_str()), 0) << text;
}

TEST_F(GetMetrics, AreServedOnTheLoopbackAddressUnlessAnotherIsGiven) {
  const auto metrics = cli::serve_metrics("0");
  ASSERT_TRUE(metrics.ok());
  const std::string address = metrics.value()->address();
  EXPECT_EQ(address.substr(0, 10), "127.0.0.1:");
  for (const std::string& where : {std::string("no-port"), std::string("999999"), address}) {
    EXPECT_FALSE(cli::serve_metrics(where).ok()) << where;
  }
}

TEST_F(GetMetrics, SayWhyTheyCannotBeServed) {
  const auto why = [](const std::string& where) {
    const auto refused = cli::serve_metrics(where);
    return refused ? std::string() : refused.error().message;
  };
  const auto served = cli::serve_metrics("0");
  ASSERT_TRUE(served.ok());
  EXPECT_NE(why(served.value()->address()).find("the port is in use"), std::string::npos);
  for (const char* where : {"0.0.0.0:99999", "65536", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:-1", "9100x:8O"}) {
    EXPECT_NE(why(where).find("give a port from 0 to 65535"), std::string::npos) << where << why(where);
  }
  EXPECT_NE(why("192.0.2.1:9999").find("it is not an address of this machine"), std::string::npos);

  std::ifstream first_port("/proc/sys/net/ipv4/ip_unprivileged_port_start");
  int port = 0;
  if (!(first_port >> port) || port <= 80) GTEST_SKIP() << "here, every user may listen to port 80";
  const bool is_root = ::geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(::seteuid(65'534), 0);
  }
  const std::string denied = why("80");
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_NE(denied.find("permission denied"), std::string::npos) << denied;
}

class GetMetricsFile : public GetSite {
 protected:
  Ran get_with(const std::string& file, const std::string& url) const {
    return run(get({"-w", "0", "-q", "-o", in_folder("o.ndjson"), "--metrics-file", file, url}));
  }
};

TEST_F(GetMetricsFile, HasTheLastValuesAndTheEndOfTheRun) {
  server_.on("", "/page", test::reply("twelve chars"));
  const std::string file = in_folder("news.prom");
  for (const auto& [path, status] : {std::pair("/page", 0), std::pair("/missing", 3)}) {
    EXPECT_EQ(get_with(file, url("a", path)).status, status);
    const Exposition found = read_exposition(contents(file));
    EXPECT_EQ(found.fault, "") << contents(file);
    EXPECT_EQ(found.value(R"(robotrules_exit_status{crawl="news"})"), status);
    EXPECT_GT(found.value(R"(robotrules_end_time_seconds{crawl="news"})"), 1.7e9);
    EXPECT_EQ(found.value(R"(robotrules_urls_total{crawl="news",result="done"})"), status == 0 ? 1 : 0);
    // Node exporter has such metrics of its own, and does not accept a name twice.
    for (const auto& [name, value] : found.values) EXPECT_FALSE(name.starts_with("process_")) << name;
    struct stat there{};
    ASSERT_EQ(::stat(file.c_str(), &there), 0);
    EXPECT_EQ(there.st_mode & 0777U, 0644U);
    EXPECT_FALSE(fs::exists(file + ".tmp"));
  }
}

TEST_F(GetMetricsFile, IsThereFromTheBeginning) {
  const test::Gate gate;
  server_.on("", "/slow", test::Script().wait(gate).send(test::reply("slow")).keep());
  const std::string file = in_folder("news.prom");
  Running process(get({"-o", in_folder("o.ndjson"), "--metrics-file", file, url("a", "/slow")}));
  ASSERT_TRUE(gate.wait_reached(1));
  const Exposition found = read_exposition(contents(file));
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.types.count("robotrules_urls_total"), 1U);
  EXPECT_EQ(found.types.count("robotrules_exit_status"), 0U);
  gate.open();
  EXPECT_EQ(process.finish().status, 0);
}

TEST_F(GetMetricsFile, EscapesItsName) {
  server_.on("", "/page", test::reply("page"));
  const std::string file = in_folder("a \"b\".prom");
  EXPECT_EQ(get_with(file, url("a", "/page")).status, 0);
  const Exposition found = read_exposition(contents(file));
  EXPECT_EQ(found.fault, "") << contents(file);
  EXPECT_EQ(found.value(R"(robotrules_exit_status{crawl="a \"b\""})"), 0) << contents(file);
}

TEST_F(GetMetricsFile, BelongsToOneCrawlAtATime) {
  const test::Gate gate;
  server_.on("", "/slow", test::Script().wait(gate).send(test::reply("slow")).keep());
  const std::string file = in_folder("news.prom");
  Running process(get({"-o", in_folder("first.ndjson"), "--metrics-file", file, url("a", "/slow")}));
  ASSERT_TRUE(gate.wait_reached(1));
  const std::string before = contents(file);
  const Ran second = get_with(file, url("a", "/page"));
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("another crawl writes it; give each crawl a file of its own"), std::string::npos)
      << second.err;
  EXPECT_EQ(contents(file), before);
  EXPECT_FALSE(fs::exists(file + ".tmp"));
  gate.open();
  EXPECT_EQ(process.finish().status, 0);
  EXPECT_EQ(read_exposition(contents(file)).value(R"(robotrules_exit_status{crawl="news"})"), 0);
}

TEST_F(GetMetricsFile, WithANameThatNodeExporterDoesNotReadIsAWarning) {
  server_.on("", "/page", test::reply("page"));
  for (const auto& [name, times] : {std::pair("news.txt", 1), std::pair("news.prom", 0)}) {
    const Ran ran = run(get({"-o", in_folder("o.ndjson"), "--metrics-file", in_folder(name), url("a", "/page")}));
    EXPECT_EQ(ran.status, 0);
    const std::string warning =
        "warning: --metrics-file " + in_folder(name) + ": node exporter reads only files whose names end in .prom\n";
    EXPECT_EQ(ran.err.find(warning) != std::string::npos, times == 1) << ran.err;
  }
}

TEST_F(GetMetricsFile, ThatCannotBeWrittenIsAnErrorAtTheStart) {
  fs::create_directory(in_folder("folder"));
  for (const std::string& file : {in_folder("nowhere/news.prom"), in_folder("folder"), std::string("/dev/null")}) {
    const Ran ran = get_with(file, url("a", "/page"));
    EXPECT_EQ(ran.status, 2) << file;
    EXPECT_NE(ran.err.find("--metrics-file " + file + " cannot be written: "), std::string::npos) << ran.err;
  }
  EXPECT_EQ(pages_asked(), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
