// Memory of what is in flight: long bodies go on in files, and at the limit transfers wait for each other.
#include <algorithm>
#include <filesystem>
#include <future>
#include <optional>
#include <tuple>

#include "codec/content_decoder.hpp"
#include "support/agent/loopback.hpp"
#include "support/folder.hpp"
#include "support/server/bodies.hpp"
#include "support/server/certificates.hpp"
#include "support/server/real_server.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mib = std::size_t{1} << 20;

std::string text_of(std::size_t size) {
  std::string text;
  text.reserve(size + 20);
  for (std::size_t i = 0; text.size() < size; ++i) text += std::to_string(i * i);
  text.resize(size);
  return text;
}

class Memory : public LocalAgent {
 protected:
  std::future<Response> start(UserAgent& ua, const std::string& to, bool record = false) {
    auto answer = std::make_shared<std::promise<Response>>();
    Request request;
    request.url = to;
    request.record = record;
    ua.start(std::move(request), [answer](Response response) { answer->set_value(std::move(response)); });
    return answer->get_future();
  }
};

TEST_F(Memory, ABodyBeyondAMebibyteGoesOnInAFileWithoutAName) {
  options.spool_folder = new_folder();
  const std::string text = text_of(3 * mib + 17);
  const std::string gzip = packed(Coding::gzip, text);
  ASSERT_GT(gzip.size(), mib);
  server.on("", "/packed", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = gzip});
  server.on("", "/plain", reply(text));
  UserAgent ua = agent();
  for (const bool plain : {true, false}) {
    Request request;
    request.url = url(plain ? "/plain" : "/packed");
    request.record = true;
    const Response page = ua.request(request);
    ASSERT_EQ(page.code, 200) << page.warning;
    EXPECT_EQ(page.body.size(), mib);
    EXPECT_EQ(page.body_size, text.size());
    EXPECT_EQ(page.whole_body().size(), text.size());
    EXPECT_EQ(page.whole_body().text().value(), text);
    EXPECT_EQ(page.recorded_body().text().value(), plain ? text : gzip);
    EXPECT_TRUE(std::filesystem::is_empty(options.spool_folder));
    request.keep_body = false;
    const Response recorded = ua.request(request);
    EXPECT_EQ(recorded.whole_body().size(), 0U);
    EXPECT_EQ(recorded.recorded_body().text().value(), plain ? text : gzip);
  }
}

TEST_F(Memory, ABodyThatFindsNoFileIsAnInternalFailure) {
  options.spool_folder = "/nowhere/at/all";
  server.on("", "/long", reply(std::string(mib + 1, 'x')));
  server.on("", "/short", reply(std::string(mib, 'x')));
  UserAgent ua = agent();
  EXPECT_EQ(ua.get(url("/short")).code, 200);
  const Response page = ua.get(url("/long"));
  EXPECT_EQ(page.source, ResponseSource::internal);
  EXPECT_NE(page.warning.find("/nowhere/at/all cannot be created"), std::string::npos) << page.warning;
}

TEST_F(Memory, TheBodyOfARedirectIsNotKept) {
  server.on("", "/one", Reply{.status = 302, .headers = {{"Location", "/two"}}, .body = "moved"});
  server.on("", "/two", Reply{.status = 302, .headers = {{"Location", "ftp://a.test/"}}, .body = "refused"});
  const Response page = agent().get(url("/one"));
  EXPECT_EQ(page.source, ResponseSource::redirect_refused);
  EXPECT_EQ(page.body, "refused") << "it stands at the end";
  ASSERT_NE(page.previous, nullptr);
  EXPECT_EQ(page.previous->code, 302);
  EXPECT_EQ(page.previous->body, "");
  EXPECT_EQ(page.previous->body_size, 5U);
}

TEST_F(Memory, AtTheLimitAllTransfersEndAllTheSame) {
  const std::string text = text_of(300'000);
  server.on("", "/page", Reply{.headers = {{"Content-Encoding", "br"}}, .body = packed(Coding::brotli, text)});
  for (const std::uint64_t limit : {std::uint64_t{1}, std::uint64_t{1'000'000}}) {
    options.max_memory = limit;
    for (const bool counted : {false, true}) {
      options.count_responses = counted;
      UserAgent ua = agent();
      std::vector<std::future<Response>> answers;
      for (int i = 0; i < 30; ++i) answers.push_back(start(ua, url("/page", "h" + std::to_string(i) + ".test"), true));
      // Whichever comes is let go of at once, which those that are counted wait for.
      std::size_t left = answers.size();
      while (left > 0) {
        for (auto& answer : answers) {
          if (!answer.valid() || answer.wait_for(1ms) != std::future_status::ready) continue;
          const Response page = answer.get();
          EXPECT_EQ(page.code, 200) << page.warning;
          EXPECT_EQ(page.body, text);
          --left;
        }
      }
    }
  }
}

TEST_F(Memory, ThatTheProgramHoldsIsWaitedForAndNoTimeLimitCountsTheWait) {
  const Gate one;
  const Gate two;
  const std::string begun = "HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n" + std::string(1'000, 'x');
  const std::string rest(399'000, 'x');
  server.on("one.test", "/", Script().send(begun).wait(one).send(rest));
  server.on("two.test", "/", Script().send(begun).wait(two).send(rest));
  server.on("silent.test", "/", Script().read_to_end());
  options.limits.max_total_time = 5s;
  options.limits.max_idle_time = 5s;
  UserAgentOptions clock = options;
  clock.limits.max_total_time = 6s;
  options.max_memory = 100'000;
  options.count_responses = true;
  UserAgent ua = agent();
  auto first = start(ua, url("/", "one.test"));
  auto second = start(ua, url("/", "two.test"));
  ASSERT_TRUE(one.wait_reached());
  ASSERT_TRUE(two.wait_reached());
  one.open();
  std::optional<Response> held = first.get();
  ASSERT_EQ(held->code, 200) << held->warning;
  two.open();
  // Longer than the second may take in all:
  EXPECT_EQ(UserAgent(clock).get(url("/", "silent.test")).source, ResponseSource::timeout);
  EXPECT_EQ(second.wait_for(0s), std::future_status::timeout);
  held.reset();
  const Response page = second.get();
  EXPECT_EQ(page.code, 200) << page.warning;
  EXPECT_EQ(page.body.size(), 400'000U);
}

TEST_F(Memory, OverHttp2OfOneServerAllTransfersEndToo) {
  const TestCa ca;
  const Certificate made = ca.issue({.names = {"a.test"}});
  const std::string text = text_of(2 * mib);
  const RealServer nginx = RealServer::nginx(
      "server { listen 127.0.0.1:{port} ssl http2; root {folder}/www;\n"
      "ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem; }",
      {{"www/page", text}, {"certificate.pem", made.pem()}, {"key.pem", made.key_pem()}});
  if (!nginx.installed()) GTEST_SKIP() << nginx.why_not();
  ASSERT_TRUE(nginx.running()) << nginx.why_not();
  options.connection.tls.verify = false;
  options.connection.http2 = true;
  options.max_memory = 100'000;
  options.spool_folder = new_folder();
  UserAgent ua = agent();
  std::vector<std::future<Response>> answers;
  for (int i = 0; i < 12; ++i) answers.push_back(start(ua, url_of(nginx.port(), "/page", "a.test", "https")));
  for (auto& answer : answers) {
    const Response page = answer.get();
    EXPECT_EQ(page.http_version, 20);
    EXPECT_EQ(page.whole_body().text().value(), text) << page.warning;
  }
}

TEST(DecoderMemory, CountsTheWindow) {
  const std::string text = text_of(2 * mib);
  for (const auto& [coding, name, least] : {std::tuple{Coding::gzip, "gzip", std::size_t{32} * 1024},
                                            {Coding::brotli, "br", mib},
                                            {Coding::zstd, "zstd", mib}}) {
    codec::ContentDecoder decoder(codec::codings_of({name}).formats);
    std::size_t most = 0;
    decoder.write(packed(coding, text), [&](std::string_view) {
      most = std::max(most, decoder.memory_bytes());
      return true;
    });
    EXPECT_GT(most, least) << name;
    EXPECT_LT(most, 34 * mib) << name;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
