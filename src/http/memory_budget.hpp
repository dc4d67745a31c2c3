// The memory of all transfers in flight, counted against one limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <robotrules/message.hpp>

namespace robotrules::agent {

// The count and its limit. Thread rule: any thread; on_room() must be called before all else.
class MemoryBudget {
 public:
  // Sets the function that is called after has_room() returned false: when there is room again, or when the program has
  // dropped its last response. It runs on the thread that gives the memory back.
  void on_room(std::function<void()> call) { on_room_ = std::move(call); }
  // Sets the limit; 0: no limit.
  void set_limit(std::uint64_t bytes);
  bool has_room() noexcept;
  void take(std::uint64_t bytes) noexcept { used_ += bytes; }
  void give_back(std::uint64_t bytes) noexcept;
  std::uint64_t used() const noexcept { return used_; }
  // Returns true if the program holds responses that are counted.
  bool is_with_program() const noexcept { return with_program_ > 0; }

 private:
  bool is_below_limit() const noexcept;
  void tell_if_awaited() noexcept;
  friend class MemoryHold;

  std::atomic<std::uint64_t> limit_{0};
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> with_program_{0};
  std::atomic<bool> awaited_{false};
  std::function<void()> on_room_;
};

// One counted part, such as one response. Thread rule: one thread at a time.
class MemoryHold {
 public:
  explicit MemoryHold(std::shared_ptr<MemoryBudget> budget) noexcept : budget_(std::move(budget)) {}
  ~MemoryHold();
  MemoryHold(const MemoryHold&) = delete;
  MemoryHold& operator=(const MemoryHold&) = delete;
  // Sets the bytes that this part uses now.
  void set(std::uint64_t bytes) noexcept;
  // Marks this part as held by the program. set() must not be called after that.
  void hand_over() noexcept;

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bytes_ = 0;
  bool with_program_ = false;
};

// Returns the bytes that a response counts for: with its recording, without the responses before it.
std::uint64_t memory_bytes_of(const Response& response) noexcept;

}  // namespace robotrules::agent
