#include "servers/redis/redis_settings.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/store_name.hpp"
#include "base/store_settings.hpp"

namespace robotrules::store::redis {
namespace {

constexpr std::uint16_t default_port = 6379;

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 9 && std::ranges::all_of(text, [](char c) { return base::is_digit(c); });
}

// A prefix has no character with a meaning in a pattern of SCAN or in a hash tag.
bool is_prefix(std::string_view text) {
  return !text.empty() && text.size() <= 100 && std::ranges::all_of(text, [](char c) {
    return base::is_digit(c) || base::is_letter(c) || c == '-' || c == '_' || c == '.';
  });
}

// Returns "prefix, first_ever, ... and key".
std::string known_settings() {
  std::string list;
  for (const std::string_view name : base::redis_settings) {
    if (!list.empty()) list += name == base::redis_settings.back() ? " and " : ", ";
    list += name;
  }
  return list;
}

}  // namespace

Result<Settings> settings_of(std::string_view name) {
  const auto parts = parse_server_name(name, default_port);
  if (!parts) return parts.error();
  const auto fault = [&](std::string problem) {
    return Error{"store-name", "The name " + base::without_store_password(name) + ": " + std::move(problem)};
  };
  Settings settings;
  settings.tls = parts->scheme.starts_with("rediss");
  settings.cluster = parts->scheme.ends_with("+cluster");
  settings.user = parts->user;
  settings.password = parts->password;
  settings.hidden = base::shown_store(name).hidden;
  settings.addresses = parts->addresses;
  if (!settings.cluster && settings.addresses.size() > 1) {
    return fault("only a cluster has several addresses; write redis+cluster://");
  }
  if (!parts->path.empty() && !is_number(parts->path)) return fault("a number of a database must come after the \"/\"");
  if (settings.cluster && !parts->path.empty() && parts->path != "0") {
    return fault("a cluster has only the database 0; leave the number out");
  }
  settings.database = parts->path == "0" ? "" : parts->path;
  for (const auto& [setting, value] : parts->settings) {
    if (setting == "prefix") {
      if (!is_prefix(value)) return fault("a prefix consists of letters, digits, \"-\", \"_\" and \".\"");
      settings.prefix = value;
    } else if (setting == "first_ever") {
      if (value != "0" && value != "1") return fault("first_ever is 0 or 1");
      settings.first_ever = value == "1";
    } else if (setting == "max_record_bytes") {
      if (!is_number(value)) return fault("max_record_bytes is a number of bytes");
      std::from_chars(value.data(), value.data() + value.size(), settings.max_record_bytes);
    } else if (setting == "ca" || setting == "cert" || setting == "key") {
      if (!settings.tls) return fault(setting + " is a setting of rediss://");
      (setting == "ca" ? settings.ca : setting == "cert" ? settings.certificate : settings.key) = value;
    } else {
      // Another text could be a part of a password.
      const bool is_word = std::ranges::all_of(setting, [](char c) { return base::is_letter(c) || c == '_'; });
      return fault(
          (is_word ? "there is no setting \"" + setting + "\"" : std::string("one of its settings is unknown")) +
          "; known are " + known_settings());
    }
  }
  return settings;
}

}  // namespace robotrules::store::redis
