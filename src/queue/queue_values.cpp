#include "queue/queue_values.hpp"

#include <robotrules/url.hpp>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/url_escapes.hpp"
#include "base/userinfo.hpp"
#include "base/utf8.hpp"
#include "store/packing.hpp"

namespace robotrules {

std::string_view to_string(UrlState state) noexcept {
  switch (state) {
    case UrlState::pending: return "pending";
    case UrlState::done: return "done";
    case UrlState::denied: return "denied";
    case UrlState::failed: return "failed";
    case UrlState::parked: return "parked";
    case UrlState::cut: break;
  }
  return "cut";
}

Result<QueueWorkers> UrlQueue::share(const QueueClaim& /*claim*/, bool /*has_no_site*/) {
  return QueueWorkers{.all = 1};
}

}  // namespace robotrules

namespace robotrules::store {
namespace {

constexpr std::size_t max_job_name = 200;

}  // namespace

Result<void> check_job_name(const std::string& name) {
  if (!name.empty() && name.size() <= max_job_name && base::is_utf8(name) && is_queueable(name)) return {};
  return Error{"invalid-job",
               "\"" + base::excerpt(name) +
                   "\" can't be the name of a job: give a name of at most 200 bytes without spaces, \"#\" "
                   "or control characters"};
}

Result<void> check_methods(std::span<const QueuedUrl> urls) {
  for (const QueuedUrl& url : urls) {
    const std::string& method = url.method;
    if (method.empty() || !std::all_of(method.begin(), method.end(), base::is_token_octet)) {
      return Error{"invalid-request",
                   "\"" + base::excerpt(base::without_userinfo(method)) + "\" is not a request method (URL: " +
                       base::excerpt(base::without_userinfo(url.url)) + "): give a method such as GET"};
    }
  }
  return {};
}

Result<void> check_states(std::span<const FinishedUrl> settled) {
  for (const FinishedUrl& one : settled) {
    if (one.state == UrlState::pending || static_cast<std::size_t>(one.state) >= queue_states) {
      return Error{"invalid-request", "A URL cannot be settled as pending: give a final state, such as done or failed"};
    }
  }
  return {};
}

bool is_queueable(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7F || c == '#'; });
}

std::string older_key(const QueuedUrl& url) {
  if (url.found.empty()) return {};
  std::string key = base::older_spelling(url.found, url.url);
  return key != url.url && is_queueable(key) && Origin::of(key) ? key : std::string();
}

Error invalid_url(std::string_view url) {
  return {"invalid-url", "\"" + base::excerpt(url) +
                             "\" can't be queued: give an absolute http or https URL, without a fragment, spaces or "
                             "control characters"};
}

Error unknown_site(std::int64_t id) {
  return {"unknown-site",
          "The queue has no site with the id " + std::to_string(id) + ": give an id that sites() returned"};
}
Error unknown_url(std::int64_t id) {
  return {"unknown-url",
          "The queue has no URL with the id " + std::to_string(id) + ": give an id that take() returned"};
}
Error claim_lost() {
  return {"claim-lost", "This claim of the job is not valid any more: claim the job and its sites again"};
}

std::string_view site_part(std::string_view url) noexcept {
  const std::size_t colon = url.find("://");
  return colon == std::string_view::npos ? url : url.substr(0, url.find_first_of("/?", colon + 3));
}

std::optional<std::string> whole_url(std::string_view origin, std::string_view stored) {
  if (!is_queueable(stored)) return std::nullopt;
  if (stored.empty() || stored.front() == '/' || stored.front() == '?') return std::string(origin).append(stored);
  const auto own = Origin::of(stored);
  if (!own || own->to_string() != origin) return std::nullopt;
  return std::string(stored);
}

std::string pack_headers(const Headers& headers) {
  std::string bytes;
  for (const HeaderField& field : headers) {
    append_text(bytes, field.name);
    append_text(bytes, field.value);
  }
  return bytes;
}

std::optional<Headers> unpack_headers(std::string_view bytes) {
  Headers headers;
  while (!bytes.empty()) {
    const auto name = take_text(bytes);
    if (!name) return std::nullopt;
    const auto value = take_text(bytes);
    if (!value) return std::nullopt;
    headers.add(*name, *value);
  }
  return headers;
}

}  // namespace robotrules::store
