#include <nlohmann/json.hpp>

#include "base/escape.hpp"
#include "cli/diff/print.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/show/setting_text.hpp"

namespace robotrules::cli {
namespace {

// Names in lines of at most 80 columns; a longer name has a line of its own.
std::string names_of(const RobotChange& robot) {
  std::vector<std::string> names;
  if (robot.others) names.emplace_back("every other robot (*)");
  for (const std::string& agent : robot.agents) names.push_back(base::printable(agent));
  std::string text;
  std::size_t column = 0;
  for (const std::string& name : names) {
    if (!text.empty()) {
      const bool fits = column + 2 + name.size() < 80;
      text += fits ? ", " : ",\n";
      column = fits ? column + 2 : 0;
    }
    text += name;
    column += name.size();
  }
  return text;
}

std::string answer_text(const PathAnswer& answer, std::string_view file) {
  if (answer.line == 0) return std::string(file) + ": " + std::string(reason_without_rule(answer.why));
  return std::string(file) + " line " + std::to_string(answer.line) + ": " + base::printable(answer.rule);
}

std::string delay_text(const std::optional<Milliseconds>& delay) { return delay ? seconds(*delay) : "none"; }

class Page {
 public:
  explicit Page(Output& out) : out_(out) {}

  void robot(const RobotChange& robot) {
    space();
    out_ << out_.painted(Style::heading, names_of(robot)) << "\n";
    if (robot.lines_vary) out_ << "  (lines are those for " << base::printable(first_name(robot)) << ")\n";
    std::size_t shown = 0;
    for (const PathChange& change : robot.changes) {
      if (++shown > max_shown) {
        out_ << "  ... and " << std::to_string(robot.changes.size() - max_shown) << " more; --json shows all\n";
        break;
      }
      const Access now = change.after.access;
      out_ << "  now " << out_.painted(style_of(now), to_string(now)) << ": " << base::printable(change.path) << "\n";
      removed(answer_text(change.before, "A"));
      added(answer_text(change.after, "B"));
    }
    if (robot.delay_before != robot.delay_after) {
      out_ << "  Crawl-delay\n";
      removed("A: " + delay_text(robot.delay_before));
      added("B: " + delay_text(robot.delay_after));
    }
  }

  void sitemaps(const Difference& difference) {
    if (difference.added_sitemaps.empty() && difference.removed_sitemaps.empty()) return;
    space();
    out_ << out_.painted(Style::heading, "Sitemaps") << "\n";
    list(difference.removed_sitemaps, "- A", Style::bad);
    list(difference.added_sitemaps, "+ B", Style::good);
  }

  void settings(const ChangedSettings& settings) {
    if (settings.same()) return;
    space();
    out_ << out_.painted(Style::heading, "Settings") << "\n";
    list(settings.removed, "- A", Style::bad);
    list(settings.added, "+ B", Style::good);
  }

 private:
  static std::string text_of(const Sitemap& sitemap) { return base::printable(sitemap.url); }
  static std::string text_of(const UncomparedSetting& setting) { return setting_line(setting); }

  static std::string first_name(const RobotChange& robot) {
    return robot.agents.empty() ? "every other robot" : robot.agents.front();
  }

  void removed(const std::string& text) { line(Style::bad, "- " + text); }
  void added(const std::string& text) { line(Style::good, "+ " + text); }
  void line(Style style, const std::string& text) { out_ << "    " << out_.painted(style, text) << "\n"; }

  template <typename Line>
  void list(const std::vector<Line>& lines, std::string_view file, Style style) {
    std::size_t shown = 0;
    for (const Line& one : lines) {
      if (++shown > max_shown) {
        out_ << "    ... and " << std::to_string(lines.size() - max_shown) << " more; --json shows all\n";
        break;
      }
      line(style, std::string(file) + " line " + std::to_string(one.line) + ": " + text_of(one));
    }
  }

  void space() {
    if (used_) out_ << "\n";
    used_ = true;
  }

  Output& out_;
  bool used_ = false;
};

using Json = nlohmann::ordered_json;

Json answer_json(const PathAnswer& answer) {
  Json object = {{"access", to_string(answer.access)}, {"line", answer.line}};
  set_bytes(object, "rule", answer.rule);
  object["why"] = to_string(answer.why);
  return object;
}

Json delay_json(const std::optional<Milliseconds>& delay) {
  return delay ? Json(static_cast<double>(delay->count()) / 1000) : Json(nullptr);
}

Json robot_json(const RobotChange& robot) {
  Json agents = Json::array();
  if (robot.others) agents.push_back("*");
  for (const std::string& agent : robot.agents) agents.push_back(agent);
  Json changes = Json::array();
  for (const PathChange& change : robot.changes) {
    Json object = Json::object();
    set_bytes(object, "path", change.path);
    object["before"] = answer_json(change.before);
    object["after"] = answer_json(change.after);
    changes.push_back(std::move(object));
  }
  Json delay = nullptr;
  if (robot.delay_before != robot.delay_after) {
    delay = {{"before", delay_json(robot.delay_before)}, {"after", delay_json(robot.delay_after)}};
  }
  return {{"agents", std::move(agents)}, {"changes", std::move(changes)}, {"crawl_delay", std::move(delay)}};
}

Json sitemaps_json(const std::vector<Sitemap>& sitemaps) {
  Json list = Json::array();
  for (const Sitemap& sitemap : sitemaps) list.push_back({{"line", sitemap.line}, {"url", sitemap.url}});
  return list;
}

}  // namespace

void print_diff(Output& out, const Difference& difference, const ChangedSettings& settings) {
  if (difference.same() && settings.same()) {
    out << "no difference: " << counted(difference.robots_asked, "robot");
    if (difference.paths_asked > 0) {
      out << ", up to " << counted(difference.paths_asked, "example path") << " for each\n";
    } else {
      out << " with the same rules in both files\n";
    }
    return;
  }
  Page page(out);
  // Robots whose different groups have the same effect share a block here; --json prints the lines of each.
  for (const RobotChange& robot : merged(difference.robots)) page.robot(robot);
  page.sitemaps(difference);
  page.settings(settings);
}

std::string diff_json(const Difference& difference, const ChangedSettings& settings, const std::string& before,
                      const std::string& after, const Dialect& dialect) {
  Json limits = difference.limits;
  for (const std::string& limit : settings.limits) limits.push_back(limit);
  Json robots = Json::array();
  for (const RobotChange& robot : difference.robots) robots.push_back(robot_json(robot));
  const Json document = {
      {"a", before},
      {"b", after},
      {"dialect", std::string(dialect.name)},
      {"same", difference.same() && settings.same()},
      {"robots", std::move(robots)},
      {"sitemaps",
       {{"added", sitemaps_json(difference.added_sitemaps)}, {"removed", sitemaps_json(difference.removed_sitemaps)}}},
      {"settings", {{"added", settings_json(settings.added)}, {"removed", settings_json(settings.removed)}}},
      {"robots_asked", difference.robots_asked},
      {"paths_asked", difference.paths_asked},
      {"limits", std::move(limits)}};
  return json_document(document);
}

}  // namespace robotrules::cli
