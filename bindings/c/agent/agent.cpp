#include <algorithm>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "c/agent/handles.hpp"
#include "c/core/common.hpp"
#include "c/store/common.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::Request;
using robotrules::Response;
using robotrules::RobotUA;

// Returns null if there is no memory.
robotrules_response* handle_of(Response&& response) noexcept {
  robotrules_response* handle = nullptr;
  const robotrules_status status = guarded([&] {
    handle = new_handle<robotrules_response>(std::make_shared<const Response>(std::move(response)));
    return ROBOTRULES_OK;
  });
  return status == ROBOTRULES_OK ? handle : nullptr;
}

bool has_control(std::string_view text) noexcept {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

bool is_call(const robotrules_call& call) noexcept {
  if (!is_text(call.method) || !is_text(call.url) || !is_text(call.body)) return false;
  if (call.header_count > max_size / sizeof(robotrules_header)) return false;
  if (call.headers == nullptr && call.header_count != 0) return false;
  for (std::size_t i = 0; i < call.header_count; ++i) {
    if (!is_text(call.headers[i].name) || !is_text(call.headers[i].value)) return false;
  }
  return true;
}

Request request_of(const robotrules_call& call, const robotrules_callbacks& callbacks) {
  Request request;
  if (call.method.size != 0) request.method = view_of(call.method);
  request.url = view_of(call.url);
  for (std::size_t i = 0; i < call.header_count; ++i) {
    request.headers.add(view_of(call.headers[i].name), view_of(call.headers[i].value));
  }
  if (call.body.size != 0) request.body = robotrules::body_of(std::string(view_of(call.body)));
  if (call.max_size != 0) request.max_size = call.max_size;
  if (callbacks.on_body != nullptr) {
    request.on_body = [callbacks](std::string_view bytes) {
      return callbacks.on_body(callbacks.user, bytes.data(), bytes.size()) != 0;
    };
  }
  return request;
}

}  // namespace

robotrules_status robotrules_agent_open(const char* agent, std::size_t agent_size, const char* from,
                                        std::size_t from_size, robotrules_database* database,
                                        const robotrules_agent_options* options, robotrules_agent** handle,
                                        robotrules_error** error) noexcept {
  if (handle != nullptr) *handle = nullptr;
  const bool valid = handle != nullptr && is_text(agent, agent_size) && is_text(from, from_size);
  return guarded_if(valid, error, [&] {
    std::string name(view_of(agent, agent_size));
    std::string contact(view_of(from, from_size));
    robotrules::RobotUAOptions settings;
    if (options != nullptr) settings = options->options;
    if (has_control(name) || has_control(contact)) {  // no request with it could be sent
      return fail({has_control(name) ? "invalid-agent" : "invalid-contact",
                   "The name or the address of the robot has a control character, which no header field may have: "
                   "remove it."},
                  error);
    }
    settings.replace_policy = false;  // other processes may share the store
    try {
      auto made = database != nullptr
                      ? RobotUA::make(std::move(name), std::move(contact), database->rules, std::move(settings))
                      : RobotUA::make(std::move(name), std::move(contact), std::move(settings));
      if (made) *handle = new_handle<robotrules_agent>(std::move(*made));
      return status_of(made, error);
    } catch (const std::runtime_error& failure) {  // the system's error, as the loop throws it
      return fail({"no-resources", std::string("The agent got no thread or no file descriptor (") + failure.what() +
                                       "): raise the limits of the process, or close files and end threads."},
                  error);
    }
  });
}

void robotrules_agent_free(robotrules_agent* agent) noexcept { delete agent; }

robotrules_status robotrules_agent_get(robotrules_agent* agent, const char* url, std::size_t url_size,
                                       robotrules_response** response) noexcept {
  if (response == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  *response = nullptr;
  if (agent == nullptr || !is_text(url, url_size)) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    *response = handle_of(agent->agent.get(std::string(view_of(url, url_size))));
    return *response != nullptr ? ROBOTRULES_OK : ROBOTRULES_OUT_OF_MEMORY;
  });
}

robotrules_status robotrules_agent_start(robotrules_agent* agent, const robotrules_call* call,
                                         const robotrules_callbacks* callbacks, robotrules_request** request) noexcept {
  if (request != nullptr) *request = nullptr;
  robotrules_call asked = ROBOTRULES_CALL_INIT;
  robotrules_callbacks functions = ROBOTRULES_CALLBACKS_INIT;
  if (agent == nullptr || !read_struct<sizeof asked>(call, asked) || !is_call(asked) ||
      !read_struct<sizeof functions>(callbacks, functions) || functions.on_done == nullptr) {
    return ROBOTRULES_INVALID_ARGUMENT;
  }
  // The handle is given before the start. From then on on_done() may be called, which may use and free it, and may free
  // the memory of `request`.
  std::shared_ptr<StartedRequest> started;
  const robotrules_status status = guarded([&] {
    auto wanted = request_of(asked, functions);
    if (request != nullptr) {
      started = std::make_shared<StartedRequest>();
      *request = new_handle<robotrules_request>(started);
    }
    auto pending = agent->agent.start(std::move(wanted), [functions](Response response) {
      functions.on_done(functions.user, handle_of(std::move(response)));
    });
    if (started == nullptr) return ROBOTRULES_OK;
    std::unique_lock lock(started->mutex);
    started->pending = std::move(pending);
    if (!started->cancelled) return ROBOTRULES_OK;
    lock.unlock();
    started->pending.cancel();
    return ROBOTRULES_OK;
  });
  if (status != ROBOTRULES_OK && started != nullptr) {  // not started: on_done() is not called
    delete *request;
    *request = nullptr;
  }
  return status;
}

robotrules_status robotrules_request_cancel(const robotrules_request* request) noexcept {
  if (request == nullptr) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&] {
    StartedRequest& started = *request->started;
    std::unique_lock lock(started.mutex);
    started.cancelled = true;
    const robotrules::Pending pending = started.pending;
    lock.unlock();  // cancel() may wait for the agent's thread
    pending.cancel();
    return ROBOTRULES_OK;
  });
}

void robotrules_request_free(robotrules_request* request) noexcept { delete request; }
