#include "cli/io/verdict_json.hpp"

#include <robotrules/compare.hpp>

#include "base/answer_json.hpp"
#include "base/json_text.hpp"

namespace robotrules::cli {

void append_verdict(std::string& out, Access access, const std::optional<RuleLine>& rule, std::string& scratch) {
  if (!rule) return base::append_verdict(out, to_string(access), 0, {});
  scratch.clear();  // its memory stays, so that most answers need none
  rule->append_to(scratch);
  base::append_verdict(out, to_string(access), rule->line, scratch);
}

void append_explanation(std::string& out, const Verdict& verdict, std::string& scratch, std::string_view sentence) {
  out += ",\"explanation\":";
  base::append_json(out, sentence.empty() ? verdict.explanation() : std::string(sentence));
  const GroupLine group = verdict.group();
  out += ",\"group\":";
  if (group.line == 0) {
    out += "null";
  } else {
    out += "{\"line\":" + std::to_string(group.line) + ",\"agent\":";
    base::append_json(out, group.agent);
    out += group.is_default ? ",\"default\":true}" : ",\"default\":false}";
  }
  out += ",\"runner_up\":";
  if (const auto loser = verdict.runner_up()) {
    out += '{';
    append_verdict(out, loser->access, loser, scratch);
    out += '}';
  } else {
    out += "null";
  }
}

void append_dialects(std::string& out, std::span<const Verdict> verdicts, bool explain, std::string& scratch) {
  out += agree(verdicts) ? "\"agree\":true,\"dialects\":{" : "\"agree\":false,\"dialects\":{";
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (i > 0) out += ',';
    base::append_json(out, Dialect::presets()[i].name);
    out += ":{";
    append_verdict(out, verdicts[i].access(), verdicts[i].rule(), scratch);
    out.append(",\"why\":\"").append(to_string(verdicts[i].why())).append("\"");
    if (explain) append_explanation(out, verdicts[i], scratch);
    out += '}';
  }
  out += '}';
}

}  // namespace robotrules::cli
