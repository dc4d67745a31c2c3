#include "core/rules/scratch.hpp"

#include <algorithm>
#include <new>

namespace robotrules::core {

ScratchMemory::~ScratchMemory() {
  while (newest_ != nullptr) {
    Chunk* const older = newest_->older;
    ::operator delete(newest_);
    newest_ = older;
  }
}

void ScratchMemory::take_chunk(std::size_t size) {
  chunk_size_ = std::max(2 * chunk_size_, size);
  auto* const chunk = ::new (::operator new(sizeof(Chunk) + chunk_size_)) Chunk{newest_};
  newest_ = chunk;
  next_ = reinterpret_cast<std::byte*>(chunk + 1);
  left_ = chunk_size_;
}

}  // namespace robotrules::core
