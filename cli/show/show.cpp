// robotrules show: the contents of a robots.txt.
#include "cli/show/show.hpp"

#include <algorithm>
#include <span>
#include <string>

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/check/asked_robot.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/show/setting_text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "show";

// "     3  Disallow: /x"
void print_line(Output& out, std::uint32_t line, std::string_view name, std::string_view value,
                std::string_view remark = {}, std::optional<Style> style = {}) {
  std::string number = std::to_string(line);
  if (number.size() < 6) number.insert(0, 6 - number.size(), ' ');
  const std::string field = base::printable(name) + ":";
  out << out.painted(Style::aside, number) << "  " << (style ? out.painted(*style, field) : field)
      << (value.empty() ? "" : " ") << base::printable(value) << out.painted(Style::aside, remark) << "\n";
}

void print_directive(Output& out, const Directive& directive, std::string_view remark = {}) {
  const std::string_view usual = to_string(directive.kind);
  const std::optional<Style> style = directive.kind == DirectiveKind::allow      ? std::optional(Style::good)
                                     : directive.kind == DirectiveKind::disallow ? std::optional(Style::bad)
                                                                                 : std::nullopt;
  print_line(out, directive.line, usual.empty() ? directive.name : usual, directive.value, remark, style);
}

void sort_lines(std::vector<Directive>& lines) {
  std::erase_if(lines, [](const Directive& line) { return line.kind == DirectiveKind::sitemap; });
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
}

void print_lines(Output& out, std::vector<Directive> lines) {
  sort_lines(lines);
  for (const Directive& line : lines) print_directive(out, line);
}

std::string listed(const std::vector<Directive>& agents) {
  std::string list;
  for (const Directive& agent : agents) {
    list += list.empty() ? "" : ", ";
    list += agent.value.empty() ? std::string("(no name)") : base::printable(agent.value);
  }
  return list;
}

constexpr auto value_of = [](const Directive& line) { return line.value; };

// The lines of a group in file order, its rules between the others. A setting that is not for all robots of the group
// names its robots.
void print_lines_of(Output& out, const Group& group) {
  std::vector<Directive> lines = group.agents;
  lines.insert(lines.end(), group.rules.begin(), group.rules.end());
  lines.insert(lines.end(), group.other.begin(), group.other.end());
  sort_lines(lines);
  for (const Directive& line : lines) {
    const std::span<const Directive> agents =
        is_setting(line.kind) ? group.agents_of(line) : std::span<const Directive>();
    const bool some = !agents.empty() && agents.size() < group.agents.size();
    print_directive(out, line, some ? "  (for " + first_names(agents, value_of) + ")" : std::string());
  }
}

void heading(Output& out, const std::string& text) { out << "\n" << out.painted(Style::heading, text) << "\n"; }

void print_group(Output& out, const Group& group) {
  const std::string agents = listed(group.agents);
  heading(out, "Group at line " + std::to_string(group.line) + (agents.empty() ? "" : ", for " + agents));
  print_lines_of(out, group);
}

void print_usage(Output& out, const Usage& usage) {
  const auto item = [](std::string_view key, Preference preference) {
    return preference == Preference::unknown ? "" : " " + std::string(key) + " " + std::string(to_string(preference));
  };
  const ContentUsage& draft = usage.content_usage;
  const std::string drafted =
      item("train-ai", draft.train_ai) + item("ai-use", draft.ai_use) + item("search", draft.search);
  if (!drafted.empty()) out << "  content usage of \"/\":" << drafted << "\n";
  const ContentSignal& signal = usage.content_signal;
  const std::string signalled =
      item("search", signal.search) + item("ai-input", signal.ai_input) + item("ai-train", signal.ai_train);
  if (!signalled.empty()) out << "  content signal:" << signalled << "\n";
}

bool has_name(const Group& group, std::string_view robot) {
  return std::ranges::any_of(
      group.agents, [&](const Directive& agent) { return base::equals_ignore_case(robot_name(agent.value), robot); });
}

void print_effective(Output& out, const EffectiveRules& effective) {
  heading(out, "For " + base::printable(effective.agent));
  if (effective.groups.empty()) {
    out << "  no group applies: everything is allowed\n";
  } else {
    out << "  " << (effective.groups.size() == 1 ? "group" : "groups") << " at line";
    std::string_view before = " ";
    for (const Group& group : effective.groups) {
      out << before << std::to_string(group.line);
      before = ", ";
    }
    out << (effective.is_default ? ", for every robot that no group names\n"
            : has_name(effective.groups.front(), effective.agent)
                ? ", by name\n"
                : ", because no group names " + base::printable(effective.agent) + "\n");
    if (effective.rules.empty()) out << "  no rules: everything is allowed\n";
    print_lines(out, effective.rules);
  }
  if (const auto delay = effective.compiled.crawl_delay()) out << "  crawl delay " << seconds(*delay) << "\n";
  if (const auto rate = effective.compiled.request_rate()) out << "  request rate " << request_rate(*rate) << "\n";
  if (const auto time = effective.compiled.visit_time()) out << "  visit time " << time_of_day(*time) << "\n";
  print_usage(out, effective.compiled.usage("/"));
}

void print_text(const std::string& path, const RobotsTxt& file, const std::optional<EffectiveRules>& effective) {
  Output out;
  const std::vector<Group> groups = file.groups();
  const std::vector<Sitemap> sitemaps = file.sitemaps();
  std::size_t rules = 0;
  for (const Group& group : groups) rules += group.rules.size();
  out << (path == "-" ? "-" : printable_url(path)) << ": " << counted(file.line_count(), "line") << ", "
      << counted(groups.size(), "group") << ", " << counted(rules, "rule") << ", "
      << counted(sitemaps.size(), "sitemap") << "\n";
  if (file.looks_like_html()) out << "This looks like an HTML page and not like a robots.txt.\n";
  if (file.truncated()) {
    out << "Too long: robots ignore everything after the first " << std::to_string(file.dialect().file_limit)
        << " bytes.\n";
  }
  for (const Group& group : groups) print_group(out, group);
  if (std::vector<Directive> lines = outside_groups(file); !lines.empty()) {
    heading(out, "Before the first group");
    print_lines(out, std::move(lines));
  }
  if (!sitemaps.empty()) heading(out, "Sitemaps");
  for (const Sitemap& sitemap : sitemaps) print_line(out, sitemap.line, "Sitemap", sitemap.url);
  if (effective) print_effective(out, *effective);
}

}  // namespace

std::vector<Directive> outside_groups(const RobotsTxt& file) {
  std::vector<Directive> found;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const Directive directive = file.directive(i);
    if (directive.group < 0 && directive.kind != DirectiveKind::sitemap) found.push_back(directive);
  }
  return found;
}

namespace {

// Returns false if a report with the robots of each setting would be too large.
bool names_fit(const RobotsTxt& file) {
  ReportNames names;
  for (const Group& group : file.groups()) {
    for (const Directive& line : group.other) {
      if (!is_setting(line.kind)) continue;
      for (const Directive& agent : group.agents_of(line)) {
        if (!names.add(agent.value)) return false;
      }
    }
  }
  return true;
}

}  // namespace

int run_show(const Given& given) {
  auto network = read_network(given);
  if (!network) return refuse(command, network.error().message);
  const auto asked = read_asked_robots(given);
  if (!asked) return refuse(command, asked.error().message);
  const std::string& path = given.operands.front();
  const AskedRobot& robot = asked->robots.front();
  const SourceBytes file = Sources(std::move(network).value(), command, Sources::Excess::seen, asked->first).read(path);
  if (!file.ok()) return refuse(command, file.error);
  for (const std::string& note : asked->notes) complain(command, note);
  const RobotsTxt robots = RobotsTxt::parse(file.bytes);
  if (given.has("dialects")) {
    note_content(command, path, file, robots);
    if (!show_dialects(path, file.bytes, robot, given.has("json"))) {
      complain(command, "note: the file is too big; only its first rules have an example");
    }
    return exit_yes;
  }
  std::optional<EffectiveRules> effective;
  if (asked->is_given) effective = effective_for(robots, robot.agent);
  if (effective) effective->agent = robot.name;
  if (given.has("json")) {
    if (!names_fit(robots)) return refuse(command, too_many_names);
    write_all(1, show_json(path, robots, file.bytes.size(), effective, robot));
  } else {
    print_text(path, robots, effective);
  }
  return exit_yes;
}

}  // namespace robotrules::cli
