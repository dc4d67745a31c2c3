// A cache of compiled rules: a body that several sites share is compiled once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "store/generation_cache.hpp"

namespace robotrules::store {

// Thread rule: every function may be called from any thread.
class Compiler {
 public:
  Compiler(std::string agent, const Dialect& dialect) : agent_(std::move(agent)), dialect_(dialect) {}

  // Returns the rules of the record. Precondition: the record has a body.
  Rules rules_of(const RobotsRecord& record);

  // Increases when the cache drops rules that it returned before.
  std::uint64_t generations_dropped() const noexcept { return cache_.generations_dropped(); }

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

  static constexpr std::size_t limit_bytes = std::size_t{256} << 20;
  std::string agent_;
  Dialect dialect_;
  GenerationCache<Key, Compiled, KeyHash> cache_{limit_bytes};
};

}  // namespace robotrules::store
