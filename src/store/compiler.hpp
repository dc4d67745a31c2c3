// From a record to compiled rules, each body once however many sites have it.
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

  // Precondition: the record has a body.
  Rules rules_of(const RobotsRecord& record);

  // Rises where rules that were answered before are let go.
  std::uint64_t generations_gone() const noexcept { return cache_.generations_gone(); }

  const std::string& agent() const noexcept { return agent_; }

 private:
  // A body is known by its address, and held so that the address stays its own. Where rules are URLs of their own, the
  // file's own URL counts too.
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
