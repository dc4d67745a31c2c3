// The requests that a crawl has handed to its robot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <robotrules/user_agent.hpp>

namespace robotrules::crawl {

// A request has a number; each is greater than those before.
class RequestsInFlight {
 public:
  std::uint64_t add() {
    requests_.try_emplace(last_number_ + 1);
    return ++last_number_;
  }
  void started(std::uint64_t number, Pending pending) { requests_.at(number).pending = std::move(pending); }
  void not_started(std::uint64_t number) { requests_.erase(number); }
  // A response has come. Returns true if recall() has taken the request back. Call answer_taken() when all is done.
  bool answered(std::uint64_t number) {
    ++answering_;
    return requests_.extract(number).mapped().is_recalled;
  }
  void answer_taken() noexcept { --answering_; }

  std::uint64_t last_number() const noexcept { return last_number_; }
  std::size_t size() const noexcept { return requests_.size(); }
  // Returns true if no request waits for its response.
  bool empty() const noexcept { return requests_.empty(); }
  // Returns true if no response is being taken either.
  bool is_idle() const noexcept { return requests_.empty() && answering_ == 0; }

  std::vector<Pending> all() const {
    std::vector<Pending> all;
    for (const auto& [number, request] : requests_) all.push_back(request.pending);
    return all;
  }
  // The same, and they are taken back: the caller cancels those that wait in the robot.
  std::vector<Pending> recall() {
    for (auto& [number, request] : requests_) request.is_recalled = true;
    return all();
  }

 private:
  struct Request {
    Pending pending;
    bool is_recalled = false;
  };
  std::unordered_map<std::uint64_t, Request> requests_;
  std::uint64_t last_number_ = 0;
  unsigned answering_ = 0;
};

}  // namespace robotrules::crawl
