// Sorting where its speed does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace robotrules::base {

#if defined(__wasm__)

// Returns the places of `count` elements in sorted order. `less` compares two places; equal elements keep their order.
// In WebAssembly, where std::sort and std::stable_sort would add 2 kilobytes to a page for each type of element, all
// types share this function.
inline std::vector<std::uint32_t> sorted_places(std::size_t count, const void* context,
                                                bool (*less)(const void*, std::uint32_t, std::uint32_t)) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return less(context, a, b) || (a < b && !less(context, b, a));
  };
  std::make_heap(places.begin(), places.end(), before);
  std::sort_heap(places.begin(), places.end(), before);
  return places;
}

// Sorts the elements, as std::stable_sort does.
template <class Range, class Less = std::less<>>
void stable_sort(Range& range, Less less = {}) {
  struct Context {
    const Range& range;
    const Less& less;
  };
  const Context context{range, less};
  const auto places = sorted_places(range.size(), &context, [](const void* known, std::uint32_t a, std::uint32_t b) {
    const auto& [elements, is_less] = *static_cast<const Context*>(known);
    return static_cast<bool>(is_less(elements[a], elements[b]));
  });
  Range sorted;
  sorted.reserve(places.size());
  for (const std::uint32_t place : places) sorted.push_back(std::move(range[place]));
  range = std::move(sorted);
}

// Sorts the elements, as std::sort does.
template <class Range, class Less = std::less<>>
void sort(Range& range, Less less = {}) {
  stable_sort(range, less);
}

#else

template <class Range, class Less = std::less<>>
void stable_sort(Range& range, Less less = {}) {
  std::stable_sort(range.begin(), range.end(), less);
}

template <class Range, class Less = std::less<>>
void sort(Range& range, Less less = {}) {
  std::sort(range.begin(), range.end(), less);
}

#endif

}  // namespace robotrules::base
