#include "http/synthetic.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/userinfo.hpp"

namespace robotrules {
namespace {

struct Known {
  std::string_view name;
  int code;
  std::string_view message;
};

// The statuses and phrases are those of LWP if it has one for the case.
Known known(ResponseSource source) noexcept {
  switch (source) {
    case ResponseSource::server: return {"server", 200, "OK"};
    case ResponseSource::handler: return {"handler", 200, "OK"};
    case ResponseSource::robots_denied: return {"robots-denied", 403, "Forbidden by robots.txt"};
    case ResponseSource::robots_unreachable: return {"robots-unreachable", 503, "robots.txt is unreachable"};
    case ResponseSource::too_early: return {"too-early", 503, "Please, slow down"};
    case ResponseSource::parked: return {"parked", 503, "The site asks to be left alone"};
    case ResponseSource::invalid_request: return {"invalid-request", 400, "Bad request"};
    case ResponseSource::address_refused: return {"address-refused", 403, "Address refused"};
    case ResponseSource::port_refused: return {"port-refused", 403, "Port refused"};
    case ResponseSource::redirect_refused: return {"redirect-refused", 302, "Redirect refused"};
    case ResponseSource::network: return {"network", 500, "Can't connect"};
    case ResponseSource::timeout: return {"timeout", 500, "Timeout"};
    case ResponseSource::tls: return {"tls", 500, "TLS failure"};
    case ResponseSource::bad_response: return {"bad-response", 500, "Bad response"};
    case ResponseSource::body_refused: return {"body-refused", 500, "Body refused"};
    case ResponseSource::store: return {"store", 500, "Store failure"};
    case ResponseSource::cancelled: return {"cancelled", 500, "Cancelled"};
    case ResponseSource::disk_full: return {disk_full_code, 500, "Disk full"};
    case ResponseSource::disk_too_small: return {disk_too_small_code, 500, "Disk too small"};
    case ResponseSource::internal: return {"internal", 500, "Internal error"};
    case ResponseSource::proxy_failed: return {"proxy-failed", 500, "Proxy failed"};
    case ResponseSource::proxy_refused: return {"proxy-refused", 500, "Refused by the proxy"};
  }
  return {"unknown", 500, "Unknown"};
}

}  // namespace

std::string_view to_string(ResponseSource source) noexcept { return known(source).name; }

std::string_view to_string(WaitReason reason) noexcept {
  switch (reason) {
    case WaitReason::none: return "none";
    case WaitReason::delay: return "delay";
    case WaitReason::crawl_delay: return "crawl-delay";
    case WaitReason::request_rate: return "request-rate";
    case WaitReason::adaptive: return "adaptive";
    case WaitReason::visit_time: return "visit-time";
    case WaitReason::penalty: return "penalty";
    case WaitReason::in_flight: return "in-flight";
    case WaitReason::away: return "away";
    case WaitReason::just_visited: return "just-visited";
    case WaitReason::store: return "store";
    case WaitReason::robots_txt: return "robots-txt";
    case WaitReason::disk: return "disk";
    case WaitReason::proxy: return "proxy";
    case WaitReason::network: break;
  }
  return "network";
}

std::string_view to_string(FailureCause cause) noexcept {
  switch (cause) {
    case FailureCause::name_unknown: return "name-unknown";
    case FailureCause::address_refused: return "address-refused";
    case FailureCause::port_refused: return "port-refused";
    case FailureCause::certificate_not_verified: return "certificate-not-verified";
    case FailureCause::none: break;
  }
  return "none";
}

bool Response::was_redirected() const noexcept {
  for (const Response* hop = previous.get(); hop != nullptr; hop = hop->previous.get()) {
    if (hop->url != url) return true;
  }
  return false;
}

std::vector<std::shared_ptr<const Response>> Response::redirects() const {
  std::vector<std::shared_ptr<const Response>> chain;
  for (auto at = previous; at != nullptr; at = at->previous) chain.push_back(at);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

namespace agent {

Response synthetic_response(ResponseSource source, std::string method, std::string url, std::string sentence) {
  const std::string userinfo(base::userinfo_of(url));
  url = base::without_userinfo(std::move(url), userinfo);
  sentence = base::without_userinfo(std::move(sentence), userinfo);
  Response response;
  const Known what = known(source);
  response.code = what.code;
  response.message = what.message;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Client-Warning", "Internal response"}};
  response.body = sentence + '\n';
  response.body_size = response.body.size();
  response.method = std::move(method);
  response.url = std::move(url);
  response.source = source;
  response.warning = std::move(sentence);
  return response;
}

ResponseSource source_of(const Error& error, ResponseSource otherwise) noexcept {
  if (error.code == disk_too_small_code) return ResponseSource::disk_too_small;
  return error.code == disk_full_code ? ResponseSource::disk_full : otherwise;
}

Response response_without_memory() noexcept {
  Response response;
  response.code = 500;
  response.message = "Internal error";  // too short to need memory, as all texts below
  response.source = ResponseSource::internal;
  response.warning = "out of memory";
  return response;
}

Response response_to_exception(std::string_view method, std::string_view url, ResponseSource source) noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return synthetic_response(ResponseSource::internal, std::string(method), std::string(url),
                                "there is not enough memory for this request");
    } catch (const std::exception& thrown) {
      return synthetic_response(source, std::string(method), std::string(url),
                                "a handler or callback threw: " + std::string(thrown.what()));
    } catch (...) {
      return synthetic_response(source, std::string(method), std::string(url),
                                "a handler or callback threw an exception of an unknown type");
    }
  } catch (...) {
    return response_without_memory();
  }
}

std::string_view phrase_of(TransferError error) noexcept {
  const bool connected =
      error == TransferError::cut || error == TransferError::unanswered || error == TransferError::stopped;
  return connected ? "The connection broke" : known(ResponseSource::network).message;
}

}  // namespace agent
}  // namespace robotrules
