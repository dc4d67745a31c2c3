// Builds RulesData from the lines that hold for a robot.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules_data.hpp"
#include "core/selection.hpp"

namespace robotrules::core {

class RulesBuilder {
 public:
  // `text` is the file as read; both must outlive the builder.
  RulesBuilder(std::string_view text, const Dialect& dialect, std::string_view robots_url) noexcept
      : text_(text), dialect_(dialect), robots_url_(robots_url) {}

  // Writes into `data`, which must be fresh. Strong guarantee: if it throws (std::bad_alloc), throw `data` away.
  void build(const Selection& selection, bool is_default, const std::vector<ScannedLine>& before_groups,
             RulesData& data);

 private:
  // A rule on its way into the block.
  struct Draft {
    std::string_view written;
    std::string_view pattern;     // normalised, without the anchor; a view of text_ or of changed_
    std::uint32_t line_and_flags;
    std::uint32_t literal;        // octets before the first wildcard
  };

  void draft_rules(const std::vector<ScannedLine>& rules);
  void draft(const ScannedLine& line, std::string_view written, std::string_view value);
  void draft_index_page(const ScannedLine& line, std::string_view value);
  std::string_view changed(std::string_view value);
  void lay_out(RulesData& data);
  void choose_indexes();
  void sort_into_buckets();
  void find_crowds(const std::vector<std::uint32_t>& begins, const std::vector<std::uint32_t>& items);
  void write_entries(RulesData::Entry* entries, char* octets) const;
  void write_list(std::uint32_t* keys, std::uint32_t* masks, std::uint32_t* rules, std::uint64_t* needs) const;
  void write_buckets(std::uint32_t* begins, std::uint32_t* items) const;
  void write_crowd(const char* octets, const RulesData::Entry* entries, std::uint32_t* crowd) const;
  void read_extensions(const Selection& selection, const std::vector<ScannedLine>& before_groups, RulesData& data) const;
  void add_usage_line(std::string_view value, RulesData& data) const;
  std::string_view value_of(const ScannedLine& line) const noexcept {
    return text_.substr(line.value_begin, line.value_size);
  }

  std::string_view text_;
  const Dialect& dialect_;
  std::string_view robots_url_;
  std::vector<Draft> drafts_;
  std::deque<std::string> changed_;  // patterns that had to be normalised; a deque keeps views of them valid
  std::vector<std::uint32_t> wildcards_;
  std::vector<std::uint32_t> shorts_;
  std::vector<std::uint32_t> bucketed_;
  std::vector<std::uint32_t> bucket_begins_;
  std::vector<std::uint32_t> bucket_items_;
  std::vector<std::uint32_t> crowd_rules_;
  std::uint32_t bucket_shift_ = 32;
  std::uint32_t crowd_size_ = 0;
};

}  // namespace robotrules::core
