#include <utility>

#include <nlohmann/json.hpp>

#include "base/userinfo.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/show/show.hpp"

namespace robotrules::cli {
namespace {

using Json = nlohmann::ordered_json;

Json agent_json(const Directive& agent) { return {{"line", agent.line}, {"agent", std::string(agent.value)}}; }

Json rule_json(const Directive& rule) {
  return {{"line", rule.line},
          {"access", rule.kind == DirectiveKind::allow ? "allowed" : "disallowed"},
          {"pattern", std::string(rule.value)}};
}

Json other_json(const Directive& directive) {
  return {{"line", directive.line}, {"name", std::string(directive.name)}, {"value", std::string(directive.value)}};
}

Json others_json(const std::vector<Directive>& directives) {
  Json list = Json::array();
  for (const Directive& directive : directives) {
    if (directive.kind != DirectiveKind::sitemap) list.push_back(other_json(directive));
  }
  return list;
}

Json group_json(const Group& group) {
  Json agents = Json::array();
  for (const Directive& agent : group.agents) agents.push_back(agent_json(agent));
  Json rules = Json::array();
  for (const Directive& rule : group.rules) rules.push_back(rule_json(rule));
  Json others = Json::array();
  for (const Directive& directive : group.other) {
    if (directive.kind == DirectiveKind::sitemap) continue;
    Json other = other_json(directive);
    if (is_setting(directive.kind)) {
      other["agents"] = Json::array();
      for (const Directive& agent : group.agents_of(directive)) other["agents"].push_back(std::string(agent.value));
    }
    others.push_back(std::move(other));
  }
  return {
      {"line", group.line}, {"agents", std::move(agents)}, {"rules", std::move(rules)}, {"other", std::move(others)}};
}

Json time_json(const std::optional<TimeOfDay>& time) {
  if (!time) return nullptr;
  return {{"from_minute", time->from}, {"to_minute", time->to}};
}

Json usage_json(const Usage& usage) {
  const auto text = [](Preference preference) { return std::string(to_string(preference)); };
  const ContentUsage& draft = usage.content_usage;
  const ContentSignal& signal = usage.content_signal;
  return {
      {"content_usage",
       {{"path", std::string(draft.path)},
        {"train_ai", text(draft.train_ai)},
        {"ai_use", text(draft.ai_use)},
        {"search", text(draft.search)}}},
      {"content_signal",
       {{"search", text(signal.search)}, {"ai_input", text(signal.ai_input)}, {"ai_train", text(signal.ai_train)}}}};
}

Json effective_json(const EffectiveRules& effective, const AskedRobot& robot) {
  Json lines = Json::array();
  for (const Group& group : effective.groups) lines.push_back(group.line);
  Json rules = Json::array();
  for (const Directive& rule : effective.rules) rules.push_back(rule_json(rule));
  Json object = {{"agent", effective.agent}, {"groups", lines}, {"default", effective.is_default}, {"rules", rules}};
  if (robot.is_special()) {
    object["tokens"] = robot.names();
    object["ignores_star"] = robot.agent.ignores_star;
  }
  const auto delay = effective.compiled.crawl_delay();
  object["crawl_delay"] = delay ? Json(static_cast<double>(delay->count()) / 1000) : Json(nullptr);
  const auto rate = effective.compiled.request_rate();
  object["request_rate"] =
      rate ? Json{{"requests", rate->requests}, {"seconds", rate->period.count()}, {"during", time_json(rate->during)}}
           : Json(nullptr);
  object["visit_time"] = time_json(effective.compiled.visit_time());
  object["usage"] = usage_json(effective.compiled.usage("/"));
  return object;
}

}  // namespace

std::string show_json(const std::string& path, const RobotsTxt& file, std::size_t bytes,
                      const std::optional<EffectiveRules>& effective, const AskedRobot& robot) {
  Json document = {{"file", base::without_userinfo(path)}, {"bytes", bytes},
                   {"lines", file.line_count()},           {"truncated", file.truncated()},
                   {"html", file.looks_like_html()},       {"dialect", std::string(file.dialect().name)}};
  Json groups = Json::array();
  for (const Group& group : file.groups()) groups.push_back(group_json(group));
  document["groups"] = std::move(groups);
  document["outside_groups"] = others_json(outside_groups(file));
  Json sitemaps = Json::array();
  for (const Sitemap& sitemap : file.sitemaps()) sitemaps.push_back({{"line", sitemap.line}, {"url", sitemap.url}});
  document["sitemaps"] = std::move(sitemaps);
  if (effective) document["for"] = effective_json(*effective, robot);
  return json_document(document);
}

}  // namespace robotrules::cli
