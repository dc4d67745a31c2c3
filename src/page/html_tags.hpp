// What an HTML parser finds in a document's head.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "page/head_markup.hpp"

namespace robotrules::agent {

// An element of the head: meta, base, link or title. Names are in lower case, character references are decoded; of an
// attribute given twice the first counts. Control characters are spaces, everything is valid UTF-8.
struct HeadTag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;  // of a title, its white space collapsed

  // Null where it has no such attribute.
  const std::string* attribute(std::string_view wanted) const noexcept;
};

// `html` is UTF-8; see head_markup() for where it ends.
std::vector<HeadTag> read_head_tags(std::string_view html, const HeadLimits& limits = {});

}  // namespace robotrules::agent
