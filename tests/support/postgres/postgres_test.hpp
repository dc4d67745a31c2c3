// What tests of a store in PostgreSQL share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <robotrules/open_store.hpp>

#include "support/eventually.hpp"
#include "support/postgres/postgres_server.hpp"

namespace robotrules::test {

// Skips its tests if PostgreSQL is not installed.
class PostgresTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::is_installed()) GTEST_SKIP() << "PostgreSQL is not installed";
  }

  // Opens a store; the test fails if it cannot be opened.
  static std::shared_ptr<Store> opened(const std::string& name, const ServerStoreOptions& options = {}) {
    StoreOptions all;
    all.server = options;
    auto store = open_store(name, all);
    EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().message);
    return store.ok() ? store.value() : make_memory_store();
  }
  // The error of opening a store.
  static Error refusal(const std::string& name, const ServerStoreOptions& options = {}) {
    StoreOptions all;
    all.server = options;
    const auto store = open_store(name, all);
    EXPECT_FALSE(store.ok());
    return store.ok() ? Error{"", ""} : store.error();
  }
  static bool is_granted(const Result<ReserveAnswer>& answer) {
    return answer.ok() && std::holds_alternative<Granted>(answer.value());
  }
  static std::string code_of(const Result<ReserveAnswer>& answer) {
    return answer.ok() ? "" : std::string(answer.error().code);
  }

  const std::string schema = PostgresServer::new_schema();
  // A store in a schema of this test, on the server that tests share.
  std::string name() const { return PostgresServer::shared().uri("first_ever=1&schema=" + schema); }
};

}  // namespace robotrules::test
