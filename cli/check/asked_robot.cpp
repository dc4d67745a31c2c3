#include "cli/check/asked_robot.hpp"

#include <optional>
#include <utility>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"

namespace robotrules::cli {
namespace {

// Returns a note if lint takes the name for another one: that of a company, or a misspelt one. Else returns "".
std::string advice_about(std::string_view name, const Crawlers& list) {
  const RobotsTxt file = RobotsTxt::parse("User-agent: " + std::string(name) + "\nDisallow: /\n");
  for (const Diagnostic& finding : diagnose(file, {.robots = known_robots(list), .fetched = {}})) {
    if (finding.code == "near-miss-agent") return "note: " + finding.message;
  }
  return {};
}

// Sets what the list says about the robot, and adds notes about what other robots of that name would not do.
void use_list(const Crawlers& list, AskedRobot& robot, std::vector<std::string>& notes) {
  if (list.crawlers.empty()) return;
  const Crawler* const crawler = list.find(robot.name);
  if (crawler == nullptr) {
    if (std::string advice = advice_about(robot.name, list); !advice.empty()) notes.push_back(std::move(advice));
    return;
  }
  std::string header = std::move(robot.agent.tokens.front());
  robot.agent = crawler->agent;
  if (!robot.agent.tokens.empty() && base::equals_ignore_case(robot.agent.tokens.front(), robot.name))
    robot.agent.tokens.front() = std::move(header);
  robot.obeys = crawler->obeys;
  const std::string name = base::printable(robot.name);
  const std::string turn_off = "; --exact-agent compares only the name";
  if (robot.agent.tokens.size() > 1) {
    std::string others;
    for (std::size_t i = 1; i < robot.agent.tokens.size(); ++i) {
      others += (i > 1 ? ", else " : "") + base::printable(robot.agent.tokens[i]);
    }
    notes.push_back("note: " + name + " obeys the groups of " + others + " if no group names it" + turn_off);
  }
  if (robot.agent.ignores_star) notes.push_back("note: " + name + " ignores the groups for \"*\"" + turn_off);
  if (may_ignore(robot.obeys)) {
    const std::string who = crawler->operated_by.empty() ? "its operator" : base::printable(crawler->operated_by);
    notes.push_back("note: " + name + (robot.obeys == Obeys::no ? " ignores" : " may ignore") + " robots.txt, says " +
                    who);
  }
}

}  // namespace

std::vector<std::string> AskedRobot::names() const {
  std::vector<std::string> names;
  for (const std::string& token : agent.tokens) names.emplace_back(robot_name(token));
  return names;
}

Result<AskedRobots> read_asked_robots(const Given& given) {
  const auto named = given.text("robot");
  std::vector<std::optional<std::string>> headers(given.all("agent").begin(), given.all("agent").end());
  if (named && headers.size() > 1) {
    return Error{"invalid-agent", "--robot is the name of one robot; give one --agent with it, or none"};
  }
  AskedRobots asked;
  asked.is_given = named || !headers.empty();
  if (headers.empty()) headers.emplace_back();
  const Crawlers none;
  const Crawlers& list = asked.is_given && !given.has("exact-agent") ? known_crawlers() : none;
  for (const auto& header : headers) {
    auto choice = choose_agent(header, named);
    if (!choice) return choice.error();
    if (!choice.value().note.empty()) asked.notes.push_back(choice.value().note);
    if (asked.robots.empty()) asked.first = choice.value();
    AgentChoice& robot = choice.value();
    use_list(list, asked.robots.emplace_back(std::move(robot.name), std::move(robot.header)), asked.notes);
  }
  return asked;
}

}  // namespace robotrules::cli
