// robotrules show --dialects: what each dialect makes of the file.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "base/escape.hpp"
#include "base/json_text.hpp"
#include "base/userinfo.hpp"
#include "base/utf8.hpp"
#include "cli/check/dialects.hpp"
#include "cli/io/table.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/show/show.hpp"
#include "core/compare/examples.hpp"
#include "core/compare/witness.hpp"

namespace robotrules::cli {
namespace {

struct Example {
  std::string path;
  std::uint32_t line = 0;  // of the rule it is an example of; 0 for "/"
};

// "/", and for each rule that any dialect reads, in file order: its example, and that example with its escapes spelled
// the other way, which is where dialects part. Rules that say the same give one.
// `cut`: there are more than can be asked about in a reasonable time.
std::vector<Example> examples_of(std::string_view robots, bool& cut) {
  std::map<std::uint32_t, std::vector<std::string>> by_line;
  for (const Dialect& preset : Dialect::presets()) {
    const RobotsTxt file = RobotsTxt::parse(robots, preset);
    for (std::size_t i = 0; i < file.size(); ++i) {
      const Directive directive = file.directive(i);
      if (directive.kind != DirectiveKind::allow && directive.kind != DirectiveKind::disallow) continue;
      std::vector<std::string>& patterns = by_line[directive.line];
      if (std::find(patterns.begin(), patterns.end(), directive.value) == patterns.end()) {
        patterns.emplace_back(directive.value);
      }
    }
  }
  std::vector<std::string_view> all;
  for (const auto& [line, patterns] : by_line) all.insert(all.end(), patterns.begin(), patterns.end());
  const Filler filler(all);
  RuleList rules;
  for (const std::string_view pattern : all) rules.push_back({false, pattern});
  const std::size_t most = most_work / (cost_of(rules) * Dialect::presets().size());

  std::vector<Example> examples{{"/", 0}};
  std::map<std::string, std::uint32_t> known{{"/", 0}};
  for (const auto& [line, patterns] : by_line) {
    for (const std::string& pattern : patterns) {
      if (examples.size() >= most) {
        cut = true;
        return examples;
      }
      std::string path = example_of(pattern, filler);
      std::string other = respelled(path);
      if (known.emplace(path, line).second) examples.push_back({std::move(path), line});
      if (known.emplace(other, line).second) examples.push_back({std::move(other), line});
    }
  }
  return examples;
}

// The dialects stand in the columns: their answers are short, and paths are long.
void print_text(const std::string& path, const std::string& agent, const std::vector<Example>& examples,
                SideBySide& sides) {
  Output out;
  out << (path == "-" ? "-" : printable_url(path)) << ": may " << base::printable(agent)
      << " fetch these paths, and which line says so?\n\n";
  Table table("    ");
  std::vector<Cell> names;
  for (const Dialect& preset : Dialect::presets()) names.push_back({std::string(preset.name), Output::Colour::bold});
  table.row(std::move(names));
  std::size_t parted = 0;
  for (const Example& example : examples) {
    const std::span<const Verdict> verdicts = sides.ask(example.path);
    const bool same = agree(verdicts);
    parted += same ? 0 : 1;
    table.line((same ? "  " : out.coloured(Output::Colour::yellow, "*") + " ") + base::printable(example.path));
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      std::string text = verdicts[i].allowed() ? "yes" : "no";
      if (const std::uint32_t line = verdicts[i].line(); line != 0) text += " " + std::to_string(line);
      if (parts(verdicts, i)) text += "*";
      cells.push_back({std::move(text), verdicts[i].allowed() ? Output::Colour::green : Output::Colour::red});
    }
    table.row(std::move(cells));
  }
  table.print(out);
  out << "\n" << std::to_string(parted) << " of " << counted(examples.size(), "example path") << " part the dialects\n";
}

void print_json(const std::string& path, const std::string& agent, const std::vector<Example>& examples,
                SideBySide& sides) {
  std::string scratch;
  std::size_t parted = 0;
  Output out;
  std::string head = "{\"file\":";
  base::append_json(head, base::without_userinfo(path));
  head += ",\"agent\":";
  base::append_json(head, agent);
  out << head << ",\"paths\":[";
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Example& example = examples[i];
    const std::span<const Verdict> verdicts = sides.ask(example.path);
    parted += agree(verdicts) ? 0 : 1;
    std::string line = i == 0 ? "\n  {\"path\":" : ",\n  {\"path\":";
    base::append_json(line, example.path);
    if (!base::is_utf8(example.path)) line += ",\"path_b64\":\"" + base::base64(example.path) + "\"";
    line += ",\"of_line\":" + std::to_string(example.line) + ",";
    append_dialects(line, verdicts, false, scratch);
    out << line << "}";
  }
  out << "\n],\"parted\":" << std::to_string(parted) << "}\n";
}

}  // namespace

bool show_dialects(const std::string& path, std::string_view robots, const std::string& agent, bool json) {
  bool cut = false;
  const std::vector<Example> examples = examples_of(robots, cut);
  SideBySide sides(robots, agent);
  json ? print_json(path, agent, examples, sides) : print_text(path, agent, examples, sides);
  return !cut;
}

}  // namespace robotrules::cli
