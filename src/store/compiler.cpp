#include "store/compiler.hpp"

namespace robotrules::store {

Rules Compiler::rules_of(const RobotsRecord& record) {
  const bool by_url = dialect_.rule_value == Dialect::RuleValue::url_reference;
  const Key key{record.body.get(), by_url ? record.url : std::string()};
  if (auto known = cache_.find(key)) return std::move(known->rules);
  Rules rules = Rules::compile(*record.body, agent_, dialect_, record.url);
  cache_.put(key, {record.body, rules}, rules.memory_bytes() + record.body->size());
  return rules;
}

}  // namespace robotrules::store
