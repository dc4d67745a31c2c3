// The payloads that an output has written, so that a copy of one can be written as a revisit record.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/evicting_map.hpp"

namespace robotrules::archive {

// Keeps digests, not bodies. At the limit, digests that were unused for the longest time are dropped; a copy of their
// payload is then written in full. Thread rule: one thread at a time.
class KnownPayloads {
 public:
  static constexpr std::size_t max_bytes = std::size_t{64} << 20;  // about 300,000 payloads with URLs of 80 bytes

  // The record that has the payload.
  struct Original {
    std::string url;
    std::string date;
  };

  // Returns null if the payload is unknown.
  const Original* find(const std::string& digest) { return known_.find(digest); }
  // Adds a payload to the page that is being written.
  void add(std::string digest, Original original) { added_.emplace_back(std::move(digest), std::move(original)); }
  // Ends that page: its payloads are known from now on, or forgotten.
  void commit() {
    constexpr std::size_t overhead = 136;  // of an entry with its node and its strings
    for (auto& [digest, original] : added_) {
      const std::size_t bytes = overhead + digest.size() + original.url.size() + original.date.size();
      *known_.make(digest).first = std::move(original);
      known_.set_weight(digest, bytes, max_bytes);
    }
    added_.clear();
  }
  void take_back() noexcept { added_.clear(); }

 private:
  base::EvictingMap<std::string, Original> known_;
  std::vector<std::pair<std::string, Original>> added_;
};

}  // namespace robotrules::archive
