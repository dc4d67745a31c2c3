#include "support/agent/loopback.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace robotrules::test {

std::size_t Loopback::times(std::string_view path, std::string_view host) const {
  const auto requests = server.witness().requests(path);
  return static_cast<std::size_t>(std::count_if(requests.begin(), requests.end(), [&](const SeenRequest& request) {
    return host.empty() || request.host() == std::string(host) + ':' + std::to_string(port);
  }));
}

RobotUA Loopback::new_robot(MemoryStoreOptions store) const {
  RobotUAOptions made = robot_options;
  std::string& ca_file = made.http.connection.tls.ca_file;
  if (ca_file.empty()) ca_file = server.ca_file();
  auto rules = RobotRules::open(make_memory_store(std::move(store)), "test-robot");
  return RobotUA::make("test-robot/1.0", "robot@example.org", std::make_shared<RobotRules>(std::move(rules).value()),
                       std::move(made))
      .value();
}

RobotUA& Loopback::robot() {
  if (!robot_) robot_.emplace(new_robot({.clock = [time = clock] { return time->now(); }}));
  return *robot_;
}

std::vector<Response> Loopback::get_all(const std::vector<std::string>& urls) {
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t left = urls.size();
  std::vector<Response> responses(urls.size());
  for (std::size_t i = 0; i < urls.size(); ++i) {
    Request request;
    request.url = urls[i];
    robot().start(std::move(request), [&, i](Response response) {
      const std::lock_guard lock(mutex);
      responses[i] = std::move(response);
      if (--left == 0) ended.notify_one();
    });
  }
  std::unique_lock lock(mutex);
  ended.wait(lock, [&] { return left == 0; });
  return responses;
}

std::shared_ptr<const RobotsRecord> Loopback::record_of(const std::string& url) {
  return robot().rules()->store()->robots(Origin::of(url).value()).value();
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
