#include "sitemap/memory_limit.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace robotrules::agent {
namespace {

thread_local MemoryAccount* current = nullptr;  // expat's functions have no argument for it

// Stored before every block, so that release() knows its size and account.
struct alignas(std::max_align_t) Header {
  std::size_t size;
  MemoryAccount* account;
};

Header* header_of(void* block) noexcept { return static_cast<Header*>(block) - 1; }

void* allocate(std::size_t size) noexcept {
  MemoryAccount* account = current;
  if (account != nullptr && (size > account->limit || account->used > account->limit - size)) {
    account->exceeded = true;
    return nullptr;
  }
  void* memory = std::malloc(sizeof(Header) + size);
  if (memory == nullptr) return nullptr;
  if (account != nullptr) account->used += size;
  return new (memory) Header{size, account} + 1;
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  Header* header = header_of(block);
  if (header->account != nullptr) header->account->used -= header->size;
  std::free(header);
}

void* resize(void* block, std::size_t size) noexcept {
  if (block == nullptr) return allocate(size);
  void* moved = allocate(size);
  if (moved == nullptr) return nullptr;
  const std::size_t kept = header_of(block)->size;
  std::memcpy(moved, block, kept < size ? kept : size);
  release(block);
  return moved;
}

}  // namespace

ChargeTo::ChargeTo(MemoryAccount& account) noexcept : before_(current) { current = &account; }
ChargeTo::~ChargeTo() { current = before_; }

const XML_Memory_Handling_Suite& charged_memory() noexcept {
  static constexpr XML_Memory_Handling_Suite suite{allocate, resize, release};
  return suite;
}

}  // namespace robotrules::agent
