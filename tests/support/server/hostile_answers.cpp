#include "support/server/hostile_answers.hpp"

#include <chrono>

#include "support/server/bodies.hpp"

namespace robotrules::test {

using namespace std::chrono_literals;
using std::string_literals::operator""s;

std::vector<Handler> hostile_answers(const std::string& robots) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const auto coded = [](Coding coding, std::string body) {
    Reply made = reply(std::move(body));
    made.headers.push_back({"Content-Encoding", std::string(name_of(coding))});
    return made;
  };
  std::string page = "<html><head><title>x</title><base href='/b/'><meta name=robots content=noindex>";
  for (int i = 0; i < 300; ++i) page += "<meta name=m" + std::to_string(i) + " content='" + std::string(50, 'm') + "'>";
  const Reply challenge = status(401, {{"WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""}});
  Reply cookies = reply(robots);
  for (int i = 0; i < 20; ++i) cookies.headers.push_back({"Set-Cookie", "c" + std::to_string(i) + "=x; Path=/"});
  const Reply waits = status(429, {{"Retry-After", "1"}});
  return {
      reply(robots),
      reply(page, "text/html"),
      coded(Coding::gzip, packed(Coding::gzip, robots)),
      status(404),
      status(503),
      waits,
      cookies,
      challenge,
      redirect(302, "/again"),
      redirect(301, "http://[::1]/"),
      redirect(302, "https://" + std::string(9'000, 'x') + "/"),
      Script().send(ok + header_flood(2'000) + "\r\n"),
      Script().send(ok + "X-Long: ").repeat(std::string(10'000, 'x')),
      Script().send(interim_flood(50) + bytes_of(reply(robots))),
      Script().send(ok + "\r\n").repeat(std::string(20'000, 'x')),
      Script().send(ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
      Script().send(ok + "Content-Length: 99\r\n\r\n" + robots),
      Script().send(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + robots),
      Script().send(ok + "Transfer-Encoding: chunked\r\n\r\n" + unfinished_chunks(robots)),
      Script().send(ok + "X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n"s),
      Script().send(ok + "Content-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\n\r\nevil").keep(),
      Script().send(ok + "\r\n" + robots).cut(),
      Script().send("no HTTP at all\r\n"),
      Script().send(ok + "Content-Le").reset(),
      Script().reset(),
      Script(),
      coded(Coding::gzip, bomb(Coding::gzip, 8 << 20)),
      coded(Coding::brotli, bomb(Coding::brotli, 8 << 20)),
      coded(Coding::zstd, bomb(Coding::zstd, 8 << 20)),
      coded(Coding::gzip, "no gzip"),
      coded(Coding::zstd, packed(Coding::zstd, robots).substr(0, 12)),
      Script().drip(ok + "X-Slow: " + std::string(1'000, 'x'), 1, 20ms),
      Script().send(ok + "\r\n").repeat("x", 20ms),
      Script().read_to_end(),
  };
}

}  // namespace robotrules::test
