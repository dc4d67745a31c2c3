// Copying by WebAssembly's own instructions: for the whole module, which is built to be small. libc's functions are
// compiled without these instructions, and are faster for a few bytes and much larger.
#include <cstddef>
#include <cstring>

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  __builtin_memcpy(to, from, size);
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) noexcept {
  __builtin_memmove(to, from, size);
  return to;
}

void* memset(void* to, int value, std::size_t size) noexcept {
  __builtin_memset(to, value, size);
  return to;
}

}  // extern "C"
