// A limit on the memory of one XML parser. The parser keeps every name that it has met, and a hostile document can have
// millions of them.
#pragma once

#include <expat.h>

#include <cstddef>

namespace robotrules::agent {

// The count of one parser's memory. It must outlive the parser.
struct MemoryAccount {
  std::size_t limit = std::size_t{4} << 20;
  std::size_t used = 0;
  bool exceeded = false;
};

// While this object lives, allocations of parsers on this thread are charged to the account.
class ChargeTo {
 public:
  explicit ChargeTo(MemoryAccount& account) noexcept;
  ~ChargeTo();
  ChargeTo(const ChargeTo&) = delete;
  ChargeTo& operator=(const ChargeTo&) = delete;

 private:
  MemoryAccount* before_;
};

// Returns allocation functions that return null beyond the account's limit.
const XML_Memory_Handling_Suite& charged_memory() noexcept;

}  // namespace robotrules::agent
