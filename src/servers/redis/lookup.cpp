#include "servers/redis/lookup.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace robotrules::store::redis {
namespace {

using Addresses = Result<std::vector<std::string>>;

Addresses look_up(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int fault = getaddrinfo(host.c_str(), nullptr, &hints, &found); fault != 0) {
    return Error{"store-unreachable", "its name is not known (" + std::string(gai_strerror(fault)) + ")"};
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> list(found, &freeaddrinfo);
  std::vector<std::string> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    char text[NI_MAXHOST];
    if (getnameinfo(one->ai_addr, one->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0) {
      addresses.emplace_back(text);
    }
  }
  return addresses;
}

bool is_address(const std::string& host) {
  in6_addr bytes{};
  return inet_pton(AF_INET, host.c_str(), &bytes) == 1 || inet_pton(AF_INET6, host.c_str(), &bytes) == 1;
}

}  // namespace

Addresses addresses_of(const std::string& host, Deadline deadline) {
  if (is_address(host)) return std::vector<std::string>{host};
  auto promise = std::make_shared<std::promise<Addresses>>();
  auto answer = promise->get_future();
  try {
    std::thread([promise = std::move(promise), host] {
      try {
        promise->set_value(look_up(host));
      } catch (...) {  // there is no memory now
        promise->set_value(Error{"store-unreachable", {}});
      }
    }).detach();
  } catch (const std::system_error&) {
    return Error{"store-unreachable", "there is no thread to look its name up"};
  }
  if (answer.wait_until(deadline) != std::future_status::ready) {
    return Error{"store-unreachable", "its name was not found in time"};
  }
  return answer.get();
}

}  // namespace robotrules::store::redis
