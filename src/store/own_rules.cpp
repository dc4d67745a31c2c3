#include "store/own_rules.hpp"

#include <chrono>
#include <thread>
#include <utility>
#include <variant>

#include "base/ascii.hpp"
#include "base/escape.hpp"

namespace robotrules::store {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds lease_length{30};
constexpr std::chrono::milliseconds pause{20};
constexpr int max_tries = 500;  // ten seconds

constexpr std::string_view note = "# Rules of the program itself, beside those of the sites\n";

OwnPatterns read(std::string_view text) {
  OwnPatterns patterns;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t blank = line.find(' ');
    if (line.starts_with('#') || blank == std::string_view::npos) continue;
    patterns[std::string(line.substr(0, blank))].emplace_back(line.substr(blank + 1));
  }
  return patterns;
}

std::string text_of(const OwnPatterns& patterns) {
  std::string text(note);
  for (const auto& [origin, list] : patterns) {
    for (const std::string& pattern : list) text.append(origin).append(" ").append(pattern).append("\n");
  }
  return text;
}

OwnPatterns patterns_of(const std::shared_ptr<const RobotsRecord>& record) {
  return record != nullptr && record->body != nullptr ? read(*record->body) : OwnPatterns{};
}

RobotsRecord record_of(const OwnPatterns& patterns, Timestamp now) {
  RobotsRecord record;
  record.body = std::make_shared<const std::string>(text_of(patterns));
  record.url = own_rules_origin().robots_url();
  record.fetched_at = now;
  record.fresh_until = std::chrono::sys_days(std::chrono::year(9999) / 12 / 31);  // so that prune() leaves it
  return record;
}

}  // namespace

Origin own_rules_origin() { return {"http", "own-rules.invalid", 80}; }

Result<void> check_own_pattern(std::string_view pattern) {
  const bool can_be_a_value = !base::trimmed(pattern).empty() &&
                              pattern.find_first_of(std::string_view("\r\n\0#", 4)) == std::string_view::npos;
  if (can_be_a_value) return {};
  return Error{"invalid-rule", "\"" + base::excerpt(pattern) +
                                   "\" cannot be a rule: give a path such as /private, without \"#\" and line ends"};
}

void OwnRules::take(const OwnPatterns& patterns, const Dialect& dialect) {
  auto compiled = std::make_shared<Compiled>();
  Dialect whole = dialect;
  whole.file_limit = 0;  // a rule that is cut off would open what it closes
  whole.line_limit = 0;
  for (const auto& [origin, list] : patterns) {
    std::string file = "User-agent: *\n";
    for (const std::string& pattern : list) file.append("Disallow: ").append(pattern).append("\n");
    compiled->emplace(origin, Rules::compile(file, "*", whole, origin + "/robots.txt"));
  }
  const bool any = !compiled->empty();
  const std::lock_guard lock(mutex_);
  compiled_ = any ? std::move(compiled) : nullptr;
  any_.store(any, std::memory_order_release);
}

Result<void> OwnRules::load(const Store& store, const Dialect& dialect) {
  const auto kept = store.robots(own_rules_origin());
  if (!kept) return kept.error();
  take(patterns_of(kept.value()), dialect);
  return {};
}

Result<void> OwnRules::change(Store& store, const Dialect& dialect, const std::function<void(OwnPatterns&)>& change) {
  const std::lock_guard one_at_a_time(changing_);  // so that the last list in the store is the last one here
  const Origin origin = own_rules_origin();
  for (int tries = 0; tries < max_tries; ++tries) {
    auto leased = store.lease_robots_fetch(origin, lease_length);
    if (!leased) return leased.error();
    const auto* lease = std::get_if<RobotsLease>(&leased.value());
    if (lease == nullptr) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    const auto kept = store.robots(origin);
    if (!kept) {
      static_cast<void>(store.release(*lease));
      return kept.error();
    }
    OwnPatterns patterns = patterns_of(kept.value());
    change(patterns);
    if (auto put = store.put_robots(origin, record_of(patterns, store.now()), lease); !put) {
      static_cast<void>(store.release(*lease));
      return put;
    }
    take(patterns, dialect);
    return {};
  }
  return Error{"rules-busy", "Another process is changing the program's own rules in the store: try again"};
}

std::optional<Rules> OwnRules::of(std::string_view url) const {
  if (!any_.load(std::memory_order_acquire)) return std::nullopt;
  std::shared_ptr<const Compiled> compiled;
  {
    const std::lock_guard lock(mutex_);
    compiled = compiled_;
  }
  const auto origin = compiled != nullptr ? Origin::of(url) : std::nullopt;
  if (!origin) return std::nullopt;
  const auto found = compiled->find(origin->to_string());
  return found != compiled->end() ? std::optional(found->second) : std::nullopt;
}

void OwnRules::clear() {
  const std::lock_guard one_at_a_time(changing_);
  take({}, Dialect::rfc9309());
}

}  // namespace robotrules::store
