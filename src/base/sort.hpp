// Sorting where its speed does not matter.
#pragma once

#include <algorithm>
#include <functional>

namespace robotrules::base {

// Sorts the elements, as std::sort does. In WebAssembly, where each sorted type would add 2 kilobytes to a page, it is
// a heap sort, which is slower and small.
template <class Range, class Less = std::less<>>
void sort(Range& range, Less less = {}) {
#if defined(__wasm__)
  std::make_heap(range.begin(), range.end(), less);
  std::sort_heap(range.begin(), range.end(), less);
#else
  std::sort(range.begin(), range.end(), less);
#endif
}

}  // namespace robotrules::base
