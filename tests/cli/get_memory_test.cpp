// The memory of robotrules get: within --memory and 64 MiB, whatever the servers send. Small in every run; with
// ROBOTRULES_SOAK 16 and 256 sites at the default of --memory.
#include <robotrules/open_store.hpp>

#include <unistd.h>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <robotrules/crawl.hpp>
#include "archive/outputs.hpp"
#include "cli/get_rig.hpp"
#include "support/sanitized.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using test::Coding;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

bool is_soak() {
  return std::getenv("ROBOTRULES_SOAK") != nullptr;  // NOLINT(concurrency-mt-unsafe): nothing sets it
}

class GetMemory : public GetRig, public ::testing::WithParamInterface<std::string> {
 protected:
  void fetch(std::size_t sites, std::string_view path, std::uint64_t memory, Words more, std::uint64_t body,
             bool is_cut = false) {
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < sites; ++i) urls.push_back(url(path, "s" + std::to_string(i)));
    const std::string& name = GetParam();
    const std::string output = name == "-" ? name : in_folder(name);
    Words words = line({"-i", list(urls), "-o", output, "--quiet", "--memory", std::to_string(memory)});
    words.insert(words.end(), more.begin(), more.end());
    Running robot(words);
    robot.close_in();
    std::uint64_t printed = 0;
    std::array<char, 65'536> room{};
    for (ssize_t got = 0; (got = read(robot.out(), room.data(), room.size())) > 0;) {
      printed += static_cast<std::uint64_t>(got);
    }
    const Ran ran = robot.finish();
    EXPECT_EQ(ran.status, is_cut ? 3 : 0) << ran.err;
    if (name == "-") {
      EXPECT_EQ(printed, is_cut ? 0 : sites * body);
    }
    if (name == "tree/") {
      std::size_t files = 0;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(output)) {
        if (!entry.is_regular_file()) continue;
        ++files;
        EXPECT_EQ(entry.file_size(), body) << entry.path();
      }
      EXPECT_EQ(files, is_cut ? 0 : sites);
    }
    if (!test::sanitized) {
      EXPECT_LE(static_cast<std::uint64_t>(ran.max_rss_kib) * 1024, memory + 64 * mib);
    }
    std::filesystem::remove_all(output);
  }
};

TEST_P(GetMemory, IsBoundedWhereRedirectsUnpackToMuch) {
  const std::size_t size = 17 * mib;
  std::mt19937 random(1);
  std::string prefix;
  while (prefix.size() < 2'000)
    prefix += static_cast<char>('a' + random() % 26);  // so that it does not grow a thousand times
  const std::string packed = test::bomb(Coding::gzip, size, prefix, 'x');
  for (int hop = 0; hop <= 7; ++hop) {
    test::Reply answer{.status = hop == 0 ? 200 : 302, .headers = {{"Content-Encoding", "gzip"}}, .body = packed};
    if (hop > 0) answer.headers.push_back({"Location", "/" + std::to_string(hop - 1)});
    page("/" + std::to_string(hop), answer);
  }
  const Words more{"--max-size", "none", "--timeout", "3600"};
  if (!is_soak()) return fetch(3, "/2", 4 * mib, more, prefix.size() + size);
  for (const std::size_t sites : {std::size_t{16}, std::size_t{256}}) {
    fetch(sites, "/7", 256 * mib, more, prefix.size() + size);
  }
}

TEST_P(GetMemory, IsBoundedWhereBodiesDoNotEnd) {
  page("/endless", test::Script().send("HTTP/1.1 200 OK\r\n\r\n").repeat(std::string(65'536, 'x')));
  if (!is_soak()) return fetch(30, "/endless", 4 * mib, {"--max-size", std::to_string(3 * mib)}, 3 * mib, true);
  fetch(256, "/endless", 256 * mib, {"--max-size", std::to_string(16 * mib), "--timeout", "3600"}, 16 * mib, true);
}

INSTANTIATE_TEST_SUITE_P(OfEachOutput, GetMemory,
                         ::testing::Values("out.warc", "out.warc.gz", "out.warc.zst", "out.ndjson", "tree/", "-"),
                         [](const auto& info) {
                           std::string name = info.param == "-" ? "stdout" : info.param;
                           std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                           return name;
                         });

class GetRetry : public GetRig {};

TEST_F(GetRetry, TakesUpAUrlThatFailedForWantOfMemory) {
  page("/page", test::reply("here"));
  RobotUAOptions options;
  ASSERT_TRUE(options.http.connection.guard.allow("127.0.0.0/8"));
  options.pace.delay = std::chrono::milliseconds(0);
  auto robot = RobotUA::make("TestBot/1.0", "me@test.example", options);
  ASSERT_TRUE(robot.ok());
  robot.value().add_handler(Phase::request_send, [failed = 0](HandlerCall&) mutable -> HandlerAnswer {
    if (failed++ == 0) throw std::bad_alloc();
    return {};
  });
  const auto queue = open_url_queue("").value();
  const auto output = open_output(in_folder("pages.ndjson"), {}).value();
  const std::vector<QueuedUrl> urls{{url("/page"), "GET", {}, 0}};
  ASSERT_TRUE(queue->add(urls));
  Crawl crawl(robot.value(), *queue, *output, nullptr, {});
  crawl.urls_added(false);
  while (!crawl.wait_for(std::chrono::seconds(1))) {
  }
  EXPECT_EQ(crawl.counts().done, 1U);
  EXPECT_EQ(crawl.counts().retried, 1U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
