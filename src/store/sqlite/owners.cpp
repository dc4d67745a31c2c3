#include "store/sqlite/owners.hpp"

#include "store/machine_clock.hpp"
#include "store/process.hpp"

namespace robotrules::store {

Owners::Owners(const SqliteStoreOptions& options) : has_ended_(options.processes.has_ended) {
  self_ = options.processes.self ? options.processes.self()
                                 : this_process(options.time.boot_id ? options.time.boot_id() : boot_id());
  if (!has_ended_) has_ended_ = [self = self_](const Process& process) { return store::has_ended(process, self); };
}

bool Owners::has_ended(const Process& owner, Timestamp now) {
  if (owner.id == 0 || owner == self_) return false;
  const auto is_old = [now](const std::pair<const Process, Answer>& known) {
    return known.second.at > now || now - known.second.at >= remembered;
  };
  const auto known = known_.find(owner);
  if (known != known_.end() && (known->second.ended || !is_old(*known))) return known->second.ended;
  if (known == known_.end() && known_.size() >= max_known) {
    std::erase_if(known_, is_old);
    if (known_.size() >= max_known) return false;
  }
  const bool ended = has_ended_(owner);
  known_.insert_or_assign(owner, Answer{ended, now});
  return ended;
}

}  // namespace robotrules::store
