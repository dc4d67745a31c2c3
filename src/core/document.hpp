// The data of a RobotsTxt: the text and the positions of its directives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>

#include "core/line/scan.hpp"
#include "core/rules/compile.hpp"
#include "core/rules/rules_data.hpp"

namespace robotrules::core {

class Document {
 public:
  Document(std::string_view robots, const Dialect& dialect, std::string_view url);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  Directive directive(std::size_t index) const noexcept;
  std::shared_ptr<const RulesData> rules_for(std::string_view agent) const;
  std::shared_ptr<const RulesData> rules_for(const AgentTokens& agent) const;
  // Does the same, but reads only these groups, which must be all that apply to the robot, in ascending order. So the
  // rules are the same, and settings outside of groups are missing.
  std::shared_ptr<const RulesData> rules_for(std::string_view agent, std::span<const std::uint32_t> groups) const;
  std::size_t memory_bytes() const noexcept;

  // The directives [begin, end) belong to one group.
  struct GroupRange {
    std::uint32_t begin;
    std::uint32_t end;
  };

  const std::vector<ScannedLine>& directives() const noexcept { return directives_; }
  const std::vector<GroupRange>& groups() const noexcept { return groups_; }
  std::string_view text() const noexcept { return text_; }
  std::string_view url() const noexcept { return url_; }
  const Dialect& dialect() const noexcept { return dialect_; }
  std::uint32_t line_count() const noexcept { return line_count_; }
  bool truncated() const noexcept { return truncated_; }
  bool was_utf16() const noexcept { return was_utf16_; }

 private:
  class Builder;

  RulesOfName rules_by(const AgentMatcher& matcher) const;
  void read(std::size_t begin, std::size_t end, Selector& selector) const;

  std::string text_;
  std::string url_;
  Dialect dialect_;
  std::vector<ScannedLine> directives_;
  std::vector<GroupRange> groups_;
  std::vector<std::uint32_t> runs_;  // the first directive of each run of User-agent lines
  std::uint32_t line_count_ = 0;
  bool truncated_ = false;
  bool was_utf16_ = false;
};

}  // namespace robotrules::core
