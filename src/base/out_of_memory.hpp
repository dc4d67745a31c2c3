// The end of a call that finds that it would need more memory than there can be.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <new>

namespace robotrules::base {

// Throws std::bad_alloc. In a build without exceptions, asks operator new for more memory than there can be, so that
// the call ends as it does whenever memory runs out.
[[noreturn]] inline void out_of_memory() {
#if defined(__cpp_exceptions)
  throw std::bad_alloc();
#else
  static_cast<void>(::operator new(SIZE_MAX));
  std::abort();
#endif
}

}  // namespace robotrules::base
