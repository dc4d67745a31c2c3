#include "http/curl/name_check.hpp"

#include <boost/asio/post.hpp>

#include <netdb.h>
#include <sys/socket.h>

#include <system_error>
#include <thread>

namespace robotrules::agent {

NameLookup name_lookup(AddressFamily family) {
  return [family](const std::string& host) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_family = family == AddressFamily::ipv4 ? AF_INET : family == AddressFamily::ipv6 ? AF_INET6 : AF_UNSPEC;
    addrinfo* found = nullptr;
    const int code = getaddrinfo(host.c_str(), nullptr, &hints, &found);
    if (found != nullptr) freeaddrinfo(found);
    return code;
  };
}

bool is_unknown_name(int code) noexcept {
#ifdef EAI_NODATA
  if (code == EAI_NODATA) return true;
#endif
#ifdef EAI_ADDRFAMILY
  if (code == EAI_ADDRFAMILY) return true;
#endif
  return code == EAI_NONAME;
}

void NameCheck::Answer::tell(bool is_unknown) {
  if (const Told once = std::exchange(told, nullptr)) once(is_unknown);
}

NameCheck::NameCheck(const std::shared_ptr<boost::asio::io_context>& context, std::string host, Told told,
                     NameLookup lookup, std::chrono::milliseconds patience)
    : answer_(std::make_shared<Answer>(Answer{std::move(told)})), timer_(*context) {
  const std::weak_ptr<Answer> asked = answer_;
  try {
    std::thread([asked, loop = std::weak_ptr(context), host = std::move(host), lookup = std::move(lookup)] {
      try {
        const bool is_unknown = is_unknown_name(lookup(host));
        const auto running = loop.lock();
        if (running == nullptr) return;
        boost::asio::post(*running, [asked, is_unknown] {
          if (const auto answer = asked.lock()) answer->tell(is_unknown);
        });
      } catch (...) {  // there is no memory for the answer: the timer ends the check
      }
    }).detach();
  } catch (const std::system_error&) {  // the process may not start more threads
    patience = std::chrono::milliseconds(0);
  }
  timer_.expires_after(patience);
  timer_.async_wait([asked](const boost::system::error_code& error) {
    const auto answer = asked.lock();
    if (!error && answer != nullptr) answer->tell(false);
  });
}

}  // namespace robotrules::agent
