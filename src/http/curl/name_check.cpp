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

NameAnswer name_answer(int code) noexcept {
#ifdef EAI_NODATA
  if (code == EAI_NODATA) return NameAnswer::unknown;
#endif
#ifdef EAI_ADDRFAMILY
  if (code == EAI_ADDRFAMILY) return NameAnswer::unknown;
#endif
  if (code == EAI_MEMORY || code == EAI_SYSTEM) return NameAnswer::ours;
  return code == EAI_NONAME ? NameAnswer::unknown : NameAnswer::none;
}

void NameCheck::Answer::tell(NameAnswer answer) {
  if (const Told once = std::exchange(told, nullptr)) once(answer);
}

NameCheck::NameCheck(const std::shared_ptr<boost::asio::io_context>& context, std::string host, Told told,
                     NameLookup lookup, std::chrono::milliseconds patience)
    : answer_(std::make_shared<Answer>(Answer{std::move(told)})), timer_(*context) {
  const std::weak_ptr<Answer> asked = answer_;
  NameAnswer if_late = NameAnswer::none;
  try {
    std::thread([asked, loop = std::weak_ptr(context), host = std::move(host), lookup = std::move(lookup)] {
      try {
        const NameAnswer found = name_answer(lookup(host));
        const auto running = loop.lock();
        if (running == nullptr) return;
        boost::asio::post(*running, [asked, found] {
          if (const auto answer = asked.lock()) answer->tell(found);
        });
      } catch (...) {  // there is no memory for the answer: the timer ends the check
      }
    }).detach();
  } catch (const std::system_error&) {  // the process may not start more threads
    patience = std::chrono::milliseconds(0);
    if_late = NameAnswer::ours;
  }
  timer_.expires_after(patience);
  timer_.async_wait([asked, if_late](const boost::system::error_code& error) {
    const auto answer = asked.lock();
    if (!error && answer != nullptr) answer->tell(if_late);
  });
}

}  // namespace robotrules::agent
