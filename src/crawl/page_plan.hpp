// When the pages of a site would be fetched, as pure functions of its rules: the pace of the robot without the robot.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include <robotrules/robot_ua.hpp>
#include <robotrules/rules.hpp>

namespace robotrules::crawl {

struct PagePlan {
  std::uint64_t pages = 0;  // that are fetched
  Timestamp last;           // when the last of them is fetched
  // Why the others are left out, and when the first of them could be fetched; empty and null: none is left out.
  std::string why_left_out;
  std::optional<Timestamp> left_out_until;
};

// Plans `pages` pages of a site, one after the other, whose answers take no time. The first one is asked for at `at`,
// when its gate lets it wait for `first`. A page that would have to wait for longer than `max_wait` is left out, with
// all after it. If times of the day matter, further pages than a million are taken to be as far apart as those before.
PagePlan plan_pages(const Pace& pace, const Rules& rules, std::uint64_t pages, Timestamp at, SiteWait first,
                    std::chrono::microseconds max_wait);

}  // namespace robotrules::crawl
