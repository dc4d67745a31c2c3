// The reader for sitemaps in plain text: one URL on each line.
#pragma once

#include <string_view>

#include "sitemap/entries.hpp"

namespace robotrules::agent {

class TextReader {
 public:
  explicit TextReader(Entries& entries) noexcept : entries_(entries) {}

  Result<void> feed(std::string_view bytes);
  Result<void> finish();

 private:
  void append(std::string_view part);
  Result<void> end_line();

  Entries& entries_;
  RawEntry line_;
};

}  // namespace robotrules::agent
