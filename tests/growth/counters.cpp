#include "growth/counters.hpp"

#include <cmath>
#include <cstdlib>
#include <new>

namespace {

robotrules::test::Count counted;

void* take(std::size_t size) {
  counted.allocated += size;
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}

}  // namespace

extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++counted.steps; }

void* operator new(std::size_t size) { return take(size); }
void* operator new[](std::size_t size) { return take(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

namespace robotrules::test {

Count count(const std::function<void()>& call) {
  counted = {};
  call();
  return counted;
}

double growth(const std::vector<Count>& counts, std::uint64_t Count::* number) {
  constexpr double constant = 100'000;  // of what does not depend on the input
  const auto first = static_cast<double>(counts.front().*number), last = static_cast<double>(counts.back().*number);
  return std::sqrt((last + constant) / (first + constant));
}

}  // namespace robotrules::test
