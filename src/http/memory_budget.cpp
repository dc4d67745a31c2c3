#include "http/memory_budget.hpp"

namespace robotrules::agent {

bool MemoryBudget::is_below_limit() const noexcept {
  const std::uint64_t limit = limit_;
  return limit == 0 || used_ < limit;
}

bool MemoryBudget::has_room() noexcept {
  if (is_below_limit()) return true;
  awaited_ = true;
  return is_below_limit();  // bytes may have been given back before awaited_ was set
}

void MemoryBudget::tell_if_awaited() noexcept {
  if ((!is_below_limit() && with_program_ > 0) || !awaited_.exchange(false) || !on_room_) return;
  try {
    on_room_();
  } catch (...) {  // no memory for the call: the next give_back() calls again
    awaited_ = true;
  }
}

void MemoryBudget::set_limit(std::uint64_t bytes) {
  limit_ = bytes;
  tell_if_awaited();
}

void MemoryBudget::give_back(std::uint64_t bytes) noexcept {
  used_ -= bytes;
  tell_if_awaited();
}

std::uint64_t memory_bytes_of(const Response& response) noexcept {
  constexpr std::uint64_t bare = 2'048;  // approximate size of a response without head and body
  std::uint64_t bytes = bare + response.body.capacity();
  for (const HeaderField& field : response.headers) bytes += field.name.size() + field.value.size();
  if (const Recording* recording = response.recording.get()) {
    bytes += recording->request_head.size() + recording->response_head.size() + recording->body.capacity();
  }
  return bytes;
}

MemoryHold::~MemoryHold() {
  if (with_program_) budget_->with_program_ -= bytes_;
  set(0);
}

void MemoryHold::hand_over() noexcept {
  if (!std::exchange(with_program_, true)) budget_->with_program_ += bytes_;
}

void MemoryHold::set(std::uint64_t bytes) noexcept {
  const std::uint64_t before = std::exchange(bytes_, bytes);
  if (bytes > before) budget_->take(bytes - before);
  if (bytes < before) budget_->give_back(before - bytes);
}

}  // namespace robotrules::agent
