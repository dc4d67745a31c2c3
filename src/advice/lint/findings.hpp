// Findings: the diagnostics that the checks collect.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/diagnose.hpp>

#include "advice/lint/sentence.hpp"

namespace robotrules::advice {

// In the order of diagnostic_codes(): file, bytes, spelling, groups, paths, rules, values, consequences, fetching.
enum class Code : std::uint8_t {
  empty_file,
  html_page,
  json_file,
  binary_file,
  no_rules,
  byte_order_mark,
  utf_16_file,
  mixed_line_ends,
  file_over_limit,
  long_line,
  over_long_line,
  invalid_utf8,
  nul_byte,
  control_byte,
  invisible_character,
  misspelt_directive,
  ignored_misspelling,
  missing_colon,
  malformed_line,
  unknown_directive,
  nonstandard_directive,
  joined_lines,
  inline_comment_cut,
  bad_ignore_comment,
  rule_outside_group,
  split_group,
  blank_line_in_group,
  missing_blank_line,
  stranded_rules,
  repeated_group,
  repeated_agent,
  unmatchable_agent,
  agent_cut_short,
  agent_outside_grammar,
  near_miss_agent,
  group_without_rules,
  empty_rule,
  repeated_setting,
  path_without_slash,
  absolute_url_rule,
  regular_expression,
  several_paths,
  unescaped_space,
  invalid_percent,
  encoded_unreserved,
  dot_segment,
  raw_non_ascii,
  html_entity,
  double_slash,
  dollar_inside,
  bare_star,
  star_at_end,
  repeated_star,
  duplicate_rule,
  conflicting_rules,
  shadowed_rule,
  redundant_rule,
  bad_crawl_delay,
  long_crawl_delay,
  ignored_crawl_delay,
  bad_request_rate,
  bad_visit_time,
  bad_clean_param,
  bad_content_signal,
  bad_content_usage,
  mixed_preference_vocabulary,
  unknown_preference,
  bad_sitemap,
  relative_sitemap,
  duplicate_sitemap,
  site_closed,
  search_closed,
  ai_closed,
  dropped_star_rules,
  assets_closed,
  sitemap_closed,
  file_unavailable,
  file_unreachable,
  wrong_content_type,
  redirected_file,
  long_cache_time,
  more_findings,
};
inline constexpr std::size_t code_count = static_cast<std::size_t>(Code::more_findings) + 1;

// Returns true for characters that look like a space or like nothing, or turn the line around.
constexpr bool is_deceptive(std::uint32_t c) noexcept {
  return c == 0xA0 || c == 0xAD || c == 0x61C || (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) ||
         (c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF;
}

// Returns the edits that delete a line, or that write another one in its place.
std::vector<LineEdit> delete_edit(std::uint32_t line);
std::vector<LineEdit> write_edit(std::uint32_t line, std::string text);

class Findings {
 public:
  // Limit for each code, so that a file with a million faults does not give a million findings.
  static constexpr std::size_t max_per_code = 1'000;

  // Adds a finding. `edits`: the changes that the remedy asks for. `severity`: set if the finding is milder or graver
  // than its code.
  void add(Code code, std::uint32_t line, std::uint32_t column, const Sentence& message, const Sentence& remedy);
  void add(Code code, std::uint32_t line, std::uint32_t column, const Sentence& message, const Sentence& remedy,
           std::vector<LineEdit> edits, std::optional<Severity> severity = {});

  // Returns false if add() would not list another finding of this code.
  bool has_room(Code code) const noexcept { return tallies_[static_cast<std::size_t>(code)].count < max_per_code; }

  // Silences the findings of a code about a line. Line 0: about the whole file.
  void silence(std::uint32_t line, std::string_view code);

  // Returns the findings sorted by line and column, without the silenced ones. Do not use the object afterwards.
  std::vector<Diagnostic> take();

 private:
  struct Tally {
    std::size_t count = 0;
    std::uint32_t first_left_out = 0;  // line of the first finding that is left out
  };
  bool is_silenced(const Diagnostic& finding) const;

  std::array<Tally, code_count> tallies_{};
  std::set<std::pair<std::uint32_t, std::string>, std::less<>> silenced_;  // line and code; line 0: the whole file
  std::vector<Diagnostic> found_;
};

}  // namespace robotrules::advice
