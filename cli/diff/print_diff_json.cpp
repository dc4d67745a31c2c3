#include <nlohmann/json.hpp>

#include "cli/diff/print.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/settings_json.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

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
