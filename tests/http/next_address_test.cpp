// Hosts with several addresses: if one does not answer, the next one is tried within the time limit.
#include "support/agent/loopback.hpp"
#include "support/loopback_socket.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// Drops connections to 127.0.0.`last`: it listens, takes none, and its queue is full.
class FullQueue {
 public:
  FullQueue(int last, std::uint16_t port) {
    sockaddr_in address = loopback_address(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + static_cast<std::uint32_t>(last));
    const auto* const at = reinterpret_cast<const sockaddr*>(&address);
    const int listener = made();
    EXPECT_EQ(bind(listener, at, sizeof address), 0);
    EXPECT_EQ(listen(listener, 0), 0);
    for (int number = 0; number < 3; ++number) static_cast<void>(connect(made(), at, sizeof address));
  }
  ~FullQueue() {
    for (const int handle : handles_) close(handle);
  }
  FullQueue(const FullQueue&) = delete;
  FullQueue& operator=(const FullQueue&) = delete;

 private:
  int made() { return handles_.emplace_back(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }
  std::vector<int> handles_;
};

struct Host {
  std::string name;
  std::vector<std::string> addresses;  // 127.0.0.1 answers, 127.0.0.2 drops, others refuse
};

class NextAddress : public testing::TestWithParam<Host> {};

TEST_P(NextAddress, IsTriedWithinTheLimit) {
  Loopback site;
  const FullQueue dropping(2, site.port);
  site.options.connection.resolve = [](std::string_view, std::uint16_t) { return GetParam().addresses; };
  site.options.connection.connect_timeout = std::chrono::seconds(2);
  const Response page = site.agent().get(site.url("/y"));
  EXPECT_EQ(page.body, "page y") << page.warning;
  EXPECT_EQ(site.count(), 1U);
}

INSTANTIATE_TEST_SUITE_P(After, NextAddress,
                         testing::Values(Host{"one that drops", {"127.0.0.2", "127.0.0.1"}},
                                         Host{"one that refuses", {"127.0.0.3", "127.0.0.1"}},
                                         Host{"three that refuse",
                                              {"127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.1"}},
                                         Host{"one of each", {"127.0.0.3", "127.0.0.2", "127.0.0.1"}}),
                         [](const auto& info) { return as_test_name(info.param.name); });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
