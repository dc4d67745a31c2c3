// The system's resolver is asked once for a name, not with each connection. The witness is getaddrinfo() itself, in
// place of libc's: libcurl calls this one.
#include <dlfcn.h>
#include <netdb.h>

#include <map>
#include <mutex>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr std::string_view watched = ".watched.test";

// How often a name under `watched` was asked for; all of them are 127.0.0.1.
class Lookups {
 public:
  void add(std::string_view name) {
    const std::lock_guard lock(mutex_);
    ++count_[std::string(name)];
  }
  int of(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return count_[name];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> count_;
};

Lookups& lookups() {
  static Lookups all;
  return all;
}

class NamesCache : public LocalAgent {
 protected:
  void SetUp() override {
    server.on("", "/*", reply("x"));
    options.connection.resolve = nullptr;
    options.connection.keep_alive = 0;  // so that each request makes a connection
  }
};

TEST_F(NamesCache, ASecondRequestToTheSameNameDoesNotAskAgain) {
  UserAgent ua = agent();
  for (int turn = 0; turn < 4; ++turn) {
    const Response page = ua.get(url("/", "same.watched.test"));
    EXPECT_EQ(page.code, 200) << page.warning;
  }
  EXPECT_EQ(server.witness().connection_count(), 4U);
  EXPECT_EQ(lookups().of("same.watched.test"), 1);
  EXPECT_EQ(ua.get(url("/", "other.watched.test")).code, 200);
  EXPECT_EQ(lookups().of("other.watched.test"), 1);
  EXPECT_EQ(lookups().of("same.watched.test"), 1);
}

TEST_F(NamesCache, WhatComesFromTheCacheIsGuardedToo) {
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/", "guarded.watched.test")).code, 200);
  UserAgentOptions narrower = options;
  narrower.connection.guard = AddressGuard();
  ua.configure(narrower);
  EXPECT_EQ(ua.get(url("/", "guarded.watched.test")).source, ResponseSource::address_refused);
  EXPECT_EQ(lookups().of("guarded.watched.test"), 1);
  EXPECT_EQ(server.witness().connection_count(), 1U);
}

// DNS rebinding: whatever a name led to before, the address of each connection is what the guard is asked about.
TEST_F(NamesCache, ANameThatLeadsElsewhereLaterIsGuardedAgain) {
  options.connection.guard = AddressGuard();
  ASSERT_TRUE(options.connection.guard.allow("127.0.0.1"));
  std::string leads_to = "127.0.0.1";
  options.connection.resolve = [&](std::string_view, std::uint16_t) { return std::vector<std::string>{leads_to}; };
  const std::uint16_t canary = server.open({.address = "127.0.0.2", .manner = Manner::silent});
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/", "rebinds.test")).code, 200);
  leads_to = "127.0.0.2";
  EXPECT_EQ(ua.get(url("/", "rebinds.test")).source, ResponseSource::address_refused);
  EXPECT_EQ(ua.get(url_of(canary, "/", "rebinds.test")).source, ResponseSource::address_refused);
  leads_to = "127.0.0.1";
  EXPECT_EQ(ua.get(url("/", "rebinds.test")).code, 200);
  EXPECT_EQ(server.witness().connections_to(canary), 0U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name != nullptr && std::string_view(name).ends_with(robotrules::test::THIS_FILE::watched)) {
    robotrules::test::THIS_FILE::lookups().add(name);
    name = "127.0.0.1";
  }
  return next(name, service, hints, found);
}
