// What goes wrong on the way to a Redis server: each fault is an error in words, and nothing is lost.
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <variant>

#include <robotrules/open_store.hpp>

#include "redis/redis_stores.hpp"
#include "store/store_contract.hpp"
#include "support/folder.hpp"
#include "support/loopback_socket.hpp"
#include "support/redis/redis_cluster.hpp"
#include "support/server/certificates.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class RedisFaults : public testing::Test {
 protected:
  void SetUp() override { NEEDS_REDIS(); }

  static ServerStoreOptions quick() {
    ServerStoreOptions options;
    options.timeout = 500ms;
    return options;
  }
  // Opening fails with this code. Returns the message.
  static std::string fault(const std::string& name, std::string_view code) {
    const ServerStoreOptions patient{.timeout = 10s};
    const auto opened = open_store(name, {.sqlite = {}, .server = code == "store-unreachable" ? quick() : patient});
    EXPECT_FALSE(opened.ok()) << name;
    if (opened) return {};
    EXPECT_EQ(opened.error().code, code) << opened.error().message;
    EXPECT_EQ(opened.error().message.find("s3cret"), std::string::npos) << opened.error().message;
    return opened.error().message;
  }
  static void expect_mentions(const std::string& message, std::string_view words) {
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }
};

// --- at open ---------------------------------------------------------------------------------------------------------

TEST_F(RedisFaults, NoServerListens) {
  const LoopbackSocket silent;
  expect_mentions(fault("redis://127.0.0.1:" + std::to_string(silent.port()), "store-unreachable"),
                  "Connection refused");
}

TEST_F(RedisFaults, AServerThatHangs) {
  RedisServer server;
  server.pause();
  const auto begun = std::chrono::steady_clock::now();
  fault(server.url(), "store-unreachable");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 5s);
}

TEST_F(RedisFaults, ANameThatCannotBeUnderstood) {
  fault("redis://", "store-name");
  fault("redis://localhost/one", "store-name");
  fault("redis://localhost,other", "store-name");
  fault("redis+cluster://localhost/1", "store-name");
  expect_mentions(fault("redis://u:s3cret@localhost?prefx=a", "store-name"), "prefx");
  fault("redis://localhost?prefix=a{b}", "store-name");
  fault("redis://localhost?first_ever=yes", "store-name");
  fault("redis://localhost?ca=/etc/ca.pem", "store-name");
}

TEST_F(RedisFaults, AWrongPassword) {
  RedisServer server({"--requirepass", "s3cret"});
  const std::string rest = "@" + server.address();
  expect_mentions(fault(server.url(), "store-refused"), "password");
  fault("redis://:wrong" + rest, "store-refused");
  fault("redis://other:s3cret" + rest, "store-refused");
  EXPECT_NE(open_redis("redis://:s3cret" + rest), nullptr);
  EXPECT_NE(open_redis("redis://default:s3cret" + rest), nullptr);
}

TEST_F(RedisFaults, AUserWithoutRights) {
  RedisServer server;
  const auto user = [&](const std::string& name, const store::redis::Command& rights) {
    store::redis::Command command{"ACL", "SETUSER", name, "on", ">s3cret"};
    command.insert(command.end(), rights.begin(), rights.end());
    EXPECT_EQ(server.call(command).text, "OK");
    return "redis://" + name + ":s3cret@" + server.address();
  };
  // The rights that docs/operations.md lists are enough.
  const auto store = open_redis(
      user("robot", {"resetkeys", "~robotrules:*", "-@all",  "+fcall",  "+function|load", "+info", "+scan",
                     "+wait",     "+hget",         "+hset",  "+hsetnx", "+get",           "+set",  "+time",
                     "+exists",   "+unlink",       "+hmget", "+hdel",   "+hlen",          "+pttl", "+pexpire"}));
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(store->reserve({.keys = {a_site}}).ok());
  EXPECT_TRUE(store->put_robots(*Origin::of(a_site), record_of("x", store->now(), store->now())).ok());
  EXPECT_EQ(store->prune(store->now() + 1h).value().robots, 1U);
  EXPECT_TRUE(store->stats().ok());
  EXPECT_TRUE(store->set_policy(RobotsPolicy::strict()).ok());
  EXPECT_TRUE(store->policy().value().has_value());
  EXPECT_TRUE(store->set_agent("FooBot").ok());

  expect_mentions(fault(user("reader", {"~*", "-@all", "+@read", "+info"}), "store-refused"), "operations.md");
  fault(user("elsewhere", {"resetkeys", "~other:*", "+@all"}), "store-refused");
}

TEST_F(RedisFaults, AServerThatDeletesKeysWhenItIsFull) {
  RedisServer server({"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"});
  expect_mentions(fault(server.url(), "store-unsuitable"), "noeviction");
  server.call({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
  EXPECT_NE(open_redis(server.url()), nullptr);
}

TEST_F(RedisFaults, AReplica) {
  RedisServer master;
  RedisServer replica;
  replica.call({"REPLICAOF", "127.0.0.1", std::to_string(master.port())});
  expect_mentions(fault(replica.url(), "store-read-only"), std::to_string(master.port()));
}

TEST_F(RedisFaults, ANewerFormatOrAnotherProgramsKey) {
  RedisServer server;
  server.call({"HSET", "robotrules:{all}:m", "format", "2"});
  expect_mentions(fault(server.url(), "store-newer"), "prefix");
  server.call({"SET", "other:{all}:m", "text"});
  fault(server.url("?prefix=other"), "store-foreign");
}

TEST_F(RedisFaults, WithoutALogOfChangesThereIsAWarning) {
  RedisServer server;
  const auto store = open_redis(server.url());
  ASSERT_NE(store, nullptr);
  expect_mentions(store->health().problem, "appendonly");
  EXPECT_TRUE(store->health().is_reachable);
  RedisServer careful({"--appendonly", "yes"});
  const auto other = open_redis(careful.url());
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(other->health().problem, "");
}

// A server in a few lines: it gives the same answer to everything.
class FakeServer {
 public:
  explicit FakeServer(std::string answer) : answer_(std::move(answer)) {
    listener_.listen();
    thread_ = std::thread([this] { serve(); });
  }
  ~FakeServer() {
    ::shutdown(listener_.handle(), SHUT_RDWR);
    thread_.join();
  }
  std::string url() const { return "redis://127.0.0.1:" + std::to_string(listener_.port()); }

 private:
  void serve() const {
    for (;;) {
      const int connection = ::accept(listener_.handle(), nullptr, nullptr);
      if (connection < 0) return;
      char bytes[4096];
      while (::recv(connection, bytes, sizeof bytes, 0) > 0) {
        if (::send(connection, answer_.data(), answer_.size(), MSG_NOSIGNAL) < 0) break;
      }
      ::close(connection);
    }
  }
  std::string answer_;
  const LoopbackSocket listener_;
  std::thread thread_;
};

TEST_F(RedisFaults, AnOldServer) {
  const std::string info = "# Server\r\nredis_version:6.2.14\r\nrole:master\r\nmaxmemory:0\r\n";
  FakeServer server("$" + std::to_string(info.size()) + "\r\n" + info + "\r\n");
  expect_mentions(fault(server.url(), "store-unsuitable"), "6.2.14");
}

TEST_F(RedisFaults, AServerOfAnotherKind) {
  FakeServer server("HTTP/1.1 400 Bad Request\r\n\r\n");
  fault(server.url(), "store-io");
}

TEST_F(RedisFaults, AServerWithoutAuthDoesNotTellThePassword) {
  FakeServer server("-ERR unknown command 'AUTH', with args beginning with: 'u' 's3cret' \r\n");
  fault("redis://u:s3cret@" + server.url().substr(8), "store-unsuitable");
}

TEST_F(RedisFaults, AServerWithTooManyClientsIsWaitedFor) {
  FakeServer server("-ERR max number of clients reached\r\n");
  fault(server.url(), "store-unreachable");
}

// --- TLS -------------------------------------------------------------------------------------------------------------

TEST_F(RedisFaults, TlsWithACertificateThatDoesNotVerify) {
  const TemporaryFolder folder;
  const TestCa ca;
  const Certificate certificate = ca.issue({.names = {}, .addresses = {"127.0.0.1"}});
  const std::string trusted = folder.file("ca.pem", ca.pem());
  const std::string other = folder.file("other.pem", TestCa("another CA").pem());
  RedisServer server({"--tls-cert-file", folder.file("cert.pem", certificate.pem()), "--tls-key-file",
                      folder.file("key.pem", certificate.key_pem()), "--tls-auth-clients", "no", "--tls-ca-cert-file",
                      trusted});
  const std::string name = "rediss://" + server.address();
  const auto store = open_redis(name + "?ca=" + trusted);
  ASSERT_NE(store, nullptr);
  EXPECT_TRUE(store->reserve({.keys = {a_site}}).ok());
  expect_mentions(fault(name + "?ca=" + other, "store-tls"), "certificate");
  fault(name, "store-tls");
  fault("rediss://localhost:" + std::to_string(server.port()) + "?ca=" + trusted, "store-tls");
  fault(name + "?ca=" + folder.path() + "/missing.pem", "store-tls");
  fault("redis://" + server.address(), "store-unreachable");
  RedisServer plain;
  expect_mentions(fault("rediss://" + plain.address() + "?ca=" + trusted, "store-unreachable"), "TLS");
}

// --- while it runs ---------------------------------------------------------------------------------------------------

TEST_F(RedisFaults, AServerWithoutRoomRefusesRequestsAndTakesTheirEnds) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  const auto answer = store->reserve({.keys = {a_site}});
  ASSERT_TRUE(answer.ok() && std::holds_alternative<Granted>(answer.value()));
  server.call({"SET", "other", std::string(std::size_t{16} << 20, 'x')});
  server.call({"CONFIG", "SET", "maxmemory", "10mb"});
  const auto refused = store->reserve({.keys = {"https://b.example"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "store-full") << refused.error().message;
  EXPECT_EQ(store->put_robots(*Origin::of(a_site), record_of("x", store->now(), store->now())).error().code,
            "store-full");
  EXPECT_TRUE(store->complete(std::get<Granted>(answer.value()).token, {.status = 200, .retry_after = {}}).ok());
  EXPECT_TRUE(store->robots(*Origin::of(a_site)).ok());
  EXPECT_TRUE(store->gate(a_site).ok());
  EXPECT_TRUE(store->forget(*Origin::of(a_site)).ok());
}

TEST_F(RedisFaults, ARecordThatIsTooLong) {
  const auto store = open_redis(shared_server().url("?max_record_bytes=1000&prefix=" + new_prefix()));
  ASSERT_NE(store, nullptr);
  std::string body;
  for (unsigned i = 0, x = 1; i < 5000; ++i, x = x * 1'664'525 + 1'013'904'223) body += static_cast<char>(x >> 24);
  const Origin origin = *Origin::of(a_site);
  EXPECT_EQ(store->put_robots(origin, record_of(body, store->now(), store->now())).error().code, "store-full");
  EXPECT_TRUE(store->put_robots(origin, record_of(std::string(5000, 'a'), store->now(), store->now())).ok());
}

TEST_F(RedisFaults, ADamagedRow) {
  const auto store = open_redis(shared_server().url("?first_ever=1&prefix=damaged"));
  ASSERT_NE(store, nullptr);
  for (const char* row : {"", "junk", "\x91\x01"}) {
    shared_server().call({"SET", "damaged:{a.example}:g:https://a.example", row});
    const auto answer = store->reserve({.keys = {a_site}});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, "store-damaged") << answer.error().message;
  }
  const auto other = store->reserve({.keys = {"https://b.example"}});
  EXPECT_TRUE(other.ok());
}

// A restore of the data loses the functions.
TEST_F(RedisFaults, LostFunctionsAreLoadedAgain) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"));
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->restore_gate(a_site, store->now() + 1h, {}).ok());
  ASSERT_EQ(server.call({"FUNCTION", "FLUSH"}).text, "OK");
  const auto answer = store->reserve({.keys = {a_site}});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(std::get<Wait>(answer.value()).why, WaitWhy::penalty);
}

TEST_F(RedisFaults, AServerThatIsKilledAndStartedAgainHasLostNothing) {
  RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
  const auto store = open_redis(server.url("?first_ever=1"), quick());
  ASSERT_NE(store, nullptr);
  const Origin origin = *Origin::of(a_site);
  const auto answer = store->reserve({.keys = {a_site}, .interval = 1s});
  ASSERT_TRUE(answer.ok() && std::holds_alternative<Granted>(answer.value()));
  const Token token = std::get<Granted>(answer.value()).token;
  ASSERT_TRUE(store->put_robots(origin, record_of("x", store->now(), store->now() + 24h)).ok());
  server.kill();
  const auto failed = store->complete(token, {.status = 429, .retry_after = 1h});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, "store-unreachable");
  EXPECT_FALSE(store->health().is_reachable);
  EXPECT_TRUE(store->health().failing_since.has_value());
  expect_mentions(store->health().problem, server.address());
  server.start();
  const auto ended = store->complete(token, {.status = 429, .retry_after = 1h});
  EXPECT_TRUE(ended.ok()) << ended.error().message;
  EXPECT_TRUE(store->health().is_reachable);
  EXPECT_EQ(std::get<Wait>(store->reserve({.keys = {a_site}}).value()).why, WaitWhy::penalty);
  const auto other = open_redis(server.url());
  ASSERT_NE(other, nullptr);
  ASSERT_NE(other->robots(origin).value(), nullptr);
  EXPECT_EQ(*other->robots(origin).value()->body, "x");
}

// The answer to a reservation was lost: it must not hold the site until its hold expires.
TEST_F(RedisFaults, AReservationWhoseAnswerWasLostIsTakenBack) {
  RedisServer server;
  const auto store = open_redis(server.url("?first_ever=1"), quick(), {.guard = false});
  ASSERT_NE(store, nullptr);
  server.pause();
  const auto lost = store->reserve({.keys = {a_site}, .interval = 1h});
  ASSERT_FALSE(lost.ok());
  EXPECT_EQ(lost.error().code, "store-unreachable");
  server.resume();  // the server makes the call that it had received
  wait_until([&] { return store->gate(a_site).ok(); }, "the server answers again");
  wait_until([&] { return store->gate(a_site).value().in_flight == 0; }, "the reservation is taken back");
  const auto next = store->reserve({.keys = {a_site}, .interval = 1h});
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE(std::holds_alternative<Granted>(next.value()));
  EXPECT_EQ(store->gate(a_site).value().visits, 1U);
}

TEST_F(RedisFaults, ACallOnAServerThatHangsEndsAtItsDeadline) {
  RedisServer server;
  const auto store = open_redis(server.url(), quick());
  ASSERT_NE(store, nullptr);
  server.pause();
  for (int i = 0; i < 3; ++i) {
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_EQ(store->gate(a_site).error().code, "store-unreachable");
    EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
  }
}

// --- owners ----------------------------------------------------------------------------------------------------------

TEST_F(RedisFaults, TheHoldsOfAProcessThatHasDiedEndWithItsLease) {
  RedisServer server;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  ServerStoreOptions options;
  options.owner_lease = 1s;
  if (child == 0) {
    const auto store = open_redis(server.url("?first_ever=1"), options);
    const bool held = store != nullptr && store->reserve({.keys = {a_site}}).ok() &&
                      store->lease_robots_fetch(*Origin::of(a_site), 1h).ok();
    ::kill(::getpid(), held ? SIGKILL : SIGTERM);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WTERMSIG(status), SIGKILL);
  const auto store = open_redis(server.url(), options, {.guard = false});
  ASSERT_NE(store, nullptr);
  const auto now = store->reserve({.keys = {a_site}, .interval = 1h});
  ASSERT_TRUE(now.ok() && std::holds_alternative<Wait>(now.value()));
  EXPECT_EQ(store->gate(a_site).value().in_flight, 1U) << "it may be alive";
  const auto begun = store->now();
  wait_until(
      [&] {
        static_cast<void>(store->reserve({.keys = {a_site}, .interval = 1h}));
        return store->gate(a_site).value().in_flight == 0;
      },
      "the hold ends");
  EXPECT_LT(store->now() - begun, 10s);
  // It counts as ended just now, so the interval runs from here.
  const auto later = store->reserve({.keys = {a_site}, .interval = 1h}).value();
  ASSERT_TRUE(std::holds_alternative<Wait>(later));
  EXPECT_EQ(std::get<Wait>(later).why, WaitWhy::interval);
  EXPECT_GT(std::get<Wait>(later).until, store->now() + 59min);
  EXPECT_TRUE(std::holds_alternative<RobotsLease>(store->lease_robots_fetch(*Origin::of(a_site), 1h).value()));
}

TEST_F(RedisFaults, TheHoldsOfAStoreThatWasClosedEndAtOnce) {
  const std::string name = shared_server().url("?first_ever=1&prefix=" + new_prefix());
  auto first = open_redis(name);
  ASSERT_NE(first, nullptr);
  const auto store = open_redis(name, {}, {.guard = false});
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(std::holds_alternative<Granted>(first->reserve({.keys = {a_site}}).value()));
  EXPECT_EQ(std::get<Wait>(store->reserve({.keys = {a_site}}).value()).why, WaitWhy::in_flight);
  first.reset();
  EXPECT_TRUE(std::holds_alternative<Granted>(store->reserve({.keys = {a_site}}).value()));
}

TEST_F(RedisFaults, AChildIsToldNotToUseItsParentsStore) {
  const auto store = open_redis(shared_server().url("?first_ever=1&prefix=" + new_prefix()));
  ASSERT_NE(store, nullptr);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto answer = store->reserve({.keys = {a_site}});
    ::_exit(!answer && answer.error().code == "store-forked" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(std::holds_alternative<Granted>(store->reserve({.keys = {a_site}}).value()));
}

// --- many processes --------------------------------------------------------------------------------------------------

TEST_F(RedisFaults, AChangeOfAnotherProcessIsSeenWithinTheBound) {
  const std::string name = shared_server().url("?prefix=" + new_prefix());
  ServerStoreOptions options;
  options.max_staleness = 1s;
  const auto one = open_redis(name, options);
  const auto other = open_redis(name, options);
  ASSERT_TRUE(one != nullptr && other != nullptr);
  const Origin origin = *Origin::of(a_site);
  ASSERT_TRUE(one->put_robots(origin, record_of("old", one->now(), one->now())).ok());
  ASSERT_EQ(*other->robots(origin).value()->body, "old");
  ASSERT_TRUE(one->put_robots(origin, record_of("new", one->now(), one->now())).ok());
  EXPECT_EQ(*one->robots(origin).value()->body, "new");
  const auto begun = std::chrono::steady_clock::now();
  wait_until([&] { return *other->robots(origin).value()->body == "new"; }, "the change is seen");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
}

TEST_F(RedisFaults, RowsAndRecordsHaveATimeToLive) {
  const std::string prefix = new_prefix();
  const auto store = open_redis(shared_server().url("?first_ever=1&prefix=" + prefix));
  ASSERT_NE(store, nullptr);
  ASSERT_TRUE(store->reserve({.keys = {a_site}, .interval = 24h}).ok());
  ASSERT_TRUE(store->put_robots(*Origin::of(a_site), record_of("x", store->now(), store->now() + 24h)).ok());
  const auto days = [&](const std::string& key) {
    return shared_server().call({"TTL", prefix + ":{a.example}:" + key}).number / 86'400.0;
  };
  EXPECT_NEAR(days("g:https://a.example"), 32, 0.1);
  EXPECT_NEAR(days("r:https://a.example"), 46, 0.1);
  const auto bodies = shared_server().call({"KEYS", prefix + ":{a.example}:b:*"});
  ASSERT_EQ(bodies.items.size(), 1U);
  EXPECT_NEAR(static_cast<double>(shared_server().call({"TTL", bodies.items[0].text}).number) / 86'400.0, 46, 0.1);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
