// Asking the gate until it opens.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "robot/gate_desk.hpp"

namespace robotrules::agent {

struct GateWaitOptions {
  bool wait = true;                      // false: the first answer is the answer
  std::chrono::microseconds longest{0};  // waits that are longer are answered, not waited for
};

// Asks in this turn of the loop, and again whenever the time has come; a Wait that is answered is one that is not
// waited for. Letting go of it gives up. On the loop's thread.
class GateWait {
 public:
  using Done = std::function<void(Result<ReserveAnswer>)>;
  GateWait(GateDesk& desk, std::shared_ptr<Store> store, ReserveRequest request, GateWaitOptions options, Done done);
  ~GateWait();
  GateWait(const GateWait&) = delete;
  GateWait& operator=(const GateWait&) = delete;

  void ask();

 private:
  void answered(Result<ReserveAnswer> answer);
  GateDesk& desk_;
  std::shared_ptr<Store> store_;
  ReserveRequest request_;
  GateWaitOptions options_;
  Done done_;
  GateDesk::Number asked_ = 0;
  Loop::TimerId timer_ = 0;
  std::chrono::microseconds poll_{0};
};

}  // namespace robotrules::agent
