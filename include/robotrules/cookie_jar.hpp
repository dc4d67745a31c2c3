// CookieJar: cookies that user agents keep and send back (RFC 6265), libcurl's with the public suffix list.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <robotrules/result.hpp>

namespace robotrules {

// Thread rule: every function may be called from any thread; one jar may serve several agents.
class CookieJar {
 public:
  CookieJar();
  ~CookieJar();
  CookieJar(const CookieJar&) = delete;
  CookieJar& operator=(const CookieJar&) = delete;

  // Lines of Netscape's cookie file: domain, subdomains, path, secure, expires, name, value, by tabs.
  std::vector<std::string> lines() const;
  void add(const std::string& line);
  void clear();

  // Netscape's file. Errors "file-unreadable", "file-unwritable". Files are written whole or not at all, with
  // mode 0600 whatever the one before had.
  Result<void> load(const std::string& path);
  Result<void> save(const std::string& path) const;

  struct State;  // for the transport
  State& state() const noexcept { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace robotrules
