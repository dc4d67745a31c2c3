// robotrules show --dialects: the answers of all dialects about example paths of one file.
#include <unistd.h>

#include <string>
#include <vector>

#include <robotrules/compare.hpp>

#include "base/base64.hpp"
#include "base/escape.hpp"
#include "base/json_text.hpp"
#include "base/userinfo.hpp"
#include "base/utf8.hpp"
#include "cli/io/table.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/io/verdict_json.hpp"
#include "cli/show/show.hpp"

namespace robotrules::cli {
namespace {

// Each dialect has a column, because answers are short and paths are long.
void print_text(const std::string& path, const std::string& agent, const std::vector<ExamplePath>& examples,
                SideBySide& sides) {
  Output out;
  const std::string title = (path == "-" ? "-" : printable_url(path)) + ": may " + base::printable(agent) +
                            " fetch these paths, and which line says so?";
  out << out.fitted_line(title, 0) << "\n\n";
  Table table("    ");
  std::vector<Cell> names;
  for (const Dialect& preset : Dialect::presets()) names.push_back({std::string(preset.name), Style::heading});
  table.row(std::move(names));
  std::size_t parted = 0;
  for (const ExamplePath& example : examples) {
    const std::span<const Verdict> verdicts = sides.check(example.path);
    const bool same = agree(verdicts);
    parted += same ? 0 : 1;
    table.line((same ? "  " : out.painted(Style::mixed, "*") + " ") + base::printable(example.path));
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      std::string text = verdicts[i].allowed() ? "yes" : "no";
      if (const std::uint32_t line = verdicts[i].line(); line != 0) text += " " + std::to_string(line);
      if (differs(verdicts, i)) text += "*";
      cells.push_back({std::move(text), style_of(verdicts[i].access())});
    }
    table.row(std::move(cells));
  }
  table.print(out);
  out << "\nthe dialects differ for " << std::to_string(parted) << " of " << counted(examples.size(), "example path")
      << "\n";
}

void print_json(const std::string& path, const std::string& agent, const std::vector<ExamplePath>& examples,
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
    const ExamplePath& example = examples[i];
    const std::span<const Verdict> verdicts = sides.check(example.path);
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

bool show_dialects(const std::string& path, std::string_view robots, const AskedRobot& robot, bool json) {
  const ExamplePaths examples = example_paths(robots);
  SideBySide sides(robots, robot.agent);
  json ? print_json(path, robot.name, examples.paths, sides) : print_text(path, robot.name, examples.paths, sides);
  return examples.complete;
}

}  // namespace robotrules::cli
