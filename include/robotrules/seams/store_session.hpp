// StoreSession: how a robot uses a store from its loop without waiting for it.
//
//     class MyStore : public robotrules::Store {  // a store behind a network
//       std::unique_ptr<robotrules::StoreSession> open_session(robotrules::StoreSession::Post post) override;
//       ...
//     };
//
// A robot calls its store between transfers, on the one thread that serves all of them. A call that waited there, for a
// disk or for another machine, would stop every transfer. So a robot opens a session: the calls return at once, and the
// answers come later as tasks of the loop. Programs do not need sessions; they call the Store.
//
// Thread rule: all functions are called on one thread, the loop's; a session calls the `done` functions there. It may
// be destroyed on any thread. Errors: as the functions of Store that have the same purpose, and "out-of-memory".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <robotrules/base.hpp>
#include <robotrules/store.hpp>
#include <robotrules/url.hpp>

namespace robotrules {

// The record of an origin as a session has read it.
struct ReadRobots {
  // The value of Store::changes() before the record was read.
  std::uint64_t changes = 0;
  // True: `changes` is the value that the caller knows, so the record is the one that the caller has; `record` is null.
  bool is_unchanged = false;
  std::shared_ptr<const RobotsRecord> record;  // null: there is none
};

// Each call is answered once: calls of the gate in the order in which they were made, and calls for one origin too. A
// `done` function may be called before the call returns. It is not called after the session was destroyed, and it may
// destroy the session's owner.
class ROBOTRULES_API StoreSession {
 public:
  // Runs a task on the loop's thread, later. It is called from any thread.
  using Post = std::function<void(std::function<void()>)>;
  template <class Answer>
  using Done = std::function<void(Answer)>;

  // Waits for the calls under way. Their `done` functions are not called.
  virtual ~StoreSession() = default;
  StoreSession(const StoreSession&) = delete;
  StoreSession& operator=(const StoreSession&) = delete;

  // As in Store. They do not wait.
  virtual Timestamp now() const = 0;
  virtual std::chrono::microseconds since_boot() const = 0;
  virtual Timestamp approximate_now() const = 0;

  // Makes the calls of the gate. A call that fails as a whole has changed nothing, and may be made again. `done` may be
  // empty, here and below.
  virtual void call_gate(std::shared_ptr<const GateCalls> calls, Done<Result<GateAnswers>> done) = 0;
  // Reads the record of an origin. `known`: the `changes` of the record that the caller has; null: it has none.
  virtual void read(const Origin& origin, std::optional<std::uint64_t> known, Done<Result<ReadRobots>> done) = 0;
  // Does what Store::put_robots() does; `lease` may be null.
  virtual void put(const Origin& origin, RobotsRecord record, std::optional<RobotsLease> lease,
                   Done<Result<void>> done) = 0;
  // Does what Store::lease_robots_fetch() does.
  virtual void lease(const Origin& origin, std::chrono::microseconds length, Done<Result<LeaseAnswer>> done) = 0;
  // Ends a lease. If this fails, the lease expires.
  virtual void release(RobotsLease lease) = 0;

  // Waits until all calls are answered, and calls their `done` functions. For the end of a robot, which must not leave
  // keys in flight behind.
  virtual void finish() = 0;

 protected:
  StoreSession() = default;
};

// Returns a session that makes each call at once, on the loop's thread. It is the right one for a store that never
// waits. The store must outlive the session.
ROBOTRULES_API std::unique_ptr<StoreSession> make_direct_session(Store& store);

// Returns a session that makes the calls on a thread of its own, one after the other. The store must outlive the
// session.
ROBOTRULES_API std::unique_ptr<StoreSession> make_thread_session(Store& store, StoreSession::Post post);

}  // namespace robotrules
