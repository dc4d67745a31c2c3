// A wait at the gate: it asks until the gate grants a dispatch.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>

#include "robot/gate_desk.hpp"

namespace robotrules::agent {

struct GateWaitOptions {
  bool wait = true;                            // false: the first answer is final
  bool waits_while_away = true;                // false: a pause of a site that gave no answer is the answer
  std::chrono::microseconds max_wait{0};       // a longer wait is the answer, unless requests in flight cause it
  std::function<void(const Wait&)> on_wait{};  // called when a wait begins; it must not destroy the GateWait
};

// Asks the gate in this turn of the loop, and again when the time of the last answer has come. If `done` gets a Wait,
// the options do not permit that wait. Destroying a GateWait gives up. Thread rule: the loop's thread.
class GateWait {
 public:
  using Done = std::function<void(Result<ReserveAnswer>)>;
  GateWait(GateDesk& desk, std::shared_ptr<StoreSession> session, ReserveRequest request, GateWaitOptions options,
           Done done);
  ~GateWait();
  GateWait(const GateWait&) = delete;
  GateWait& operator=(const GateWait&) = delete;

  void ask();

 private:
  void answered(Result<ReserveAnswer> answer);
  GateDesk& desk_;
  std::shared_ptr<StoreSession> session_;
  std::shared_ptr<const ReserveRequest> request_;
  GateWaitOptions options_;
  Done done_;
  GateDesk::Number asked_ = 0;
  Loop::TimerId timer_ = 0;
  std::chrono::microseconds poll_{0};
};

}  // namespace robotrules::agent
