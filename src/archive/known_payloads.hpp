// The payloads that an output has written, so that a copy of one can be written as a revisit record.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/page_output.hpp>

#include "base/evicting_map.hpp"

namespace robotrules::archive {

// Keeps digests, not bodies. At the limit, digests that were unused for the longest time are dropped; a copy of their
// payload is then written in full. Thread rule: one thread at a time.
class KnownPayloads {
 public:
  static constexpr std::size_t max_bytes = std::size_t{64} << 20;  // about 300,000 payloads with URLs of 80 bytes

  // Returns the response record that has the payload; null if the payload is unknown.
  std::optional<PayloadRecord> find(const std::string& digest) {
    const Place* const place = known_.find(digest);
    return place == nullptr ? std::nullopt : std::optional(PayloadRecord{place->url, place->date, digest});
  }
  // Adds a payload to the page that is being written. The record is a response, never a revisit: a reader of a revisit
  // record looks for the payload in the record that it names, and nowhere else.
  void add(PayloadRecord record) { added_.push_back(std::move(record)); }
  // Ends that page: its payloads are known from now on, or forgotten.
  void commit() {
    constexpr std::size_t overhead = 136;  // of an entry with its node and its strings
    for (PayloadRecord& record : added_) {
      const std::size_t bytes = overhead + record.digest.size() + record.url.size();
      *known_.make(record.digest).first = Place{std::move(record.url), record.date};
      known_.set_weight(record.digest, bytes, max_bytes);
    }
    added_.clear();
  }
  void take_back() noexcept { added_.clear(); }

 private:
  struct Place {
    std::string url;
    Timestamp date;
  };
  base::EvictingMap<std::string, Place> known_;
  std::vector<PayloadRecord> added_;
};

}  // namespace robotrules::archive
