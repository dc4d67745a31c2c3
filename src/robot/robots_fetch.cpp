#include "robot/robots_fetch.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "http/redirect.hpp"
#include "http/robots_body.hpp"

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

// Returns why an error of the client tells nothing about the file (else "not there"); empty if it does. A view of a
// literal.
std::string_view why_no_answer(int status) {
  switch (status) {
    case 407: return "a proxy wants to know who asks";
    case 426:
    case 505: return http1_refusal;
    default: return {};
  }
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
  if (exchange_ != nullptr) engine_.cancel(exchange_);
  if (!token_) return;
  try {
    desk_.end(session_, *std::move(token_), Outcome{}, {});
  } catch (const std::bad_alloc&) {  // the hold expires
  }
}

void RobotsFetch::begin(const Origin& origin) {
  url_.origin = origin;
  url_.text = origin.robots_url();
  hop();
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
  const bool first = end_.hops.empty();
  GateWaitOptions patience;
  if (!first) patience.max_wait = policy_.timeout;
  waiting_ = std::make_unique<GateWait>(
      desk_, session_, std::move(request), patience, [this, first](Result<ReserveAnswer> answer) {
        const auto last = std::move(waiting_);
        if (!answer) {  // the store has failed, and not the site
          end_.is_ours = true;
          return end(RobotsFetchEnd::Kind::failed, answer.error().message);
        }
        auto* granted = std::get_if<Granted>(&answer.value());
        if (granted == nullptr) {
          const auto* wait = std::get_if<Wait>(&answer.value());
          end_.until = wait != nullptr ? wait->until : std::get<Blocked>(answer.value()).until;
          if (first) return end(RobotsFetchEnd::Kind::held_up, "the site asks to be left alone");
          return end(RobotsFetchEnd::Kind::failed, url_.text + ": the site asks to be left alone");
        }
        if (engine_.room() == 0) {  // other exchanges have taken it; the hold must not expire while this one waits
          desk_.end(session_, std::move(granted->token), std::nullopt, {});
          return hop();
        }
        token_ = std::move(granted->token);
        send();
      });
  waiting_->ask();
}

void RobotsFetch::send() {
  const UserAgentOptions& options = settings_->options;
  ExchangeSpec spec;
  spec.transfer.method = "GET";
  spec.transfer.url = url_.text;
  Headers& headers = spec.transfer.headers;  // no fields of the page's request
  if (!options.agent.empty()) headers.add("User-Agent", options.agent);
  if (!options.from.empty()) headers.add("From", options.from);
  headers.add("Accept", "text/plain, */*;q=0.5");
  headers.add("Accept-Encoding", "gzip");
  end_.was_conditional = false;
  if (old_ != nullptr && old_->body != nullptr && old_->url == url_.text) {
    if (!old_->etag.empty()) headers.add("If-None-Match", old_->etag);
    if (!old_->last_modified.empty()) headers.add("If-Modified-Since", old_->last_modified);
    end_.was_conditional = !old_->etag.empty() || !old_->last_modified.empty();
  }
  if (!headers.is_sendable()) {
    return end(RobotsFetchEnd::Kind::failed, "a header field cannot be sent: its value has a control character");
  }
  spec.transfer.connection = settings_->connection;
  spec.transfer.addresses = addresses_;
  spec.transfer.http1 = !over_http2_;
  spec.transfer.new_connection = repeated_;
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
  const Outcome outcome = exchange_->outcome();
  const bool refuses_http1 = exchange_->refuses_http1() && settings_->connection->http2;
  const bool repeat = (refuses_http1 && !std::exchange(over_http2_, true)) ||
                      (exchange_->may_be_repeated() && !std::exchange(repeated_, true));
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
  const bool real = !response.is_synthetic();
  end_.status = real ? response.code : 0;
  end_.requested_at = response.requested_at;
  end_.received_at = response.received_at;
  end_.url = url_.text;
  if (response.source == ResponseSource::proxy_failed || response.source == ResponseSource::proxy_refused) {
    end_.source = response.source;
    return end(RobotsFetchEnd::Kind::by_proxy, response.warning);
  }
  if (!real) {
    end_.headers = {};
    end_.cause = response.cause;
    const bool is_refused_at_once = response.source == ResponseSource::address_refused && end_.hops.empty();
    end_.is_ours = response.source == ResponseSource::internal || response.source == ResponseSource::disk_full ||
                   response.source == ResponseSource::disk_too_small || is_refused_at_once;
    return end(RobotsFetchEnd::Kind::failed, response.warning);
  }
  end_.headers = std::move(response.headers);
  if (const std::string_view why = why_no_answer(response.code); !why.empty()) {
    return end(RobotsFetchEnd::Kind::failed,
               url_.text + " answers " + std::to_string(response.code) + ", so " + std::string(why));
  }
  if (is_redirect_status(response.code)) return follow(response);
  if (response.body_rest != nullptr) {
    auto whole = response.whole_body().text();
    if (!whole) return end(RobotsFetchEnd::Kind::failed, whole.error().message);
    response.body = std::move(whole).value();
  }
  end_.body = std::move(response.body);
  end_.truncated = response.truncated;
  if (response.is_success() && response.code != 206) {
    const std::string fault =
        take_robots_body(response.code, end_.headers, policy_.body_limit, end_.body, end_.truncated);
    if (!fault.empty()) return end(RobotsFetchEnd::Kind::failed, url_.text + ": " + fault);
  }
  if (end_.truncated) end_.body.resize(whole_lines(end_.body, end_.headers));
  end(RobotsFetchEnd::Kind::answered, {});
}

void RobotsFetch::follow(const Response& response) {
  const std::string_view location = base::trimmed(end_.headers.get("Location").value_or(""));
  const std::string said = url_.text + " redirects (" + std::to_string(response.code) + ") ";
  if (location.empty()) return end(RobotsFetchEnd::Kind::failed, said + "without a Location");
  auto next = resolve_url(url_, location, settings_->options.limits.max_url_bytes);
  if (!next) {
    return end(RobotsFetchEnd::Kind::failed, said + "to a URL that cannot be followed: " + next.error().message);
  }
  if (is_downgrade(url_.origin, next.value().origin) && !policy_.allow_downgrade) {
    return end(RobotsFetchEnd::Kind::failed, said + "from https to http");
  }
  end_.hops.push_back(url_.text);
  const bool loop = is_loop(end_.hops, next.value().text);
  if (loop || end_.hops.size() > policy_.max_redirects) {
    return end(RobotsFetchEnd::Kind::too_many_redirects, said + (loop ? "in a loop" : "beyond the limit of redirects"));
  }
  url_ = std::move(next).value();
  repeated_ = false;
  over_http2_ = false;
  hop();
}

void RobotsFetch::end(RobotsFetchEnd::Kind kind, std::string sentence) {
  end_.kind = kind;
  end_.sentence = std::move(sentence);
  const Done done = std::move(done_);  // may destroy this object
  done(std::move(end_));
}

}  // namespace robotrules::agent
