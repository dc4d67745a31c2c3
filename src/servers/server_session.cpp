#include "servers/server_session.hpp"

#include <chrono>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "store/machine_clock.hpp"
#include "store/session/call_desk.hpp"
#include "store/session/read_robots.hpp"

namespace robotrules::store {
namespace {

using std::chrono::milliseconds;

// The time until ends are reported again after the server could not be reached.
constexpr milliseconds retry_pause{250};
// A request that could not be asked waits for this long.
constexpr milliseconds unreachable_wait{500};
// An answer that took longer counts as lost, also if the machine slept meanwhile.
constexpr milliseconds max_answer_time{1'000};
// finish() tries for this long to reach the server.
constexpr milliseconds max_finish_time{10'000};

template <class T>
bool has_passing_error(const Result<T>& answer) {
  return !answer && is_passing(answer.error());
}

// An end may bring a penalty, which must not be forgotten because the server has no room or no working disk now.
bool must_keep(const Result<void>& end) {
  return has_passing_error(end) || (!end && (end.error().code == "store-full" || end.error().code == "store-io"));
}

// A thread and its desk.
class Lane {
 public:
  explicit Lane(StoreSession::Post post, CallDesk::Idle idle = {})
      : desk_(std::make_shared<CallDesk>(std::move(post), std::move(idle))) {}
  ~Lane() { close(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  template <class Answer, class Work>
  void add(Work work, StoreSession::Done<Answer> done) {
    start();
    desk_->add(std::move(work), std::move(done));
  }
  template <class Answer, class Work, class MustRepeat>
  void add_repeated(Work work, StoreSession::Done<Answer> done, std::size_t order, MustRepeat must_repeat) {
    start();
    desk_->add_repeated(std::move(work), std::move(done), order, std::move(must_repeat));
  }
  void close() {
    desk_->close();
    if (thread_.joinable()) thread_.join();
  }
  const std::shared_ptr<CallDesk>& desk() const noexcept { return desk_; }

 private:
  void start() {
    if (!thread_.joinable()) thread_ = std::thread([desk = desk_] { desk->work(); });
  }

  std::shared_ptr<CallDesk> desk_;
  std::thread thread_;  // runs from the first call on
};

// The ends of dispatches that the server does not have yet. Any thread.
class OwedEnds {
 public:
  void add(GateCalls::Finish end) {
    const std::lock_guard lock(mutex_);
    ends_.push_back(std::move(end));
  }
  std::vector<GateCalls::Finish> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(ends_, {});
  }
  // `ends` are older than those that were added meanwhile.
  void put_back(std::vector<GateCalls::Finish> ends) {
    const std::lock_guard lock(mutex_);
    ends.insert(ends.end(), std::make_move_iterator(ends_.begin()), std::make_move_iterator(ends_.end()));
    ends_ = std::move(ends);
  }
  bool empty() const {
    const std::lock_guard lock(mutex_);
    return ends_.empty();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<GateCalls::Finish> ends_;
};

class ServerSession final : public StoreSession {
 public:
  ServerSession(Store& store, Post post, bool has_several_servers)
      : store_(store),
        has_several_servers_(has_several_servers),
        gate_(post, [this] { return report_owed(); }),
        records_(std::move(post)) {}
  ~ServerSession() override {
    records_.close();
    gate_.close();
  }

  Timestamp now() const override { return store_.now(); }
  std::chrono::microseconds since_boot() const override { return store_.since_boot(); }
  Timestamp approximate_now() const override { return store_.approximate_now(); }

  void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) override {
    const auto begun = std::make_shared<std::chrono::microseconds>();
    gate_.add<Result<GateAnswers>>(
        [this, calls, begun]() -> Result<GateAnswers> {
          *begun = time_since_boot();
          return ask(*calls);
        },
        [this, calls, begun, done = std::move(done)](Result<GateAnswers> answers) {
          if (answers && time_since_boot() - *begun > max_answer_time) give_back(*calls, answers.value());
          if (done) done(std::move(answers));
        });
  }

  void read(const Origin& origin, std::optional<std::uint64_t> known, Done<Result<ReadRobots>> done) override {
    add_record_call<Result<ReadRobots>>(
        origin, [this, origin, known] { return read_robots(store_, origin, known); }, std::move(done));
  }
  void put(const Origin& origin, RobotsRecord record, std::optional<RobotsLease> lease,
           Done<Result<void>> done) override {
    add_record_call<Result<void>>(
        origin,
        [this, origin, record = std::move(record), lease = std::move(lease)] {
          return store_.put_robots(origin, record, lease ? &*lease : nullptr);
        },
        std::move(done));
  }
  void lease(const Origin& origin, std::chrono::microseconds length, Done<Result<LeaseAnswer>> done) override {
    add_record_call<Result<LeaseAnswer>>(
        origin, [this, origin, length] { return store_.lease_robots_fetch(origin, length); }, std::move(done));
  }
  void release(RobotsLease lease) override {
    const Origin origin = lease.origin;
    add_record_call<Result<void>>(origin, [this, lease = std::move(lease)] { return store_.release(lease); }, {});
  }

  void finish() override {
    // An answer may destroy this session.
    const auto gate = gate_.desk();
    const auto records = records_.desk();
    const std::weak_ptr<OwedEnds> owed = owed_;
    records->finish(max_finish_time);
    if (owed.expired()) return;
    if (!owed_->empty()) {
      gate_.add<Result<void>>(
          [this]() -> Result<void> {
            while (report_owed() && gate_.desk()->pause(retry_pause)) {
            }
            return {};
          },
          {});
    }
    gate->finish(max_finish_time);
  }

 private:
  // Makes a call until the server can be reached, or the session must end.
  template <class Answer, class Call>
  void add_record_call(const Origin& origin, Call call, Done<Answer> done) {
    const std::size_t order = has_several_servers_ ? std::hash<std::string>()(origin.host) : 0;
    records_.add_repeated<Answer>(std::move(call), std::move(done), order,
                                  [](const Answer& answer) { return has_passing_error(answer); });
  }

  // The gate's thread. The ends that are owed come first.
  Result<GateAnswers> ask(const GateCalls& calls) {
    std::vector<GateCalls::Finish> owed = owed_->take();
    if (owed.empty()) return settle(owed, calls, store_.call_gate(calls));
    try {
      GateCalls all{owed, calls.requests};
      all.ends.insert(all.ends.end(), calls.ends.begin(), calls.ends.end());
      GateAnswers answers = store_.call_gate(all);
      return settle(owed, calls, std::move(answers));
    } catch (...) {
      owed_->put_back(std::move(owed));
      throw;
    }
  }

  // Keeps the ends that the server does not have, and turns requests that could not be asked into waits. `answers`
  // begins with those of `owed`, which are moved from.
  GateAnswers settle(std::vector<GateCalls::Finish>& owed, const GateCalls& calls, GateAnswers answers) {
    std::vector<GateCalls::Finish> kept;
    for (std::size_t i = 0; i < answers.ends.size(); ++i) {
      if (!must_keep(answers.ends[i])) continue;
      kept.push_back(i < owed.size() ? std::move(owed[i]) : calls.ends[i - owed.size()]);
      answers.ends[i] = {};
    }
    if (!kept.empty()) owed_->put_back(std::move(kept));
    answers.ends.erase(answers.ends.begin(), answers.ends.begin() + static_cast<std::ptrdiff_t>(owed.size()));
    for (std::size_t i = 0; i < answers.requests.size(); ++i) {
      if (has_passing_error(answers.requests[i])) answers.requests[i] = unreachable(*calls.requests[i]);
    }
    return answers;
  }

  // The gate's thread, when it has nothing else to do, so that a penalty is known to others soon. Returns the time
  // until the next attempt; null: nothing is owed.
  std::optional<milliseconds> report_owed() {
    try {
      if (!owed_->empty()) static_cast<void>(ask({}));
    } catch (...) {  // there is no memory now
    }
    if (owed_->empty()) return std::nullopt;
    return retry_pause;
  }

  ReserveAnswer unreachable(const ReserveRequest& request) const {
    return Wait{store_.now() + unreachable_wait, request.keys.empty() ? std::string() : request.keys.front(),
                WaitWhy::unreachable};
  }

  // The loop's thread.
  void give_back(const GateCalls& calls, GateAnswers& answers) {
    bool has_owed = false;
    for (std::size_t i = 0; i < answers.requests.size(); ++i) {
      if (!answers.requests[i]) continue;
      auto* granted = std::get_if<Granted>(&answers.requests[i].value());
      if (granted == nullptr) continue;
      owed_->add({std::move(granted->token), std::nullopt});
      has_owed = true;
      answers.requests[i] = unreachable(*calls.requests[i]);
    }
    if (has_owed) gate_.desk()->wake();
  }

  Store& store_;
  const bool has_several_servers_;
  const std::shared_ptr<OwedEnds> owed_ = std::make_shared<OwedEnds>();
  Lane gate_;
  Lane records_;
};

}  // namespace

std::unique_ptr<StoreSession> make_server_session(Store& store, StoreSession::Post post, bool has_several_servers) {
  return std::make_unique<ServerSession>(store, std::move(post), has_several_servers);
}

}  // namespace robotrules::store
