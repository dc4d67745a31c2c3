// The tags that an HTML parser finds in a document's head.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "page/head_markup.hpp"

namespace robotrules::agent {

// An element of the head: meta, base, link or title. Names are in lower case, and character references are decoded. If
// an attribute is repeated, the first one counts. Control characters become spaces, and all text is valid UTF-8.
struct HeadTag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  // of a title, with white space collapsed

  // Returns the value of an attribute; null if there is no such attribute.
  const std::string* attribute(std::string_view wanted) const noexcept;
};

// Returns the elements of the head in order. `html` is UTF-8; head_markup() says where the head ends.
std::vector<HeadTag> read_head_tags(std::string_view html, const HeadLimits& limits = {});

}  // namespace robotrules::agent
