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

// What one file says to one robot under one dialect. A dialect whose rules are URLs reads a file differently for
// different sites: the file is then compiled again whenever the site changes. `robots` must outlive the reading.
class Reading {
 public:
  Reading(std::string_view robots, std::string agent, const Dialect& dialect);

  // The verdict looks into this reading and holds until the next question. `origin` is that of the URL.
  Verdict ask(const std::string& url, const std::optional<Origin>& origin);
  const Dialect& dialect() const noexcept { return dialect_; }

 private:
  std::string_view robots_;
  std::string agent_;
  const Dialect& dialect_;
  std::string robots_url_;
  Rules rules_;
};

// The readings of every preset, in the order of Dialect::presets().
class SideBySide {
 public:
  SideBySide(std::string_view robots, const std::string& agent);

  // The verdicts, in that order; they hold until the next question.
  std::span<const Verdict> ask(const std::string& url);

 private:
  std::vector<Reading> readings_;
  std::vector<Verdict> verdicts_;
};

// True where all allow or all disallow. Which rule decided does not matter.
bool agree(std::span<const Verdict> verdicts) noexcept;
// True where a verdict parts from that of the default dialect, the first.
bool parts(std::span<const Verdict> verdicts, std::size_t index) noexcept;

// Why there is no rule, in three or four words; for a verdict that no rule gave.
std::string_view without_rule(Why why) noexcept;

// Appends `"agree":true,"dialects":{"rfc9309":{"access":...,"line":...,"rule":...,"why":...},...}`; with `explain` each
// dialect has explanation, group and runner_up too. `scratch` is overwritten.
void append_dialects(std::string& out, std::span<const Verdict> verdicts, bool explain, std::string& scratch);

}  // namespace robotrules::cli
