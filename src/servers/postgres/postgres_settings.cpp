#include "servers/postgres/postgres_settings.hpp"

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string_view>

#include "base/hex.hpp"
#include "base/store_name.hpp"
#include "base/store_settings.hpp"
#include "base/utf8.hpp"
#include "servers/server_name.hpp"

namespace robotrules::store::postgres {
namespace {

constexpr std::size_t max_identifier = 63;  // bytes; PostgreSQL cuts off the rest
constexpr int max_lease = 3'600;            // seconds

Error bad_name(const std::string& shown, std::string_view why) {
  return {"store-name", "The name of the store " + shown + " cannot be used: " + std::string(why)};
}

// Takes the store's own settings out of the URI and returns the rest.
Result<std::string> take_own(const std::string& name, Settings& settings) {
  const std::string& shown = settings.target.shown;
  const auto at = name.rfind('@');  // libpq accepts a "?" in a password
  const auto question = name.find('?', at == std::string::npos ? 0 : at);
  std::string uri = name.substr(0, question);
  std::string_view rest =
      question == std::string::npos ? std::string_view() : std::string_view(name).substr(question + 1);
  char separator = '?';
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    if (std::ranges::find(base::postgres_settings, key) == base::postgres_settings.end()) {
      uri.push_back(separator);
      uri.append(part);
      separator = '&';
      continue;
    }
    const auto value = base::decoded_whole_escapes(part.substr(std::min(equals + 1, part.size())));
    if (!value) return bad_name(shown, "write two hexadecimal digits after each % of its settings");
    if (key == "first_ever") {
      if (*value != "0" && *value != "1") return bad_name(shown, "first_ever is 0 or 1");
      settings.first_ever = *value == "1";
      continue;
    }
    if (key == "lease") {
      int seconds = 0;
      const auto [after, failed] = std::from_chars(value->data(), value->data() + value->size(), seconds);
      if (failed != std::errc() || after != value->data() + value->size() || seconds < 1 || seconds > max_lease)
        return bad_name(shown, "lease is a number of seconds from 1 to 3600");
      settings.owner_lease = std::chrono::seconds(seconds);
      continue;
    }
    const bool is_owner = key == "owner";
    if (value->empty() || value->size() > max_identifier || value->find('\0') != std::string::npos ||
        !base::is_utf8(*value)) {
      return bad_name(shown, is_owner ? "the name of a role has 1 to 63 bytes of UTF-8"
                                      : "the name of a schema has 1 to 63 bytes of UTF-8");
    }
    if (is_owner) {
      settings.owners.push_back(*value);
      continue;
    }
    // In a search path, "$user" means the schema with the name of the user, and pg_temp the one of temporary tables.
    if (*value == "$user" || value->starts_with("pg_"))
      return bad_name(shown, "PostgreSQL has another meaning for this name of a schema");
    settings.schema = *value;
  }
  return uri;
}

}  // namespace

Result<Settings> read_settings(const std::string& name) {
  Settings settings;
  base::ShownStore shown = base::shown_store(name);
  settings.target.shown = std::move(shown.text);
  settings.target.hidden = std::move(shown.hidden);
  if (!shown.is_clear) return bad_name(settings.target.shown, encode_hint);
  const auto uri = take_own(name, settings);
  if (!uri) return uri.error();
  struct Free {
    void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
  };
  char* problem = nullptr;  // not shown, because it may contain the password
  const std::unique_ptr<PQconninfoOption, Free> options(PQconninfoParse(uri.value().c_str(), &problem));
  PQfreemem(problem);
  if (options == nullptr) {
    return bad_name(settings.target.shown,
                    "it is not a connection URI of PostgreSQL; write postgresql://USER@HOST/DATABASE");
  }
  bool has_attributes = false;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    settings.target.options.emplace_back(option->keyword, option->val);
    has_attributes = has_attributes || option->keyword == std::string_view("target_session_attrs");
  }
  // A former primary server that has become a standby takes no changes and may be behind.
  if (!has_attributes) settings.target.options.emplace_back("target_session_attrs", "read-write");
  settings.target.options.emplace_back("fallback_application_name", "robotrules");
  // A machine that is gone without a word is noticed in about 20 s, also by a call that may take longer.
  constexpr std::pair<const char*, const char*> defaults[] = {{"tcp_user_timeout", "20000"},
                                                              {"keepalives_idle", "10"},
                                                              {"keepalives_interval", "3"},
                                                              {"keepalives_count", "3"}};
  for (const auto& [option, value] : defaults) {
    const bool is_given = std::ranges::any_of(
        settings.target.options, [&](const auto& given) { return given.first == std::string_view(option); });
    if (!is_given) settings.target.options.emplace_back(option, value);
  }
  return settings;
}

std::string quoted(const std::string& identifier) {
  std::string out = "\"";
  for (const char c : identifier) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
  return out;
}

}  // namespace robotrules::store::postgres
