// The sentence that tells the program of a wait of the crawl.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace robotrules::crawl {

// A wait that lasts is told of again after each `reminder`; its end is told of once.
class Notice {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Notice(Clock::duration reminder) : reminder_(reminder) {}

  // The wait goes on, for the reason that the sentence says.
  void waits(std::string sentence, Clock::time_point now) {
    if (told_at_ && now - *told_at_ < reminder_) return;
    told_at_ = now;
    news_ = std::move(sentence);
  }
  // The wait is over, if there was one.
  void ends(std::string sentence = {}) {
    if (std::exchange(told_at_, std::nullopt)) news_ = std::move(sentence);
  }
  bool has_news() const noexcept { return news_.has_value(); }
  // Returns the sentence for the callback, once; null: there is nothing new.
  std::optional<std::string> take() { return std::exchange(news_, std::nullopt); }

 private:
  Clock::duration reminder_;
  std::optional<Clock::time_point> told_at_;
  std::optional<std::string> news_;
};

}  // namespace robotrules::crawl
