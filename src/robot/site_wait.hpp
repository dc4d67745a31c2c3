// How long a page of a site must wait, and why.
#pragma once

#include <string>

#include <robotrules/message.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "base/visibility.hpp"

namespace robotrules::agent {

// Returns how long the gate lets the next page of a site wait, with these rules: its Visit-time does not count.
ROBOTRULES_INTERNAL_API Result<SiteWait> gate_wait(const Store& store, const Pace& pace, const Rules& rules,
                                                   const Origin& origin, Timestamp now);

// Returns the reason for a wait of an interval from that source.
ROBOTRULES_INTERNAL_API WaitReason reason_of(IntervalSource source) noexcept;

// Returns the reason for a wait that the gate has answered to a request with that interval. The request does not know
// how long the last response took: a wait that is longer than the interval is due to that (Pace::adaptive).
WaitReason reason_for(const Wait& wait, std::chrono::microseconds interval, IntervalSource source,
                      Timestamp now) noexcept;

// Returns the reason as the begin of a sentence that ends with "until" and a time: "its Crawl-delay of 3600 s after the
// last request is not over". `rules` are those of the site.
ROBOTRULES_INTERNAL_API std::string sentence_about(WaitReason reason, const Rules& rules);

}  // namespace robotrules::agent
