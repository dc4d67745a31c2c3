// Servers that mean harm: a clear response within the limits, little memory, and an agent that goes on.
#include <algorithm>
#include <memory>

#include "support/agent/loopback.hpp"
#include "support/process.hpp"
#include "support/sanitized.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using std::string_literals::operator""s;

class Hostile : public LocalAgent {
 protected:
  // What comes of that answer; and the agent is as good as before.
  Response got(const Handler& answer) {
    server.on("", "/bad", answer);
    const Response response = ua().get(url("/bad"));
    server.on("", "/good", reply("good"));
    EXPECT_EQ(ua().get(url("/good")).body, "good");
    if (response.is_synthetic()) {
      EXPECT_EQ(response.headers.get("Client-Warning"), "Internal response");
      EXPECT_NE(response.warning.find(url("/bad")), std::string::npos) << response.warning;
    }
    return response;
  }
  UserAgent& ua() {
    if (!agent_) agent_ = std::make_unique<UserAgent>(options);
    return *agent_;
  }
  void anew() { agent_.reset(); }
  const std::string ok = "HTTP/1.1 200 OK\r\n";

 private:
  std::unique_ptr<UserAgent> agent_;
};

TEST_F(Hostile, SlowHeadsAndBodies) {
  options.limits.max_total_time = Millis(300);
  EXPECT_EQ(got(Script().drip(ok + "X-Slow: " + std::string(1'000, 'x'), 1, Millis(20))).source,
            ResponseSource::timeout);
  EXPECT_EQ(got(Script().send(ok + "\r\n").drip(std::string(1'000, 'x'), 1, Millis(20))).source,
            ResponseSource::timeout);
  EXPECT_EQ(got(Script().read_to_end()).source, ResponseSource::timeout);
}

TEST_F(Hostile, HeadsAreLimitedToTheByte) {
  const std::string line = "X-Pad: ";
  const std::string start = ok + "Content-Length: 0\r\n";
  const std::size_t limit = 2'000;
  options.limits.max_header_bytes = limit;
  for (const std::size_t size : {limit - 1, limit, limit + 1}) {
    const std::string pad(size - start.size() - line.size() - 2, 'x');
    const Response response = got(Script().send(start + line + pad + "\r\n\r\n").keep());
    EXPECT_EQ(response.source, size > limit ? ResponseSource::bad_response : ResponseSource::server) << size;
  }
  anew();
  options.limits.max_header_bytes = 64 * 1024;
  options.limits.max_header_fields = 10;
  for (const std::size_t fields : {9U, 10U, 11U}) {
    const Response response = got(Script().send(ok + header_flood(fields) + "\r\n"));
    EXPECT_EQ(response.source, fields > 10 ? ResponseSource::bad_response : ResponseSource::server) << fields;
  }
}

TEST_F(Hostile, HeadsWithoutEnd) {
  ua().get(url("/"));
  const std::size_t before = resident_bytes();
  EXPECT_EQ(got(Script().send(ok).repeat("X-Flood: x\r\n")).source, ResponseSource::bad_response);
  EXPECT_EQ(got(Script().send(ok + "X-Long: ").repeat(std::string(10'000, 'x'))).source, ResponseSource::bad_response);
  EXPECT_EQ(got(Script().repeat("HTTP/1.1 103 Early Hints\r\n\r\n")).source, ResponseSource::bad_response);
  EXPECT_EQ(got(Script().send(ok + header_flood(100'000) + "\r\n")).source, ResponseSource::bad_response);
  EXPECT_EQ(
      got(Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n").repeat("X-Trailer: x\r\n")).source,
      ResponseSource::bad_response);
  if (!sanitized) {
    EXPECT_LT(resident_bytes(), before + (std::size_t{16} << 20));
  }
}

TEST_F(Hostile, InterimResponsesAreCounted) {
  const std::string end = ok + "Content-Length: 2\r\n\r\nok";
  EXPECT_EQ(got(Script().send(interim_flood(16) + end).keep()).body, "ok");
  EXPECT_EQ(got(Script().send(interim_flood(17) + end).keep()).source, ResponseSource::bad_response);
  EXPECT_EQ(got(Script().send(interim_flood(200) + end).keep()).source, ResponseSource::bad_response);
  EXPECT_EQ(got(Script().send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nwhat").keep()).source,
            ResponseSource::bad_response);
}

TEST_F(Hostile, BodiesWithoutEnd) {
  options.limits.max_body_bytes = 1 << 20;
  ua().get(url("/"));
  const std::size_t before = resident_bytes();
  for (const char* framing : {"", "Content-Length: 99999999999\r\n"}) {
    const Response response = got(Script().send(ok + framing + "\r\n").repeat(std::string(50'000, 'x')));
    EXPECT_TRUE(response.truncated);
    EXPECT_EQ(response.body.size(), std::size_t{1} << 20);
  }
  if (!sanitized) {
    EXPECT_LT(resident_bytes(), before + (std::size_t{16} << 20));
  }
  anew();
  options.limits.max_wire_bytes = 100'000;
  const Response refused = got(Script().send(ok + "\r\n").repeat(std::string(50'000, 'x')));
  EXPECT_EQ(refused.source, ResponseSource::body_refused);
}

// With the usual limits a body that is not encoded meets body_bytes first, which cuts it, and not wire_bytes.
TEST_F(Hostile, BodiesAreCutBeforeTheyAreRefused) {
  EXPECT_GT(Limits().max_wire_bytes, Limits().max_body_bytes);
  options.limits.max_body_bytes = 1'000;
  for (const std::size_t size : {999U, 1'000U, 1'001U, 100'000U}) {
    const Response response = got(reply(std::string(size, 'x')));
    EXPECT_EQ(response.source, ResponseSource::server) << response.warning;
    EXPECT_EQ(response.body.size(), std::min<std::size_t>(size, 1'000));
    EXPECT_EQ(response.truncated, size > 1'000);
  }
}

TEST_F(Hostile, WireBytesAreExact) {
  options.limits.max_wire_bytes = 1'000;
  for (const std::size_t size : {999U, 1'000U, 1'001U}) {
    EXPECT_EQ(got(reply(std::string(size, 'x'))).source,
              size > 1'000 ? ResponseSource::body_refused : ResponseSource::server);
  }
}

TEST_F(Hostile, Bombs) {
  const std::size_t size = std::size_t{100} << 20;
  ua().get(url("/"));
  for (const Coding coding : {Coding::gzip, Coding::brotli, Coding::zstd}) {
    Reply made = reply(bomb(coding, size));
    made.headers.push_back({"Content-Encoding", std::string(name_of(coding))});
    // By the ratio or, where that lets it pass, by the size.
    options.limits.max_ratio = 100;
    anew();
    const std::size_t before = resident_bytes();
    const Response refused = got(made);
    EXPECT_EQ(refused.source, ResponseSource::body_refused) << name_of(coding);
    EXPECT_NE(refused.warning.find("times"), std::string::npos) << refused.warning;
    options.limits.max_ratio = 0;
    options.limits.max_body_bytes = 2 << 20;
    anew();
    const Response cut = got(made);
    EXPECT_TRUE(cut.truncated) << name_of(coding);
    EXPECT_EQ(cut.body.size(), std::size_t{2} << 20);
    if (!sanitized) {
      EXPECT_LT(resident_bytes(), before + (std::size_t{40} << 20)) << name_of(coding);
    }
  }
}

TEST_F(Hostile, CodingsThatAreNot) {
  const auto with = [this](const std::string& coding, std::string body) {
    Reply made = reply(std::move(body));
    made.headers.push_back({"Content-Encoding", coding});
    return got(made).source;
  };
  EXPECT_EQ(with("gzip", "plain"), ResponseSource::body_refused);
  EXPECT_EQ(with("br", "\xFF\xFF\xFF\xFF plain"), ResponseSource::body_refused);
  EXPECT_EQ(with("zstd", "plain"), ResponseSource::body_refused);
  EXPECT_EQ(with("gzip, gzip, gzip", "x"), ResponseSource::body_refused);
  std::string many = "gzip";
  for (int i = 0; i < 199; ++i) many += ",gzip";
  EXPECT_EQ(with(many, "x"), ResponseSource::body_refused);
  for (const Coding coding : {Coding::gzip, Coding::brotli, Coding::zstd, Coding::deflate}) {
    const std::string whole = packed(coding, "a body that is cut at every octet of it");
    for (std::size_t size = 1; size < whole.size(); ++size) {
      ASSERT_EQ(with(std::string(name_of(coding)), whole.substr(0, size)), ResponseSource::body_refused)
          << name_of(coding) << size;
    }
  }
}

TEST_F(Hostile, BodiesCutShort) {
  EXPECT_EQ(got(Script().send(ok + "Content-Length: 10\r\n\r\nhalf")).source, ResponseSource::network);
  EXPECT_EQ(got(Script().send(ok + "Content-Length: 10\r\n\r\n")).source, ResponseSource::network);
  const std::string chunks = chunked("a body in chunks", 5);
  for (std::size_t size = 0; size + 2 < chunks.size(); ++size) {
    const Response response = got(Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n" + chunks.substr(0, size)));
    ASSERT_TRUE(response.is_synthetic()) << size;
  }
  EXPECT_EQ(got(Script().send(ok + "\r\nto the end")).body, "to the end");
}

TEST_F(Hostile, BrokenFraming) {
  for (const std::string& chunk : {"zz\r\nab\r\n0\r\n\r\n"s, "-1\r\nab\r\n0\r\n\r\n"s, "fffffffffffffffff\r\nab"s,
                                   "2\r\nabXX0\r\n\r\n"s, "\r\n\r\n"s}) {
    const Response response = got(Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n" + chunk));
    EXPECT_TRUE(response.is_synthetic()) << chunk;
  }
  EXPECT_EQ(got(Script().send(ok + "Content-Length: 4\r\nContent-Length: 2\r\n\r\nabcd")).source,
            ResponseSource::bad_response);
  EXPECT_EQ(got(Script().send(ok + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nab").keep()).body, "ab");
  EXPECT_TRUE(got(Script().send(ok + "Content-Length: -1\r\n\r\nab")).is_synthetic());
  for (const char* field : {"Content-Length : 9\r\n", "Transfer-Encoding\t: chunked\r\n"}) {
    EXPECT_EQ(got(Script().send(ok + field + "\r\n2\r\nab")).source, ResponseSource::bad_response) << field;
  }
  EXPECT_TRUE(got(Script().send(ok + "Content-Length: 2x\r\n\r\nab").keep()).code != 0);
  // What stands behind a body is never taken for the next answer.
  server.on("", "/smuggled", Script().send(ok + "Content-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\n\r\nevil").keep());
  ua().get(url("/smuggled"));
  server.on("", "/next", reply("true"));
  EXPECT_EQ(ua().get(url("/next")).body, "true");
}

TEST_F(Hostile, WhatIsNoHttp) {
  EXPECT_EQ(got(Script().send("just text\r\n")).source, ResponseSource::bad_response) << "HTTP/0.9";
  EXPECT_TRUE(got(Script().send("HTTP/1.1 xyz\r\n\r\n")).is_synthetic());
  EXPECT_TRUE(got(Script().send("HTTP/9.9 200 OK\r\n\r\n")).is_synthetic());
  EXPECT_TRUE(got(Script().send("\0\0\0\0"s)).is_synthetic());
  EXPECT_EQ(got(Script().send(ok + "X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n"s)).source, ResponseSource::bad_response);
  EXPECT_EQ(got(Script().send(ok + "X-Cr: a\rX-Evil: b\r\nContent-Length: 0\r\n\r\n")).source,
            ResponseSource::bad_response);
  EXPECT_TRUE(got(Script().send(ok + "no colon\r\nContent-Length: 0\r\n\r\n")).is_synthetic());
  const Response folded = got(Script().send(ok + "X-A: b\r\n folded: c\r\nContent-Length: 0\r\n\r\n").keep());
  EXPECT_EQ(folded.headers.get("X-A"), "b folded: c");
  EXPECT_FALSE(folded.headers.has("folded"));
}

// The first field line begins with a blank and has a colon: there is nothing that it could continue. libcurl
// before 8.1.0 continues the last field of the handle's answer before, whose memory is free by then.
TEST_F(Hostile, AFoldedFirstLineContinuesNothing) {
  const std::string length = "Content-Length: 4\r\n\r\nbody";
  for (const std::string& line : {" a: b\r\n"s, "\ta: b\r\n"s, " :\r\n"s, " a: b\r\n c: d\r\n"s, " \r\n"s}) {
    server.on("", "/moved", redirect(302, "/bad"));
    server.on("", "/bad", Script().send(ok + line + length).keep());
    for (const char* path : {"/good", "/moved", "/bad", "/moved"}) {
      server.on("", "/good", reply("good"));
      const Response response = ua().get(url(path));
      EXPECT_FALSE(response.headers.has("a")) << line;
      EXPECT_TRUE(response.source == ResponseSource::server || response.source == ResponseSource::bad_response) << line;
    }
    got(Script().send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + ok + line + length).keep());
    got(Script().send("HTTP/1.1 103 Early Hints\r\n" + line + "\r\n" + ok + length).keep());
    got(Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n" + line + "\r\n").keep());
  }
}

// libcurl 7.88 takes the first for a 200, whatever it says.
TEST_F(Hostile, StatusLinesAreReadStrictly) {
  for (const char* line : {"HTTP/.11 404 Not Found", "HTTP/1.1 2000 OK", "HTTP/1.1 20 OK", "HTTP/x 200 OK", "HTTP/"}) {
    EXPECT_EQ(got(Script().send(line + "\r\nContent-Length: 4\r\n\r\nbody"s)).source, ResponseSource::bad_response)
        << line;
  }
  for (const char* line : {"HTTP/1.1 200", "HTTP/1.0 200 ", "HTTP/1.1 200 all is well"}) {
    EXPECT_EQ(got(Script().send(line + "\r\nContent-Length: 4\r\n\r\nbody"s)).body, "body") << line;
  }
}

TEST_F(Hostile, ATrailerIsNoSecondHead) {
  for (const std::string& body : {"2\r\nab\r\n0\r\n"s, "0\r\n"s}) {
    const std::string trailer = "HTTP/1.1 404 Not: found\r\nX-Trailer: evil\r\n\r\n";
    const Response response = got(Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n" + body + trailer).keep());
    EXPECT_EQ(response.code, 200) << body;
    EXPECT_FALSE(response.headers.has("X-Trailer"));
  }
}

// Before 8.8.0 libcurl believes it, and sends other requests into the connection while the first is answered.
TEST_F(Hostile, AnHttp2ThatWasNotAgreedOn) {
  for (const char* line : {"HTTP/2 200 OK\r\n", "HTTP/2 200 \r\n", "HTTP/2.0 200 OK\r\n"}) {
    const Handler answer = Script().send(line + "Content-Length: 4\r\n\r\nbody"s).keep();
    EXPECT_EQ(got(answer).source, ResponseSource::bad_response) << line;
    anew();
    const std::string secure = secure_url("/bad");
    EXPECT_EQ(ua().get(secure).source, ResponseSource::bad_response) << line;
  }
  EXPECT_EQ(got(Script().send("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody")).body, "body");
}

TEST_F(Hostile, ConnectionsThatBreak) {
  EXPECT_EQ(got(Script().reset()).source, ResponseSource::network);
  EXPECT_EQ(got(Script()).source, ResponseSource::network) << "an empty reply";
  EXPECT_EQ(got(Script().send(ok + "Content-Le").reset()).source, ResponseSource::network);
  EXPECT_EQ(got(Script().send(ok + "Content-Length: 10\r\n\r\nhalf").reset()).source, ResponseSource::network);
}

TEST_F(Hostile, TrailersAreCountedAndNoMore) {
  const std::string trailer = "X-Trailer: evil\r\n\r\n";
  for (const std::string& body : {"2\r\nab\r\n0\r\n"s, "0\r\n"s}) {
    const Response response = got(Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n" + body + trailer).keep());
    EXPECT_EQ(response.source, ResponseSource::server) << body;
    EXPECT_FALSE(response.headers.has("X-Trailer"));
  }
}

TEST_F(Hostile, TlsThatWillNotDo) {
  secure_url("/");
  const auto tls = [this](test::TlsOptions how) {
    const std::uint16_t at = server.open({.tls = std::move(how)});
    server.on("", "/", reply("never"));
    const Response response = ua().get(url_of(at, "/", "a.test", "https"));
    EXPECT_EQ(response.code, 500);
    EXPECT_FALSE(response.warning.empty());
    return response.source;
  };
  const CertificateSpec spec{.names = {"a.test"}};
  CertificateSpec old = spec;
  old.from = std::chrono::hours(-48);
  old.until = std::chrono::hours(-24);
  CertificateSpec early = spec;
  early.from = std::chrono::hours(24);
  early.until = std::chrono::hours(48);
  EXPECT_EQ(tls({.certificates = {self_signed(spec)}}), ResponseSource::tls);
  EXPECT_EQ(tls({.certificates = {server.ca().issue(old)}}), ResponseSource::tls);
  EXPECT_EQ(tls({.certificates = {server.ca().issue(early)}}), ResponseSource::tls);
  EXPECT_EQ(tls({.certificates = {server.ca().issue({.names = {"b.test"}})}}), ResponseSource::tls);
  EXPECT_EQ(tls({.certificates = {TestCa("another").issue(spec)}}), ResponseSource::tls);
  EXPECT_EQ(tls({.least = TlsVersion::tls1_0, .most = TlsVersion::tls1_0}), ResponseSource::tls);
  EXPECT_EQ(tls({.least = TlsVersion::tls1_1, .most = TlsVersion::tls1_1}), ResponseSource::tls);
  EXPECT_EQ(tls({.cut_handshake = 0}), ResponseSource::network) << "it may succeed another time";
  EXPECT_EQ(tls({.cut_handshake = 50}), ResponseSource::network);
  EXPECT_EQ(tls({.cut_handshake = 1'000}), ResponseSource::network);
  EXPECT_EQ(count(), 0U) << "nothing was asked, neither there nor without TLS";
  EXPECT_EQ(ua().get(secure_url("/")).body, "never") << "and a good one is good";
}

TEST_F(Hostile, UrlsAndHeadersThatWouldBeTwoRequests) {
  server.on("", "/*", reply("x"));
  const std::string host = "a.test:" + std::to_string(port);
  for (const std::string& part :
       {"\r\n"s, "\n"s, "\r"s, "\0"s, "\x7F"s, "\x01"s, "\r\nX: y\r\n\r\nGET /evil HTTP/1.1\r\n"s}) {
    UserAgent plain = agent();
    EXPECT_EQ(plain.get("http://" + host + "/a" + part + "b").source, ResponseSource::invalid_request) << part;
    EXPECT_EQ(plain.get("http://" + part + host + "/").source, ResponseSource::invalid_request) << part;
    EXPECT_EQ(plain.get(url("/"), {{"X-A", "b" + part + "c"}}).source, ResponseSource::invalid_request) << part;
    EXPECT_EQ(plain.get(url("/"), {{"X" + part + "A", "b"}}).source, ResponseSource::invalid_request) << part;
    EXPECT_EQ(plain.get(url("/"), {{"Cookie", part}}).source, ResponseSource::invalid_request) << part;
    EXPECT_EQ(plain.request({.method = "GET" + part, .url = url("/")}).source, ResponseSource::invalid_request);
    for (const int which : {0, 1, 2}) {
      UserAgentOptions bad = options;
      if (which == 0) bad.agent = "Bot" + part;
      if (which == 1) bad.from = "me@example.org" + part;
      if (which == 2) bad.default_headers = {{"X-A", part}};
      EXPECT_EQ(UserAgent(bad).get(url("/")).source, ResponseSource::invalid_request) << part << which;
    }
  }
  EXPECT_EQ(count(), 0U);
  UserAgent plain = agent();
  EXPECT_EQ(plain.get(url("/"), {{"", "x"}}).source, ResponseSource::invalid_request);
  EXPECT_EQ(plain.get(url("/"), {{"A B", "x"}}).source, ResponseSource::invalid_request);
  EXPECT_EQ(plain.get(url("/"), {{"A:", "x"}}).source, ResponseSource::invalid_request);
  EXPECT_EQ(plain.request({.method = "CONNECT", .url = url("/")}).source, ResponseSource::invalid_request);
  EXPECT_EQ(plain.request({.method = "", .url = url("/")}).source, ResponseSource::invalid_request);
  // Framing is not the caller's.
  const std::string evil = "GET /evil HTTP/1.1\r\nHost: a.test\r\n\r\n";
  EXPECT_EQ(plain.post(url("/"), evil, {{"Content-Length", "0"}}).body, "x");
  EXPECT_EQ(plain.post(url("/"), "0\r\n\r\n" + evil, {{"Transfer-Encoding", "chunked"}}).body, "x");
  EXPECT_EQ(plain.get(url("/"), {{"Content-Length", "99"}}).body, "x");
  EXPECT_EQ(count(), 3U);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
