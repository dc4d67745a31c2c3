// A policy as the text that a durable store keeps.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/robots_policy.hpp>

namespace robotrules::store {

// "strict unauthorized=disallow_all ... max_redirects=5 freshness_floor=300 ...": the name and what judges records.
std::string text_of(const RobotsPolicy& policy);

// Returns null when the text is none that text_of() writes. A policy that is not a preset is named "custom".
std::optional<RobotsPolicy> policy_of_text(std::string_view text);

}  // namespace robotrules::store
