// A limit on what one XML parser may hold: it keeps every name that it has met, and a stranger's document can have
// millions.
#pragma once

#include <expat.h>

#include <cstddef>

namespace robotrules::agent {

// Where the parser's memory is counted. It must outlive the parser.
struct MemoryAccount {
  std::size_t limit = std::size_t{4} << 20;
  std::size_t used = 0;
  bool exceeded = false;
};

// Allocations of this thread's parsers are charged to the account while this lives.
class ChargeTo {
 public:
  explicit ChargeTo(MemoryAccount& account) noexcept;
  ~ChargeTo();
  ChargeTo(const ChargeTo&) = delete;
  ChargeTo& operator=(const ChargeTo&) = delete;

 private:
  MemoryAccount* before_;
};

// Functions that answer null beyond the account's limit.
const XML_Memory_Handling_Suite& charged_memory() noexcept;

}  // namespace robotrules::agent
