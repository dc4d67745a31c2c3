// The memory of all that is in flight, counted against one limit.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <robotrules/message.hpp>

namespace robotrules::agent {

// Thread rule: any thread, but on_room(), which comes before all else.
class MemoryBudget {
 public:
  // Called, on whichever thread gives memory back, after has_room() returned false: once there is room, and once the
  // program has let go of its last response.
  void on_room(std::function<void()> call) { on_room_ = std::move(call); }
  // 0: no limit.
  void set_limit(std::uint64_t bytes);
  bool has_room() noexcept;
  void take(std::uint64_t bytes) noexcept { used_ += bytes; }
  void give_back(std::uint64_t bytes) noexcept;
  std::uint64_t used() const noexcept { return used_; }
  // Some of it is in responses that the program has and will let go of.
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

// One part of what is counted. Thread rule: one thread at a time.
class MemoryHold {
 public:
  explicit MemoryHold(std::shared_ptr<MemoryBudget> budget) noexcept : budget_(std::move(budget)) {}
  ~MemoryHold();
  MemoryHold(const MemoryHold&) = delete;
  MemoryHold& operator=(const MemoryHold&) = delete;
  // So much is held now.
  void set(std::uint64_t bytes) noexcept;
  // The program has it now. Nothing is set any more.
  void hand_over() noexcept;

 private:
  std::shared_ptr<MemoryBudget> budget_;
  std::uint64_t bytes_ = 0;
  bool with_program_ = false;
};

// What a response counts for, with its recording and without those before it.
std::uint64_t memory_bytes_of(const Response& response) noexcept;

}  // namespace robotrules::agent
