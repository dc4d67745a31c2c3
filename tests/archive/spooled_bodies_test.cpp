// Bodies that go on in a temporary file: every output writes what it writes of the same body in memory.
#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>

#include <robotrules/message.hpp>

#include "archive/outputs.hpp"
#include "archive/recover.hpp"
#include "cli/command.hpp"
#include "support/archive/fetched.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

constexpr std::string_view head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
constexpr std::size_t in_memory = 1'000;

// As the agent has a body that is too long for memory.
Response spooled(Response page, const std::string& folder) {
  auto file = SpoolFile::make(folder);
  EXPECT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(file.value()->append(std::string_view(page.body).substr(in_memory)).ok());
  page.body.resize(in_memory);
  page.body_rest = file.value();
  return page;
}

// Characters of each length, so that pieces end within them.
std::string text_of(std::size_t size) {
  std::string text;
  while (text.size() < size) text += "a\"\\\n\u00e9\u20ac\U0001F600x\u0085";
  return text;
}

std::string bytes_of(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 7 + i / 256);
  return bytes;
}

class SpooledBody : public ::testing::Test {
 protected:
  // What the output holds of the page.
  std::string written(const Response& page, const std::string& name) {
    const std::string path = folder.path() + "/" + std::to_string(++count) + name;
    {
      auto output = open_output(path, {});
      EXPECT_TRUE(output.ok()) << output.error().message;
      const auto done = output.value()->write({.response = page, .url = page.url, .method = "GET"});
      EXPECT_TRUE(done.ok()) << done.error().message;
    }
    if (!name.ends_with('/')) return contents(path);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) return contents(entry.path().string());
    }
    return {};
  }
  TemporaryFolder folder;
  int count = 0;
};

TEST_F(SpooledBody, IsWrittenAsOneInMemory) {
  for (const std::string& body : {text_of(300'000), bytes_of(300'000), text_of(200'000) + "\xE2\x82"}) {
    const Response plain = answered("http://a.test/x", std::string(head), body);
    const Response page = spooled(plain, folder.path());
    EXPECT_EQ(page.whole_body().size(), body.size());
    EXPECT_EQ(page.whole_body().text().value(), body);
    EXPECT_EQ(written(page, ".ndjson"), written(plain, ".ndjson"));
    EXPECT_EQ(written(page, "/"), body);
    for (const auto& [name, packing] :
         {std::pair{".warc", Packing::none}, {".warc.gz", Packing::gzip}, {".warc.zst", Packing::zstd}}) {
      const auto records = read_warc(written(page, name), packing);
      const auto same = read_warc(written(plain, name), packing);
      ASSERT_EQ(records.size(), 4U) << name;
      EXPECT_EQ(records[1].block, std::string(head) + body) << name;
      EXPECT_EQ(records[1].get("WARC-Payload-Digest"), same.at(1).get("WARC-Payload-Digest")) << name;
      EXPECT_EQ(records[1].get("WARC-Block-Digest"), same.at(1).get("WARC-Block-Digest")) << name;
    }
  }
}

TEST_F(SpooledBody, OfManyMebibytesIsFoundAgainAfterAKill) {
  for (const std::string name : {"a.ndjson", "a.warc.gz"}) {
    const std::string path = folder.path() + "/" + name;
    const Response page = answered("http://a.test/x", std::string(head), std::string(std::size_t{10} << 20, 'x'));
    {
      auto output = open_output(path, {});
      ASSERT_TRUE(output.value()->write({.response = page, .url = page.url, .method = "GET"}).ok());
    }
    const auto whole = std::filesystem::file_size(path);
    std::ofstream(path, std::ios::app) << "{\"url\":\"http://a.test/y\",\"method\":\"GET\",\"status\":200,\"body\":\"x";
    std::vector<std::string> urls;
    const auto found = archive::recover(path, read_output_name(path).value(), 0,
                                        [&](const archive::RecoveredPage& one) { urls.push_back(one.url); });
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(urls, std::vector<std::string>{"http://a.test/x"}) << name;
    EXPECT_EQ(found.value().position, whole) << name;
    EXPECT_EQ(std::filesystem::file_size(path), whole) << name;
  }
}

TEST_F(SpooledBody, ThatCannotBeReadTakesThePageBack) {
  Response page = answered("http://a.test/x", std::string(head), std::string(in_memory, 'x'));
  auto file = SpoolFile::make(folder.path());
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file.value()->append("more").ok());
  page.body_rest = file.value();
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {  // somebody truncates it
    std::error_code failed;
    const auto target = std::filesystem::read_symlink(entry.path(), failed).string();
    if (target.starts_with(folder.path() + "/") && target.ends_with("(deleted)")) {
      ASSERT_EQ(truncate(entry.path().c_str(), 0), 0);
    }
  }
  for (const std::string name : {"t.warc", "t.warc.zst", "t.ndjson"}) {
    const std::string path = folder.path() + "/" + name;
    auto output = open_output(path, {});
    const auto done = output.value()->write({.response = page, .url = page.url, .method = "GET"});
    ASSERT_FALSE(done.ok()) << name;
    EXPECT_EQ(done.error().code, "spool-failed") << name;
    EXPECT_EQ(output.value()->position(), 0U) << name;
    EXPECT_EQ(std::filesystem::file_size(path), 0U) << name;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
