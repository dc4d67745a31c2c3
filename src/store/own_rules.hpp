// Rules of the program itself, which close URLs beside the robots.txt files of the sites.
//
// A store keeps them as the record of a site that cannot exist, so every store can: the body has a line for each rule,
// "https://example.org /private".
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/dialect.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

namespace robotrules::store {

// The site whose record has the rules; ".invalid" is no domain (RFC 6761 section 6.4).
Origin own_rules_origin();

// The patterns of each origin, in the order in which they were added. Origins are written as Origin::to_string() does.
using OwnPatterns = std::map<std::string, std::vector<std::string>, std::less<>>;

// Fails with "invalid-rule" unless the pattern can be the value of a Disallow line: it is not empty, and has no line
// end, no NUL and no "#".
Result<void> check_own_pattern(std::string_view pattern);

// The rules of a program, compiled for one robot. Thread rule: any thread may call any function.
class OwnRules {
 public:
  // Reads the rules from the store.
  Result<void> load(const Store& store, const Dialect& dialect);
  // Changes the rules in the store, while no other process changes them, and takes over the result. Fails with the
  // errors of the store, and with "rules-busy" if another process holds them for longer than some seconds.
  Result<void> change(Store& store, const Dialect& dialect, const std::function<void(OwnPatterns&)>& change);
  // Returns the rules for the URL's site; null: there are none.
  std::optional<Rules> of(std::string_view url) const;
  // Drops all.
  void clear();

 private:
  using Compiled = std::map<std::string, Rules, std::less<>>;
  void take(const OwnPatterns& patterns, const Dialect& dialect);

  std::mutex changing_;  // held during change() and clear(); taken before mutex_
  mutable std::mutex mutex_;
  std::shared_ptr<const Compiled> compiled_;  // null: there are no rules
  std::atomic<bool> any_{false};              // without a lock: most programs have none
};

}  // namespace robotrules::store
