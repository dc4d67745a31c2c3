// The free blocks are in lists by size, two lists for each power of two. A block is taken from the list of its size if
// one of the first there is large enough, else from the next list that is not empty.
#include "js/wasm/heap.hpp"

#include <algorithm>
#include <bit>

extern "C" char __heap_base;  // the linker's name for the end of the static data

namespace robotrules::js {
namespace {

constexpr std::uint32_t page = 65'536;
constexpr std::uint32_t most = 0x7FFF'0000;  // bytes of one block; more than the memory may have
constexpr std::uint32_t free_bit = 1;
constexpr int max_tries = 8;  // in the list of the wanted size, if there are larger blocks
constexpr int most_tries = 0x7FFF'FFFF;

constinit Block lists[64] = {};         // heads of the lists of free blocks
constinit std::uint64_t not_empty = 0;  // a bit for each list
constinit Block* top = nullptr;         // an empty used block at the end of the heap

Block* at(Block* block, std::uint32_t offset) noexcept {
  return reinterpret_cast<Block*>(reinterpret_cast<char*>(block) + offset);
}

// Returns the number of the list for blocks of this size.
unsigned list_of(std::uint32_t size) noexcept {
  const auto power = static_cast<unsigned>(std::bit_width(size)) - 1;
  return 2 * power + (size >> (power - 1) & 1);
}

void take_out(Block& block) noexcept {
  unlink(block);
  const unsigned list = list_of(block.size &= ~free_bit);
  if (lists[list].older == nullptr) not_empty &= ~(std::uint64_t{1} << list);
}

void put_in(Block& block) noexcept {
  const unsigned list = list_of(block.size);
  not_empty |= std::uint64_t{1} << list;
  link_after(lists[list], block);
  block.size |= free_bit;
}

// Takes more pages, so that a block of this size is free. Returns false if there are none.
bool grow(std::uint32_t size) noexcept {
  const Block* const last = top == nullptr ? nullptr : top->below;
  if (last != nullptr && (last->size & free_bit) != 0) size -= last->size & ~free_bit;
  const std::uint32_t pages = (size + sizeof(Block) + page - 1) / page;
  const std::size_t before = __builtin_wasm_memory_grow(0, pages);
  if (before == SIZE_MAX) return false;
  if (top == nullptr) {  // the heap begins with what is left of the first pages
    const std::uint32_t begin = (reinterpret_cast<std::uintptr_t>(&__heap_base) + 15) / 16 * 16;
    top = reinterpret_cast<Block*>(begin);
    *top = {};
  }
  // The new pages and the old end become one block, which is then freed.
  Block* const block = top;
  block->size = static_cast<std::uint32_t>((before + pages) * page - reinterpret_cast<std::uintptr_t>(block)) -
                static_cast<std::uint32_t>(sizeof(Block));
  top = at(block, block->size);
  *top = {0, block, nullptr, nullptr};
  free_block(*block);
  return true;
}

Block* find(std::uint32_t size) noexcept {
  const unsigned list = list_of(size);
  const std::uint64_t larger = not_empty & (~std::uint64_t{1} << list);
  int tries = larger != 0 ? max_tries : most_tries;
  for (Block* block = lists[list].older; block != nullptr && tries-- > 0; block = block->older) {
    if (block->size >= size) return block;
  }
  return larger == 0 ? nullptr : lists[std::countr_zero(larger)].older;
}

}  // namespace

void link_after(Block& place, Block& block) noexcept {
  block.newer = &place;
  block.older = place.older;
  if (block.older != nullptr) block.older->newer = &block;
  place.older = &block;
}

void unlink(const Block& block) noexcept {
  block.newer->older = block.older;
  if (block.older != nullptr) block.older->newer = block.newer;
}

Block* allocate_block(std::size_t wanted) noexcept {
  if (wanted > most) return nullptr;
  const std::uint32_t size = std::max<std::uint32_t>((wanted + sizeof(Block) + 15) / 16 * 16, 2 * sizeof(Block));
  Block* block = find(size);
  if (block == nullptr) {
    if (!grow(size)) return nullptr;
    block = find(size);
    if (block == nullptr) return nullptr;
  }
  take_out(*block);
  const std::uint32_t rest = block->size - size;
  if (rest >= 2 * sizeof(Block)) {
    Block* const other = at(block, size);
    other->size = rest;
    other->below = block;
    at(other, rest)->below = other;
    block->size = size;
    put_in(*other);
  }
  return block;
}

void free_block(Block& block) noexcept {
  Block* merged = &block;
  Block* const above = at(merged, merged->size);
  if (above->size & free_bit) {
    take_out(*above);
    merged->size += above->size;
  }
  if (merged->below != nullptr && (merged->below->size & free_bit) != 0) {
    Block* const below = merged->below;
    take_out(*below);
    below->size += merged->size;
    merged = below;
  }
  at(merged, merged->size)->below = merged;
  put_in(*merged);
}

}  // namespace robotrules::js
