// The difference between a text and the same text after edits of lines.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/diagnose.hpp>

namespace robotrules::advice {

class LineDiff {
 public:
  explicit LineDiff(std::string_view text);

  // Applies edits to the text as it is after the edits so far.
  void apply(std::span<const LineEdit> edits);

  // Returns the difference in the unified format of diff and patch, with three lines of context; empty if there is
  // none. `name`: of the file.
  std::string unified(std::string_view name) const;

 private:
  struct Line {
    std::size_t origin;  // index in before_; none: an edit has written it
    std::string text;    // without its line end
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::string> before_;
  std::vector<Line> now_;
};

}  // namespace robotrules::advice
