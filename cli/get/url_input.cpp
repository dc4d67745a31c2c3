#include "cli/get/url_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include <robotrules/url.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "cli/io/input.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "archive/warc_head.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t greatest_portion = 100'000;
constexpr std::uint64_t most_told = 10;
constexpr std::string_view blanks = " \t\r\f\v";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

// A list asks for pages; what would change something at the server is not for lists. (A POST has a body, which a list
// cannot give.)
bool is_method(std::string_view text) { return text == "GET" || text == "HEAD"; }

// Fields that say who asks, and those that are the connection's.
bool is_reserved(std::string_view name) {
  constexpr std::string_view reserved[] = {"connection", "content-length",    "expect",     "from",
                                           "host",       "http2-settings",    "keep-alive", "te",
                                           "trailer",    "transfer-encoding", "upgrade",    "user-agent"};
  const std::string plain = base::lower_case(name);
  return plain.starts_with("proxy-") ||
         std::find(std::begin(reserved), std::end(reserved), plain) != std::end(reserved);
}

Result<void> take_headers(const nlohmann::json& given, Headers& headers) {
  const Error none{"invalid-headers", "\"headers\" is neither an object of texts nor an array of [name, value]"};
  if (given.is_object()) {
    for (const auto& [name, value] : given.items()) {
      if (!value.is_string()) return none;
      headers.add(name, value.get_ref<const std::string&>());
    }
  } else {
    if (!given.is_array()) return none;
    for (const auto& pair : given) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) return none;
      headers.add(pair[0].get_ref<const std::string&>(), pair[1].get_ref<const std::string&>());
    }
  }
  const auto taboo =
      std::find_if(headers.begin(), headers.end(), [](const HeaderField& field) { return is_reserved(field.name); });
  if (taboo != headers.end()) {
    return Error{"invalid-headers", "\"headers\" sets " + taboo->name + ", which the robot alone sets"};
  }
  if (!headers.is_sendable()) return Error{"invalid-headers", "a header holds what may not be sent"};
  return {};
}

Result<QueuedUrl> read_object(std::string_view line) {
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (object.is_discarded()) return Error{"invalid-json", "it is no JSON object"};
  QueuedUrl read;
  const auto url = object.find("url");
  if (url == object.end() || !url->is_string()) return Error{"invalid-json", "it has no member \"url\" with a text"};
  read.url = url->get<std::string>();
  if (const auto method = object.find("method"); method != object.end()) {
    if (!method->is_string() || !is_method(method->get_ref<const std::string&>())) {
      return Error{"invalid-method", "its \"method\" is neither \"GET\" nor \"HEAD\""};
    }
    read.method = method->get<std::string>();
  }
  if (const auto headers = object.find("headers"); headers != object.end()) {
    if (auto taken = take_headers(*headers, read.headers); !taken) return taken.error();
  }
  if (const auto priority = object.find("priority"); priority != object.end()) {
    using Bounds = std::numeric_limits<std::int32_t>;
    if (!priority->is_number_integer() || *priority < Bounds::min() || *priority > Bounds::max()) {
      return Error{"invalid-priority", "its \"priority\" is no whole number of 32 bits"};
    }
    read.priority = priority->get<std::int32_t>();
  }
  return read;
}

}  // namespace

Result<QueuedUrl> read_url_line(std::string_view line) {
  Result<QueuedUrl> read =
      line.starts_with('{') ? read_object(line) : Result<QueuedUrl>(QueuedUrl{std::string(line), "GET", {}, 0});
  if (!read) return read;
  auto plain = plain_url(read.value().url);
  if (!plain) return plain.error();
  read.value().url = std::move(plain).value();
  return read;
}

Result<void> UrlInput::add(std::string_view line, std::string_view where, std::uint64_t number) {
  line = without_blanks(line);
  if (line.empty()) return {};
  auto url = read_url_line(line);
  if (url) return add(std::move(url).value());
  ++bad_;
  if (bad_ <= most_told) {
    const std::string place = number == 0 ? "" : base::printable(where) + ":" + std::to_string(number) + ": ";
    complain("get", place + base::printable(url.error().message));
  }
  if (bad_ == most_told) complain("get", "what else can't be read is counted, and not told");
  return {};
}

Result<void> UrlInput::add(QueuedUrl url) {
  held_.push_back(std::move(url));
  return held_.size() >= portion_ ? flush() : Result<void>();
}

Result<void> UrlInput::flush() {
  if (held_.empty()) return {};
  const auto added = queue_.add(held_);
  if (!added) return added.error();
  held_.clear();
  portion_ = std::min(portion_ * 10, greatest_portion);
  counts_.added += added.value().added;
  counts_.duplicates += added.value().duplicates;
  if (added.value().added > 0) added_();
  return {};
}

Result<bool> UrlInput::add_file(const std::string& path, const std::atomic<bool>& stop) {
  const bool is_standard_input = path == "-";
  const int file = is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    complain("get", base::printable(path) + ": " + error_text(errno));
    return false;
  }
  LineReader lines(file);
  std::string line;
  std::uint64_t number = 0;
  Result<void> added;
  while (added && !stop) {
    if (lines.would_wait()) {  // a pipe may be silent for long
      pollfd ready{file, POLLIN, 0};
      if (::poll(&ready, 1, held_.empty() ? 100 : 10) == 0) {
        added = flush();
        continue;
      }
    }
    if (!lines.next(line)) break;
    added = add(line, input_name(path), ++number);
  }
  if (!is_standard_input) ::close(file);
  if (!added) return added.error();
  if (!lines.error().empty()) complain("get", input_name(path) + ": " + lines.error());
  return lines.error().empty();
}

}  // namespace robotrules::cli
