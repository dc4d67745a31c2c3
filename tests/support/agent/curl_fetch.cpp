#include "support/agent/curl_fetch.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace robotrules::test {
namespace {

constexpr std::size_t kept_bytes = std::size_t{1} << 20;

std::size_t take(char* data, std::size_t, std::size_t size, void* into) {
  CurlFetch::Got& got = *static_cast<CurlFetch::Got*>(into);
  got.bytes += size;
  got.body.append(data, std::min(size, kept_bytes - std::min(kept_bytes, got.body.size())));
  return size;
}

}  // namespace

CurlFetch::Got CurlFetch::get() const {
  static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
  if (ready != CURLE_OK || curl == nullptr) throw std::runtime_error("no libcurl");
  curl_slist* names = nullptr;
  for (const std::string& name : resolve) names = curl_slist_append(names, name.c_str());
  const std::unique_ptr<curl_slist, void (*)(curl_slist*)> kept(names, curl_slist_free_all);
  Got got;
  std::array<char, CURL_ERROR_SIZE> error{};
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 60L);
  curl_easy_setopt(curl.get(), CURLOPT_PROXY, proxy.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_RESOLVE, names);
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, error.data());
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &got);
  curl_easy_setopt(curl.get(), CURLOPT_HTTP_VERSION, http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  if (!ca_file.empty()) curl_easy_setopt(curl.get(), CURLOPT_CAINFO, ca_file.c_str());
  if (!proxy_credentials.empty()) curl_easy_setopt(curl.get(), CURLOPT_PROXYUSERPWD, proxy_credentials.c_str());
  if (!accept_encoding.empty()) curl_easy_setopt(curl.get(), CURLOPT_ACCEPT_ENCODING, accept_encoding.c_str());
  if (!body.empty()) {
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, body.c_str());
  }
  got.code = curl_easy_perform(curl.get());
  got.error = error.data();
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &got.status);
  curl_easy_getinfo(curl.get(), CURLINFO_HTTP_VERSION, &got.version);
  return got;
}

}  // namespace robotrules::test
