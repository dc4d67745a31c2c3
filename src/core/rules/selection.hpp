// Selects the lines of a file that apply to one robot.
#pragma once

#include <cstdint>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/robots_txt.hpp>

#include "core/line/scan.hpp"
#include "core/rules/agent_match.hpp"
#include "core/rules/scratch.hpp"

namespace robotrules::core {

// An Allow or Disallow line that was selected.
struct SelectedRule {
  std::uint32_t line;
  std::uint32_t value_begin;
  std::uint32_t value_size;
  bool allow;
};

// The selected lines, as offsets into the text, and their groups.
struct Selection {
  struct GroupStart {
    std::uint32_t line;         // line of the first User-agent line of the group
    std::uint32_t agent_begin;  // the value that names the robot; no_agent: the group has no User-agent line and
                                // applies to all robots
    std::uint32_t agent_size;
  };
  static constexpr std::uint32_t no_agent = 0xFFFFFFFF;

  explicit Selection(ScratchMemory& memory) : rules(memory), settings(memory), groups(memory) {}

  ScratchVector<SelectedRule> rules;    // Allow and Disallow, in file order
  ScratchVector<ScannedLine> settings;  // in file order
  ScratchVector<GroupStart> groups;
};

// A sink for the Scanner that keeps the lines that apply to one robot.
class Selector {
 public:
  // All arguments must outlive the selector.
  Selector(std::string_view text, const AgentMatcher& matcher, const Dialect& dialect, ScratchMemory& memory);

  // First letters of the directives that the selector needs.
  static constexpr std::string_view initials = "uadcrv";

  void blank(std::uint32_t line);
  void directive(const ScannedLine& line) {
    const bool is_rule = line.kind == DirectiveKind::disallow || line.kind == DirectiveKind::allow;
    if (is_rule && rules_ != nullptr) {
      keep(*rules_, line);
    } else {
      unusual_directive(line);
    }
  }
  bool skips_rules() const noexcept { return skips_rules_; }
  bool done() const noexcept { return done_; }

  // Ends the file and returns the lines for the robot itself, or those for all robots if it has no group.
  const Selection& finish(bool& is_default);

  // Returns true if a group that counts names the robot itself, and not only "*".
  bool is_named() const noexcept { return is_named_; }

  // Returns the lines that apply to every robot: Clean-param anywhere, Content-Usage and Content-Signal before the
  // first group.
  const ScratchVector<ScannedLine>& for_all() const noexcept { return for_all_; }

 private:
  void keep(ScratchVector<SelectedRule>& rules, const ScannedLine& line) {
    if (rules.size() == many_rules) rules.reserve(text_.size() / 16);  // unused room costs no memory
    rules.push_back({line.line, line.value_begin, line.value_size, line.kind == DirectiveKind::allow});
  }
  static constexpr std::size_t many_rules = 1024;

  void unusual_directive(const ScannedLine& line);
  void agent(const ScannedLine& line);
  void rule(const ScannedLine& line);
  void setting(const ScannedLine& line);
  void begin_group(std::uint32_t line);
  void end_group();
  Naming name(Naming naming, const Selection::GroupStart& start);
  ScratchVector<SelectedRule>* wanted() noexcept;
  void update_routes() noexcept;

  std::string_view text_;
  const AgentMatcher& matcher_;
  const Dialect& dialect_;
  Grouping grouping_;
  Selection own_;
  Selection everybody_;
  ScratchVector<SelectedRule> pending_;  // rules of the open group; a later User-agent line may still claim them
  ScratchVector<ScannedLine> for_all_;
  Naming naming_ = Naming::nobody;      // in the open group
  Naming run_naming_ = Naming::nobody;  // in its last run of User-agent lines
  std::uint32_t group_line_ = 0;        // line of the open group; 0: no group yet
  // Shortcuts for the next rule: it is kept in *rules_, or skipped, or (if neither is set) handled in full.
  ScratchVector<SelectedRule>* rules_ = nullptr;
  bool skips_rules_ = false;
  bool done_ = false;
  bool is_named_ = false;
};

}  // namespace robotrules::core
