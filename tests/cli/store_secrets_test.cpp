// The password in the name of a store is in no message, however the name is spelt; and the command that a message
// recommends works without it.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get_rig.hpp"
#include "cli/io/text.hpp"
#include "support/loopback_socket.hpp"
#include "support/store_spellings.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

void expect_no_part(const std::string& text, const std::string& where) {
  for (const std::string_view part : password_parts) {
    EXPECT_EQ(text.find(part), std::string::npos) << where << "\n" << text;
  }
}

// A port of loopback at which nothing listens.
std::string nobody() {
  static const LoopbackSocket socket;
  return "127.0.0.1:" + std::to_string(socket.port());
}

TEST(StoreSecrets, AreInNoErrorOfTheLibrary) {
  StoreOptions options;
  options.sqlite.create = false;
  options.server.timeout = 500ms;
  for (const std::string& name : store_spellings(nobody())) {
    const auto store = open_store(name, options);
    ASSERT_FALSE(store.ok()) << name;
    expect_no_part(store.error().message, name);
    const auto queue = open_url_queue(name, "news", options);
    ASSERT_FALSE(queue.ok()) << name;
    expect_no_part(queue.error().message, name);
    const auto jobs = list_jobs(name);
    ASSERT_FALSE(jobs.ok()) << name;
    expect_no_part(jobs.error().message, name);
    const auto removed = remove_job(name, "news");
    ASSERT_FALSE(removed.ok()) << name;
    expect_no_part(removed.error().message, name);
  }
}

class StoreSecretsOfCommands : public GetRig {};

TEST_F(StoreSecretsOfCommands, AreInNoOutputAndNoName) {
  const auto all = store_spellings(nobody());
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size(); i += 9) names.push_back(all[i]);
  ASSERT_GE(names.size(), 36U);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());  // a store of a wrong name would be made here
  for (const std::string& name : names) {
    for (const Words& words :
         {Words{"db", name, "ls"}, Words{"db", name, "jobs"}, Words{"db", name, "queue", "ls"},
          Words{"db", name, "check"}, Words{"db", name, "import", "-"}, Words{"db", "ls", name},
          Words{"db", "robots.db", "ls", name}, Words{"batch", "--db", name}, Words{"check", "--db", name, url("/x")},
          Words{"check", "--offline", "--db", name, url("/x")}, line({"--dry-run", "--db", name, url("/x")}),
          line({"--db", in_folder("c.db"), "--queue", name, "--dry-run", url("/x")}),
          line({"--job", "news", "--dry-run", "--db", name})}) {
      const Ran ran = run(words);
      EXPECT_NE(ran.status, 0) << words[0] << " " << words[1] << " " << name;
      expect_no_part(ran.out + ran.err, words[0] + " " + words[1] + " of " + name);
    }
  }
  for (const std::string& name : names) {
    const std::string file = folder.file("config.toml", "[get]\ndb = " + name + "\n");
    expect_no_part(run(line({"--dry-run", "--config", file, url("/x")})).err, "a file of options with " + name);
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    expect_no_part(entry.path().filename().string(), "a file");
  }
  std::filesystem::current_path(before);
}

// Reads once from a connection, sends an answer, and ends.
class OneAnswer {
 public:
  explicit OneAnswer(std::string answer) : answer_(std::move(answer)) {
    socket_.listen();
    thread_ = std::thread([this] {
      for (int i = 0; i < 2; ++i) {  // libpq may ask for TLS first
        const int taken = ::accept(socket_.handle(), nullptr, nullptr);
        if (taken < 0) return;
        char bytes[4'096];
        if (::recv(taken, bytes, sizeof bytes, 0) > 0)
          static_cast<void>(::send(taken, answer_.data(), answer_.size(), 0));
        ::close(taken);
      }
    });
  }
  ~OneAnswer() {
    ::shutdown(socket_.handle(), SHUT_RDWR);
    thread_.join();
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;
  std::string at() const { return "127.0.0.1:" + std::to_string(socket_.port()); }

 private:
  const std::string answer_;
  const LoopbackSocket socket_;
  std::thread thread_;
};

std::string message_of(const std::string& name) {
  StoreOptions options;
  options.server.timeout = 5s;
  const auto opened = open_store(name, options);
  EXPECT_FALSE(opened.ok());
  return opened.ok() ? std::string() : opened.error().message;
}

std::string postgres_error(const std::string& text) {
  std::string fields;
  for (const std::string& field : {std::string("SFATAL"), std::string("VFATAL"), std::string("C28P01"), "M" + text}) {
    fields += field + '\0';
  }
  fields += '\0';
  const auto size = static_cast<std::uint32_t>(fields.size() + 4);
  std::string message = "E";
  for (int shift = 24; shift >= 0; shift -= 8) message += static_cast<char>(size >> shift);
  return message + fields;
}

TEST(StoreSecrets, AreNotRepeatedFromSentencesOfServers) {
  const OneAnswer postgres(postgres_error("ann with Zq1@Yw2, or Zq1%40Yw2, is not let in"));
  const std::string by_postgres =
      message_of("postgresql://ann:Zq1%40Yw2@" + postgres.at() + "/crawl?sslmode=disable&gssencmode=disable");
  EXPECT_NE(by_postgres.find("ann with ***, or ***, is not let in"), std::string::npos) << by_postgres;
  EXPECT_NE(by_postgres.find("check the user and the password"), std::string::npos) << by_postgres;
  expect_no_part(by_postgres, "PostgreSQL");

  const OneAnswer redis("-ERR do not know AUTH ann Zq1@Yw2\r\n");
  const std::string by_redis = message_of("redis://ann:Zq1%40Yw2@" + redis.at() + "/0");
  EXPECT_NE(by_redis.find("do not know AUTH ann ***"), std::string::npos) << by_redis;
  expect_no_part(by_redis, "Redis");
}

TEST(StoreWords, OpenTheStoreAgain) {
  struct Case {
    const char* name;
    const char* word;
    const char* note;
  };
  const Case cases[] = {
      {"robots.db", "robots.db", ""},
      {"my robots.db", "'my robots.db'", ""},
      {"postgresql://ann@h/crawl?first_ever=1", "postgresql://ann@h/crawl", ""},
      {"postgresql://ann:Zq1@h/crawl?first_ever=1&schema=a", "'postgresql://ann@h/crawl?schema=a'",
       "the password comes from ~/.pgpass or PGPASSWORD"},
      {"redis://h/1?first_ever=1", "redis://h/1", ""},
      {"redis://ann:Zq1@h/1", "\"$DB\"", "DB is the name of the store with its password"},
      {"postgresql://h/crawl?no_such=1", "\"$DB\"", "DB is the name of the store with its password"},
  };
  for (const Case& one : cases) {
    const cli::StoreWord word = cli::store_word(one.name);
    EXPECT_EQ(word.word, one.word) << one.name;
    EXPECT_EQ(word.note, one.note) << one.name;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
