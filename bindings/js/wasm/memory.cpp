// The memory of the WebAssembly module. It is built without exceptions, so a call that runs out of memory is left by an
// exception of JavaScript. No destructor runs then. For that reason all blocks of operator new are in one list, the
// newest first, with a mark behind those of the current call: undoing a call frees the blocks before the mark.
//
//     head ── blocks of the current call ── mark ── blocks of handles
//
// JavaScript calls robotrules_js_keep() after a call that has made a handle, and robotrules_js_undo() after one that it
// has left.
#include <bit>
#include <cstddef>
#include <new>

#include "js/wasm/heap.hpp"

using robotrules::js::Block;

// Throws an exception of JavaScript.
extern "C" [[noreturn, clang::import_module("robotrules"), clang::import_name("out_of_memory")]] void
robotrules_js_out_of_memory();

namespace {

constinit Block head{};
constinit Block mark{};

void* allocate(std::size_t size) noexcept {
  Block* const block = robotrules::js::allocate_block(size);
  if (block == nullptr) return nullptr;
  link_after(head, *block);
  return block + 1;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  Block* const block = static_cast<Block*>(memory) - 1;
  unlink(*block);
  free_block(*block);
}

[[gnu::constructor]] void start() { link_after(head, mark); }

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = allocate(size);
  if (memory == nullptr) robotrules_js_out_of_memory();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }

// Nothing in the module asks for more than the 16 bytes of every block.
void* operator new(std::size_t size, std::align_val_t) { return operator new(size); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

extern "C" {

// Returns memory for the arguments of calls, or null. It is not in the list.
void* robotrules_js_allocate(std::size_t size) {
  Block* const block = robotrules::js::allocate_block(size);
  return block == nullptr ? nullptr : block + 1;
}
void robotrules_js_release(void* memory) {
  if (memory != nullptr) free_block(*(static_cast<Block*>(memory) - 1));
}

// Keeps what the last call has made.
void robotrules_js_keep() {
  unlink(mark);
  link_after(head, mark);
}

// Frees what the current call has made.
void robotrules_js_undo() {
  while (head.older != &mark) release(head.older + 1);
}

}  // extern "C"

// Hash tables ask for a number of buckets. libc++'s own function has a table of primes and divides.
namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {
std::size_t __next_prime(std::size_t least) { return std::bit_ceil(least); }
}  // namespace _LIBCPP_ABI_NAMESPACE
}  // namespace std

// Broken preconditions end here. libc++'s own functions would write a message with printf, which is a tenth of the
// module.
namespace std {
inline namespace _LIBCPP_ABI_NAMESPACE {
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
}  // namespace _LIBCPP_ABI_NAMESPACE
}  // namespace std
extern "C" [[noreturn]] void abort_message(const char*, ...) { __builtin_trap(); }
extern "C" [[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }
