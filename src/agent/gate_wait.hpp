// Asking the gate until it opens.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include <robotrules/store.hpp>
#include <robotrules/transport.hpp>

namespace robotrules::agent {

struct GateWaitOptions {
  bool wait = true;                      // false: the first answer is the answer
  std::chrono::microseconds longest{0};  // waits that are longer are answered, not waited for
};

// Asks at once, and again whenever the time has come; a Wait that is answered is one that is not waited for. Letting
// go of it gives up. On the loop's thread.
class GateWait {
 public:
  using Done = std::function<void(Result<ReserveAnswer>)>;
  GateWait(Loop& loop, std::shared_ptr<Store> store, ReserveRequest request, GateWaitOptions options, Done done);
  ~GateWait();
  GateWait(const GateWait&) = delete;
  GateWait& operator=(const GateWait&) = delete;

  // Apart from making it, as the answer may come at once and end the object.
  void begin() { ask(); }

 private:
  void ask();
  Loop& loop_;
  std::shared_ptr<Store> store_;
  ReserveRequest request_;
  GateWaitOptions options_;
  Done done_;
  Loop::TimerId timer_ = 0;
  std::chrono::microseconds poll_{0};
};

}  // namespace robotrules::agent
