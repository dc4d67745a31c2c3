#include <robotrules/compat/robotstxt.hpp>

#include <algorithm>
#include <chrono>
#include <climits>
#include <functional>
#include <memory>
#include <utility>

#include <robotrules/robot_ua.hpp>
#include <robotrules/robots_policy.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/user_agent.hpp>

#include "charset/to_utf8.hpp"
#include "fields/content_type.hpp"
#include "http/user_agent_state.hpp"
#include "page/find_charset.hpp"
#include "url/url.hpp"

namespace robotrules::robotstxt_parser {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view closed_site = "User-agent: *\nDisallow: /\n";
constexpr std::string_view open_site = "";

// Admits requests as the admission of another agent does, which must outlive this one.
class LentAdmission final : public agent::Admission {
 public:
  explicit LentAdmission(agent::Admission& lender) : lender_(lender) {}
  std::unique_ptr<agent::Applicant> admit(const agent::Url& url, const std::string& method, bool is_target,
                                          std::function<void(agent::Admitted)> answer) override {
    return lender_.admit(url, method, is_target, std::move(answer));
  }
  std::optional<std::string> objection(const agent::Url& url, const Headers& headers,
                                       const UserAgentOptions& options) const override {
    return lender_.objection(url, headers, options);
  }
  std::shared_ptr<Admission> twin(agent::Engine& engine) const override { return lender_.twin(engine); }
  void give_up() noexcept override {}  // the questions belong to the other admission
  void close() override {}

 private:
  agent::Admission& lender_;
};

// An agent with the loop, the connections and the admission of another agent, but without its secrets: cookies,
// credentials, default headers and handlers are not copied. Only handlers that answer in place of a server are copied.
class BareAgent final : public UserAgent {
 public:
  explicit BareAgent(const UserAgent& open) : UserAgent(made_of(open)) {}
  using UserAgent::operator=;

 private:
  static std::shared_ptr<State> made_of(const UserAgent& open) {
    UserAgentOptions options = open.options();
    options.cookies = nullptr;
    options.credentials.clear();
    options.default_headers = {};
    const std::shared_ptr<agent::Engine>& engine = (open.*&BareAgent::state_)->engine;
    auto state = std::make_shared<State>(std::move(options), engine->shared_loop(),
                                         std::shared_ptr<Transport>(engine, engine->transport()));
    state->engine->change_handlers([&](agent::Engine::Handlers& handlers) {
      for (const AddedHandler& known : *engine->handlers()) {
        if (known.phase == Phase::request_send) handlers.push_back(known);
      }
    });
    if (engine->admission() != nullptr) state->engine->use(std::make_shared<LentAdmission>(*engine->admission()));
    return state;
  }
};

// Returns the body in UTF-8. If URLs are in another charset, returns it in ASCII, with other characters percent-encoded
// as such URLs write them.
std::string text_of(std::string body, const Headers& headers, const std::string& url_charset) {
  const agent::ContentType type = agent::parse_content_type(headers.get("Content-Type").value_or(""));
  const bool labelled = !agent::known_charset(type.charset).empty();
  const bool utf8_urls = agent::known_charset(url_charset) == "utf-8";
  if (labelled || !utf8_urls) {
    body = agent::to_utf8(body, labelled ? std::string_view(type.charset) : agent::find_charset(body, type)).text;
  }
  return utf8_urls ? body : agent::percent_encoded(body, url_charset);
}

// The text of robots.txt, or a text that replaces it.
struct Fetched {
  std::string text;
  Fetch how;
};

Result<Fetched> fetch(UserAgent& connection, std::string url, std::string_view user_agent, const GetOptions& options) {
  FetchRobotsOptions fetch{.policy = RobotsPolicy::robotstxt_rb()};
  fetch.policy.max_redirects = static_cast<unsigned>(std::min<std::size_t>(options.num_redirects, UINT_MAX));
  fetch.headers.set("User-Agent", user_agent);
  fetch.deadline = Clock::now() + options.http_timeout;
  const FetchedRobots fetched = fetch_robots(connection, std::move(url), fetch);
  const auto& [record, reason] = fetched.result;
  const ResponseSource source = fetched.last.source;
  if (source == ResponseSource::address_refused || source == ResponseSource::port_refused) {
    return Error{"address-refused", reason + ": to permit this address, set ConnectionOptions::guard"};
  }
  const std::string& last_url = fetched.last.url;
  Fetch how{.read = record.outcome == RobotsOutcome::rules, .status = record.status, .url = last_url, .warning = {}};
  if (how.read) return Fetched{text_of(*record.body, fetched.last.headers, options.url_charset), std::move(how)};
  const PolicyAction meaning = action_for(record.outcome, record.status, fetch.policy);
  const bool is_closed = meaning != PolicyAction::allow_all;
  how.warning = (reason.empty() ? last_url + " answers " + std::to_string(how.status) : reason) +
                (is_closed ? ", so everything is disallowed" : ", so everything is allowed");
  return Fetched{std::string(is_closed ? closed_site : open_site), std::move(how)};
}

}  // namespace

Result<Parser> get(UserAgent& connection, std::string_view source, std::string_view user_agent,
                   const GetOptions& options) {
  if (agent::known_charset(options.url_charset).empty()) {
    return Error{"invalid-charset",
                 "\"" + options.url_charset + "\" is not a known charset; \"utf-8\" is the usual one"};
  }
  Headers sent;
  sent.set("User-Agent", user_agent);
  if (!sent.is_sendable()) {
    return Error{"invalid-agent", "the robot's name contains a control character, so it cannot be sent in a header"};
  }
  auto url = agent::read_url(source, connection.options().limits.max_url_bytes);
  if (!url) return url.error();
  url.value().text = url.value().origin.robots_url();
  url.value().found.clear();
  BareAgent bare(connection);
  auto fetched = fetch(bare, std::move(url.value().text), user_agent, options);
  if (!fetched) return fetched.error();
  return Parser(fetched.value().text, user_agent, Dialect::robotstxt_rb(), std::move(fetched.value().how));
}

Result<Parser> get(std::string_view source, std::string_view user_agent, const GetOptions& options) {
  UserAgentOptions http;
  http.limits.max_total_time = options.http_timeout;
  http.connection = options.connection;
  UserAgent connection(std::move(http));
  return get(connection, source, user_agent, options);
}

Access get_allowed(UserAgent& connection, std::string_view url, std::string_view user_agent,
                   const GetOptions& options) {
  const auto robots = get(connection, url, user_agent, options);
  return robots ? robots.value().allowed(url) : Access::unknown;
}

Access get_allowed(std::string_view url, std::string_view user_agent, const GetOptions& options) {
  const auto robots = get(url, user_agent, options);
  return robots ? robots.value().allowed(url) : Access::unknown;
}

}  // namespace robotrules::robotstxt_parser
