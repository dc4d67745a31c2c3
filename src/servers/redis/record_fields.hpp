// The fields of a robots.txt record as one text: all except the body, `fetched_at` and `fresh_until`.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/store.hpp>

namespace robotrules::store::redis {

std::string pack_fields(const RobotsRecord& record);
// Returns false if pack_fields() never writes this text.
bool unpack_fields(std::string_view text, RobotsRecord& into);

}  // namespace robotrules::store::redis
