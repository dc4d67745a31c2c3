// Link fields (RFC 8288).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fields/field_reader.hpp"

namespace robotrules::agent {

// One link. `target` is as written, relative to the URL of the response.
struct Link {
  std::string target;
  std::vector<Parameter> parameters;  // a "title*" that can be decoded is also the first "title"

  // Returns the relations in lower case. If there are several "rel", the first counts (section 3.3).
  std::vector<std::string> relations() const;
  bool has_relation(std::string_view relation) const;
};

// Returns the links of these field lines, at most `max_links`. A malformed link is skipped up to the next comma.
std::vector<Link> parse_links(std::span<const std::string_view> lines, std::size_t max_links = 1000);

}  // namespace robotrules::agent
