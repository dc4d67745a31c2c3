// The rules for redirects that pages and robots.txt share.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <robotrules/url.hpp>

namespace robotrules::agent {

// Returns true for a status whose Location is followed (RFC 9110 section 15.4).
constexpr bool is_redirect_status(int code) noexcept {
  return code == 301 || code == 302 || code == 303 || code == 307 || code == 308;
}

// How long the body of a redirect that is followed is waited for. Nothing in it counts; a whole one keeps the
// connection.
inline constexpr std::chrono::milliseconds redirect_patience{2'000};

inline bool is_downgrade(const Origin& from, const Origin& to) noexcept {
  return from.scheme == "https" && to.scheme == "http";
}

// Returns true if `next` is one of the URLs that led to it.
inline bool is_loop(const std::vector<std::string>& hops, const std::string& next) {
  return std::find(hops.begin(), hops.end(), next) != hops.end();
}

}  // namespace robotrules::agent
