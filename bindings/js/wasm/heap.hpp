// The heap of the WebAssembly module: blocks of memory that know their neighbours, so that free neighbours become one.
// It takes the place of libc's malloc(), which is a twentieth of the module.
//
// Thread rule: one thread. Errors: a null pointer if the memory is at its limit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace robotrules::js {

// What is before the memory of each block. A free block is in the list of its size; a used one may be in a list of the
// user.
struct alignas(16) Block {
  std::uint32_t size;  // with this head; a multiple of 16. Bit 0: the block is free
  Block* below;        // the block that ends where this one begins; null: there is none
  Block* newer;
  Block* older;
};
static_assert(sizeof(Block) == 16);

// Puts `block` behind `place` in its list.
void link_after(Block& place, Block& block) noexcept;
void unlink(const Block& block) noexcept;

// Returns a block with `size` bytes of memory behind its head, aligned to 16 bytes, or null. It is in no list.
Block* allocate_block(std::size_t size) noexcept;

// Frees a block that is in no list.
void free_block(Block& block) noexcept;

}  // namespace robotrules::js
