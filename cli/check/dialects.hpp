// One robots.txt, read by every dialect.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/origin.hpp>
#include <robotrules/rules.hpp>

namespace robotrules::cli {

// The rules of one file for one robot under one dialect. A dialect whose rules are URLs reads a file differently for
// different sites: then the file is compiled again when the site changes. `robots` must outlive the reading.
class Reading {
 public:
  Reading(std::string_view robots, AgentTokens agent, const Dialect& dialect);

  // Returns a verdict that refers to this reading and is valid until the next question. `origin` is the URL's origin.
  Verdict ask(const std::string& url, const std::optional<Origin>& origin);
  const Dialect& dialect() const noexcept { return dialect_; }

 private:
  std::string_view robots_;
  AgentTokens agent_;
  const Dialect& dialect_;
  std::string robots_url_;
  Rules rules_;
};

// The readings of every preset, in the order of Dialect::presets().
class SideBySide {
 public:
  SideBySide(std::string_view robots, const AgentTokens& agent);

  // Returns the verdicts in that order. They are valid until the next question.
  std::span<const Verdict> ask(const std::string& url);

 private:
  std::vector<Reading> readings_;
  std::vector<Verdict> verdicts_;
};

// Returns true if all verdicts allow or all disallow. The deciding rules may differ.
bool agree(std::span<const Verdict> verdicts) noexcept;
// Returns true if a verdict differs from that of the default dialect, the first.
bool parts(std::span<const Verdict> verdicts, std::size_t index) noexcept;

// Returns why no rule decided, in a few words.
std::string_view without_rule(Why why) noexcept;

// Appends `"agree":true,"dialects":{"rfc9309":{"access":...,"line":...,"rule":...,"why":...},...}`; with `explain` each
// dialect also has explanation, group and runner_up. `scratch` is overwritten.
void append_dialects(std::string& out, std::span<const Verdict> verdicts, bool explain, std::string& scratch);

}  // namespace robotrules::cli
