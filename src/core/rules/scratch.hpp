// Memory that is needed only while one file is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace robotrules::core {

// Uses the stack first, then the heap. All memory is freed together.
class ScratchMemory {
 public:
  ScratchMemory() noexcept = default;
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;

  // Returns memory that is aligned for every type. May throw std::bad_alloc.
  std::byte* allocate(std::size_t size) {
    size = (size + alignment - 1) / alignment * alignment;
    if (size > left_) take_chunk(size);
    std::byte* const memory = next_;
    next_ += size;
    left_ -= size;
    return memory;
  }

 private:
  static constexpr std::size_t alignment = alignof(std::max_align_t);
  struct alignas(std::max_align_t) Chunk {
    Chunk* older;
  };

  void take_chunk(std::size_t size);

  alignas(std::max_align_t) std::array<std::byte, 16384> stack_;
  std::byte* next_ = stack_.data();
  std::size_t left_ = stack_.size();
  std::size_t chunk_size_ = stack_.size();
  Chunk* newest_ = nullptr;
};

// A vector of plain values in scratch memory. With std::pmr::vector, push_back took a third of the time of reading a
// file, because it must handle every type. Growing does not free the old memory.
template <class T>
class ScratchVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit ScratchVector(ScratchMemory& memory) noexcept : memory_(memory) {}
  ScratchVector(const ScratchVector&) = delete;
  ScratchVector& operator=(const ScratchVector&) = delete;

  void reserve(std::size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }
  void push_back(const T& value) {
    if (size_ == capacity_) grow(2 * capacity_ + 16);
    data_[size_++] = value;
  }
  // Returns memory for `count` more elements after the last one. They become elements with added().
  T* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(2 * capacity_ + count);
    return data_ + size_;
  }
  void added(std::size_t count) noexcept { size_ += count; }
  void append(const ScratchVector& other) {
    if (other.size_ != 0) std::memcpy(room(other.size_), other.data_, other.size_ * sizeof(T));
    size_ += other.size_;
  }
  void clear() noexcept { size_ = 0; }

  std::size_t size() const noexcept { return size_; }
  std::size_t bytes() const noexcept { return size_ * sizeof(T); }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](std::size_t index) noexcept { return data_[index]; }
  const T& operator[](std::size_t index) const noexcept { return data_[index]; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }

 private:
  void grow(std::size_t capacity) {
    auto* const data = reinterpret_cast<T*>(memory_.allocate(capacity * sizeof(T)));
    if (size_ != 0) std::memcpy(data, data_, size_ * sizeof(T));
    data_ = data;
    capacity_ = capacity;
  }

  ScratchMemory& memory_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace robotrules::core
