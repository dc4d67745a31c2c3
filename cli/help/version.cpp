#include "cli/help/help.hpp"

#include <brotli/decode.h>
#include <curl/curl.h>
#include <expat.h>
#include <libdeflate.h>
#include <libpsl.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <toml++/impl/version.h>
#include <zlib.h>
#include <zstd.h>

#include <string_view>
#include <utility>

#include <CLI/Version.hpp>
#include <nlohmann/json_fwd.hpp>
#include <robotrules/user_agent.hpp>
#include <robotrules/version.hpp>

namespace robotrules::cli {
namespace {

// Returns "1.2.3".
std::string dotted(unsigned major, unsigned minor, unsigned patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string brotli_version() {
  const std::uint32_t version = BrotliDecoderVersion();
  return dotted(version >> 24U, (version >> 12U) & 0xFFFU, version & 0xFFFU);
}

// The functions of libraries return the version that is loaded; the macros of headers are the version of the build.
std::string libraries() {
  const XML_Expat_Version expat = XML_ExpatVersionInfo();
  const std::pair<std::string_view, std::string> versions[] = {
      {"SQLite", sqlite3_libversion()},
      {"OpenSSL", OpenSSL_version(OPENSSL_VERSION_STRING)},
      {"zlib", zlibVersion()},
      {"zstd", ZSTD_versionString()},
      {"Brotli", brotli_version()},
      {"libdeflate", LIBDEFLATE_VERSION_STRING},
      {"Expat", dotted(static_cast<unsigned>(expat.major), static_cast<unsigned>(expat.minor),
                       static_cast<unsigned>(expat.micro))},
      {"libpsl", psl_get_version()},
      {"toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
      {"CLI11", CLI11_VERSION},
      {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
  constexpr std::size_t width = 80;
  std::string text = "Libraries:";
  std::size_t line_begin = 0;
  for (const auto& [name, version] : versions) {
    const std::string word = std::string(name) + "/" + version.substr(0, version.find(' '));
    const bool fits = text.size() - line_begin + 1 + word.size() <= width;
    if (!fits) {
      text += "\n ";
      line_begin = text.size() - 1;
    }
    text.append(" ").append(word);
  }
  return text;
}

// Bytes of robots.txt files are read 32 at a time if the processor can do that (src/core/line/line_marks.cpp).
bool has_avx2() {
#if defined(__x86_64__) && defined(__GNUC__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
#else
  return false;
#endif
}

std::string features() {
  const int curl = curl_version_info(CURLVERSION_NOW)->features;
  const std::pair<std::string_view, bool> known[] = {{"HTTP/2", (curl & CURL_VERSION_HTTP2) != 0},
                                                     {"IPv6", (curl & CURL_VERSION_IPV6) != 0},
                                                     {"IDN", (curl & CURL_VERSION_IDN) != 0},
                                                     {"PSL", (curl & CURL_VERSION_PSL) != 0},
                                                     {"HTTPS-proxy", (curl & CURL_VERSION_HTTPS_PROXY) != 0},
                                                     {"AsynchDNS", (curl & CURL_VERSION_ASYNCHDNS) != 0},
                                                     {"AVX2", has_avx2()}};
  std::string on = "Features on:";
  std::string off = "Features off:";
  for (const auto& [name, is_on] : known) (is_on ? on : off).append(" ").append(name);
  if (off.back() == ':') off += " none";
  return on + "\n" + off;
}

}  // namespace

std::string version_text() {
  return "robotrules " ROBOTRULES_VERSION "\n" + connection_library() + "\n" + libraries() + "\n" + features() + "\n";
}

}  // namespace robotrules::cli
