#include "url/url.hpp"

#include <curl/curl.h>
#include <locale.h>

#include <algorithm>
#include <memory>
#include <new>

#include <robotrules/url.hpp>

#include "base/escape.hpp"
#include "base/url_escapes.hpp"
#include "base/url_scheme.hpp"
#include "base/userinfo.hpp"

namespace robotrules::agent {
namespace {

struct Free {
  void operator()(CURLU* url) const noexcept { curl_url_cleanup(url); }
};
using Parsed = std::unique_ptr<CURLU, Free>;

std::string shown(std::string_view text) { return '"' + base::excerpt(base::without_userinfo(text)) + '"'; }

std::string part(CURLU* url, CURLUPart which, unsigned flags) {
  char* text = nullptr;
  const CURLUcode code = curl_url_get(url, which, &text, flags);
  // If a name has no A-label, libcurl 7.88 says that there is not enough memory, and leaves its copy to the caller.
  const std::unique_ptr<char, decltype(&curl_free)> held(text, &curl_free);
  if (code == CURLUE_OUT_OF_MEMORY && (flags & CURLU_PUNYCODE) == 0) throw std::bad_alloc();
  return code == CURLUE_OK ? text : std::string();
}

// Sets the locale of this thread to UTF-8 while it lives: libcurl 7.88 reads names in the charset of the locale, and a
// library must not change the locale of its program.
class InUtf8 {
 public:
  InUtf8() : before_(uselocale(utf8())) {}
  ~InUtf8() { uselocale(before_); }
  InUtf8(const InUtf8&) = delete;
  InUtf8& operator=(const InUtf8&) = delete;

 private:
  static locale_t utf8() {
    static const locale_t made = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return made;  // null if there is no such locale: then nothing changes, and such names are refused
  }
  locale_t before_;
};

// Returns the host in A-labels; empty if there is none or the name is invalid.
std::string host_of(CURLU* url) {
  std::string host = part(url, CURLUPART_HOST, 0);
  if (std::all_of(host.begin(), host.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return host;
  const InUtf8 locale;
  return part(url, CURLUPART_HOST, CURLU_PUNYCODE);
}

// Returns path and query of an absolute URL as they are written, without the fragment.
std::string written_path(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const std::size_t begin = url.find_first_of("/?", url.find("://") + 3);
  if (begin == std::string_view::npos) return "/";
  return (url[begin] == '/' ? std::string() : std::string("/")).append(url.substr(begin));
}

// Returns path and query of `reference` on the page `base` as they are written (RFC 3986 section 5.2.2).
std::string written_path(const Url& base, std::string_view reference) {
  if (reference.starts_with("//")) return written_path(base.origin.scheme + ':' + std::string(reference));
  if (reference.find("://") < reference.find_first_of("/?#")) return written_path(reference);
  reference = reference.substr(0, reference.find('#'));
  if (reference.starts_with('/')) return std::string(reference);
  std::string path = written_path(base.as_found());
  path.resize(std::min(path.find('?'), path.size()));
  if (!reference.starts_with('?')) path.resize(path.rfind('/') + 1);
  return path.append(reference);
}

Error unsupported_scheme(std::string_view asked) {
  return {"unsupported-scheme", shown(asked) + " is neither http nor https"};
}

// `written`: path and query as written_path() returns them.
Result<Url> finished(CURLU* parsed, std::string_view asked, const std::string& written, std::size_t max_bytes) {
  const std::string scheme = part(parsed, CURLUPART_SCHEME, 0);
  if (scheme != "http" && scheme != "https") {
    return unsupported_scheme(asked);
  }
  Url url;
  url.user = part(parsed, CURLUPART_USER, CURLU_URLDECODE);
  url.password = part(parsed, CURLUPART_PASSWORD, CURLU_URLDECODE);
  std::string authority = host_of(parsed);
  const std::string port = part(parsed, CURLUPART_PORT, 0);
  if (!port.empty()) authority += ':' + port;
  auto origin = Origin::of(scheme + "://" + authority + '/');
  if (!origin) return Error{"invalid-url", shown(asked) + " has no valid host"};
  url.origin = *std::move(origin);
  const std::string site = url.origin.to_string();
  const auto in_normal_form = [&](const std::string& whole) {
    return site + base::normal_escapes(std::string_view(whole).substr(site.size()));
  };
  std::string path = part(parsed, CURLUPART_PATH, 0);
  const std::string query = part(parsed, CURLUPART_QUERY, 0);
  if (!query.empty()) path += '?' + query;
  url.found = resolve_dot_segments(site + path);  // libcurl has escaped spaces and bytes outside ASCII
  url.text = in_normal_form(url.found);
  // libcurl decides what is requested. What is written counts if it means the same; libcurl omits an empty query.
  std::string whole = resolve_dot_segments(site + written);
  const std::string normal = in_normal_form(whole);
  if (normal == url.text || normal == url.text + '?') url.found = std::move(whole);
  if (url.found == url.text) url.found.clear();
  if (url.text.size() > max_bytes || url.found.size() > max_bytes) {
    return Error{"invalid-url", "the URL is longer than " + std::to_string(max_bytes) + " bytes"};
  }
  return url;
}

Result<Url> read(CURLU* parsed, std::string_view text, const std::string& written, std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    return Error{"invalid-url", "the URL is longer than " + std::to_string(max_bytes) + " bytes"};
  }
  if (text.find('\0') != std::string_view::npos) return Error{"invalid-url", shown(text) + " contains a NUL"};
  // libcurl's treatment of dot segments depends on its version, so resolve_dot_segments() does it.
  constexpr unsigned as_it_is = CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_PATH_AS_IS;
  const CURLUcode code = curl_url_set(parsed, CURLUPART_URL, std::string(text).c_str(), as_it_is);
  if (code == CURLUE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code != CURLUE_OK) return Error{"invalid-url", shown(text) + " is not a valid URL: " + curl_url_strerror(code)};
  return finished(parsed, text, written, max_bytes);
}

Parsed make() {
  Parsed parsed(curl_url());
  if (parsed == nullptr) throw std::bad_alloc();
  return parsed;
}

}  // namespace

std::string_view Url::path_and_query() const noexcept {
  const std::size_t authority = text.find("://") + 3;
  return std::string_view(text).substr(text.find('/', authority));
}

Result<Url> read_url(std::string_view text, std::size_t max_bytes) {
  const Parsed parsed = make();
  // curl_url_set() also accepts a URL without "//", such as "https:example.org".
  if (text.find("://") == std::string_view::npos) {
    const std::string scheme = base::scheme_of(text);
    if (!scheme.empty() && scheme != "http" && scheme != "https") return unsupported_scheme(text);
    return Error{"invalid-url", shown(text) + " is not an absolute URL: begin it with http:// or https://"};
  }
  return read(parsed.get(), text, written_path(text), max_bytes);
}

Result<Url> resolve_url(const Url& base, std::string_view reference, std::size_t max_bytes) {
  const Parsed parsed = make();
  auto known = read(parsed.get(), base.as_found(), written_path(base.as_found()), max_bytes);
  // libcurl 7.88 resolves "" and "#part" to the folder of the base (RFC 3986 section 5.2.2: to the base itself).
  if (!known || reference.empty() || reference.starts_with('#')) return known;
  return read(parsed.get(), reference, written_path(base, reference), max_bytes);
}

}  // namespace robotrules::agent
