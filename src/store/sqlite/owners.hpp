// Who of the owners of holds and leases has ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>

#include <robotrules/sqlite_store.hpp>

namespace robotrules::store {

// Answers are remembered: for good where one has ended, else for a short time, so that who asks for a thousand keys of
// one owner looks once. A file that names more owners than can be looked at in that time is told "nobody knows".
// Thread rule: one thread at a time.
class Owners {
 public:
  explicit Owners(const SqliteStoreOptions& options);

  const Process& self() const noexcept { return self_; }
  // False where nobody knows. `now`: by the store's clock.
  bool has_ended(const Process& owner, Timestamp now);

  static constexpr std::chrono::milliseconds remembered{250};
  static constexpr std::size_t max_known = 256;

 private:
  struct Answer {
    bool ended = false;
    Timestamp at;
  };

  Process self_;
  std::function<bool(const Process&)> has_ended_;
  std::map<Process, Answer> known_;
};

}  // namespace robotrules::store
