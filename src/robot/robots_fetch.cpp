#include "robot/robots_fetch.hpp"

#include <algorithm>
#include <utility>

#include <robotrules/robot_ua.hpp>

#include "base/ascii.hpp"
#include "fields/redirect.hpp"

namespace robotrules::agent {
namespace {

// Returns the limits for robots.txt files, which are small: at most 16 MiB on the wire.
Limits limits_of(const Limits& limits) {
  constexpr std::uint64_t wire = std::uint64_t{16} << 20;
  Limits own = limits;
  own.max_wire_bytes = std::min(own.max_wire_bytes, wire);
  own.max_ratio = 0;  // the size of the body is limited exactly, which is enough
  return own;
}

}  // namespace

RobotsFetch::RobotsFetch(Engine& engine, GateDesk& desk, std::shared_ptr<StoreSession> session, RobotsGate gate,
                         RobotsPolicy policy, std::shared_ptr<const RobotsRecord> old, Done done)
    : engine_(engine),
      desk_(desk),
      settings_(engine.settings()),
      session_(std::move(session)),
      gate_(std::move(gate)),
      policy_(policy),
      old_(std::move(old)),
      done_(std::move(done)) {}

RobotsFetch::~RobotsFetch() {
  desk_.forget(asked_);
  if (exchange_ != nullptr) engine_.cancel(exchange_);
  if (!token_) return;
  try {
    desk_.end(session_, *std::move(token_), Outcome{.cause = OutcomeCause::cancelled}, {});
  } catch (const std::bad_alloc&) {  // the hold expires
  }
}

void RobotsFetch::begin(const Origin& origin, double jitter, std::uint32_t refusals) {
  jitter_ = jitter;
  refusals_ = refusals;
  url_.origin = origin;
  url_.text = origin.robots_url();
  step(RobotsExchange{.request = {.url = url_.text}});
}

void RobotsFetch::hop() {
  gate_(url_.origin,
        [known = std::weak_ptr(alive_)](ReserveRequest request, const std::vector<std::string>& addresses) {
          const auto self = known.lock();
          if (self == nullptr) return;
          (*self)->addresses_ = addresses;
          (*self)->ask_gate(std::move(request));
        });
}

void RobotsFetch::ask_gate(ReserveRequest request) {
  // If the first site asks for a pause, the fetch ends at once, and the caller waits without holding the lease. The
  // target of a redirect may be waited for as long as a slow server.
  GatePatience patience;
  if (!request_.hops.empty()) patience.max_wait = policy_.timeout;
  asked_ = desk_.ask(session_, std::move(request), std::move(patience),
                     [this](Result<ReserveAnswer> answer) { gate_answered(std::move(answer)); });
}

void RobotsFetch::gate_answered(Result<ReserveAnswer> answer) {
  asked_ = 0;
  if (!answer) return failed(RobotsEnd::ours, answer.error().message);  // the store has failed, and not the site
  auto* granted = std::get_if<Granted>(&answer.value());
  if (granted == nullptr) {
    if (!request_.hops.empty()) return failed(RobotsEnd::failed, url_.text + ": the site asks to be left alone");
    RobotsFetchEnd held_up{.sentence = "the site asks to be left alone", .source = ResponseSource::too_early};
    const auto* wait = std::get_if<Wait>(&answer.value());
    held_up.until = wait != nullptr ? wait->until : std::get<Blocked>(answer.value()).until;
    if (wait != nullptr && wait->why == WaitWhy::away) {
      held_up.waits_for = WaitReason::away;
      held_up.sentence = "it gave no answer to the last request";
    }
    return end(std::move(held_up));
  }
  if (engine_.room() == 0) {  // other exchanges have taken it; the hold must not expire while this one waits
    desk_.end(session_, std::move(granted->token), std::nullopt, {});
    return hop();
  }
  token_ = std::move(granted->token);
  send();
}

void RobotsFetch::send() {
  const UserAgentOptions& options = settings_->options;
  ExchangeSpec spec;
  spec.transfer.method = "GET";
  spec.transfer.url = url_.text;
  Headers& headers = spec.transfer.headers;  // no fields of the page's request
  if (!options.agent.empty()) headers.add("User-Agent", options.agent);
  if (!options.from.empty()) headers.add("From", options.from);
  for (const HeaderField& field : request_.headers) headers.add(field.name, field.value);
  headers.add("Accept-Encoding", "gzip");
  if (!headers.is_sendable()) {
    return failed(RobotsEnd::failed, "a header field cannot be sent: its value has a control character");
  }
  spec.transfer.connection = settings_->connection;
  spec.transfer.addresses = addresses_;
  spec.transfer.http1 = !over_http2_;
  spec.transfer.new_connection = request_.is_repeated;
  spec.transfer.total_timeout = policy_.timeout;
  spec.transfer.redirect_timeout = redirect_patience;
  spec.transfer.record_heads = static_cast<bool>(on_exchange_);
  spec.limits = limits_of(options.limits);
  spec.max_body = policy_.body_limit;
  if (on_exchange_) spec.spool_folder = options.spool_folder;  // the recording may be longer than the body
  spec.strict_codings = true;
  spec.is_robots_txt = true;
  spec.follows = true;
  spec.done = [this](Response response) { exchanged(std::move(response)); };
  exchange_ = std::make_shared<Exchange>(std::move(spec), engine_.loop(), *engine_.transport(), engine_.memory());
  engine_.run(exchange_);
}

// The outcome is in the store before it takes effect.
void RobotsFetch::exchanged(Response response) {
  Outcome outcome = exchange_->outcome();
  refuses_http1_ = exchange_->refuses_http1();
  const bool repeat = (refuses_http1_ && settings_->connection->http2 && !std::exchange(over_http2_, true)) ||
                      (exchange_->may_be_repeated() && !std::exchange(request_.is_repeated, true));
  if (repeat) outcome.cause = OutcomeCause::none;  // the site is asked once more at once
  exchange_.reset();
  desk_.end(session_, *std::exchange(token_, std::nullopt), outcome,
            [known = std::weak_ptr(alive_), repeat, answer = std::move(response)]() mutable {
              const auto self = known.lock();
              if (self == nullptr) return;
              repeat ? (*self)->hop() : (*self)->recorded(std::move(answer));
            });
}

void RobotsFetch::recorded(Response response) {
  if (on_exchange_ && response.recording != nullptr) on_exchange_(response);
  cause_ = response.is_synthetic() ? response.cause : FailureCause::none;
  const ResponseSource source = response.source;
  const bool is_of_proxy = source == ResponseSource::proxy_failed || source == ResponseSource::proxy_refused;
  proxy_source_ = is_of_proxy ? source : ResponseSource::server;
  const bool has_no_answer = source == ResponseSource::network || source == ResponseSource::timeout;
  RobotsExchange exchange = robots_exchange(request_, std::move(response));
  if (has_no_answer && cause_ == FailureCause::none && desk_.network().failing_since()) exchange.end = RobotsEnd::ours;
  // In the normal form, loops and the URL of the copy are found in any spelling.
  const std::string_view location = base::trimmed(exchange.headers.get("Location").value_or(""));
  if (is_redirect_status(exchange.status) && !location.empty()) {
    const auto next = resolve_url(url_, location, settings_->options.limits.max_url_bytes);
    if (next) exchange.headers.set("Location", next.value().text);
  }
  if (exchange.end == RobotsEnd::answered && refuses_http1_) {
    exchange.end = RobotsEnd::failed;
    exchange.failure = url_.text + " answers " + std::to_string(exchange.status) + ", so " + std::string(http1_refusal);
  }
  step(std::move(exchange));
}

// `status`: of the answer that led here; 0: none.
void RobotsFetch::failed(RobotsEnd how, std::string reason, int status) {
  cause_ = FailureCause::none;
  RobotsExchange exchange{.request = request_, .end = how};
  exchange.status = status;
  exchange.failure = std::move(reason);
  step(std::move(exchange));
}

void RobotsFetch::step(RobotsExchange exchange) {
  exchange.jitter = jitter_;
  exchange.refusals = refusals_;
  const int status = exchange.status;
  const bool is_by_proxy = exchange.end == RobotsEnd::by_proxy;
  std::string failure = is_by_proxy ? exchange.failure : std::string();
  RobotsStep step = robots_step(std::move(exchange), old_.get(), policy_, session_->now());
  if (auto* result = std::get_if<RobotsResult>(&step)) {
    return end({.record = std::move(result->record), .sentence = std::move(result->reason), .cause = cause_});
  }
  request_ = std::get<RobotsRequest>(std::move(step));
  if (is_by_proxy) return end({.until = request_.at, .sentence = std::move(failure), .source = proxy_source_});
  follow(status);
}

// Requests the URL of request_. `status`: of the redirect that named it, if one did.
void RobotsFetch::follow(int status) {
  if (request_.url != url_.text) {
    auto next = read_url(request_.url, settings_->options.limits.max_url_bytes);
    if (!next) {
      const std::string said = url_.text + " redirects (" + std::to_string(status) + ") ";
      return failed(RobotsEnd::failed, said + "to a URL that cannot be followed: " + next.error().message, status);
    }
    url_ = std::move(next).value();
    request_.url = url_.text;
    over_http2_ = false;
  }
  hop();
}

void RobotsFetch::end(RobotsFetchEnd end) {
  const Done done = std::move(done_);  // may destroy this object
  done(std::move(end));
}

}  // namespace robotrules::agent
