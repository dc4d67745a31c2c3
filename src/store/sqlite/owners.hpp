// Tells which owners of holds and leases have ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>

#include <robotrules/open_store.hpp>

namespace robotrules::store {

// Caches the answers: "has ended" for good, other answers for a short time, so that a thousand keys of one owner need
// one check. If a file names more owners than the cache holds, the others count as not ended. Thread rule: one thread
// at a time.
class Owners {
 public:
  explicit Owners(const SqliteStoreOptions& options);

  const Process& self() const noexcept { return self_; }
  // Returns false if it is unknown. `now`: by the clock of the store.
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
