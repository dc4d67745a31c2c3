#include <robotrules/robot_ua.hpp>

#include <algorithm>
#include <future>
#include <utility>

#include "agent/gate_keys.hpp"
#include "agent/page_pace.hpp"
#include "agent/parse/ascii.hpp"
#include "agent/robots_admission.hpp"
#include "agent/synthetic.hpp"
#include "agent/user_agent_state.hpp"

namespace robotrules {
namespace {

// "my-robot" of "my-robot/0.1 (+https://example.org/bot)"; empty where it does not begin with one.
std::string_view product_token(std::string_view agent) {
  std::size_t size = 0;
  while (size < agent.size() && (agent::is_letter(agent[size]) || agent[size] == '-' || agent[size] == '_')) ++size;
  if (size < agent.size() && agent[size] != '/' && agent[size] != ' ') return {};
  return agent.substr(0, size);
}

Error invalid_agent(const std::string& agent) {
  return {"invalid-agent", "\"" + agent +
                               "\" does not begin with a product token: letters, \"-\" and \"_\" and then perhaps "
                               "\"/\" and a version (RFC 9309 section 2.2.1), such as my-robot/0.1"};
}

// The site with its name in A-labels, as what is remembered has it. What can't be read stays.
std::string in_a_labels(std::string_view site) {
  const bool ascii = std::all_of(site.begin(), site.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const bool url = site.find("://") != std::string_view::npos;
  if (ascii) return std::string(site);
  const std::size_t port = url ? std::string_view::npos : site.find_last_of(':');
  const std::string_view host = site.substr(0, port);
  const auto read = agent::read_url(url ? std::string(site) : "http://" + std::string(host), std::string::npos);
  if (!read) return std::string(site);
  if (url) return read.value().text;
  return read.value().origin.host + std::string(site.substr(host.size()));
}

// The origins that a site means: that of a URL, or of "host:port" with http and with https.
std::vector<Origin> origins_of(std::string_view given) {
  const std::string site = in_a_labels(given);
  std::vector<Origin> origins;
  const bool url = site.find("://") != std::string_view::npos;
  for (const std::string_view scheme : {"https://", "http://"}) {
    auto origin = Origin::of(url ? site : std::string(scheme) + site);
    if (origin) origins.push_back(*std::move(origin));
    if (url) break;
  }
  return origins;
}

std::shared_ptr<const RobotsNote> note_of_failure(std::string sentence) {
  auto note = std::make_shared<RobotsNote>();
  note->outcome = RobotsOutcome::unreachable;
  note->warning = std::move(sentence);
  return note;
}

}  // namespace

// All of it is the engine's admission, which goes wherever the state goes: what is cloned or moved from the base is a
// robot too.
struct RobotUA::Robot {
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
  const std::string token(product_token(agent));
  if (token.empty()) return invalid_agent(agent);
  if (from.find('@') == std::string::npos) {
    return Error{"invalid-contact", "\"" + from +
                                        "\" is no address that reaches you: give one with an \"@\", so that "
                                        "whoever runs a site can write to you"};
  }
  if (rules == nullptr) {
    rules = std::make_shared<RobotRules>(token);
  } else if (auto named = rules->agent(token); !named) {
    return named.error();
  }
  options.http.agent = std::move(agent);
  options.http.from = std::move(from);
  auto state = std::make_shared<State>(std::move(options.http), std::move(loop), std::move(transport));
  agent::RobotSettings settings;
  settings.rules = std::move(rules);
  settings.token = token;
  settings.policy = options.policy;
  settings.pace = options.pace;
  settings.use_sleep = options.use_sleep;
  settings.longest_wait = options.longest_wait;
  state->engine->use(std::make_shared<agent::RobotsAdmission>(*state->engine, std::move(settings),
                                                              options.sites_in_memory, options.rules_in_memory));
  return RobotUA(std::move(state));
}

RobotUA RobotUA::clone() const { return RobotUA(twin_state()); }

std::chrono::milliseconds RobotUA::delay() const { return robot_->admission->settings()->pace.delay; }
void RobotUA::delay(std::chrono::milliseconds delay) {
  robot_->admission->change_settings(
      [&](agent::RobotSettings& settings) { settings.pace.delay = std::max(delay, std::chrono::milliseconds(0)); });
}

bool RobotUA::use_sleep() const { return robot_->admission->settings()->use_sleep; }
void RobotUA::use_sleep(bool wait) {
  robot_->admission->change_settings([&](agent::RobotSettings& settings) { settings.use_sleep = wait; });
}

std::shared_ptr<RobotRules> RobotUA::rules() const { return robot_->admission->settings()->rules; }
Result<void> RobotUA::rules(std::shared_ptr<RobotRules> rules) {
  if (rules == nullptr) return Error{"no-rules", "A robot without rules would have none to obey: give it some"};
  if (auto named = rules->agent(robot_->admission->settings()->token); !named) return named.error();
  robot_->admission->change_settings([&](agent::RobotSettings& settings) { settings.rules = std::move(rules); });
  return {};
}

std::string RobotUA::agent() const { return options().agent; }
Result<void> RobotUA::agent(std::string agent) {
  const std::string token(product_token(agent));
  if (token.empty()) return invalid_agent(agent);
  if (auto named = rules()->agent(token); !named) return named.error();
  robot_->admission->change_settings([&](agent::RobotSettings& settings) { settings.token = token; });
  state_->engine->rename(std::move(agent));
  return {};
}

Result<Visits> RobotUA::visits(std::string_view site) const { return rules()->visits(in_a_labels(site)); }

Result<std::chrono::microseconds> RobotUA::host_wait(std::string_view site) const {
  const std::vector<Origin> origins = origins_of(site);
  if (origins.empty()) return Error{"invalid-url", "\"" + std::string(site) + "\" is no URL and no host"};
  const auto settings = robot_->admission->settings();
  const auto& pace = settings->pace;
  const Store& store = *settings->rules->store();
  const Timestamp now = store.now();
  std::chrono::microseconds wait{0};
  const auto unknown_before = store.just_visited();
  if (!unknown_before) return unknown_before.error();
  for (const Origin& origin : origins) {
    const auto rules = settings->rules->rules(origin.robots_url());
    const auto request = agent::page_request(pace, rules.value_or(Rules()), agent::gate_keys_of(origin, pace), now);
    if (unknown_before.value()) wait = std::max(wait, *unknown_before.value() + request.interval - now);
    for (const std::string& key : request.keys) {
      const auto gate = store.gate(key);
      if (!gate) return gate.error();
      const auto interval = std::max(request.interval, request.adaptive.after(gate.value().latency));
      wait = std::max({wait, gate.value().armed_at + interval - now, gate.value().penalty_until - now});
    }
  }
  return wait;
}

void RobotUA::consult(std::string url, std::function<void(std::shared_ptr<const RobotsNote>, Access)> done) {
  const auto engine = state_->engine;
  static const auto no_memory = note_of_failure("there is not enough memory for it");
  // Told once, and by whom ends the question: where memory fails, the engine answers all that are open.
  const auto told = std::make_shared<std::function<void(std::shared_ptr<const RobotsNote>, Access)>>(std::move(done));
  const auto tell = [told](std::shared_ptr<const RobotsNote> note, Access access) {
    if (const auto once = std::exchange(*told, nullptr)) once(std::move(note), access);
  };
  engine->loop().post([engine, admission = robot_->admission, url = std::move(url), tell] {
    try {
      const auto read = agent::read_url(url, engine->settings()->options.limits.url_bytes);
      if (!read) return tell(note_of_failure(read.error().message), Access::unknown);
      if (engine->closed()) return tell(note_of_failure("the agent has ended"), Access::unknown);
      admission->consult(read.value(), [tell](agent::Admitted admitted) {
        const Response& response = *admitted.response;
        Access access = Access::unknown;
        if (!response.is_synthetic()) access = Access::allowed;
        if (response.source == ResponseSource::robots_denied || response.source == ResponseSource::robots_unreachable) {
          access = Access::disallowed;
        }
        tell(response.robots != nullptr ? response.robots : note_of_failure(response.warning), access);
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
