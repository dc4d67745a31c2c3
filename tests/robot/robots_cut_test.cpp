// A robots.txt that is cut at every byte, and bodies that never end: nothing but a whole answer is ever an answer.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <vector>

#include "support/agent/loopback.hpp"
#include "support/sanitized.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

// All allowed for a moment, all disallowed at its end: any prefix that counts opens the site.
const std::string text = "User-agent: *\nAllow: /x\nCrawl-delay: 0\n\nUser-agent: test-robot\nDisallow: /\n";

struct CutCase {
  std::string name;
  std::string (*bytes)();
  bool rules = true;         // of the whole: else its 4xx allows
  std::size_t unneeded = 0;  // bytes at its end without which it is whole
};

// The chunk of size 0 ends a message (RFC 9112 section 8); it was there.
constexpr std::size_t last_line_feed = 1;

const std::string not_found = "not found";  // a body that decides nothing

std::vector<CutCase> cut_cases() {
  return {
      {"Content_Length", [] { return bytes_of(reply(text)); }},
      {"chunked", [] { return bytes_of(Reply{.body = text, .chunked = 7}); }, true, last_line_feed},
      {"gzip_and_Content_Length",
       [] { return bytes_of(Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = packed(Coding::gzip, text)}); }},
      {"gzip_and_chunked",
       [] {
         return bytes_of(
             Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = packed(Coding::gzip, text), .chunked = 16});
       },
       true, last_line_feed},
      {"gzip_ended_by_the_close",
       [] {
         return bytes_of(
             Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = packed(Coding::gzip, text), .length = false});
       }},
      {"deflate_ended_by_the_close",
       [] {
         return bytes_of(Reply{
             .headers = {{"Content-Encoding", "deflate"}}, .body = packed(Coding::deflate, text), .length = false});
       }},
      {"a_redirect", [] { return bytes_of(redirect(301, "/rules-of-this-site.txt")); }},
      {"a_404", [] { return bytes_of(Reply{.status = 404, .body = not_found}); }, false, not_found.size()},
      {"a_404_without_a_body", [] { return bytes_of(status(404)); }, false},
      {"after_an_interim_answer", [] { return interim_flood(1) + bytes_of(reply(text)); }},
  };
}

class RobotsCut : public testing::TestWithParam<std::tuple<CutCase, bool>> {};

// A12.
TEST_P(RobotsCut, AtEveryByteIsUnreachableUnlessItIsWhole) {
  const auto& [cut, tls] = GetParam();
  Loopback site(tls);
  const std::string bytes = cut.bytes();
  const std::size_t whole = bytes.size() - cut.unneeded;
  site.server.on("", "/r*", reply(text));  // a cut Location would be followed
  site.robots_txt([&bytes](const SeenRequest& request) {
    const std::string host = request.host();  // "cut7.test:80"
    std::size_t kept = 0;
    std::from_chars(host.data() + 3, host.data() + host.size(), kept);
    return Script().send(bytes.substr(0, kept));
  });
  std::vector<std::string> urls;
  for (std::size_t kept = 0; kept <= bytes.size(); ++kept) {
    urls.push_back(site.url("/x", "cut" + std::to_string(kept) + ".test"));
  }
  const std::vector<Response> pages = site.get_all(urls);
  std::size_t open = 0;
  for (std::size_t kept = 0; kept < urls.size(); ++kept) {
    const auto record = site.record_of(urls[kept]);
    ASSERT_NE(record, nullptr) << kept;
    const RobotsOutcome of_whole = cut.rules ? RobotsOutcome::rules : RobotsOutcome::unavailable;
    EXPECT_EQ(record->outcome, kept < whole ? RobotsOutcome::unreachable : of_whole)
        << "after byte " << kept << " of " << bytes.size() << ": " << pages[kept].warning;
    if (kept < whole) {
      EXPECT_EQ(pages[kept].source, ResponseSource::robots_unreachable) << kept;
      if (pages[kept].source != ResponseSource::robots_unreachable) ++open;
    } else if (cut.rules) {
      EXPECT_EQ(pages[kept].source, ResponseSource::robots_denied) << kept << ": " << pages[kept].warning;
    }
  }
  EXPECT_EQ(open, 0U);
  EXPECT_EQ(site.times("/x"), cut.rules ? 0U : bytes.size() - whole + 1);
  RecordProperty("offsets_tested", static_cast<int>(urls.size()));
  RecordProperty("opened_by_a_cut", static_cast<int>(open));
}

INSTANTIATE_TEST_SUITE_P(Case, RobotsCut, testing::Combine(testing::ValuesIn(cut_cases()), testing::Bool()),
                         [](const auto& cut) {
                           return std::get<0>(cut.param).name + (std::get<1>(cut.param) ? "_https" : "_http");
                         });

// --- bodies without end (A11) ----------------------------------------------------------------------------------------

// The most memory this process ever had in use, in KiB; forget_most_memory() begins anew.
std::size_t most_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6));
  }
  return 0;
}
bool forget_most_memory() {
  malloc_trim(0);  // what is free would be used again unseen
  std::ofstream refs("/proc/self/clear_refs");
  refs << "5" << std::flush;
  return refs.good();
}

struct Endless {
  std::string name;
  Handler (*robots)();
};

const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

Handler coded_bomb(Coding coding, std::size_t bytes, bool twice = false) {
  std::string body = bomb(coding, bytes, text, '\n');
  std::string names(name_of(coding));
  if (twice) {
    body = packed(Coding::gzip, body);
    names += ", gzip";
  }
  return Reply{.headers = {{"Content-Encoding", names}}, .body = std::move(body)};
}

class RobotsEndless : public testing::TestWithParam<Endless> {};

TEST_P(RobotsEndless, IsReadToTheLimitInLittleMemory) {
  Loopback site;
  site.robots_txt(GetParam().robots(), "endless.test");
  site.robots_txt(reply(text + std::string(600'000, '\n')), "warm.test");
  EXPECT_EQ(site.get("/x", "warm.test").source, ResponseSource::robots_denied);
  const bool measured = !sanitized && forget_most_memory();
  const std::size_t before = most_memory();
  const Response page = site.get("/x", "endless.test");
  const std::size_t grown = most_memory() - std::min(before, most_memory());
  EXPECT_EQ(page.source, ResponseSource::robots_denied) << page.warning;
  const auto record = site.record("endless.test");
  ASSERT_NE(record, nullptr);
  ASSERT_NE(record->body, nullptr);
  EXPECT_LE(record->body->size(), 512'000U);
  EXPECT_GT(record->body->size(), 440'000U);
  RecordProperty("most_memory_grown_kib", static_cast<int>(grown));
  // The server in this process takes its part of it.
  if (measured) {
    EXPECT_LE(grown, 8U * 1'024) << "KiB";
  }
  EXPECT_EQ(site.get("/x", "warm.test").source, ResponseSource::robots_denied);  // the agent goes on
}

INSTANTIATE_TEST_SUITE_P(
    Body, RobotsEndless,
    testing::Values(
        Endless{"gzip_1000_to_1", [] { return coded_bomb(Coding::gzip, 300'000'000); }},
        Endless{"gzip_in_gzip", [] { return coded_bomb(Coding::gzip, 300'000'000, true); }},
        Endless{"br", [] { return coded_bomb(Coding::brotli, 100'000'000); }},
        Endless{"zstd", [] { return coded_bomb(Coding::zstd, 100'000'000); }},
        Endless{"endless",
                [] { return Handler(Script().send(head + "\r\n" + text).repeat(std::string(64'000, '#') + '\n')); }},
        Endless{"endless_chunks",
                [] {
                  return Handler(Script()
                                     .send(head + "Transfer-Encoding: chunked\r\n\r\n" + unfinished_chunks(text))
                                     .repeat("3e8\r\n" + std::string(999, '#') + "\n\r\n"));
                }},
        Endless{"of_50_MB",
                [] {
                  return Handler(Script()
                                     .send(head + "Content-Length: 50000000\r\n\r\n" + text)
                                     .repeat(std::string(64'000, '#') + '\n'));
                }}),
    [](const auto& body) { return body.param.name; });

// Nobody is sent more than the limit and what lies in buffers on the way.
TEST(RobotsEndlessBytes, TheServerIsLeftSoonAfterTheLimit) {
  Loopback site;
  site.port = site.server.open({.send_buffer = 64 * 1'024});
  site.robots_txt(Script().send(head + "\r\n" + text).repeat(std::string(999, '#') + '\n'));
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  ASSERT_TRUE(site.server.witness().wait_for_closed(1));
  const auto requests = site.server.witness().requests("/robots.txt");
  ASSERT_EQ(requests.size(), 1U);
  RecordProperty("bytes_sent", static_cast<int>(requests[0].sent));
  EXPECT_LT(requests[0].sent, 8'000'000U);  // the kernel's buffers, both ways
}

// A stream of nothing within a coding: no byte comes out, so only the bytes that go in can be counted.
TEST(RobotsEndlessBytes, AnEndlessStreamOfEmptyGzipMembersEnds) {
  Loopback site;
  std::string members;
  for (int i = 0; i < 1'000; ++i) members += packed(Coding::gzip, "");
  site.robots_txt(Script().send(head + "Content-Encoding: gzip\r\n\r\n").repeat(members));
  const Response page = site.get("/x");
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
