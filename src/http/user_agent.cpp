#include <robotrules/user_agent.hpp>

#include <algorithm>
#include <filesystem>
#include <future>
#include <iterator>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

#include "http/asio_loop.hpp"
#include "http/call.hpp"
#include "http/curl/spread_transport.hpp"
#include "http/handlers.hpp"
#include "http/mirror.hpp"
#include "http/synthetic.hpp"
#include "http/user_agent_state.hpp"

namespace robotrules {
namespace {

Request make_request(std::string method, std::string url, Headers headers) {
  Request request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.headers = std::move(headers);
  return request;
}

Request with_body(Request request, std::shared_ptr<BodySource> body, std::string_view content_type) {
  request.body = std::move(body);
  if (!content_type.empty() && !request.headers.has("Content-Type")) request.headers.add("Content-Type", content_type);
  return request;
}
Request with_form(Request request, const FormFields& form) {
  return with_body(std::move(request), body_of(form_urlencoded(form)), "application/x-www-form-urlencoded");
}
Request with_form(Request request, MultipartForm form) {
  return with_body(std::move(request), std::move(form.body), form.content_type);
}

// Returns true if the handler's match has every member that `wanted` sets, with the same value.
bool has_all(const HandlerMatch& match, const HandlerMatch& wanted) {
  const auto has = [](const auto& is, const auto& want) {
    return want == std::decay_t<decltype(want)>{} || is == want;
  };
  return has(match.scheme, wanted.scheme) && has(match.host, wanted.host) && has(match.method, wanted.method) &&
         has(match.path_prefix, wanted.path_prefix) && has(match.media_type, wanted.media_type) &&
         has(match.code, wanted.code) && has(match.owner, wanted.owner);
}

HandlerMatch owned_by(const std::source_location& caller, HandlerMatch match) {
  if (match.owner.empty()) match.owner = caller.function_name();
  return match;
}

}  // namespace

UserAgent::State::State(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport)
    : own_loop(loop == nullptr) {
  std::shared_ptr<agent::AsioLoop> own;
  if (own_loop) {
    own = std::make_shared<agent::AsioLoop>();
    transport = std::make_shared<agent::SpreadTransport>(own->shared_context());
    loop = own;
  }
  engine = std::make_shared<agent::Engine>(std::move(options), std::move(loop), std::move(transport));
  engine->memory()->on_room([known = std::weak_ptr(engine)] {
    if (const auto alive = known.lock()) alive->resume_later();
  });
  if (own != nullptr) {
    own->on_exception([known = std::weak_ptr(engine)] {
      if (const auto alive = known.lock()) alive->give_up();
    });
  }
}

// If a callback destroys the agent, it is closed only after the callback has returned, because libcurl may be in the
// middle of calling it.
UserAgent::State::~State() {
  Loop& loop = engine->loop();
  if (loop.on_loop_thread() && !own_loop) {
    engine->close();
    return;
  }
  const bool wait = !loop.on_loop_thread();
  while (true) {
    try {
      const auto closed = std::make_shared<std::promise<void>>();
      loop.post([engine = engine.get(), kept = wait ? nullptr : engine, closed] {
        engine->close();
        closed->set_value();
      });
      if (wait) closed->get_future().wait();
      return;
    } catch (const std::bad_alloc&) {
      std::this_thread::yield();  // the agent must be closed, so try again until there is memory
    }
  }
}

Pending UserAgent::State::start(Request request, agent::CallKind kind, Done done) {
  auto call = std::make_shared<agent::Call>(*engine, std::move(request), kind, std::move(done));
  Pending pending([engine = std::weak_ptr(engine), call = std::weak_ptr(call)](bool only_if_waiting) {
    if (const auto alive = engine.lock()) {
      alive->loop().post([alive, call, only_if_waiting] {
        const auto known = call.lock();
        if (known != nullptr && (!only_if_waiting || known->is_waiting())) known->cancel();
      });
    }
  });
  engine->loop().post([engine = engine, call] { call->begin(); });  // nothing throws after this: the call is under way
  return pending;
}

Response UserAgent::State::wait(Request request, agent::CallKind kind) {
  if (engine->loop().on_loop_thread()) {
    return agent::synthetic_response(
        ResponseSource::invalid_request, request.method, request.url,
        "a blocking call was made on the agent's own thread, where it would never return: use start() there");
  }
  const auto answer = std::make_shared<std::promise<Response>>();
  start(std::move(request), kind, [answer](Response response) { answer->set_value(std::move(response)); });
  return answer->get_future().get();
}

void Pending::cancel() const {
  if (cancel_) cancel_(false);
}
void Pending::cancel_if_waiting() const {
  if (cancel_) cancel_(true);
}

UserAgent::UserAgent(UserAgentOptions options) : UserAgent(std::move(options), nullptr, nullptr) {}
UserAgent::UserAgent(UserAgentOptions options, std::shared_ptr<Loop> loop, std::shared_ptr<Transport> transport)
    : state_(std::make_shared<State>(std::move(options), std::move(loop), std::move(transport))) {}
UserAgent::UserAgent(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
UserAgent::UserAgent(UserAgent&&) noexcept = default;
UserAgent& UserAgent::operator=(UserAgent&&) noexcept = default;
UserAgent::~UserAgent() = default;

Response UserAgent::get(std::string url, Headers headers) {
  return request(make_request("GET", std::move(url), std::move(headers)));
}
Response UserAgent::head(std::string url, Headers headers) {
  return request(make_request("HEAD", std::move(url), std::move(headers)));
}
Response UserAgent::post(std::string url, const FormFields& form, Headers headers) {
  return request(with_form(make_request("POST", std::move(url), std::move(headers)), form));
}
Response UserAgent::post(std::string url, MultipartForm form, Headers headers) {
  return request(with_form(make_request("POST", std::move(url), std::move(headers)), std::move(form)));
}
Response UserAgent::post(std::string url, std::string body, Headers headers) {
  return request(with_body(make_request("POST", std::move(url), std::move(headers)), body_of(std::move(body)), {}));
}
Response UserAgent::put(std::string url, const FormFields& form, Headers headers) {
  return request(with_form(make_request("PUT", std::move(url), std::move(headers)), form));
}
Response UserAgent::put(std::string url, MultipartForm form, Headers headers) {
  return request(with_form(make_request("PUT", std::move(url), std::move(headers)), std::move(form)));
}
Response UserAgent::put(std::string url, std::string body, Headers headers) {
  return request(with_body(make_request("PUT", std::move(url), std::move(headers)), body_of(std::move(body)), {}));
}
Response UserAgent::patch(std::string url, const FormFields& form, Headers headers) {
  return request(with_form(make_request("PATCH", std::move(url), std::move(headers)), form));
}
Response UserAgent::patch(std::string url, MultipartForm form, Headers headers) {
  return request(with_form(make_request("PATCH", std::move(url), std::move(headers)), std::move(form)));
}
Response UserAgent::patch(std::string url, std::string body, Headers headers) {
  return request(with_body(make_request("PATCH", std::move(url), std::move(headers)), body_of(std::move(body)), {}));
}
Response UserAgent::delete_(std::string url, Headers headers) {
  return request(make_request("DELETE", std::move(url), std::move(headers)));
}

Response UserAgent::request(Request request) { return state_->wait(std::move(request), agent::CallKind::whole); }
Response UserAgent::simple_request(Request request) {
  return state_->wait(std::move(request), agent::CallKind::simple);
}

Response UserAgent::mirror(std::string url, std::string file) {
  if (file.empty()) {
    return agent::synthetic_response(ResponseSource::invalid_request, "GET", std::move(url),
                                     "mirror() was called with an empty file name: give it the name of a file");
  }
  Request request = make_request("GET", std::move(url), agent::mirror_conditions(file));
  request.to_file = std::move(file);
  return state_->wait(std::move(request), agent::CallKind::mirror);
}

Pending UserAgent::start(Request request, Done done) {
  return state_->start(std::move(request), agent::CallKind::whole, std::move(done));
}
Pending UserAgent::start_simple(Request request, Done done) {
  return state_->start(std::move(request), agent::CallKind::simple, std::move(done));
}

Activity UserAgent::activity() const noexcept { return state_->engine->activity(); }

UserAgentOptions UserAgent::options() const { return state_->engine->settings()->options; }
void UserAgent::configure(UserAgentOptions options) {
  const bool is_robot = state_->engine->admission() != nullptr;  // whose name is not changed here
  state_->engine->change_options([&](UserAgentOptions& now) {
    if (is_robot) options.agent = now.agent;
    now = std::move(options);
  });
}

std::chrono::milliseconds UserAgent::timeout() const { return options().limits.max_idle_time; }
void UserAgent::timeout(std::chrono::milliseconds time) {
  state_->engine->change_options([&](UserAgentOptions& now) { now.limits.max_idle_time = time; });
}

std::optional<std::string> UserAgent::default_header(std::string_view name) const {
  const auto settings = state_->engine->settings();
  const auto value = settings->options.default_headers.get(name);
  return value ? std::optional<std::string>(*value) : std::nullopt;
}
void UserAgent::default_header(std::string_view name, std::string value) {
  state_->engine->change_options([&](UserAgentOptions& now) { now.default_headers.set(name, std::move(value)); });
}

std::shared_ptr<CookieJar> UserAgent::cookie_jar() const { return state_->engine->settings()->options.cookies; }
void UserAgent::cookie_jar(std::shared_ptr<CookieJar> jar) {
  state_->engine->change_options([&](UserAgentOptions& now) { now.cookies = std::move(jar); });
}
Result<void> UserAgent::cookie_jar(const std::string& file) {
  auto jar = std::make_shared<CookieJar>();
  std::error_code unknown;
  const bool is_new = std::filesystem::symlink_status(file, unknown).type() == std::filesystem::file_type::not_found;
  if (!is_new) {
    if (auto loaded = jar->load(file); !loaded) return loaded;
  }
  cookie_jar(std::move(jar));
  return {};
}
bool UserAgent::is_protocol_supported(std::string_view scheme) const {
  return agent::is_supported(scheme.substr(0, scheme.find(':')), options().protocols);
}

std::uint64_t UserAgent::add_handler(Phase phase, Handler handler, HandlerMatch match) {
  const std::uint64_t number = ++state_->last_handler;
  state_->engine->change_handlers([&](agent::Engine::Handlers& handlers) {
    handlers.push_back({number, phase, std::move(match), std::move(handler)});
  });
  return number;
}

void UserAgent::remove_handler(std::uint64_t number) {
  state_->engine->change_handlers([&](agent::Engine::Handlers& handlers) {
    std::erase_if(handlers, [&](const AddedHandler& known) { return known.number == number; });
  });
}

std::vector<AddedHandler> UserAgent::remove_handler(std::optional<Phase> phase, const HandlerMatch& match) {
  std::vector<AddedHandler> removed;
  state_->engine->change_handlers([&](agent::Engine::Handlers& handlers) {
    const auto kept = std::stable_partition(handlers.begin(), handlers.end(), [&](const AddedHandler& known) {
      return (phase && known.phase != *phase) || !has_all(known.match, match);
    });
    removed.assign(std::make_move_iterator(kept), std::make_move_iterator(handlers.end()));
    handlers.erase(kept, handlers.end());
  });
  return removed;
}

std::vector<AddedHandler> UserAgent::handlers(Phase phase) const {
  std::vector<AddedHandler> found = *state_->engine->handlers();
  std::erase_if(found, [&](const AddedHandler& known) { return known.phase != phase; });
  return found;
}

std::vector<AddedHandler> UserAgent::handlers(Phase phase, const Request& request, const Response* response) const {
  std::vector<AddedHandler> found = handlers(phase);
  std::erase_if(found, [&](const AddedHandler& known) { return !agent::matches(known.match, request, response); });
  return found;
}

std::uint64_t UserAgent::set_my_handler(Phase phase, Handler handler, HandlerMatch match, std::source_location caller) {
  match = owned_by(caller, std::move(match));
  remove_handler(phase, match);
  return handler ? add_handler(phase, std::move(handler), std::move(match)) : 0;
}

std::optional<AddedHandler> UserAgent::get_my_handler(Phase phase, HandlerMatch match,
                                                      std::source_location caller) const {
  match = owned_by(caller, std::move(match));
  for (AddedHandler& known : handlers(phase)) {
    if (has_all(known.match, match)) return std::move(known);
  }
  return std::nullopt;
}

void UserAgent::on_progress(std::function<void(const Request&, const Progress&)> progress) {
  state_->engine->on_progress(std::move(progress));
}

UserAgent UserAgent::clone() const { return UserAgent(twin_state()); }

std::shared_ptr<UserAgent::State> UserAgent::twin_state() const {
  auto twin = std::make_shared<State>(options(), nullptr, nullptr);
  twin->last_handler = state_->last_handler.load();
  twin->engine->change_handlers([&](agent::Engine::Handlers& handlers) { handlers = *state_->engine->handlers(); });
  if (const auto progress = state_->engine->progress()) twin->engine->on_progress(*progress);
  if (const auto& admission = state_->engine->admission()) twin->engine->use(admission->twin(*twin->engine));
  return twin;
}

}  // namespace robotrules
