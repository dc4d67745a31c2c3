// Tells an unknown name from a name server that gives no answer. libcurl 7.88 reports the same error for both.
#pragma once

#include <utility>  // before Asio 1.74, which forgets it

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include <robotrules/user_agent.hpp>

namespace robotrules::agent {

// Resolves a host and returns the code of getaddrinfo(). Called on any thread.
using NameLookup = std::function<int(const std::string& host)>;
// Returns the lookup by the system's resolver, for addresses of that family.
NameLookup name_lookup(AddressFamily family);

enum class NameAnswer {
  unknown,  // the host does not exist or has no address; a later lookup gives the same answer
  none,     // no answer, or the name is known now
  ours,     // this machine lacks memory or a thread for the lookup
};
// Returns the meaning of a code of getaddrinfo().
NameAnswer name_answer(int code) noexcept;

// Looks a name up once more, on a thread of its own, because getaddrinfo() waits. Destroying it ends the check; the
// thread then ends by itself. Thread rule: the thread of the io_context.
class NameCheck {
 public:
  using Told = std::function<void(NameAnswer answer)>;
  // Calls `told` once, on the thread of `context`, which may destroy this object. It gets `none` if there is no
  // answer after `patience`.
  NameCheck(const std::shared_ptr<boost::asio::io_context>& context, std::string host, Told told, NameLookup lookup,
            std::chrono::milliseconds patience = std::chrono::seconds(3));

 private:
  struct Answer {
    Told told;  // empty after the call
    void tell(NameAnswer answer);
  };
  std::shared_ptr<Answer> answer_;
  boost::asio::steady_timer timer_;
};

}  // namespace robotrules::agent
