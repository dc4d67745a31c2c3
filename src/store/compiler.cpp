#include "store/compiler.hpp"

#include <mutex>

namespace robotrules::store {

Rules Compiler::rules_of(const RobotsRecord& record) {
  const bool by_url = dialect_.rule_value == Dialect::RuleValue::url_reference;
  const Key key{record.body.get(), by_url ? record.url : std::string()};
  {
    const std::shared_lock lock(mutex_);
    if (const Compiled* known = cache_.find(key)) return known->rules;
  }
  const Rules rules = Rules::compile(*record.body, agent_, dialect_, record.url);
  constexpr std::size_t entry_bytes = 128;  // without the rules and the body
  const std::size_t bytes = rules.memory_bytes() + record.body->size() + entry_bytes;
  const std::unique_lock lock(mutex_);
  *cache_.make(key).first = {record.body, rules};
  dropped_.fetch_add(cache_.set_weight(key, bytes, max_bytes / 4 * 3), std::memory_order_release);
  return rules;
}

}  // namespace robotrules::store
