#include <chrono>
#include <limits>

#include "c/agent/handles.hpp"
#include "c/core/common.hpp"

using namespace robotrules::c_abi;

namespace {

using robotrules::RobotUAOptions;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Ten years. Longer times could overflow when they are added to a time.
constexpr std::int64_t max_seconds = std::int64_t{3660} * 86'400;

// Set the option. Return false if there is no such option or value.
bool set_text(RobotUAOptions& options, std::int32_t option, std::string_view value) {
  if (value.find('\0') != std::string_view::npos) return false;  // the libraries behind would cut it there
  auto& connection = options.http.connection;
  switch (option) {
    case ROBOTRULES_OPTION_PRODUCT_TOKEN: options.product_token = value; return true;
    case ROBOTRULES_OPTION_ALLOW_ADDRESS: return connection.guard.allow(value).ok();
    case ROBOTRULES_OPTION_CA_FILE: connection.tls.ca_file = value; return true;
    case ROBOTRULES_OPTION_HTTP_PROXY: connection.proxy.http = value; return true;
    case ROBOTRULES_OPTION_HTTPS_PROXY: connection.proxy.https = value; return true;
    case ROBOTRULES_OPTION_POLICY:
      if (const auto* policy = robotrules::RobotsPolicy::find(value)) {
        options.policy = *policy;
        return true;
      }
      return false;
    default: return false;
  }
}

bool set_number(RobotUAOptions& options, std::int32_t option, std::int64_t value) {
  if (value < 0) return false;
  const bool is_seconds = value <= max_seconds, is_milliseconds = value <= max_seconds * 1000;
  const bool is_flag = value <= 1, is_count = value <= std::numeric_limits<std::int32_t>::max();
  switch (option) {
    case ROBOTRULES_OPTION_DELAY: options.pace.delay = milliseconds(value); return is_milliseconds;
    case ROBOTRULES_OPTION_USE_SLEEP: options.use_sleep = value != 0; return is_flag;
    case ROBOTRULES_OPTION_MAX_WAIT: options.max_wait = seconds(value); return is_seconds;
    case ROBOTRULES_OPTION_MAX_BODY:
      options.http.limits.max_body_bytes = static_cast<std::uint64_t>(value);
      return true;
    case ROBOTRULES_OPTION_MAX_TIME: options.http.limits.max_total_time = milliseconds(value); return is_milliseconds;
    case ROBOTRULES_OPTION_MAX_REDIRECT: options.http.max_redirect = static_cast<unsigned>(value); return is_count;
    case ROBOTRULES_OPTION_MAX_IN_FLIGHT:
      options.http.max_in_flight = static_cast<std::size_t>(value);
      return is_count && value > 0;
    case ROBOTRULES_OPTION_OBEY_CRAWL_DELAY: options.pace.obey_crawl_delay = value != 0; return is_flag;
    case ROBOTRULES_OPTION_CONNECT_TIMEOUT:
      options.http.connection.connect_timeout = milliseconds(value);
      return is_count;  // more milliseconds than an int has are no limit
    default: return false;
  }
}

// Sets an option in a copy, so that a value that is not valid changes nothing.
template <class Set>
robotrules_status set_option(robotrules_agent_options* options, bool valid, const Set& set) noexcept {
  if (options == nullptr || !valid) return ROBOTRULES_INVALID_ARGUMENT;
  return guarded([&]() -> robotrules_status {
    RobotUAOptions changed = options->options;
    if (!set(changed)) return ROBOTRULES_INVALID_ARGUMENT;
    options->options = std::move(changed);
    return ROBOTRULES_OK;
  });
}

}  // namespace

robotrules_status robotrules_agent_options_new(robotrules_agent_options** options) noexcept {
  return give(options, true, [] { return RobotUAOptions(); });
}

robotrules_status robotrules_agent_options_set_text(robotrules_agent_options* options, std::int32_t option,
                                                    const char* value, std::size_t value_size) noexcept {
  return set_option(options, is_text(value, value_size),
                    [&](RobotUAOptions& to) { return set_text(to, option, view_of(value, value_size)); });
}

robotrules_status robotrules_agent_options_set_number(robotrules_agent_options* options, std::int32_t option,
                                                      std::int64_t value) noexcept {
  return set_option(options, true, [&](RobotUAOptions& to) { return set_number(to, option, value); });
}

void robotrules_agent_options_free(robotrules_agent_options* options) noexcept { delete options; }
