// The members that a verdict adds to a JSON object; `check --json` and `batch` write the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <robotrules/rules.hpp>

namespace robotrules::cli {

// "Disallow: /x", as RuleLine::text() gives it, into a string that is used again and again.
void rule_text(const RuleLine& rule, std::string& out);

// Appends `"access":"allowed","line":3,"rule":"Allow: /x"`, and `,"rule_b64":"..."` where the rule is not UTF-8.
// `scratch` is overwritten.
void append_verdict(std::string& out, Access access, const std::optional<RuleLine>& rule, std::string& scratch);

// Appends `,"explanation":"...","group":...,"runner_up":...`; the last two are null where there is none. `sentence`:
// in place of the verdict's own.
void append_explanation(std::string& out, const Verdict& verdict, std::string& scratch, std::string_view sentence = {});

}  // namespace robotrules::cli
