#include "servers/server_name.hpp"

#include <charconv>
#include <optional>

#include "base/hex.hpp"
#include "base/store_name.hpp"

namespace robotrules::store {
namespace {

Error bad_name(std::string_view name, std::string_view problem) {
  return {"store-name", "The name " + base::without_store_password(name) + " of a store cannot be understood: " +
                            std::string(problem) + "; write SCHEME://USER:PASSWORD@HOST:PORT/PATH"};
}

// Null: a "%" is not followed by two hexadecimal digits, or the text contains a NUL.
std::optional<std::string> decoded(std::string_view text) {
  auto plain = base::decoded_whole_escapes(text);
  if (plain && plain->find('\0') != std::string::npos) plain.reset();
  return plain;
}

std::optional<ServerAddress> address_in(std::string_view text, std::uint16_t default_port) {
  ServerAddress address{{}, default_port};
  std::string_view port;
  bool has_port = false;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    address.host = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && rest.front() != ':') return std::nullopt;
    has_port = !rest.empty();
    if (has_port) port = rest.substr(1);
  } else {
    const auto colon = text.find(':');
    address.host = text.substr(0, colon);
    has_port = colon != std::string_view::npos;
    if (has_port) port = text.substr(colon + 1);
  }
  if (address.host.empty()) return std::nullopt;
  if (has_port) {
    const auto read = std::from_chars(port.data(), port.data() + port.size(), address.port);
    if (read.ec != std::errc() || read.ptr != port.data() + port.size() || address.port == 0) return std::nullopt;
  }
  return address;
}

}  // namespace

std::string ServerAddress::text() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  return (is_v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<ServerName> parse_server_name(std::string_view name, std::uint16_t default_port) {
  ServerName parsed;
  const auto scheme = name.find("://");
  if (scheme == std::string_view::npos) return bad_name(name, "it has no scheme");
  parsed.scheme = name.substr(0, scheme);
  std::string_view rest = name.substr(scheme + 3);
  const auto end_of_hosts = rest.find_first_of("/?#");
  std::string_view authority = rest.substr(0, end_of_hosts);
  rest = end_of_hosts == std::string_view::npos ? std::string_view() : rest.substr(end_of_hosts);
  if (rest.find('#') != std::string_view::npos) return bad_name(name, "it has a \"#\"; write %23");

  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view before = authority.substr(0, at);
    authority.remove_prefix(at + 1);
    const auto colon = before.find(':');
    const auto user = decoded(before.substr(0, colon));
    const auto password =
        colon == std::string_view::npos ? std::optional(std::string()) : decoded(before.substr(colon + 1));
    if (!user || !password) return bad_name(name, "a \"%\" in the user or the password is not followed by two digits");
    parsed.user = *user;
    parsed.password = *password;
  }
  while (true) {
    const auto comma = authority.find(',');
    const auto address = address_in(authority.substr(0, comma), default_port);
    if (!address) return bad_name(name, "its host or port is missing or wrong");
    parsed.addresses.push_back(*address);
    if (comma == std::string_view::npos) break;
    authority.remove_prefix(comma + 1);
  }

  const auto question = rest.find('?');
  std::string_view path = rest.substr(0, question);
  if (path.starts_with('/')) path.remove_prefix(1);
  const auto plain_path = decoded(path);
  if (!plain_path) return bad_name(name, "a \"%\" in its path is not followed by two digits");
  parsed.path = *plain_path;
  std::string_view settings = question == std::string_view::npos ? std::string_view() : rest.substr(question + 1);
  while (!settings.empty()) {
    const auto end = settings.find('&');
    const std::string_view setting = settings.substr(0, end);
    settings = end == std::string_view::npos ? std::string_view() : settings.substr(end + 1);
    if (setting.empty()) continue;
    const auto equals = setting.find('=');
    const auto value = equals == std::string_view::npos ? std::nullopt : decoded(setting.substr(equals + 1));
    if (!value || equals == 0) return bad_name(name, "a setting after \"?\" is not NAME=VALUE");
    parsed.settings.emplace_back(setting.substr(0, equals), *value);
  }
  if (!base::shown_store(name).is_clear) return bad_name(name, encode_hint);
  return parsed;
}

}  // namespace robotrules::store
