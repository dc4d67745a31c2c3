#include "http/call.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "fields/redirect.hpp"
#include "fields/status_line.hpp"
#include "http/handlers.hpp"
#include "http/mirror.hpp"
#include "http/ports.hpp"
#include "http/synthetic.hpp"

namespace robotrules::agent {

bool is_supported(std::string_view scheme, const std::vector<std::string>& protocols) {
  return (base::equals_ignore_case(scheme, "http") || base::equals_ignore_case(scheme, "https")) &&
         std::any_of(protocols.begin(), protocols.end(),
                     [&](const std::string& protocol) { return base::equals_ignore_case(protocol, scheme); });
}

Call::Call(Engine& engine, Request request, CallKind kind, UserAgent::Done done)
    : engine_(engine),
      settings_(engine.settings()),
      handlers_(engine.handlers()),
      progress_(engine.progress()),
      request_(std::move(request)),
      kind_(kind),
      done_(std::move(done)) {}

template <class Step>
void Call::guarded(Step step) noexcept {
  try {
    step();
  } catch (...) {
    end_with(response_to_exception(request_.method, url()));
  }
}

void Call::begin() noexcept {
  guarded([this] {
    if (engine_.closed()) return fail(ResponseSource::cancelled, "the agent has ended");
    engine_.begin(shared_from_this());
    if (!request_.headers_cross_origins) {
      for (const HeaderField& field : request_.headers) own_headers_.push_back(field.name);
    }
    hop();
  });
}

void Call::cancel() noexcept {
  guarded([this] {
    end_with(
        synthetic_response(ResponseSource::cancelled, request_.method, url(), url() + ": the request was cancelled"));
  });
}

void Call::give_up() noexcept { end_with(response_without_memory()); }

// Ends the call in any state.
void Call::end_with(Response response) noexcept {
  if (finished_) return;
  applicant_.reset();
  file_.reset();
  if (exchange_ != nullptr) {
    engine_.cancel(std::exchange(exchange_, nullptr));
    try {
      // The request may have reached the server.
      if (permit_ != nullptr) permit_->ended(response, {.cause = OutcomeCause::cancelled}, {});
    } catch (...) {  // the permit is released below
    }
  }
  permit_.reset();
  finish(std::move(response));
}

void Call::fail(ResponseSource source, std::string sentence) {
  answered(synthetic_response(source, request_.method, url(), std::move(sentence)));
}

// Adds the agent's fields that the request does not have yet.
void Call::prepare_headers() {
  const UserAgentOptions& options = settings_->options;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty() && !request_.headers.has(name)) request_.headers.add(name, value);
  };
  add("User-Agent", options.agent);
  add("From", options.from);
  for (const HeaderField& field : options.default_headers) add(field.name, field.value);
  if (options.compression) add("Accept-Encoding", "gzip, br, zstd");
}

// Returns true if the request is prepared. If a handler threw, ends the call and returns false: the request is invalid,
// as in LWP.
bool Call::prepare() {
  try {
    HandlerCall seen{.request = &request_};
    run_handlers(*handlers_, Phase::request_preprepare, seen, [](const HandlerAnswer&) { return false; });
    prepare_headers();
    run_handlers(*handlers_, Phase::request_prepare, seen, [](const HandlerAnswer&) { return false; });
    return true;
  } catch (...) {
    end_with(response_to_exception(request_.method, url(), ResponseSource::invalid_request));
    return false;
  }
}

void Call::hop() {
  robots_.reset();
  handled_ = false;
  if (!prepare() || !check_request()) return;
  HandlerCall seen{.request = &request_};
  std::optional<Response> ready;
  run_handlers(*handlers_, Phase::request_send, seen, [&](HandlerAnswer answer) {
    ready = std::move(answer.response);
    return ready.has_value();
  });
  if (ready) {
    ready->method = request_.method;
    ready->url = url();
    ready->found = request_.url == read_ ? url_.found : std::string();
    if (ready->source == ResponseSource::server) ready->source = ResponseSource::handler;
    return answered(*std::move(ready));
  }
  if (check_request()) ask_admission();  // the request_send handlers may have changed it
}

// Returns true if the request can be sent as it is. Otherwise ends the call and returns false. The URL of a redirect is
// read already, and was found in the Location.
bool Call::check_request() {
  const auto refuse = [this](std::string sentence) {
    fail(ResponseSource::invalid_request, std::move(sentence));
    return false;
  };
  const UserAgentOptions& options = settings_->options;
  if (request_.url != read_ || url_.text.empty()) {
    auto url = read_url(request_.url, options.limits.max_url_bytes);
    url_ = url ? std::move(url).value() : Url{};
    read_ = url ? request_.url : std::string();
    if (!url && url.error().code == "unsupported-scheme") {
      Response refused = synthetic_response(ResponseSource::invalid_request, request_.method, request_.url,
                                            std::move(url).error().message);
      refused.code = 501;
      refused.message = "Protocol scheme is not supported";
      answered(std::move(refused));
      return false;
    }
    if (!url) return refuse(url.error().message);
  }
  if (!is_supported(url_.origin.scheme, options.protocols)) {
    return refuse(url_.text + ": the scheme is not in UserAgentOptions::protocols");
  }
  if (!settings_->connection->permits_port(url_.origin.port)) {
    Response refused = synthetic_response(ResponseSource::port_refused, request_.method, url_.text,
                                          url_.text + ": " + port_refusal(url_.origin.port));
    refused.cause = FailureCause::port_refused;
    answered(std::move(refused));
    return false;
  }
  const bool method_ok = !request_.method.empty() &&
                         std::all_of(request_.method.begin(), request_.method.end(), base::is_token_octet) &&
                         request_.method != "CONNECT";
  if (!method_ok) {
    return refuse("\"" + request_.method + "\" cannot be sent as a method: use a token such as GET, but not CONNECT");
  }
  if (!request_.headers.is_sendable()) {
    return refuse(url_.text +
                  ": a header field cannot be sent: its name is not a token, or its value has a control character");
  }
  if (const auto& admission = engine_.admission()) {
    if (const auto objection = admission->objection(url_, request_.headers, options)) {
      return refuse(url_.text + ": " + *objection);
    }
  }
  return true;
}

void Call::ask_admission() {
  const auto& admission = engine_.admission();
  if (admission == nullptr) return send({});
  const bool is_target = previous_ != nullptr && Origin::of(previous_->url) != url_.origin;
  auto applicant = admission->admit(url_, request_.method, is_target, [self = shared_from_this()](Admitted admitted) {
    self->guarded([&] { self->send(std::move(admitted)); });
  });
  // Null: already answered; the call may even be at another hop.
  if (applicant != nullptr) applicant_ = std::move(applicant);
}

// Returns the credentials of the options for this site and realm, or null.
std::optional<UserPassword> Call::known_credentials(std::string_view realm) const {
  const std::string host_port = url_.origin.host + ':' + std::to_string(url_.origin.port);
  for (const Credentials& entry : settings_->options.credentials) {
    if (entry.host_port == host_port && (entry.realm.empty() || entry.realm == realm)) {
      return UserPassword{entry.user, entry.password};
    }
  }
  return std::nullopt;
}

std::string Call::authorization_for_url() {
  if (request_.headers.has("Authorization")) return {};
  if (!url_.user.empty() || !url_.password.empty()) {
    Challenge basic;
    return authorization(basic, url_.user, url_.password, request_.method, url_.path_and_query(), {});
  }
  const auto known = engine_.challenges().find(url_.origin.to_string());
  if (known == engine_.challenges().end()) return {};
  Challenge& challenge = known->second.challenge;
  auto entry = known_credentials(challenge.realm);
  if (!entry) entry = known->second.given;
  if (!entry) return {};
  return authorization(challenge, entry->user, entry->password, request_.method, url_.path_and_query(), random_hex(8));
}

Headers Call::headers_to_send() {
  Headers headers = request_.headers;
  // The transport sets these fields: a length that differs from the body's would turn one request into two.
  headers.remove("Content-Length");
  headers.remove("Transfer-Encoding");
  if (const std::string value = authorization_for_url(); !value.empty()) headers.add("Authorization", value);
  return headers;
}

void Call::send(Admitted admitted) {
  applicant_.reset();
  if (finished_) return;
  if (admitted.response) {
    robots_ = admitted.response->robots;
    return answered(*std::move(admitted.response));
  }
  permit_ = std::move(admitted.permit);
  if (permit_ != nullptr) robots_ = permit_->robots;
  const Limits& limits = settings_->options.limits;
  const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(spent_);
  if (limits.max_total_time.count() > 0 && spent >= limits.max_total_time) {
    permit_.reset();
    return fail(ResponseSource::timeout, url_.text + ": the request took longer than Limits::max_total_time");
  }
  passed_.reset();
  file_.reset();
  stopped_ = false;
  ExchangeSpec spec;
  spec.transfer.method = request_.method;
  spec.transfer.url = url_.text;
  spec.found = url_.found;
  spec.transfer.headers = headers_to_send();
  spec.transfer.body = request_.body;
  spec.transfer.connection = settings_->connection;
  if (permit_ != nullptr) spec.transfer.addresses = permit_->addresses;
  spec.transfer.http1 = request_.http1;
  spec.transfer.new_connection = repeated_;
  spec.transfer.cookies = settings_->options.cookies;
  if (limits.max_total_time.count() > 0) spec.transfer.total_timeout = limits.max_total_time - spent;
  spec.follows = kind_ != CallKind::simple && settings_->options.max_redirect > 0;
  if (spec.follows) spec.transfer.redirect_timeout = redirect_patience;
  spec.transfer.idle_timeout = limits.max_idle_time;
  spec.transfer.min_rate = limits.min_rate;
  spec.limits = limits;
  spec.transfer.record_heads = request_.record;
  spec.max_body = request_.max_size.value_or(limits.max_body_bytes);
  spec.keep_body = request_.keep_body;
  spec.spool_folder = settings_->options.spool_folder;
  spec.head = [this](Response& response) { return begin_body(response); };  // the call outlives its exchange
  spec.done = [self = shared_from_this()](Response response) {
    self->guarded([&] { self->exchanged(std::move(response)); });
  };
  exchange_ = std::make_shared<Exchange>(std::move(spec), engine_.loop(), *engine_.transport(), engine_.memory());
  engine_.run(exchange_);
}

bool Call::begin_body(Response& response) {
  HandlerCall seen{.request = &request_, .response = &response};
  bool go_on = true;
  run_handlers(*handlers_, Phase::response_header, seen, [&](const HandlerAnswer& answer) {
    go_on = answer.go_on;
    return !go_on;
  });
  if (!go_on) return false;
  const bool is_unasked_part = response.code == 206 && !request_.headers.has("Range");
  const bool success = kind_ == CallKind::mirror ? response.code == 200 : response.is_success() && !is_unasked_part;
  const bool elsewhere = success && (!request_.to_file.empty() || request_.on_body);
  if (elsewhere && request_.on_body && request_.on_head) request_.on_head(response);
  if (elsewhere && !request_.to_file.empty()) file_ = std::make_unique<FileWriter>(request_.to_file);
  const bool watched = std::any_of(handlers_->begin(), handlers_->end(),
                                   [](const AddedHandler& known) { return known.phase == Phase::response_data; });
  if (progress_ != nullptr) {
    passed_.emplace();
    if (!may_have_body(response.method == "HEAD", response.code)) {
      passed_->expected = 0;
    } else if (const auto length = response.headers.get("Content-Length");
               length && !response.headers.has("Content-Encoding")) {
      if (const auto size = base::read_digits(*length, INT64_MAX))
        passed_->expected = static_cast<std::uint64_t>(*size);
    }
  }
  if (elsewhere || will_be_followed(response)) exchange_->spec().keep_body = false;
  if (elsewhere || watched || passed_) {
    exchange_->spec().data = [this, &response, elsewhere](std::string_view bytes) {
      HandlerCall data{.request = &request_, .response = &response, .data = bytes};
      bool on = true;
      run_handlers(*handlers_, Phase::response_data, data, [&](const HandlerAnswer& answer) {
        on = answer.go_on;
        return !on;
      });
      if (!on || (elsewhere && !pass_on(bytes))) {
        stopped_ = true;
        return false;
      }
      if (passed_) {
        passed_->bytes += bytes.size();
        (*progress_)(request_, *passed_);
      }
      return true;
    };
  }
  return true;
}

bool Call::pass_on(std::string_view bytes) {
  if (file_ != nullptr && !file_->write(bytes)) {
    unwritable_ = file_->sentence();
    return false;
  }
  return !request_.on_body || request_.on_body(bytes);
}

void Call::exchanged(Response response) {
  Outcome outcome = exchange_->outcome();
  const bool may_be_connection = exchange_->may_be_repeated() && !repeated_;
  if (may_be_connection) outcome.cause = OutcomeCause::none;
  repeat_ = may_be_connection && (request_.method == "GET" || request_.method == "HEAD");
  spent_ += exchange_->time_taken();
  exchange_.reset();
  const auto permit = std::move(permit_);
  put_file_in_place(response);
  if (permit != nullptr) {
    response.waited = permit->waited;
    response.waited_for = permit->waited_for;
    // Record first: a program that has the response may rely on the store.
    permit->ended(response, outcome,
                  [self = shared_from_this()] { self->guarded([&] { self->recorded(std::move(self->ended_)); }); });
    ended_ = std::move(response);
    recording_ = true;
    return;
  }
  recorded(std::move(response));
}

void Call::recorded(Response response) {
  recording_ = false;
  if (finished_) return;
  if (std::exchange(repeat_, false)) {
    repeated_ = true;
    return ask_admission();
  }
  if (!unwritable_.empty()) {
    Response refused =
        synthetic_response(ResponseSource::body_refused, request_.method, url_.text, std::exchange(unwritable_, {}));
    refused.recording = std::move(response.recording);
    refused.memory = std::move(response.memory);
    return answered(std::move(refused));
  }
  answered(std::move(response));
}

// Keeps the file only if its body is complete.
void Call::put_file_in_place(const Response& response) {
  const auto file = std::move(file_);
  const bool whole = response.source == ResponseSource::server && !response.truncated && !stopped_;
  if (file == nullptr || !whole || !unwritable_.empty()) return;
  std::optional<Timestamp> modified;
  if (kind_ == CallKind::mirror) {
    modified = modified_of(response);
    file->note(mirror_note(*modified, response.headers.get("ETag").value_or("")));
  }
  if (!file->finish(modified)) unwritable_ = file->sentence();
}

void Call::answered(Response response) {
  response.previous = previous_;
  if (robots_ != nullptr) response.robots = robots_;
  // A body without a byte had no piece that could be reported.
  if (const auto passed = std::exchange(passed_, std::nullopt);
      passed && passed->bytes == 0 && response.source == ResponseSource::server) {
    (*progress_)(request_, *passed);
  }
  if (!std::exchange(handled_, true)) {
    HandlerCall seen{.request = &request_, .response = &response};
    run_handlers(*handlers_, Phase::response_done, seen, [](const HandlerAnswer&) { return false; });
  }
  if (kind_ != CallKind::simple && !finished_) {
    if (is_redirected_by_handler(response)) return next_hop(std::move(response));
    if (response.code == 401 && !response.is_synthetic() && answer_challenge(response)) {
      return next_hop(std::move(response));
    }
    if (is_redirect_status(response.code) && !response.is_synthetic() && follow(response)) {
      return next_hop(std::move(response));
    }
  }
  finish(std::move(response));
}

void Call::next_hop(Response response) {
  if (response.recording == nullptr || !response.recording->body_is_plain) {  // the body is not needed any more
    response.body = std::string();
    response.body_rest.reset();
    if (response.memory != nullptr) response.memory->set(memory_bytes_of(response));
  }
  previous_ = std::make_shared<const Response>(std::move(response));
  repeated_ = false;
  hop();
}

bool Call::answer_challenge(const Response& response) {
  if (request_.headers.has("Authorization") || challenges_answered_ >= 3) return false;
  auto challenge = best_challenge(response.headers.all("WWW-Authenticate"));
  if (!challenge) return false;
  // The server has already refused this answer.
  const bool same_again = challenges_answered_ > 0 && !challenge->stale;
  if (same_again) return false;
  std::optional<UserPassword> given;
  if (!known_credentials(challenge->realm)) {
    const auto& ask = settings_->options.get_basic_credentials;
    if (ask) given = ask(challenge->realm, url_.text);
    if (!given) return false;
  }
  constexpr std::size_t max_known = 10'000;
  auto& kept = engine_.challenges();
  if (kept.size() >= max_known) kept.clear();
  kept[url_.origin.to_string()] = {*std::move(challenge), std::move(given)};
  ++challenges_answered_;
  return true;
}

void Call::finish(Response response) noexcept {
  if (finished_) return;
  finished_ = true;
  const auto self = shared_from_this();
  try {
    HandlerCall seen{.request = &request_, .response = &response};
    const bool handled = std::exchange(handled_, true);
    if (!handled) run_handlers(*handlers_, Phase::response_done, seen, [](const HandlerAnswer&) { return false; });
  } catch (...) {
    response = response_to_exception(request_.method, url());
  }
  if (response.previous == nullptr) response.previous = previous_;
  for (const Response* hop = &response; hop != nullptr; hop = hop->previous.get()) {
    if (hop->memory != nullptr) settings_->options.count_responses ? hop->memory->hand_over() : hop->memory->set(0);
  }
  engine_.end(self);
  const UserAgent::Done done = std::move(done_);
  try {
    if (done) done(std::move(response));
  } catch (...) {  // the call has ended, so the exception cannot be reported
  }
}

}  // namespace robotrules::agent
