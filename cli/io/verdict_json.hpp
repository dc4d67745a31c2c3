// The JSON members of a verdict, the same for `check`, `batch` and `show`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/rules.hpp>

namespace robotrules::cli {

// Appends `"access":"allowed","line":3,"rule":"Allow: /x"`, and `,"rule_b64":"..."` if the rule is not UTF-8.
// `scratch` is overwritten.
void append_verdict(std::string& out, Access access, const std::optional<RuleLine>& rule, std::string& scratch);

// Appends `,"explanation":"...","group":...,"runner_up":...`; the last two are null if there is none. `sentence`, if
// not empty, replaces the verdict's explanation.
void append_explanation(std::string& out, const Verdict& verdict, std::string& scratch, std::string_view sentence = {});

// Appends `"agree":true,"dialects":{"rfc9309":{"access":...,"line":...,"rule":...,"why":...},...}` for the verdicts of
// all presets; with `explain` each dialect also has explanation, group and runner_up. `scratch` is overwritten.
void append_dialects(std::string& out, std::span<const Verdict> verdicts, bool explain, std::string& scratch);

}  // namespace robotrules::cli
