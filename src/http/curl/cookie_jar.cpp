#include <robotrules/user_agent.hpp>

#include "http/curl/cookie_state.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>

#include <robotrules/url.hpp>

#include "http/file_writer.hpp"
#include "suffix/public_suffix.hpp"

namespace robotrules {

CookieJar::State::State() : share(curl_share_init()) {
  if (share == nullptr) throw std::bad_alloc();
  curl_share_setopt(share, CURLSHOPT_USERDATA, this);
  curl_share_setopt(
      share, CURLSHOPT_LOCKFUNC,
      +[](CURL*, curl_lock_data, curl_lock_access, void* self) noexcept { static_cast<State*>(self)->mutex.lock(); });
  curl_share_setopt(
      share, CURLSHOPT_UNLOCKFUNC,
      +[](CURL*, curl_lock_data, void* self) noexcept { static_cast<State*>(self)->mutex.unlock(); });
  curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

CookieJar::State::~State() { curl_share_cleanup(share); }

namespace {

// An easy handle that reads and changes the jar.
class Opened {
 public:
  explicit Opened(CookieJar::State& state) : easy_(curl_easy_init()) {
    if (easy_ == nullptr) throw std::bad_alloc();
    curl_easy_setopt(easy_, CURLOPT_SHARE, state.share);
    curl_easy_setopt(easy_, CURLOPT_COOKIEFILE, "");
  }
  ~Opened() { curl_easy_cleanup(easy_); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  CURL* get() const noexcept { return easy_; }

 private:
  CURL* easy_;
};

std::vector<std::string> lines_of(CURL* easy) {
  curl_slist* list = nullptr;
  curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &list);
  std::vector<std::string> lines;
  for (const curl_slist* at = list; at != nullptr; at = at->next) lines.emplace_back(at->data);
  curl_slist_free_all(list);
  return lines;
}

}  // namespace

void CookieJar::State::keep_host_only(std::string_view url) {
  const auto origin = Origin::of(url);
  if (!origin || !suffix::is_public_suffix(origin->host)) return;
  const Opened opened(*this);
  // A line contains: domain, whether subdomains get the cookie, path, whether TLS is needed, expiry, name and value.
  const std::string marked = origin->host + "\tTRUE\t";
  for (const std::string& line : lines_of(opened.get())) {
    const std::size_t domain = line.starts_with("#HttpOnly_") ? 10 : 0;
    const std::size_t name = line.substr(domain).starts_with('.') ? domain + 1 : domain;
    if (line.compare(name, marked.size(), marked) != 0) continue;
    const std::size_t path = name + marked.size();
    const std::size_t secure = line.find('\t', path) + 1;
    const std::size_t expiry = line.find('\t', secure) + 1;
    const std::string past = line.substr(0, expiry) + '1' + line.substr(line.find('\t', expiry));
    curl_easy_setopt(opened.get(), CURLOPT_COOKIELIST, past.c_str());
    const std::string own = line.substr(0, domain) + origin->host + "\tFALSE\t" + line.substr(path);
    curl_easy_setopt(opened.get(), CURLOPT_COOKIELIST, own.c_str());
  }
}

CookieJar::CookieJar() : state_(std::make_unique<State>()) {}
CookieJar::~CookieJar() = default;

std::vector<std::string> CookieJar::lines() const {
  const Opened opened(*state_);
  return lines_of(opened.get());
}

void CookieJar::add(const std::string& line) {
  const Opened opened(*state_);
  curl_easy_setopt(opened.get(), CURLOPT_COOKIELIST, line.c_str());
}

void CookieJar::clear() {
  const Opened opened(*state_);
  curl_easy_setopt(opened.get(), CURLOPT_COOKIELIST, "ALL");
}

Result<void> CookieJar::load(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Error{"file-unreadable", path + " cannot be read: " + std::strerror(errno)};
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const bool comment = line.starts_with('#') && !line.starts_with("#HttpOnly_");
    if (!line.empty() && !comment) add(line);
  }
  if (file.bad()) return Error{"file-unreadable", path + " cannot be read: " + std::strerror(errno)};
  return {};
}

Result<void> CookieJar::save(const std::string& path) const {
  std::string text = "# Netscape HTTP Cookie File\n";
  for (const std::string& line : lines()) text += line + '\n';
  agent::FileWriter file(path, agent::FileMode::secret);
  if (!file.write(text) || !file.finish()) return Error{"file-unwritable", file.sentence()};
  return {};
}

}  // namespace robotrules
