// Link fields (RFC 8288).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/fields/field_reader.hpp"

namespace robotrules::agent {

// `target` as it is written, relative to the URL of the response.
struct Link {
  std::string target;
  std::vector<Parameter> parameters;  // "title*" is decoded and stands as "title" before others

  // The relations, in lower case; of several "rel" the first counts (section 3.3).
  std::vector<std::string> relations() const;
  bool has_relation(std::string_view relation) const;
};

// What is malformed is passed over up to the next comma; at most `most` links.
std::vector<Link> parse_links(std::span<const std::string_view> lines, std::size_t most = 1000);

}  // namespace robotrules::agent
