// Compiles the rules of records: each body once, even if many sites have it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "base/evicting_map.hpp"

namespace robotrules::store {

// Thread rule: every function may be called from any thread.
class Compiler {
 public:
  Compiler(std::string agent, const Dialect& dialect) : agent_(std::move(agent)), dialect_(dialect) {}

  // Returns the rules of the record. Precondition: the record has a body.
  Rules rules_of(const RobotsRecord& record);

  // Counts how often a quarter of `max_bytes` was dropped. The caller drops its own copies of the rules when it
  // changes.
  std::uint64_t generations_dropped() const noexcept {
    return dropped_.load(std::memory_order_acquire) / (max_bytes / 4);
  }

  const std::string& agent() const noexcept { return agent_; }

 private:
  // The key is the address of the body. The cache keeps the body alive, so that no other body gets this address. If the
  // dialect resolves rules as URL references, the URL of the file is part of the key.
  struct Key {
    const std::string* body;
    std::string url;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<const void*>{}(key.body) ^ std::hash<std::string>{}(key.url);
    }
  };
  struct Compiled {
    std::shared_ptr<const std::string> body;
    Rules rules;
  };

  // With the copies of dropped rules that callers may still have. The cache has three quarters of it.
  static constexpr std::size_t max_bytes = std::size_t{256} << 20;
  std::string agent_;
  Dialect dialect_;
  std::shared_mutex mutex_;
  base::EvictingMap<Key, Compiled, KeyHash> cache_;
  std::atomic<std::uint64_t> dropped_{0};  // bytes
};

}  // namespace robotrules::store
