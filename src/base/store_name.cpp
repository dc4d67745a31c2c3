#include "base/store_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/store_settings.hpp"
#include "base/url_escapes.hpp"

namespace robotrules::base {
namespace {

constexpr std::string_view hidden_mark = "***";
constexpr std::size_t min_part = 4;  // a shorter secret that is a part of a word there is not found in it

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

bool is_scheme(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
}

bool has_pass_word(std::string_view lower_text) {
  constexpr std::array<std::string_view, 3> words = {"pass", "pwd", "secret"};
  return std::ranges::any_of(words, [&](std::string_view word) { return lower_text.find(word) != word.npos; });
}

// Settings of libpq: "host=a password=b".
bool is_setting_list(std::string_view lower_text) {
  const auto sign = lower_text.find('=');
  if (sign == std::string_view::npos || has_any(lower_text.substr(0, sign), "/")) return false;
  if (has_pass_word(lower_text)) return true;
  constexpr std::array<std::string_view, 7> words = {"host", "hostaddr", "port",   "dbname",
                                                     "user", "service",  "sslmode"};
  return std::ranges::find(words, trimmed(lower_text.substr(0, sign))) != words.end();
}

// Returns the scheme that a name of a server begins with, up to a ":" that may lack its "//"; empty: there is none.
std::string_view known_scheme(std::string_view name) {
  constexpr std::array<std::string_view, 6> schemes = {"redis",          "rediss",     "redis+cluster",
                                                       "rediss+cluster", "postgresql", "postgres"};
  const std::string_view scheme = name.substr(0, name.find(':'));
  const bool is_known =
      scheme.size() < name.size() &&
      std::ranges::any_of(schemes, [&](std::string_view known) { return equals_ignore_case(scheme, known); });
  return is_known ? scheme : std::string_view();
}

bool is_path(std::string_view name) {
  return name.starts_with('/') || name.starts_with("./") || name.starts_with("../") || name.starts_with("sqlite:");
}

// Returns true if the name could be the address of a server that lacks something.
bool looks_like_server(std::string_view name) {
  const std::string text = lower_case(decoded_escapes(name));
  const auto colon = text.find(is_path(name) ? "://" : ":");
  if (colon != std::string::npos && text.find('@', colon) != std::string::npos) return true;
  return !is_path(name) && (!known_scheme(std::string(trimmed(text))).empty() || is_setting_list(text));
}

// A user that is shown: it cannot be a user and a password in other characters.
bool is_plain_user(std::string_view user) {
  const std::string text = decoded_escapes(user);
  return std::ranges::all_of(user, [](char c) { return c == '%' || is_unreserved(static_cast<unsigned char>(c)); }) &&
         !has_any(text, ":/");
}

bool is_plain_value(std::string_view value) {
  const std::string text = lower_case(decoded_escapes(value));
  return !has_any(value, "=;@&#") && !has_any(text, ";@&") && !(has_any(text, "=") && has_pass_word(text));
}

bool is_address(std::string_view text) {
  std::string_view port;
  std::string_view host = text;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return false;
    host = text.substr(1, end - 1);
    port = text.substr(end + 1);
    if (!port.empty() && port.front() != ':') return false;
    if (host.find_first_not_of("0123456789abcdefABCDEF:.") != std::string_view::npos) return false;
  } else {
    const auto colon = std::min(text.find(':'), text.size());
    host = text.substr(0, colon);
    port = text.substr(colon);
    if (has_any(decoded_escapes(host), ":@ ")) return false;
  }
  return port.size() <= 6 && std::ranges::all_of(port.substr(std::min<std::size_t>(1, port.size())), is_digit);
}

// Names of settings of libpq that have no secrets. Those of the stores have none either.
constexpr std::array<std::string_view, 28> libpq_settings = {"host",
                                                             "hostaddr",
                                                             "port",
                                                             "dbname",
                                                             "user",
                                                             "passfile",
                                                             "service",
                                                             "connect_timeout",
                                                             "client_encoding",
                                                             "options",
                                                             "application_name",
                                                             "fallback_application_name",
                                                             "keepalives",
                                                             "keepalives_idle",
                                                             "keepalives_interval",
                                                             "keepalives_count",
                                                             "tcp_user_timeout",
                                                             "gssencmode",
                                                             "sslmode",
                                                             "sslcert",
                                                             "sslkey",
                                                             "sslrootcert",
                                                             "sslcrl",
                                                             "ssl_min_protocol_version",
                                                             "ssl_max_protocol_version",
                                                             "channel_binding",
                                                             "target_session_attrs",
                                                             "load_balance_hosts"};

bool is_plain_setting(std::string_view name) {
  const auto is_in = [name](const auto& names) { return std::ranges::find(names, name) != names.end(); };
  return is_in(redis_settings) || is_in(postgres_settings) || is_in(libpq_settings);
}

class Reader {
 public:
  Reader(std::string_view scheme, std::string_view rest) : scheme_(scheme), rest_(rest) {
    is_postgres_ = scheme_ == "postgresql" || scheme_ == "postgres";
  }

  ShownStore read() {
    add(std::string(scheme_) + "://");
    shown_.is_clear = read_user() && read_hosts();
    if (!shown_.is_clear) {
      shown_.text = std::string(scheme_) + "://" + std::string(hidden_mark);
      shown_.command.clear();
      shown_.hidden = {std::string(rest_)};
      return std::move(shown_);
    }
    read_path();
    read_settings();
    if (is_incomplete_) shown_.command.clear();
    return std::move(shown_);
  }

 private:
  void add(std::string_view text) {
    shown_.text += text;
    shown_.command += text;
  }
  void hide(std::string_view text) {
    shown_.text += hidden_mark;
    shown_.hidden.emplace_back(text);
  }

  // Takes "user:password@" away. A password may contain ":" and "@", which should be encoded; "/" and "?" would end the
  // hosts for the reader of the address. PostgreSQL's takes "?", but not a second "@".
  bool read_user() {
    const auto at = rest_.rfind('@');
    left_ = rest_;
    if (at == std::string_view::npos) return true;
    const std::string_view userinfo = rest_.substr(0, at);
    left_ = rest_.substr(at + 1);
    if (has_any(userinfo, is_postgres_ ? "/@" : "/?#")) return false;
    const auto colon = std::min(userinfo.find(':'), userinfo.size());
    const std::string_view user = userinfo.substr(0, colon);
    const bool is_shown = is_plain_user(user) && userinfo.find('@') >= colon;
    if (is_shown) {
      add(user);
    } else {
      hide(user);
      is_incomplete_ = true;
    }
    if (colon < userinfo.size()) {
      shown_.text += ':';
      hide(userinfo.substr(colon + 1));
      shown_.has_password = true;
    }
    if (!is_shown || !user.empty()) {
      add("@");
    } else {
      shown_.text += '@';
    }
    return true;
  }

  bool read_hosts() {
    if (has_any(left_, "#")) return false;
    const auto end = std::min(left_.find_first_of("/?"), left_.size());
    std::string_view hosts = left_.substr(0, end);
    add(hosts);
    left_.remove_prefix(end);
    for (;;) {
      const auto comma = std::min(hosts.find(','), hosts.size());
      if (!is_address(hosts.substr(0, comma))) return false;
      if (comma == hosts.size()) return true;
      hosts.remove_prefix(comma + 1);
    }
  }

  void read_path() {
    const auto end = std::min(left_.find('?'), left_.size());
    const std::string_view path = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    const bool is_number = path.size() <= 1 || std::ranges::all_of(path.substr(1), is_digit);
    if (is_number || (is_postgres_ && is_plain_value(path))) return add(path);
    shown_.text += '/';
    hide(path.substr(1));
    is_incomplete_ = true;
  }

  void read_settings() {
    std::string_view separator = "?";
    std::string_view kept_separator = "?";
    while (!left_.empty()) {
      const auto end = std::min(left_.find('&'), left_.size());
      const std::string_view setting = left_.substr(0, end);
      left_.remove_prefix(std::min(end + 1, left_.size()));
      if (setting.empty()) continue;
      shown_.text += std::exchange(separator, "&");
      const auto sign = std::min(setting.find('='), setting.size());
      const std::string_view name = setting.substr(0, sign);
      const std::string_view value = setting.substr(std::min(sign + 1, setting.size()));
      if (name == "first_ever" && (value == "0" || value == "1")) {
        shown_.text += setting;
      } else if (sign < setting.size() && is_plain_setting(name) && is_plain_value(value)) {
        shown_.text += setting;
        shown_.command += std::exchange(kept_separator, "&");
        shown_.command += setting;
      } else {
        read_secret(name, value, sign < setting.size());
      }
    }
  }

  void read_secret(std::string_view name, std::string_view value, bool has_value) {
    const bool is_password = has_value && (name == "password" || name == "sslpassword");
    if (is_password) shown_.text.append(name).append("=");
    hide(is_password || has_pass_word(lower_case(decoded_escapes(name))) ? value : name);
    if (!is_password && !value.empty()) shown_.hidden.emplace_back(value);
    shown_.has_password = shown_.has_password || has_pass_word(lower_case(decoded_escapes(name)));
    is_incomplete_ = is_incomplete_ || !is_password;
  }

  std::string_view scheme_;
  std::string_view rest_;
  std::string_view left_;
  ShownStore shown_{};
  bool is_postgres_ = false;
  bool is_incomplete_ = false;  // something else than a password is hidden
};

}  // namespace

ShownStore shown_store(std::string_view name) {
  const auto mark = name.find("://");
  const std::string_view scheme = name.substr(0, std::min(mark, name.size()));
  if (mark != std::string_view::npos && is_scheme(scheme)) return Reader(scheme, name.substr(mark + 3)).read();
  ShownStore shown;
  if (!looks_like_server(name) && (mark == std::string_view::npos || has_any(scheme, "/"))) {
    shown.text = shown.command = name;
    shown.is_file = shown.is_clear = true;
    return shown;
  }
  const std::string_view known = known_scheme(name);
  shown.text = std::string(known) + (known.empty() ? "" : ":") + std::string(hidden_mark);
  shown.hidden = {std::string(name)};
  return shown;
}

std::string without_store_password(std::string_view name) { return shown_store(name).text; }

bool is_store_address(std::string_view text) {
  return !known_scheme(trimmed(text)).empty() || (!is_path(text) && is_setting_list(lower_case(decoded_escapes(text))));
}

std::string without_hidden(std::string text, const std::vector<std::string>& hidden) {
  std::vector<std::string> secrets;
  for (const std::string& one : hidden) {
    secrets.push_back(one);
    secrets.push_back(decoded_escapes(one));
  }
  std::ranges::sort(secrets, std::ranges::greater(), &std::string::size);
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    const auto is_inside_word = [&](std::size_t at) {
      const auto is_part = [&](std::size_t i) { return i < text.size() && (is_letter(text[i]) || is_digit(text[i])); };
      return is_part(at - 1) || is_part(at + secret.size());
    };
    for (std::size_t at = 0; (at = text.find(secret, at)) != std::string::npos;) {
      if (secret.size() < min_part && is_inside_word(at)) {
        ++at;
        continue;
      }
      text.replace(at, secret.size(), hidden_mark);
      at += hidden_mark.size();
    }
  }
  return text;
}

}  // namespace robotrules::base
