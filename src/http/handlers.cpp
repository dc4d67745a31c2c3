#include "http/handlers.hpp"

#include <algorithm>
#include <optional>

#include <robotrules/url.hpp>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

bool host_matches(std::string_view wanted, std::string_view host) {
  if (!wanted.starts_with('.')) return base::equals_ignore_case(wanted, host);
  return base::equals_ignore_case(wanted.substr(1), host) ||
         (host.size() > wanted.size() && base::equals_ignore_case(host.substr(host.size() - wanted.size()), wanted));
}

bool type_matches(std::string_view wanted, const Response& response) {
  const std::string_view field = response.headers.get("Content-Type").value_or("");
  const std::string_view type = base::trimmed(field.substr(0, field.find(';')));
  if (wanted.ends_with("/*")) return base::starts_with_ignore_case(type, wanted.substr(0, wanted.size() - 1));
  return base::equals_ignore_case(type, wanted);
}

}  // namespace

bool matches(const HandlerMatch& match, const Request& request, const Response* response) {
  const auto origin = Origin::of(request.url);
  if (!match.scheme.empty() && (!origin || origin->scheme != match.scheme)) return false;
  if (!match.host.empty() && (!origin || !host_matches(match.host, origin->host))) return false;
  if (!match.method.empty() && match.method != request.method) return false;
  if (!match.path_prefix.empty()) {
    const std::size_t authority = request.url.find("://");
    const std::size_t path = authority == std::string::npos ? authority : request.url.find('/', authority + 3);
    const std::string_view from = path == std::string::npos ? "/" : std::string_view(request.url).substr(path);
    if (!from.starts_with(match.path_prefix)) return false;
  }
  if (match.code != 0 && (response == nullptr || response->code != match.code)) return false;
  return match.media_type.empty() || (response != nullptr && type_matches(match.media_type, *response));
}

}  // namespace robotrules::agent
