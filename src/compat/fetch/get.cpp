#include <robotrules/compat/robotstxt.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include <robotrules/robots_policy.hpp>
#include <robotrules/user_agent.hpp>

#include "base/ascii.hpp"
#include "http/charset/to_utf8.hpp"
#include "http/curl/url.hpp"
#include "http/fields/content_type.hpp"
#include "http/redirect.hpp"
#include "http/robots_body.hpp"
#include "http/user_agent_state.hpp"
#include "robot/robots_outcome.hpp"

namespace robotrules::robotstxt_parser {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view closed_site = "User-agent: *\nDisallow: /\n";
constexpr std::string_view open_site = "";

// Admits requests as the admission of another agent does, which must outlive this one.
class LentAdmission final : public agent::Admission {
 public:
  explicit LentAdmission(agent::Admission& lender) : lender_(lender) {}
  std::unique_ptr<agent::Applicant> admit(const agent::Url& url, const std::string& method,
                                          std::function<void(agent::Admitted)> answer) override {
    return lender_.admit(url, method, std::move(answer));
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

// Makes one exchange and waits until `deadline` at most, whatever the agent's own limits are.
Response exchange(UserAgent& connection, Request request, Clock::time_point deadline) {
  const auto answer = std::make_shared<std::promise<Response>>();
  auto arrived = answer->get_future();
  const Pending pending = connection.start_simple(
      std::move(request), [answer](Response response) { answer->set_value(std::move(response)); });
  if (arrived.wait_until(deadline) != std::future_status::ready) pending.cancel();
  return arrived.get();
}

// Returns the body in UTF-8. If URLs are in another charset, returns it in ASCII, with other characters percent-encoded
// as such URLs write them.
std::string text_of(Response response, const std::string& url_charset) {
  std::string body = std::move(response.body);
  if (response.truncated) body.resize(agent::whole_lines(body, response.headers));
  const agent::ContentType type = agent::parse_content_type(response.headers.get("Content-Type").value_or(""));
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

Fetched stands_for(PolicyAction meaning, Fetch how, const std::string& why) {
  const bool closed = meaning == PolicyAction::disallow_all;
  how.warning = why + (closed ? ", so everything is disallowed" : ", so everything is allowed");
  return {std::string(closed ? closed_site : open_site), std::move(how)};
}

Result<Fetched> fetch(UserAgent& connection, agent::Url url, std::string_view user_agent, const GetOptions& options) {
  const RobotsPolicy& policy = RobotsPolicy::robotstxt_rb();
  const auto deadline = Clock::now() + options.http_timeout;
  std::vector<std::string> hops;
  for (;;) {
    Request request;
    request.url = url.text;
    request.headers.set("User-Agent", user_agent);
    request.headers.set("Accept", "text/plain, */*;q=0.5");
    request.headers.set("Accept-Encoding", "gzip");
    request.max_size = policy.body_limit;
    Response response = exchange(connection, std::move(request), deadline);
    if (response.source == ResponseSource::address_refused || response.source == ResponseSource::port_refused) {
      return Error{"address-refused", response.warning +
                                          ": to permit this address, set "
                                          "ConnectionOptions::guard"};
    }
    Fetch how{.read = false, .status = response.is_synthetic() ? 0 : response.code, .url = url.text, .warning = {}};
    const std::string answers = url.text + " answers " + std::to_string(how.status);
    // A part that was not asked for: its rest may disallow more.
    if (how.status == 206) return stands_for(PolicyAction::disallow_all, std::move(how), answers);
    if (response.is_success() && how.status != 0) {
      const std::string fault =
          agent::take_robots_body(how.status, response.headers, policy.body_limit, response.body, response.truncated);
      if (!fault.empty()) return stands_for(policy.server_error, std::move(how), url.text + ": " + fault);
      how.read = true;
      return Fetched{text_of(std::move(response), options.url_charset), std::move(how)};
    }
    if (how.status == 0) return stands_for(policy.server_error, std::move(how), response.warning);
    if (how.status == 401 || how.status == 403) return stands_for(policy.unauthorized, std::move(how), answers);
    const auto location = response.headers.get("Location");
    if (!agent::is_redirect_status(how.status) || !location) {
      return stands_for(policy.server_error, std::move(how), answers);
    }
    auto next = agent::resolve_url(url, base::trimmed(*location), connection.options().limits.max_url_bytes);
    if (!next || agent::is_downgrade(url.origin, next.value().origin)) {
      return stands_for(policy.server_error, std::move(how),
                        answers + " and redirects to a URL that cannot be followed");
    }
    hops.push_back(url.text);
    if (agent::is_loop(hops, next.value().text) || hops.size() > options.num_redirects) {
      return stands_for(policy.too_many_redirects, std::move(how), answers + " and redirects in a loop or too often");
    }
    url = std::move(next).value();
  }
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
  BareAgent bare(connection);
  auto fetched = fetch(bare, std::move(url).value(), user_agent, options);
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
