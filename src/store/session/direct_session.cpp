#include <utility>

#include <robotrules/seams/store_session.hpp>

#include "store/session/read_robots.hpp"

namespace robotrules {
namespace {

class DirectSession final : public StoreSession {
 public:
  explicit DirectSession(Store& store) : store_(store) {}

  Timestamp now() const override { return store_.now(); }
  std::chrono::microseconds since_boot() const override { return store_.since_boot(); }
  Timestamp approximate_now() const override { return store_.approximate_now(); }

  void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) override {
    tell(done, Result(store_.call_gate(*calls)));
  }
  void read(const Origin& origin, std::optional<std::uint64_t> known, Done<Result<ReadRobots>> done) override {
    tell(done, store::read_robots(store_, origin, known));
  }
  void put(const Origin& origin, RobotsRecord record, std::optional<RobotsLease> lease,
           Done<Result<void>> done) override {
    tell(done, store_.put_robots(origin, std::move(record), lease ? &*lease : nullptr));
  }
  void lease(const Origin& origin, std::chrono::microseconds length, Done<Result<LeaseAnswer>> done) override {
    tell(done, store_.lease_robots_fetch(origin, length));
  }
  void release(RobotsLease lease) override { static_cast<void>(store_.release(lease)); }
  void finish() override {}

 private:
  template <class Answer>
  static void tell(const Done<Answer>& done, Answer answer) {
    if (done) done(std::move(answer));
  }

  Store& store_;
};

}  // namespace

std::unique_ptr<StoreSession> make_direct_session(Store& store) { return std::make_unique<DirectSession>(store); }

}  // namespace robotrules
