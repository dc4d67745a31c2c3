#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>

#include "base/ascii.hpp"
#include "base/host_name.hpp"
#include "url/url.hpp"

namespace robotrules {
namespace {

constexpr std::size_t max_url_bytes = 8'192;

// A list only fetches pages, so methods that change something at the server are refused. (A POST also has a body, which
// a list cannot contain.)
bool is_method(std::string_view text) { return text == "GET" || text == "HEAD"; }

// Returns true for fields that identify the robot, and for fields of the connection.
bool is_reserved(std::string_view name) {
  constexpr std::string_view reserved[] = {"connection", "content-length",    "expect",     "from",
                                           "host",       "http2-settings",    "keep-alive", "te",
                                           "trailer",    "transfer-encoding", "upgrade",    "user-agent"};
  const std::string plain = base::lower_case(name);
  return plain.starts_with("proxy-") ||
         std::find(std::begin(reserved), std::end(reserved), plain) != std::end(reserved);
}

Result<void> take_headers(const nlohmann::json& given, Headers& headers) {
  const Error none{"invalid-headers",
                   "\"headers\" is neither an object with string values nor an array of [name, value] pairs"};
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
  const auto checked = check_page_headers(headers);
  if (!checked) return Error{checked.error().code, "\"headers\": " + checked.error().message};
  return {};
}

// A misspelled member would change the request without notice, so unknown members are refused. The last eight are of a
// line of `robotrules db PATH queue export`: the first spelling and the result of its URL. They do not change the
// request.
Result<void> check_members(const nlohmann::json& object) {
  constexpr std::string_view known[] = {"url",    "method", "headers", "priority", "found", "state",
                                        "status", "why",    "warning", "at",       "bytes", "digest"};
  for (const auto& [name, value] : object.items()) {
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    if (name == "body") {
      return Error{"unknown-member", "it has a \"body\", but GET and HEAD requests are sent without a body; remove it"};
    }
    return Error{"unknown-member", "it has a member \"" + name +
                                       "\", which is not known; a list may set url, method, headers and priority"};
  }
  return {};
}

Result<QueuedUrl> read_object(std::string_view line) {
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (object.is_discarded()) return Error{"invalid-json", "it is not a JSON object"};
  if (auto checked = check_members(object); !checked) return checked.error();
  QueuedUrl read;
  const auto url = object.find("url");
  if (url == object.end() || !url->is_string()) return Error{"invalid-json", "it has no member \"url\" with a string"};
  read.url = url->get<std::string>();
  // A line of `queue export` has the key of the queue, and beside it the URL as it was found.
  if (const auto found = object.find("found"); found != object.end() && found->is_string()) {
    read.found = found->get<std::string>();
  }
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
      return Error{"invalid-priority", "its \"priority\" is not a 32-bit integer"};
    }
    read.priority = priority->get<std::int32_t>();
  }
  return read;
}

}  // namespace

Result<void> check_page_headers(const Headers& headers) {
  const auto taboo =
      std::find_if(headers.begin(), headers.end(), [](const HeaderField& field) { return is_reserved(field.name); });
  if (taboo != headers.end()) {
    return Error{"invalid-headers", "only the robot may set " + taboo->name + "; remove this field"};
  }
  if (!headers.is_sendable()) {
    return Error{"invalid-headers",
                 "a field cannot be sent: its name is not a token, or its value has a control character"};
  }
  return {};
}

Result<QueuedUrl> read_url_line(std::string_view line) {
  line = base::trimmed(line);
  Result<QueuedUrl> read =
      line.starts_with('{') ? read_object(line)
                            : Result<QueuedUrl>(QueuedUrl{std::string(line.substr(0, line.find('\t'))), "GET", {}, 0});
  if (!read) return read;
  if (base::begins_with_host_name(read.value().url)) read.value().url.insert(0, "https://");
  auto url = agent::read_url(read.value().url, max_url_bytes);
  if (!url) return url.error();
  read.value().url = std::move(url.value().text);
  std::string exported = std::exchange(read.value().found, std::move(url.value().found));
  if (exported.empty() || !read.value().found.empty()) return read;  // what the line asks for was found so itself
  auto found = agent::read_url(exported, max_url_bytes);
  if (found && found.value().text == read.value().url) read.value().found = std::move(found.value().found);
  return read;
}

}  // namespace robotrules
