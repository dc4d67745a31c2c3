#include <robotrules/robot_ua.hpp>

#include <algorithm>
#include <future>
#include <utility>

#include <robotrules/rules.hpp>

#include "base/ascii.hpp"
#include "base/visibility.hpp"
#include "http/ports.hpp"
#include "http/synthetic.hpp"
#include "http/user_agent_state.hpp"
#include "robot/page_pace.hpp"
#include "robot/robots_admission.hpp"
#include "robot/site_wait.hpp"

namespace robotrules {
namespace {

Error invalid_agent(std::string_view agent) {
  return {"invalid-agent", "\"" + std::string(agent) +
                               "\" names no robot: give a name that robots.txt files can name, such as my-robot/0.1"};
}

// Returns the name in robots.txt files of a robot that sends `agent`; `given` counts if it is not empty.
Result<std::string> name_of(std::string_view given, std::string_view agent) {
  const std::string_view name = given.empty() ? robot_name(agent) : given;
  if (!is_robot_name(name)) return invalid_agent(given.empty() ? agent : given);
  return std::string(name);
}

// Returns the site with its host name in A-labels, as records have it. Returns text that is not a site unchanged.
std::string in_a_labels(std::string_view site) {
  const bool ascii = std::all_of(site.begin(), site.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const bool url = site.find("://") != std::string_view::npos;
  if (ascii || (!url && site.find_first_of("/?#@") != std::string_view::npos)) return std::string(site);
  const std::size_t port = url ? std::string_view::npos : site.find_last_of(':');
  const std::string_view host = site.substr(0, port);
  const auto read = agent::read_url(url ? std::string(site) : "http://" + std::string(host), std::string::npos);
  if (!read) return std::string(site);
  if (url) return read.value().text;
  return read.value().origin.host + std::string(site.substr(host.size()));
}

// Returns the policy of a robot over these rules: the given one, or else the one that their store keeps. Stores it if
// the store has none, or if it is to be replaced.
Result<RobotsPolicy> policy_over(RobotRules& rules, const std::optional<RobotsPolicy>& given, bool replace) {
  const auto kept = rules.store()->policy();
  if (!kept) return kept.error();
  const RobotsPolicy policy = given ? *given : kept.value().value_or(RobotsPolicy::rfc9309());
  if (kept.value() && !replace) return policy;
  if (auto set = rules.policy(policy); !set) return set.error();
  return policy;
}

// Returns the rules of a new robot with that name: the given ones, or else those of the store, or new ones in memory.
Result<std::shared_ptr<RobotRules>> rules_of(const std::string& token, std::shared_ptr<RobotRules> given,
                                             std::shared_ptr<Store> store) {
  if (given != nullptr && store != nullptr) {
    return Error{
        "two-stores",
        "RobotUA::make() was given RobotRules, which have a store, and RobotUAOptions::store: give one of them"};
  }
  if (given != nullptr) {
    if (auto named = given->agent(token); !named) return named.error();
    return given;
  }
  if (store == nullptr) return std::make_shared<RobotRules>(token);
  auto opened = RobotRules::open(std::move(store), token, Dialect::rfc9309(), OtherAgent::refused);
  if (!opened) return opened.error();
  return std::make_shared<RobotRules>(std::move(opened).value());
}

std::shared_ptr<const RobotsNote> note_of_failure(std::string sentence, FailureCause cause = FailureCause::none,
                                                  ResponseSource source = ResponseSource::server,
                                                  std::optional<Timestamp> try_again_at = {}) {
  auto note = std::make_shared<RobotsNote>();
  note->try_again_at = try_again_at;
  note->outcome = RobotsOutcome::unreachable;
  note->warning = std::move(sentence);
  note->cause = cause;
  note->source = source;
  return note;
}

}  // namespace

// A robot consists of the engine's admission. It stays with the state, so a RobotUA that is cloned or moved as a
// UserAgent is still a robot.
struct ROBOTRULES_HIDDEN RobotUA::Robot {
  std::shared_ptr<agent::RobotsAdmission> admission;
};

RobotUA::RobotUA(std::shared_ptr<State> state)
    : UserAgent(std::move(state)),
      robot_(std::make_shared<Robot>(
          Robot{std::static_pointer_cast<agent::RobotsAdmission>(state_->engine->admission())})) {}
RobotUA::RobotUA(RobotUA&&) noexcept = default;
RobotUA& RobotUA::operator=(RobotUA&&) noexcept = default;
UserAgent& RobotUA::operator=(UserAgent&& other) noexcept {
  if (auto* robot = dynamic_cast<RobotUA*>(&other)) *this = std::move(*robot);
  return *this;
}

Result<RobotUA> RobotUA::make(std::string agent, std::string from, RobotUAOptions options) {
  return make(std::move(agent), std::move(from), nullptr, std::move(options), nullptr, nullptr);
}

Result<RobotUA> RobotUA::make(std::string agent, std::string from, std::shared_ptr<RobotRules> rules,
                              RobotUAOptions options) {
  return make(std::move(agent), std::move(from), std::move(rules), std::move(options), nullptr, nullptr);
}

Result<RobotUA> RobotUA::make(std::string agent, std::string from, std::shared_ptr<RobotRules> rules,
                              RobotUAOptions options, std::shared_ptr<Loop> loop,
                              std::shared_ptr<Transport> transport) {
  auto name = name_of(options.product_token, agent);
  if (!name) return name.error();
  const std::string token = std::move(name).value();
  if (from.find('@') == std::string::npos) {
    return Error{"invalid-contact", "\"" + from +
                                        "\" is not an e-mail address: give one with an \"@\", so that "
                                        "site operators can write to you"};
  }
  auto opened = rules_of(token, std::move(rules), std::move(options.store));
  if (!opened) return opened.error();
  rules = std::move(opened).value();
  auto policy = policy_over(*rules, options.policy, options.replace_policy);
  if (!policy) return policy.error();
  options.http.agent = std::move(agent);
  options.http.from = std::move(from);
  auto state = std::make_shared<State>(std::move(options.http), std::move(loop), std::move(transport));
  agent::RobotSettings settings;
  settings.rules = std::move(rules);
  settings.token = token;
  settings.policy = std::move(policy).value();
  settings.pace = options.pace;
  settings.use_sleep = options.use_sleep;
  settings.given_max_wait = options.max_wait;
  settings.given_policy = options.policy;
  settings.replace_policy = options.replace_policy;
  settings.given_name = std::move(options.product_token);
  state->engine->use(std::make_shared<agent::RobotsAdmission>(*state->engine, std::move(settings),
                                                              options.max_sites_in_memory, options.max_rule_bytes));
  return RobotUA(std::move(state));
}

RobotUA RobotUA::clone() const { return RobotUA(twin_state()); }

RobotsPolicy RobotUA::policy() const { return robot_->admission->settings()->policy; }

std::chrono::milliseconds RobotUA::delay() const { return robot_->admission->settings()->pace.delay; }
void RobotUA::delay(std::chrono::milliseconds delay) {
  robot_->admission->change_settings(
      [&](agent::RobotSettings& settings) { settings.pace.delay = std::max(delay, std::chrono::milliseconds(0)); });
}

Pace RobotUA::pace() const { return robot_->admission->settings()->pace; }

bool RobotUA::use_sleep() const { return robot_->admission->settings()->use_sleep; }
void RobotUA::use_sleep(bool wait) {
  robot_->admission->change_settings([&](agent::RobotSettings& settings) { settings.use_sleep = wait; });
}

std::shared_ptr<RobotRules> RobotUA::rules() const { return robot_->admission->settings()->rules; }
Result<void> RobotUA::rules(std::shared_ptr<RobotRules> rules) {
  if (rules == nullptr) return Error{"no-rules", "RobotUA::rules() was called with a null pointer: give it RobotRules"};
  if (auto named = rules->agent(robot_->admission->settings()->token); !named) return named.error();
  const auto known = robot_->admission->settings();
  const auto policy = policy_over(*rules, known->given_policy, known->replace_policy);
  if (!policy) return policy.error();
  robot_->admission->change_settings([&](agent::RobotSettings& settings) {
    settings.rules = std::move(rules);
    settings.policy = policy.value();
  });
  return {};
}

void RobotUA::on_robots_exchange(std::function<void(const Response& exchange)> on_exchange) {
  robot_->admission->change_settings(
      [&](agent::RobotSettings& settings) { settings.on_robots_exchange = std::move(on_exchange); });
}

std::optional<Timestamp> RobotUA::network_failing_since() const noexcept {
  return robot_->admission->network_failing_since();
}

RobotsFetches RobotUA::robots_fetches() const noexcept { return robot_->admission->fetches(); }

std::string RobotUA::agent() const { return options().agent; }
Result<void> RobotUA::agent(std::string agent) {
  const auto name = name_of(robot_->admission->settings()->given_name, agent);
  if (!name) return name.error();
  const std::string& token = name.value();
  if (auto named = rules()->agent(token); !named) return named.error();
  robot_->admission->change_settings([&](agent::RobotSettings& settings) { settings.token = token; });
  state_->engine->change_options([&](UserAgentOptions& now) { now.agent = std::move(agent); });
  return {};
}

std::string RobotUA::product_token() const { return robot_->admission->settings()->token; }

Result<Visits> RobotUA::visits(std::string_view site) const { return rules()->visits(in_a_labels(site)); }

Result<std::chrono::microseconds> RobotUA::host_wait(std::string_view site) const {
  const auto wait = site_wait(site);
  return wait ? Result<std::chrono::microseconds>(wait.value().time) : wait.error();
}

Result<SiteWait> RobotUA::site_wait(std::string_view site) const {
  const std::vector<Origin> origins = RobotRules::origins_of(in_a_labels(site));
  if (origins.empty()) return visits(site).error();
  const auto settings = robot_->admission->settings();
  const Store& store = *settings->rules->store();
  const Timestamp now = store.now();
  SiteWait longest;
  for (const Origin& origin : origins) {
    const Rules rules = settings->rules->rules(origin.robots_url()).value_or(Rules());
    const auto gate = agent::gate_wait(store, settings->pace, rules, origin, now);
    if (!gate) return gate.error();
    SiteWait wait = gate.value();
    if (const auto begins = agent::visit_time_begins(settings->pace, rules, now + wait.time)) {
      wait.time = *begins - now;
      wait.why = WaitReason::visit_time;
    }
    if (wait.time > longest.time) longest = wait;
  }
  return longest;
}

void RobotUA::consult(std::string url, std::function<void(std::shared_ptr<const RobotsNote>, Access)> done) {
  const auto engine = state_->engine;
  static const auto no_memory = note_of_failure("there is not enough memory for this question");
  // `done` is called once, by the first that ends the question: if memory runs out, the engine ends all open questions.
  const auto told = std::make_shared<std::function<void(std::shared_ptr<const RobotsNote>, Access)>>(std::move(done));
  const auto tell = [told](std::shared_ptr<const RobotsNote> note, Access access) {
    if (const auto once = std::exchange(*told, nullptr)) once(std::move(note), access);
  };
  engine->loop().post([engine, admission = robot_->admission, url = std::move(url), tell] {
    try {
      const auto read = agent::read_url(url, engine->settings()->options.limits.max_url_bytes);
      if (!read) return tell(note_of_failure(read.error().message), Access::unknown);
      if (engine->closed()) return tell(note_of_failure("the agent has ended"), Access::unknown);
      const std::uint16_t port = read.value().origin.port;
      if (!engine->settings()->connection->permits_port(port)) {
        return tell(note_of_failure(read.value().text + ": " + agent::port_refusal(port), FailureCause::port_refused),
                    Access::unknown);
      }
      admission->consult(read.value(), [tell](agent::Admitted admitted) {
        const Response& response = *admitted.response;
        Access access = Access::unknown;
        if (!response.is_synthetic()) access = Access::allowed;
        if (response.source == ResponseSource::robots_denied || response.source == ResponseSource::robots_unreachable) {
          access = Access::disallowed;
        }
        tell(access != Access::unknown && response.robots != nullptr
                 ? response.robots
                 : note_of_failure(response.warning, FailureCause::none, response.source, response.try_again_at),
             access);
      });
    } catch (const std::bad_alloc&) {
      tell(no_memory, Access::unknown);
      throw;
    }
  });
}

Access RobotUA::allowed(std::string url) {
  if (state_->engine->loop().on_loop_thread()) return Access::unknown;
  const auto answer = std::make_shared<std::promise<Access>>();
  consult(std::move(url), [answer](const auto&, Access access) { answer->set_value(access); });
  return answer->get_future().get();
}

std::string RobotUA::as_string() const {
  const UserAgentOptions http = options();
  const auto settings = robot_->admission->settings();
  const double seconds = std::chrono::duration<double>(settings->pace.delay).count();
  std::string text = "Robot: " + http.agent + " operated by " + http.from + "  [rules for " + settings->token + "]\n";
  text += "    Minimum delay: " + std::to_string(seconds) + " s\n";
  text += settings->use_sleep ? "    Will sleep if too early\n" : "    Will not sleep if too early\n";
  text += "    Policy: " + std::string(settings->policy.name) + ", read as " +
          std::string(settings->rules->dialect().name) + "\n";
  if (const auto stats = settings->rules->store()->stats()) {
    text += "    Rules of " + std::to_string(stats.value().origins) + " sites\n";
  }
  return text;
}

}  // namespace robotrules
