#include "support/agent/robot_rig.hpp"

#include <stdexcept>
#include <utility>

#include <robotrules/seams/store_decorator.hpp>

namespace robotrules::test {

RobotUAOptions undelayed() { return delayed(std::chrono::milliseconds(0)); }

RobotUAOptions delayed(std::chrono::milliseconds delay) {
  RobotUAOptions options;
  options.pace.delay = delay;
  return options;
}

Request request_to(std::string url, std::string method, Headers headers) {
  Request request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.headers = std::move(headers);
  return request;
}

namespace {

// A manual loop would not wait for the thread of a session.
class AnswersAtOnce final : public StoreDecorator {
 public:
  using StoreDecorator::StoreDecorator;
  bool may_wait() const noexcept override { return false; }
};

}  // namespace

RobotRig::RobotRig(RobotUAOptions options) : clock(std::make_shared<ManualClock>()) {
  store = make_memory_store({.clock = [time = clock] { return time->now(); }});
  make(std::move(options));
}

RobotRig::RobotRig(const RobotRig& beside, RobotUAOptions options)
    : clock(beside.clock), loop(beside.loop), transport(beside.transport), store(beside.store) {
  make(std::move(options));
}

RobotRig::RobotRig(std::shared_ptr<ManualClock> time, std::shared_ptr<Store> kept, RobotUAOptions options)
    : clock(std::move(time)), store(std::move(kept)) {
  make(std::move(options));
}

void RobotRig::make(RobotUAOptions options) {
  if (loop == nullptr) {
    loop = std::make_shared<ManualLoop>(clock);
    transport = std::make_shared<ScriptedTransport>(*loop);
    transport->on("*", [](const WireRequest&) { return WireReply{.body = "page"}; });
  }
  const std::shared_ptr<Store> used = store->may_wait() ? std::make_shared<AnswersAtOnce>(store) : store;
  auto opened = RobotRules::open(used, "my-robot");
  if (!opened) throw std::runtime_error(opened.error().message);
  rules = std::make_shared<RobotRules>(std::move(opened).value());
  auto made = RobotUA::make("my-robot/0.1", "me@example.org", rules, std::move(options), loop, transport);
  if (!made) throw std::runtime_error(made.error().message);
  ua_.emplace(std::move(made).value());
}

void RobotRig::site(const std::string& origin, std::string robots, std::string cache) {
  WireReply reply{.body = std::move(robots)};
  if (!cache.empty()) reply.headers.add("Cache-Control", cache);
  transport->on(origin + "/robots.txt", std::move(reply));
}

std::size_t RobotRig::start(Request request) {
  const std::size_t number = pending_.size();
  pending_.push_back(ua_->start(std::move(request), [answers = answers_, number](Response response) {
    if (!answers->emplace(number, std::move(response)).second) throw std::logic_error("answered twice");
  }));
  return number;
}

Response RobotRig::fetch(Request request) {
  const std::size_t number = start(std::move(request));
  if (!loop->until([&] { return is_answered(number); })) throw std::runtime_error("never answered");
  return answer(number);
}

RobotRig::Consulted RobotRig::consult(const std::string& url) {
  std::optional<Consulted> answer;
  ua_->consult(url, [&](std::shared_ptr<const RobotsNote> note, Access access) { answer = {access, std::move(note)}; });
  if (!loop->until([&] { return answer.has_value(); })) throw std::runtime_error("never answered");
  return *answer;
}

std::vector<WireRequest> RobotRig::pages(std::string_view origin) const {
  std::vector<WireRequest> found;
  for (const WireRequest& request : transport->log()) {
    if (!request.url.ends_with("/robots.txt") &&
        (origin.empty() || request.url.starts_with(std::string(origin) + '/'))) {
      found.push_back(request);
    }
  }
  return found;
}

std::vector<std::chrono::milliseconds> RobotRig::gaps(std::string_view origin) const {
  std::vector<std::chrono::milliseconds> found;
  const std::vector<WireRequest> asked = pages(origin);
  for (std::size_t i = 1; i < asked.size(); ++i) {
    found.push_back(std::chrono::floor<std::chrono::milliseconds>(asked[i].since - asked[i - 1].since));
  }
  return found;
}

std::chrono::milliseconds RobotRig::since_start() const {
  return std::chrono::floor<std::chrono::milliseconds>(clock->since_start());
}

}  // namespace robotrules::test
