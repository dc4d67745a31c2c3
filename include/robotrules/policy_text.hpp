// A RobotsPolicy as one line of text: what a durable store keeps, and what `robotrules db PATH export` says of it.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/result.hpp>
#include <robotrules/robots_policy.hpp>

namespace robotrules {

// "strict unauthorized=disallow_all ... max_redirects=5": a name and all that the policy says of records and of when to
// look again. The name is the preset's, of every other policy "custom". Times and redirects beyond what a policy can
// mean are cut to the nearest that it can.
std::string policy_text(const RobotsPolicy& policy);

// Reads what policy_text() writes: the same text comes of it again. Errors, whose message tells the reason in a few
// words:
//   "policy-newer"    the text has a field that this version does not know
//   "invalid-policy"  it is none that policy_text() writes
Result<RobotsPolicy> policy_of_text(std::string_view text);

}  // namespace robotrules
