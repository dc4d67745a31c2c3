// Servers that a store may not or cannot use, each with an error in words, and a server that takes over from another.
#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include <robotrules/open_store.hpp>

#include "support/folder.hpp"
#include "support/loopback_socket.hpp"
#include "support/postgres/pooler.hpp"
#include "support/postgres/postgres_test.hpp"
#include "support/server/certificates.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class PostgresAccess : public PostgresTest {
 protected:
  static bool mentions(const Error& error, std::string_view text) {
    return error.message.find(text) != std::string::npos;
  }
};

TEST_F(PostgresAccess, AWrongPasswordIsRefusedAndNotShown) {
  PostgresServer server({.listens = true, .access = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"});
  server.query("CREATE ROLE robot LOGIN PASSWORD 'right'");
  const std::string place = "@127.0.0.1:" + std::to_string(server.port()) + "/postgres";
  for (const char* user : {"robot:wrong", "robot", "nobody:wrong"}) {
    const Error error = refusal("postgresql://" + std::string(user) + place);
    EXPECT_EQ(error.code, "store-refused") << error.message;
    EXPECT_FALSE(mentions(error, "wrong")) << error.message;
  }
  EXPECT_EQ(refusal("postgresql://robot:right" + place).code, "store-refused") << "it may not make a schema";
  server.query("GRANT CREATE ON DATABASE postgres TO robot");
  EXPECT_TRUE(is_granted(opened("postgresql://robot:right" + place + "?first_ever=1")->reserve({.keys = {"k"}})));
  EXPECT_EQ(refusal("postgresql://robot:right@127.0.0.1:" + std::to_string(server.port()) + "/none").code,
            "store-refused");
}

// The rights in docs/operations.md.
TEST_F(PostgresAccess, AWorkerNeedsOnlyTheDocumentedRights) {
  PostgresServer& server = PostgresServer::shared();
  const std::string role = "worker_of_" + schema;
  ASSERT_TRUE(is_granted(opened(name())->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})));
  server.query("CREATE ROLE " + role + " LOGIN");
  const std::string as_worker = server.uri("schema=" + schema, role);
  Error error = refusal(as_worker);
  EXPECT_EQ(error.code, "store-refused") << error.message;
  server.query("GRANT USAGE ON SCHEMA " + schema + " TO " + role);
  EXPECT_EQ(refusal(as_worker).code, "store-refused");
  server.query("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA " + schema + " TO " + role);
  error = refusal(as_worker);
  EXPECT_EQ(error.code, "store-refused") << error.message;
  EXPECT_TRUE(mentions(error, "DELETE")) << error.message;
  server.query("GRANT DELETE ON ALL TABLES IN SCHEMA " + schema + " TO " + role);
  const auto store = opened(as_worker);
  EXPECT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})));
  EXPECT_TRUE(store->put_robots(*Origin::of("https://a.example"), {}).ok());
  EXPECT_TRUE(store->set_agent("FooBot/1.0").ok());
  EXPECT_TRUE(store->prune(store->now()).ok());
  EXPECT_TRUE(store->stats().ok());
  server.query("REVOKE UPDATE ON " + schema + ".gate FROM " + role);
  EXPECT_EQ(code_of(store->reserve({.keys = {"k"}, .interval = 0s, .in_flight = 9})), "store-refused");
}

TEST_F(PostgresAccess, ACertificateThatCannotBeVerifiedIsRefused) {
  const TestCa ca;
  const TestCa other("another");
  const Certificate certificate = ca.issue({.names = {"db.test"}});
  PostgresServer plain({.listens = true});
  EXPECT_EQ(refusal(plain.tcp_uri("sslmode=require")).code, "store-tls");
  PostgresServer server({.listens = true});
  const std::string key = server.file("server.key", certificate.key_pem());
  const std::string chain = server.file("server.crt", certificate.pem());
  server.query("ALTER SYSTEM SET ssl_key_file = '" + key + "'");
  server.query("ALTER SYSTEM SET ssl_cert_file = '" + chain + "'");
  server.query("ALTER SYSTEM SET ssl = on");
  server.stop();
  server.start();
  const TemporaryFolder folder;
  const std::string good = folder.file("good.pem", ca.pem());
  const std::string bad = folder.file("bad.pem", other.pem());
  EXPECT_TRUE(opened(server.tcp_uri("sslmode=verify-full&sslrootcert=" + good))->agent().ok());
  const Error error = refusal(server.tcp_uri("sslmode=verify-full&sslrootcert=" + bad));
  EXPECT_EQ(error.code, "store-tls") << error.message;
  const std::string by_name = "postgresql://postgres@localhost:" + std::to_string(server.port()) +
                              "/postgres?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert=" + good;
  EXPECT_EQ(refusal(by_name).code, "store-tls") << "the certificate has another name";
}

TEST_F(PostgresAccess, NoServerIsUnreachable) {
  const Error error = refusal("postgresql://u:secret@127.0.0.1:1/x", {.timeout = 300ms});
  EXPECT_EQ(error.code, "store-unreachable");
  EXPECT_FALSE(mentions(error, "secret")) << error.message;
  // One that accepts connections and says nothing.
  const LoopbackSocket silent;
  silent.listen();
  const std::string silent_host = "127.0.0.1:" + std::to_string(silent.port());
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal("postgresql://u@" + silent_host + "/x", {.timeout = 300ms}).code, "store-unreachable");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 20s);
  // Each host of a list has its share of the time.
  PostgresServer server({.listens = true});
  EXPECT_TRUE(
      opened("postgresql://postgres@" + silent_host + ",127.0.0.1:" + std::to_string(server.port()) + "/postgres",
             {.timeout = 8s})
          ->agent()
          .ok());
}

// A script that says what a server of version 11 says first.
TEST_F(PostgresAccess, AnOldServerIsUnsuitable) {
  const LoopbackSocket listener;
  listener.listen();
  std::thread script([&listener] {
    const int client = ::accept4(listener.handle(), nullptr, nullptr, SOCK_CLOEXEC);
    char startup[1024];
    static_cast<void>(::recv(client, startup, sizeof startup, 0));
    using namespace std::string_view_literals;
    const std::string_view answer =
        "R\0\0\0\x08\0\0\0\0"                       // authenticated
        "S\0\0\0\x19server_version\0\x31\x31.22\0"  // a parameter
        "K\0\0\0\x0C\0\0\0\1\0\0\0\1"               // a key to cancel
        "Z\0\0\0\x05I"sv;                           // ready
    static_cast<void>(::send(client, answer.data(), answer.size(), MSG_NOSIGNAL));
    while (::recv(client, startup, sizeof startup, 0) > 0) {
    }
    ::close(client);
  });
  const Error error = refusal("postgresql://u@127.0.0.1:" + std::to_string(listener.port()) +
                                  "/x?sslmode=disable&gssencmode=disable&target_session_attrs=any",
                              {.timeout = 2s});
  EXPECT_EQ(error.code, "store-unsuitable") << error.message;
  EXPECT_TRUE(mentions(error, "version 11")) << error.message;
  script.join();
}

// Each transaction may have another session of the server.
TEST_F(PostgresAccess, TransactionsOfPgbouncerAreEnough) {
  if (!Pooler::is_installed()) GTEST_SKIP() << "pgbouncer is not installed";
  PostgresServer server;
  server.query("CREATE SCHEMA other");
  const Pooler pooler(server);
  const std::string through = pooler.uri("first_ever=1");
  StoreOptions options;
  options.server.timeout = 60s;  // many writers of one row
  std::shared_ptr<Store> store;
  EXPECT_TRUE(eventually([&] {
    auto made = open_store(through, options);
    if (made) store = made.value();
    return made.ok();
  }));
  if (store != nullptr) {
    std::vector<std::thread> threads;
    std::atomic<int> errors{0};
    for (int i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] {
        for (int turn = 0; turn < 50; ++turn) {
          const auto answer = store->reserve({.keys = {"k" + std::to_string((turn + i) % 7)}, .interval = 0s});
          if (!answer) ++errors;
          if (is_granted(answer) && !store->complete(std::get<Granted>(*answer).token, {.status = 200})) ++errors;
          if (!store->put_robots(*Origin::of("https://a.example"), {}).ok()) ++errors;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(errors, 0);
  }
}

class PostgresStandby : public PostgresAccess {
 protected:
  void SetUp() override {
    PostgresTest::SetUp();
    if (IsSkipped()) return;
    primary = std::make_unique<PostgresServer>(PostgresServer::Options{.listens = true});
    first = opened(primary->tcp_uri("first_ever=1"));
    standby = primary->standby();
  }
  std::string both() const {
    return "postgresql://postgres@127.0.0.1:" + std::to_string(standby->port()) +
           ",127.0.0.1:" + std::to_string(primary->port()) + "/postgres";
  }
  std::unique_ptr<PostgresServer> primary;
  std::shared_ptr<Store> first;
  std::unique_ptr<PostgresServer> standby;
};

TEST_F(PostgresStandby, AStandbyServerAcceptsNoStore) {
  EXPECT_EQ(refusal(standby->tcp_uri()).code, "store-read-only");
  EXPECT_EQ(refusal(standby->tcp_uri("target_session_attrs=read-write")).code, "store-read-only");
  EXPECT_TRUE(is_granted(opened(both())->reserve({.keys = {"k"}})));
}

TEST_F(PostgresStandby, AfterAPromotionTheStoreGoesOnAndEverySiteCountsAsVisited) {
  const auto store = opened(both(), {.timeout = 1s});
  ASSERT_TRUE(is_granted(store->reserve({.keys = {"k"}, .interval = 1h})));
  primary->stop(PostgresServer::Stop::immediate);
  const auto during = store->reserve({.keys = {"k"}, .interval = 1h});
  ASSERT_FALSE(during.ok());
  EXPECT_TRUE(during.error().code == "store-unreachable" || during.error().code == "store-read-only");
  standby->query("SELECT pg_promote()");
  Result<ReserveAnswer> after = during;
  ASSERT_TRUE(eventually([&] {
    after = store->reserve({.keys = {"other"}, .interval = 1h});
    return after.ok();
  })) << after.error().message;
  ASSERT_TRUE(std::holds_alternative<Wait>(*after)) << "its last visits may be lost";
  EXPECT_EQ(std::get<Wait>(*after).why, WaitWhy::just_visited);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
