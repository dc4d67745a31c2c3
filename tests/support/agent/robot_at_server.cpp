#include "support/agent/robot_at_server.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace robotrules::test {
namespace {

RobotUA made(RobotUAOptions options, const MovedClock* clock) {
  MemoryStoreOptions store;
  if (clock != nullptr) store.clock = clock->function();
  auto rules = RobotRules::open(make_memory_store(std::move(store)), "test-robot");
  return RobotUA::make("test-robot/1.0", "robot@example.org", std::make_shared<RobotRules>(std::move(rules).value()),
                       std::move(options))
      .value();
}

}  // namespace

RobotUAOptions loopback_options(const ScriptedServer& server) {
  RobotUAOptions options;
  options.pace.delay = std::chrono::milliseconds(0);
  ConnectionOptions& connection = options.http.connection;
  static_cast<void>(connection.guard.allow("127.0.0.0/8"));
  connection.tls.ca_file = server.ca_file();
  connection.connect_timeout = std::chrono::minutes(1);  // hundreds of handshakes at once, on a loaded machine
  connection.resolve = [](std::string_view, std::uint16_t) { return std::vector<std::string>{"127.0.0.1"}; };
  return options;
}

Robot::Robot(RobotUAOptions options, const MovedClock* clock) : ua_(made(std::move(options), clock)) {}

std::vector<Response> Robot::get_all(const std::vector<std::string>& urls) {
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t left = urls.size();
  std::vector<Response> responses(urls.size());
  for (std::size_t i = 0; i < urls.size(); ++i) {
    Request request;
    request.url = urls[i];
    ua_.start(std::move(request), [&, i](Response response) {
      const std::lock_guard lock(mutex);
      responses[i] = std::move(response);
      if (--left == 0) ended.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  ended.wait(lock, [&] { return left == 0; });
  return responses;
}

std::shared_ptr<const RobotsRecord> Robot::record(std::string_view url) const {
  const auto origin = Origin::of(std::string(url));
  if (!origin) return nullptr;
  return ua_.rules()->store()->robots(*origin).value();
}

RobotAtServer::RobotAtServer(bool tls)
    : tls_(tls), port_(server_.listen("127.0.0.1", tls)), options_(loopback_options(server_)) {
  server_.on("", "/x", reply("page x"));
  server_.on("", "/y", reply("page y"));
}

Robot& RobotAtServer::robot() {
  if (robot_ == nullptr) robot_ = std::make_unique<Robot>(options_, &clock_);
  return *robot_;
}

std::string RobotAtServer::url(std::string_view path, std::string_view host) const {
  return url_of(port_, path, host, tls_ ? "https" : "http");
}

std::size_t RobotAtServer::seen(std::string_view path, std::string_view host) const {
  const auto requests = server_.witness().requests(path);
  return static_cast<std::size_t>(std::count_if(requests.begin(), requests.end(), [&](const SeenRequest& request) {
    return host.empty() || request.host() == std::string(host) + ':' + std::to_string(port_);
  }));
}

std::string as_test_name(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    const bool word =
        (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
    if (word)
      plain += letter;
    else if (!plain.empty() && plain.back() != '_')
      plain += '_';
  }
  return plain;
}

}  // namespace robotrules::test
