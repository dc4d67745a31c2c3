#include "crawl/lack_wait.hpp"

#include <algorithm>

namespace robotrules::crawl {

void LackWait::begin(Lack lack, const std::string& sentence, Clock::time_point now) {
  if (!again_at_) ++in_vain_;  // several requests that fail at the same time are one try
  again_at_ = now + pause_ * (1U << std::min(in_vain_ - 1, max_doublings));
  lack_ = lack;
  notice(lack).waits(sentence + (lack == Lack::room ? "; the crawl waits until there is room"
                                                    : "; the crawl waits until it can use the proxy"),
                     now);
}

void LackWait::end_if_over() {
  if (!found_by_.empty() || output_is_full_ || queue_is_full_) return;
  again_at_.reset();
  in_vain_ = 0;
  room_.ends();
  proxy_.ends();
}

bool LackWait::is_proxy_lost(const Response& response, std::uint64_t number, std::uint64_t last_number,
                             std::optional<std::uint64_t>& last_before) {
  if (!response.is_synthetic()) {
    last_served_ = std::max(last_served_, number);
    last_before.reset();
  }
  if (response.source != ResponseSource::proxy_failed) return false;
  if (!last_before) last_before = last_number;
  return last_served_ <= *last_before;
}

}  // namespace robotrules::crawl
