// The handle of a fetch of robots.txt, shared with the database.
#pragma once

#include <robotrules.h>

#include <optional>
#include <string>

#include <robotrules/robots_step.hpp>

struct robotrules_robots_fetch {
  std::string robots_url;  // of the site
  robotrules::RobotsPolicy policy;
  std::optional<robotrules::RobotsRecord> record;  // of an earlier fetch; null: none
  robotrules::RobotsStep step;
  robotrules::Timestamp now;  // of the last step

  const robotrules::RobotsRecord* old() const noexcept { return record ? &*record : nullptr; }
  // Makes the first step.
  void begin(robotrules::Timestamp begun);
};
