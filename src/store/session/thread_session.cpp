#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <robotrules/seams/store_session.hpp>

#include "store/session/call_desk.hpp"
#include "store/session/read_robots.hpp"

namespace robotrules {
namespace {

class ThreadSession final : public StoreSession {
 public:
  ThreadSession(Store& store, Post post) : store_(store), desk_(std::make_shared<store::CallDesk>(std::move(post))) {}
  ~ThreadSession() override {
    desk_->close();
    if (thread_.joinable()) thread_.join();
  }

  Timestamp now() const override { return store_.now(); }
  std::chrono::microseconds since_boot() const override { return store_.since_boot(); }
  Timestamp approximate_now() const override { return store_.approximate_now(); }

  void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) override {
    add<Result<GateAnswers>>([this, calls = std::move(calls)] { return Result(store_.call_gate(*calls)); },
                             std::move(done));
  }
  void read(const Origin& origin, std::optional<std::uint64_t> known, Done<Result<ReadRobots>> done) override {
    add<Result<ReadRobots>>([this, origin, known] { return store::read_robots(store_, origin, known); },
                            std::move(done));
  }
  void put(const Origin& origin, RobotsRecord record, std::optional<RobotsLease> lease,
           Done<Result<void>> done) override {
    add<Result<void>>(
        [this, origin, record = std::move(record), lease = std::move(lease)]() mutable {
          return store_.put_robots(origin, std::move(record), lease ? &*lease : nullptr);
        },
        std::move(done));
  }
  void lease(const Origin& origin, std::chrono::microseconds length, Done<Result<LeaseAnswer>> done) override {
    add<Result<LeaseAnswer>>([this, origin, length] { return store_.lease_robots_fetch(origin, length); },
                             std::move(done));
  }
  void release(RobotsLease lease) override {
    add<Result<void>>([this, lease = std::move(lease)] { return store_.release(lease); }, {});
  }
  void finish() override {
    const auto desk = desk_;  // an answer may destroy this session
    desk->finish();
  }

 private:
  template <class Answer, class Work>
  void add(Work work, Done<Answer> done) {
    if (!thread_.joinable()) thread_ = std::thread([desk = desk_] { desk->work(); });
    desk_->add(std::move(work), std::move(done));
  }

  Store& store_;
  std::shared_ptr<store::CallDesk> desk_;
  std::thread thread_;  // runs from the first call on
};

}  // namespace

std::unique_ptr<StoreSession> make_thread_session(Store& store, StoreSession::Post post) {
  return std::make_unique<ThreadSession>(store, std::move(post));
}

}  // namespace robotrules
