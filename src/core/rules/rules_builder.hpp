// Builds RulesData from the lines that apply to a robot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/rules/rules_data.hpp"
#include "core/rules/scratch.hpp"
#include "core/rules/selection.hpp"

namespace robotrules::core {

class RulesBuilder {
 public:
  // `text`: the prepared text that the offsets of the selection refer to. All arguments must outlive the builder.
  RulesBuilder(std::string_view text, const Dialect& dialect, std::string_view robots_url, ScratchMemory& memory)
      : text_(text),
        dialect_(dialect),
        robots_url_(robots_url),
        records_(memory),
        heads_(memory),
        wildcards_(memory),
        listed_(memory),
        crowded_(memory) {}

  // May throw std::bad_alloc; then nothing leaks.
  std::shared_ptr<const RulesData> build(const Selection& selection, bool is_default,
                                         const ScratchVector<ScannedLine>& for_all);

 private:
  struct ListItem {
    std::uint32_t key;
    std::uint32_t mask;
    std::uint32_t rule;
  };
  struct Pattern {
    std::string_view text;     // normalised, with its anchor
    std::string_view written;  // as written in the file
    bool allow;
    bool anchored;
    bool may_have_stars;
  };

  // Offsets of the arrays in the block behind the object. The keys of the list are at 0.
  struct Layout {
    std::size_t size = 0;         // of the block, in bytes
    std::size_t padded_list = 0;  // items of the list, with the padding
    std::uint32_t masks_at = 0;
    std::uint32_t needs_at = 0;
    std::uint32_t rules_at = 0;
    std::uint32_t heads_at = 0;
    std::uint32_t records_at = 0;
    std::uint32_t groups_at = 0;
    std::uint32_t names_at = 0;
  };

  void add_rules(const Selection& selection);
  bool add_plain(const SelectedRule& line);
  void add_any(const SelectedRule& line, std::string_view value);
  void add_reference(const SelectedRule& line);
  void add_index_page(const SelectedRule& line);
  void add(const SelectedRule& line, const Pattern& pattern);
  std::uint32_t* begin_record(const SelectedRule& line, std::uint32_t flags, std::size_t size, std::size_t room);
  void place_literal(std::uint32_t rule, std::size_t literal);
  void place_in_list(ScratchVector<ListItem>& list, std::uint32_t rule, std::size_t literal);
  void place_in_bucket(std::uint32_t rule, std::size_t level);

  std::unique_ptr<const RulesData::Crowds> collect_crowds();
  void insert_crowded(std::uint32_t rule, std::size_t literal, std::vector<std::uint32_t>& table);
  std::string_view pattern_of(std::uint32_t rule) const noexcept {
    return RulesData::pattern_in(records_.data() + rule);
  }

  Layout layout_for(const Selection& selection) const;
  std::shared_ptr<RulesData> lay_out(const Selection& selection, bool is_default) const;
  void write_list(const Layout& layout, std::byte* block) const;
  void write_groups(const Selection& selection, bool is_default, const Layout& layout, std::byte* block) const;
  std::unique_ptr<const RulesData::Extensions> read_extensions(const Selection& selection,
                                                               const ScratchVector<ScannedLine>& for_all) const;
  std::string path_pattern(std::string_view path, bool& anchored) const;
  void add_clean_line(std::string_view value, RulesData::Extensions& extensions) const;
  void add_usage_line(std::string_view value, RulesData::Extensions& extensions) const;
  std::string_view value_of(const auto& line) const noexcept {
    return {text_.data() + line.value_begin, line.value_size};
  }

  std::string_view text_;
  const Dialect& dialect_;
  std::string_view robots_url_;
  ScratchVector<std::uint32_t> records_;
  ScratchVector<std::uint32_t> heads_;
  ScratchVector<ListItem> wildcards_;
  ScratchVector<ListItem> listed_;
  ScratchVector<std::uint32_t> crowded_;  // buckets
  std::uint32_t bucket_shift_ = 64;
  std::uint32_t levels_ = 0;
  std::uint32_t empty_allows_ = 0;
  std::uint32_t empty_disallows_ = 0;
};

}  // namespace robotrules::core
