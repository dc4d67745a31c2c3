#include "cli/robots_facts.hpp"

#include "cli/db/actions.hpp"
#include "cli/text.hpp"

namespace robotrules::cli {

void append_robots(std::string& out, const RobotsFacts& robots) {
  out.append(",\"robots\":{\"outcome\":\"").append(robots.outcome).append("\",\"status\":");
  out += std::to_string(robots.status) + ",\"url\":";
  append_json(out, robots.url);
  out += ",\"fetched_at\":";
  out += robots.fetched_at ? '"' + time_text(*robots.fetched_at) + '"' : "null";
  if (robots.truncated) out += *robots.truncated ? ",\"truncated\":true" : ",\"truncated\":false";
  out += '}';
}

std::string robots_text(const RobotsFacts& robots) {
  std::string text = printable(robots.url) + " (" + std::string(robots.outcome);
  if (robots.status != 0) text += ", " + std::to_string(robots.status);
  if (robots.fetched_at) text += ", fetched " + time_text(*robots.fetched_at);
  if (robots.truncated.value_or(false)) text += ", cut at the size limit";
  return text + ")";
}

}  // namespace robotrules::cli
