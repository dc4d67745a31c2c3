// Connections: how many, from where, through which proxy, with which TLS.
#include <atomic>
#include <cstdlib>
#include <future>
#include <stdexcept>

#include "support/agent/loopback.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class Connections : public LocalAgent {
 protected:
  void SetUp() override { server.on("", "/*", reply("x")); }
};

TEST_F(Connections, AreUsedAgainWithinAnOrigin) {
  UserAgent ua = agent();
  for (int turn = 0; turn < 5; ++turn) {
    EXPECT_EQ(ua.get(url("/")).code, 200);
    EXPECT_EQ(ua.get(secure_url("/")).source, ResponseSource::tls) << "made before the CA was known";
    EXPECT_EQ(ua.get(url("/", "b.test")).code, 200);
  }
  EXPECT_EQ(server.witness().connections_to(port), 2U);
  server.drop_connections();
  ASSERT_TRUE(server.witness().wait_for_closed(server.witness().connection_count()));
  EXPECT_EQ(ua.get(url("/")).code, 200) << "one that the server has closed is made again";
  EXPECT_EQ(ua.post(url("/"), "sent").code, 200);
  const std::string secure = secure_url("/");
  server.witness().clear();
  UserAgent other = agent();
  for (int turn = 0; turn < 5; ++turn) EXPECT_EQ(other.get(secure).code, 200);
  EXPECT_EQ(server.witness().connections_to(secure_port), 1U);
}

TEST_F(Connections, AreKeptForManyHostsToo) {
  constexpr std::size_t hosts = 300;
  options.connection.keep_alive = 2'048;
  UserAgent ua = agent();
  const auto get_all = [&] {
    std::atomic<std::size_t> good{0};
    std::atomic<std::size_t> left{hosts};
    std::promise<void> all;
    for (std::size_t host = 0; host < hosts; ++host) {
      Request request;
      request.url = url("/", "host-" + std::to_string(host) + ".test");
      ua.start(std::move(request), [&](const Response& response) {
        if (response.code == 200) ++good;
        if (--left == 0) all.set_value();
      });
    }
    all.get_future().wait();
    return good.load();
  };
  EXPECT_EQ(get_all(), hosts);
  EXPECT_EQ(get_all(), hosts);
  EXPECT_EQ(server.witness().connection_count(), hosts) << "each is used again";

  UserAgentOptions fewer = options;
  fewer.connection.keep_alive = 10;
  ua.configure(fewer);
  for (int turn = 0; turn < 3; ++turn) EXPECT_EQ(ua.get(url("/")).code, 200);
  EXPECT_TRUE(server.witness().wait_for_closed(hosts / 2)) << "what is too much is closed";
  EXPECT_EQ(get_all(), hosts);
}

TEST_F(Connections, OfManyHostsAreCutByACancelledRequest) {
  options.connection.keep_alive = 2'048;
  const Gate never;
  server.on("", "/slow", Script().wait(never).send("x"));
  UserAgent ua = agent();
  for (int number = 0; number < 20; ++number) {
    Request request;
    request.url = url("/slow", "host-" + std::to_string(number) + ".test");
    std::promise<Response> answered;
    const Pending pending =
        ua.start(std::move(request), [&](Response response) { answered.set_value(std::move(response)); });
    ASSERT_TRUE(never.wait_reached(static_cast<std::size_t>(number) + 1));
    pending.cancel();
    EXPECT_EQ(answered.get_future().get().source, ResponseSource::cancelled);
  }
  EXPECT_TRUE(server.witness().wait_for_closed(20));
}

TEST_F(Connections, AreNotKeptWhereTheyMustNotBe) {
  options.connection.keep_alive = 0;
  UserAgent ua = agent();
  for (int turn = 0; turn < 3; ++turn) EXPECT_EQ(ua.get(url("/")).code, 200);
  EXPECT_EQ(server.witness().connection_count(), 3U);
}

TEST_F(Connections, ThatAreKeptAreGuardedToo) {
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/")).code, 200);
  UserAgentOptions narrower = options;
  narrower.connection.guard = AddressGuard();
  ua.configure(narrower);
  EXPECT_EQ(ua.get(url("/")).source, ResponseSource::address_refused);
  narrower = options;
  narrower.connection.ports = {80};
  ua.configure(narrower);
  EXPECT_EQ(ua.get(url("/")).source, ResponseSource::port_refused);
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(server.witness().connection_count(), 1U);
}

// The permitted address does not answer now; it may answer later.
TEST_F(Connections, ThatFailAtAPermittedAddressAreNotTheGuards) {
  const std::uint16_t nobody = server.refuse();
  options.connection.guard = AddressGuard();
  ASSERT_TRUE(options.connection.guard.allow("127.0.0.1"));
  for (const std::vector<std::string>& addresses :
       {std::vector<std::string>{"127.0.0.1", "127.9.9.9"}, {"127.9.9.9", "127.0.0.1"}}) {
    options.connection.resolve = [&](std::string_view, std::uint16_t) { return addresses; };
    const Response failed = agent().get(test::url_of(nobody, "/", "a.test"));
    EXPECT_EQ(failed.source, ResponseSource::network) << failed.warning;
    EXPECT_EQ(failed.cause, FailureCause::none);
  }
  options.connection.resolve = [](std::string_view, std::uint16_t) { return std::vector<std::string>{"127.9.9.9"}; };
  EXPECT_EQ(agent().get(test::url_of(nobody, "/", "a.test")).cause, FailureCause::address_refused);
}

TEST_F(Connections, ToLocalhostTryBothFamilies) {
  const std::uint16_t v4 = server.open({.address = "127.0.0.1"});
  std::uint16_t v6 = 0;
  try {
    v6 = server.open({.address = "::1"});
  } catch (const std::exception&) {
    GTEST_SKIP() << "this machine has no IPv6";
  }
  options.connection.resolve = nullptr;
  options.connection.guard = AddressGuard();
  EXPECT_TRUE(agent().get(test::url_of(v4, "/", "localhost")).warning.ends_with(" are not allowed"));
  const std::string refused = agent().get(test::url_of(v6, "/", "localhost")).warning;
  EXPECT_NE(refused.find("127.0.0.1:" + std::to_string(v6)), std::string::npos) << refused;
  EXPECT_NE(refused.find("[::1]:" + std::to_string(v6)), std::string::npos) << refused;
  const std::string alone = agent().get(test::url_of(v6, "/", "[::1]")).warning;
  EXPECT_TRUE(alone.ends_with(": the address [::1]:" + std::to_string(v6) + " is not allowed")) << alone;

  ASSERT_TRUE(options.connection.guard.allow("127.0.0.0/8"));
  EXPECT_EQ(agent().get(test::url_of(v4, "/", "localhost")).body, "x") << "[::1] is refused, 127.0.0.1 is not";
  ASSERT_TRUE(options.connection.guard.allow("::1"));
  for (const std::uint16_t one : {v4, v6}) EXPECT_EQ(agent().get(test::url_of(one, "/", "localhost")).body, "x");
}

TEST_F(Connections, ComeFromTheLocalAddress) {
  options.connection.local_address = "127.0.0.9";
  EXPECT_EQ(agent().get(url("/")).code, 200);
  EXPECT_EQ(seen(0).ends.peer_address, "127.0.0.9");
  options.connection.local_address = "192.0.2.1";
  EXPECT_EQ(agent().get(url("/")).source, ResponseSource::internal);
}

TEST_F(Connections, NamesLeadWhereTheResolverSays) {
  const std::uint16_t there = server.listen("127.0.0.3");
  options.connection.resolve = [](std::string_view host, std::uint16_t) -> std::vector<std::string> {
    if (host == "three.test") return {"127.0.0.3"};
    if (host == "throws.test") throw std::runtime_error("of the program");
    return {};
  };
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url_of(there, "/", "three.test")).peer, "127.0.0.3:" + std::to_string(there));
  EXPECT_EQ(ua.get(url_of(there, "/", "throws.test")).source, ResponseSource::internal);
  EXPECT_EQ(ua.get(url_of(there, "/", "nowhere.invalid")).source, ResponseSource::network);
  EXPECT_EQ(ua.get(url_of(there, "/", "127.0.0.3")).code, 200);
}

TEST_F(Connections, TlsIsVerifiedUnlessTurnedOff) {
  const std::uint16_t bad =
      server.open({.tls = test::TlsOptions{.certificates = {self_signed({.names = {"b.test"}})}}});
  EXPECT_EQ(agent().get(url_of(bad, "/", "a.test", "https")).source, ResponseSource::tls);
  options.connection.tls.verify = false;
  EXPECT_EQ(agent().get(url_of(bad, "/", "a.test", "https")).code, 200);
}

TEST_F(Connections, LackOfCertificateAuthoritiesIsSaidInWordsThatHelp) {
  const std::uint16_t secure = server.open({.tls = test::TlsOptions{}});
  options.connection.tls = {.verify = true, .ca_file = "/nowhere/at/all", .certificate_file = {}, .key_file = {}};
  const Response refused = agent().get(url_of(secure, "/", "a.test", "https"));
  EXPECT_EQ(refused.source, ResponseSource::tls);
  const std::string sentence = "the certificate authorities for https cannot be read from /nowhere/at/all";
  EXPECT_NE(refused.warning.find(sentence), std::string::npos) << refused.warning;

  const auto checked = check_certificate_authorities(options.connection.tls);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, "no-certificates");
  EXPECT_TRUE(checked.error().message.starts_with(sentence)) << checked.error().message;
  options.connection.tls.verify = false;
  EXPECT_TRUE(check_certificate_authorities(options.connection.tls));
  EXPECT_TRUE(check_certificate_authorities({})) << "ca-certificates is among the packages of this project";
}

class Proxies : public Connections {
 protected:
  void use(std::uint16_t proxy) {
    options.connection.proxy.http = options.connection.proxy.https = "http://127.0.0.1:" + std::to_string(proxy);
  }
  std::uint16_t open_proxy(const std::string& credentials = {}) {
    const std::uint16_t proxy = server.open({.manner = Manner::proxy, .proxy_credentials = credentials});
    use(proxy);
    return proxy;
  }
};

TEST_F(Proxies, CarryHttpWithAbsoluteTargets) {
  const std::uint16_t proxy = open_proxy();
  EXPECT_EQ(agent().get(url("/page?q")).body, "x");
  EXPECT_EQ(seen(0).target, url("/page?q"));
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
  EXPECT_EQ(server.witness().connections_to(port), 0U);
}

TEST_F(Proxies, TunnelHttps) {
  const std::string secure = secure_url("/page");
  const std::uint16_t proxy = open_proxy();
  UserAgent ua = agent();
  const Response response = ua.get(secure);
  EXPECT_EQ(response.body, "x") << response.warning;
  EXPECT_EQ(response.headers.get("Content-Type"), "text/plain") << "the proxy's head is not the response's";
  EXPECT_EQ(seen(0).method, "CONNECT");
  EXPECT_EQ(seen(0).header("Authorization"), std::nullopt);
  EXPECT_EQ(seen(1).target, "/page");
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
  // Who is refused a tunnel has no response.
  EXPECT_EQ(ua.get(url_of(server.refuse(), "/", "a.test", "https")).source, ResponseSource::proxy_refused);
}

TEST_F(Proxies, AreToldTheirUserAndNobodyElseIs) {
  const std::string secure = secure_url("/");
  open_proxy("me:pass");
  EXPECT_EQ(agent().get(url("/")).code, 407);
  EXPECT_EQ(agent().get(secure).source, ResponseSource::proxy_failed);
  options.connection.proxy.user = "me:wrong";
  EXPECT_EQ(agent().get(url("/")).code, 407);
  options.connection.proxy.user = "me:pass";
  server.witness().clear();
  EXPECT_EQ(agent().get(url("/")).body, "x");
  EXPECT_EQ(agent().get(secure).body, "x");
  const std::vector<SeenRequest> requests = server.witness().requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_TRUE(requests[0].header("Proxy-Authorization"));
  EXPECT_EQ(requests[1].method, "CONNECT");
  EXPECT_EQ(requests[2].header("Proxy-Authorization"), std::nullopt) << "inside the tunnel";
}

TEST_F(Proxies, AreNotForThoseExempt) {
  const std::uint16_t proxy = open_proxy();
  options.connection.proxy.exempt = {"site.test", "c.test"};
  UserAgent ua = agent();
  for (const char* host : {"site.test", "www.site.test", "c.test"}) EXPECT_EQ(ua.get(url("/", host)).body, "x");
  EXPECT_EQ(server.witness().connections_to(proxy), 0U);
  for (const char* host : {"notsite.test", "d.test"}) EXPECT_EQ(ua.get(url("/", host)).body, "x");
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
}

TEST_F(Proxies, AreGuardedAsServersAre) {
  const std::uint16_t proxy = open_proxy();
  options.connection.guard = AddressGuard();
  EXPECT_EQ(agent().get(url("/")).source, ResponseSource::address_refused);
  EXPECT_EQ(server.witness().connections_to(proxy), 0U);
}

// The guard knows the proxy; what lies behind it must not be asked for either.
TEST_F(Proxies, AreNotAskedForWhatTheGuardRefuses) {
  const std::uint16_t proxy = open_proxy();
  UserAgent ua = agent();
  for (std::size_t turn = 0; turn < 2; ++turn) {  // the second over a connection that is kept
    for (const char* inside :
         {"http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/", "http://10.0.0.1/",
          "http://[fd00::1]:8080/", "http://[::ffff:10.0.0.1]/", "http://2852039166/", "http://0xA9.254.169.254./"}) {
      const Response refused = ua.get(inside);
      EXPECT_EQ(refused.source, ResponseSource::address_refused) << inside << ' ' << refused.warning;
    }
    EXPECT_EQ(count(), turn);
    EXPECT_EQ(server.witness().connections_to(proxy), turn);
    EXPECT_EQ(ua.get(url("/")).body, "x");
  }
  EXPECT_NE(ua.get("http://10.0.0.1/").warning.find("10.0.0.1:80 is not allowed"), std::string::npos);
}

TEST_F(Proxies, AreNotAskedForLocalhostUnlessThatIsAllowed) {
  options.connection.guard = AddressGuard();
  ASSERT_TRUE(options.connection.guard.allow("127.0.0.2"));
  const std::uint16_t proxy = server.open({.address = "127.0.0.2", .manner = Manner::proxy});
  options.connection.proxy.http = "http://127.0.0.2:" + std::to_string(proxy);
  for (const char* host : {"localhost", "LOCALHOST.", "x.localhost", "127.1", "[::1]"}) {
    EXPECT_EQ(agent().get(url("/", host)).source, ResponseSource::address_refused) << host;
  }
  EXPECT_EQ(server.witness().connections_to(proxy), 0U);
  ASSERT_TRUE(options.connection.guard.allow("::1"));
  EXPECT_EQ(agent().get(url("/", "localhost")).body, "x");
}

TEST_F(Proxies, PortsAreThoseOfTheUrlAndNotTheProxys) {
  const std::uint16_t proxy = open_proxy();
  options.connection.ports = {port, 443};
  EXPECT_EQ(agent().get(url("/")).body, "x");
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
  options.connection.ports = {proxy};
  for (const std::string& elsewhere : {url("/"), std::string("http://a.test/"), std::string("https://a.test/")}) {
    EXPECT_EQ(agent().get(elsewhere).source, ResponseSource::port_refused) << elsewhere;
  }
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
  options.connection.proxy.exempt = {"a.test"};
  EXPECT_EQ(agent().get(url("/")).source, ResponseSource::port_refused) << "without a proxy neither";
  EXPECT_EQ(server.witness().connections_to(port), 0U);
}

TEST_F(Proxies, OfTheEnvironmentCountWhereTheyAreAskedFor) {
  const std::uint16_t proxy = open_proxy();
  const std::string where = options.connection.proxy.http;
  options.connection.proxy = {};
  for (const char* name :
       {"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"}) {
    unsetenv(name);
  }
  setenv("http_proxy", where.c_str(), 1);
  setenv("ALL_PROXY", "http://other:1", 1);
  setenv("HTTP_PROXY", "http://evil:1", 1);
  setenv("no_proxy", " b.test , ,c.test  d.test", 1);
  EXPECT_EQ(agent().get(url("/")).code, 200);
  EXPECT_EQ(server.witness().connections_to(proxy), 0U) << "not unless asked for";
  const ProxyOptions known = proxy_from_environment();
  EXPECT_EQ(known.http, where);
  EXPECT_EQ(known.https, "http://other:1");
  EXPECT_EQ(known.exempt, (std::vector<std::string>{"b.test", "c.test", "d.test"}));
  options.connection.proxy = known;
  EXPECT_EQ(agent().get(url("/")).code, 200);
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
  EXPECT_EQ(agent().get(url("/", "b.test")).code, 200);
  EXPECT_EQ(server.witness().connections_to(proxy), 1U);
  for (const char* name : {"http_proxy", "ALL_PROXY", "HTTP_PROXY", "no_proxy"}) unsetenv(name);
}

// As in curl, whose getenv() knows no empty variables.
TEST_F(Proxies, AnEmptyVariableHidesNoOther) {
  const auto forget = [] {
    for (const char* name :
         {"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"}) {
      unsetenv(name);
    }
  };
  forget();
  for (const char* name : {"https_proxy", "no_proxy"}) setenv(name, "", 1);
  setenv("HTTPS_PROXY", "http://a.test:1", 1);
  setenv("NO_PROXY", "b.test", 1);
  EXPECT_EQ(proxy_from_environment().https, "http://a.test:1");
  EXPECT_EQ(proxy_from_environment().http, "");
  EXPECT_EQ(proxy_from_environment().exempt, std::vector<std::string>{"b.test"});
  forget();
  for (const char* name : {"http_proxy", "all_proxy"}) setenv(name, "", 1);
  setenv("ALL_PROXY", "http://c.test:1", 1);
  EXPECT_EQ(proxy_from_environment().http, "http://c.test:1");
  EXPECT_EQ(proxy_from_environment().https, "http://c.test:1");
  forget();
}

// The proxy of a library's user, whose address libcurl would quote in its sentence.
TEST_F(Proxies, NoSentenceHasThePasswordOfAProxy) {
  const std::string secret = "q7Zk3W9xT5mB1vN8rL2cD6fH4jS0pGyA";
  for (const std::string& proxy :
       {"http://bob:" + secret + "/x@127.0.0.1:9", "http://bob:" + secret + "#x@127.0.0.1:9",
        "http://bob:" + secret + " x@127.0.0.1:9", "ftp://bob:" + secret + "@127.0.0.1:9",
        "http://bob:" + secret + "@127.0.0.1:99999", "http://bob:" + secret + "@", secret + "/x@127.0.0.1:9",
        "bob:" + secret + "/x@127.0.0.1:9", "http://bob:" + secret + "@127.0.0.1:9"}) {
    options.connection.proxy.http = proxy;
    const Response response = agent().get(url("/"));
    EXPECT_TRUE(response.is_synthetic()) << proxy;
    EXPECT_EQ((response.warning + response.body + response.message).find(secret), std::string::npos)
        << proxy << ": " << response.warning;
  }
}

TEST(ProxyAddresses, AreChecked) {
  for (const char* good : {"", "http://proxy:3128", "HTTP://proxy", "proxy:3128", "http://proxy:3128/",
                           "socks5h://bob:p%2Fw@proxy:1080", "bob:pw@proxy:3128", "http://[::1]:3128"}) {
    ProxyOptions proxies;
    proxies.https = good;
    EXPECT_TRUE(check_proxies(proxies)) << good;
  }
  for (const std::string bad :
       {"http://bob:pw/x@proxy", "http://bob:1/x@proxy", "bob:1#x@proxy", "http://bob:p w@proxy", "ftp://proxy",
        "http://proxy:99999", "http://", "http://bob:pw@", ":3128", "http:bob:pw@proxy", "https:bob:pw@proxy"}) {
    ProxyOptions proxies;
    proxies.https = bad;
    const auto checked = check_proxies(proxies);
    ASSERT_FALSE(checked) << bad;
    EXPECT_EQ(checked.error().code, "invalid-proxy");
    EXPECT_EQ(checked.error().message.find("bob"), std::string::npos) << checked.error().message;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
