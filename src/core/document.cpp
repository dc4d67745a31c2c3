#include "core/document.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "core/rules/scratch.hpp"
#include "core/rules/selection.hpp"

namespace robotrules::core {

// A sink for the scanner that keeps all directives.
class Document::Builder {
 public:
  Builder(Document& document) noexcept : document_(document), grouping_(document.dialect_) {}

  void blank(std::uint32_t) noexcept {
    grouping_.blank();
    if (grouping_.open()) return;
    end_group();
    after_blank_ = document_.dialect_.blank_line_ends_group;
  }

  void directive(const ScannedLine& line) {
    if (line.kind == DirectiveKind::user_agent) {
      const Grouping::Begins begins = grouping_.agent();
      if (begins == Grouping::Begins::group) begin_group();
      if (begins != Grouping::Begins::nothing) document_.runs_.push_back(size());
    } else if (line.kind == DirectiveKind::allow || line.kind == DirectiveKind::disallow) {
      if (grouping_.rule() == Grouping::Owner::new_default_group) begin_group();
    } else {
      grouping_.other(line.kind);
    }
    document_.directives_.push_back(line);
    document_.directives_.back().after_blank = after_blank_;
    after_blank_ = false;
  }

  bool skips_rules() const noexcept { return false; }
  bool done() const noexcept { return false; }

  void end_group() noexcept {
    if (in_group_) document_.groups_.back().end = size();
    in_group_ = false;
  }

 private:
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(document_.directives_.size()); }

  void begin_group() {
    end_group();
    document_.groups_.push_back({size(), size()});
    in_group_ = true;
  }

  Document& document_;
  Grouping grouping_;
  bool in_group_ = false;
  bool after_blank_ = false;
};

Document::Document(std::string_view robots, const Dialect& dialect, std::string_view url)
    : url_(url), dialect_(dialect) {
  std::string storage;
  PreparedText prepared = prepare_text(robots, dialect, storage);
  truncated_ = prepared.truncated;
  was_utf16_ = prepared.was_utf16;
  if (prepared.text.data() == storage.data()) {
    storage.resize(prepared.text.size());
    text_ = std::move(storage);
    if (text_.capacity() > text_.size() + text_.size() / 4 + 64) text_.shrink_to_fit();
  } else {
    text_ = prepared.text;
  }
  prepared.text = text_;
  directives_.reserve(text_.size() / 32 + 1);
  Builder builder(*this);
  line_count_ = Scanner<Builder>(prepared, dialect_, builder).run();
  builder.end_group();
  // In files of very short lines, growing leaves much unused memory.
  if (directives_.capacity() > directives_.size() + directives_.size() / 4 + 16) directives_.shrink_to_fit();
  groups_.shrink_to_fit();
  runs_.shrink_to_fit();
}

Directive Document::directive(std::size_t index) const noexcept {
  const ScannedLine& place = directives_[index];
  const std::string_view text = text_;
  Directive directive;
  directive.kind = place.kind;
  directive.line = place.line;
  directive.value = text.substr(place.value_begin, place.value_size);

  std::size_t line_begin = place.name_begin;
  while (line_begin > 0 && text[line_begin - 1] != '\n' && text[line_begin - 1] != '\r') --line_begin;
  directive.column = static_cast<std::uint32_t>(place.name_begin - line_begin + 1);
  directive.value_column = static_cast<std::uint32_t>(place.value_begin - line_begin + 1);

  std::string_view name = text.substr(place.name_begin, place.value_begin - place.name_begin);
  const std::size_t colon = name.find(':');
  name = name.substr(0, colon == std::string_view::npos ? name.find_first_of(" \t") : colon);
  while (!name.empty() && (base::is_space(name.back()) || name.back() == '\0')) name.remove_suffix(1);
  directive.name = name;

  const auto group = std::upper_bound(groups_.begin(), groups_.end(), index,
                                      [](std::size_t at, const GroupRange& range) { return at < range.begin; });
  if (group != groups_.begin() && index < std::prev(group)->end) {
    directive.group = static_cast<std::int32_t>(std::prev(group) - groups_.begin());
    const auto run = std::upper_bound(runs_.begin(), runs_.end(), index);
    if (run != runs_.begin() && *std::prev(run) >= std::prev(group)->begin) {
      directive.run_line = directives_[*std::prev(run)].line;
    }
  }
  return directive;
}

std::shared_ptr<const RulesData> Document::rules_for(std::string_view agent) const {
  return rules_by(AgentMatcher(agent, dialect_)).rules;
}

std::shared_ptr<const RulesData> Document::rules_for(const AgentTokens& agent) const {
  return first_named(agent, dialect_, [this](const AgentMatcher& matcher) { return rules_by(matcher); });
}

RulesOfName Document::rules_by(const AgentMatcher& matcher) const {
  ScratchMemory memory;
  Selector selector(text_, matcher, dialect_, memory);
  read(0, directives_.size(), selector);
  return build_rules(selector, text_, dialect_, url_, memory);
}

std::shared_ptr<const RulesData> Document::rules_for(std::string_view agent,
                                                     std::span<const std::uint32_t> groups) const {
  const AgentMatcher matcher(agent, dialect_);
  ScratchMemory memory;
  Selector selector(text_, matcher, dialect_, memory);
  std::uint32_t end = 0;
  for (const std::uint32_t group : groups) {
    const auto [begin, next_end] = groups_[group];
    // The lines between have ended the group before: with a blank line, where that is needed.
    if (begin != end) selector.blank(directives_[begin].line);
    read(begin, next_end, selector);
    end = next_end;
  }
  return build_rules(selector, text_, dialect_, url_, memory).rules;
}

void Document::read(std::size_t begin, std::size_t end, Selector& selector) const {
  for (std::size_t i = begin; i < end && !selector.done(); ++i) {
    const ScannedLine& line = directives_[i];
    if (line.after_blank) selector.blank(line.line);
    if (!selector.done()) selector.directive(line);
  }
}

std::size_t Document::memory_bytes() const noexcept {
  return sizeof *this + text_.capacity() + url_.capacity() + directives_.capacity() * sizeof(ScannedLine) +
         groups_.capacity() * sizeof(GroupRange) + runs_.capacity() * sizeof(std::uint32_t);
}

}  // namespace robotrules::core
