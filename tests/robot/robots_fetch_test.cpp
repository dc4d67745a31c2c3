// What a server may answer to GET /robots.txt, and what becomes of the pages: each row over http and https. The
// server's log is the witness of what was asked.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "support/agent/loopback.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

// What the outcome must be.
enum class Ours {
  rules,     // RULES: /x is disallowed by them, /y is not
  no_rules,  // RULES of nothing: all is allowed
  allowed,   // ALLOW_ALL (unavailable)
  denied,    // DENY_ALL (unreachable): no page is asked for
};

struct Row {
  std::string name;
  std::function<Handler()> robots;
  Ours ours = Ours::rules;
  int status = 200;           // that is kept
  std::string sentence = {};  // of the answer, where it is denied
  std::chrono::milliseconds deadline{20'000};
  bool denied_under_tls = false;  // as nothing says that it is whole
};

// --- answers ---------------------------------------------------------------------------------------------------------

const std::string text(no_x);

std::function<Handler()> says(Reply answer) {
  return [answer = std::move(answer)] { return Handler(answer); };
}
std::function<Handler()> sends(std::string bytes) {
  return [bytes = std::move(bytes)] { return Handler(Script().send(bytes)); };
}
Reply with_status(int status) {
  Reply answer = reply(text);
  answer.status = status;
  return answer;
}
Reply typed(std::string type) { return reply(text, std::move(type)); }
Reply coded(std::string coding, std::string body) {
  Reply answer = reply(std::move(body));
  answer.headers.push_back({"Content-Encoding", std::move(coding)});
  return answer;
}
const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

std::string utf16(std::string_view plain, bool little, bool mark) {
  std::string wide;
  const auto put = [&](char high, char low) {
    wide += little ? low : high;
    wide += little ? high : low;
  };
  if (mark) put('\xFE', '\xFF');
  for (const char letter : plain) put('\0', letter);
  return wide;
}

std::function<Handler()> redirects(int status, std::string location) {
  return says(redirect(status, std::move(location)));
}

std::vector<Row> statuses() {
  std::vector<Row> rows;
  for (const int status : {200, 201, 202, 203, 299}) {
    rows.push_back({std::to_string(status), says(with_status(status)), Ours::rules, status});
  }
  rows.push_back({"204", says(status(204)), Ours::no_rules, 204});
  rows.push_back({"200 empty", says(reply("")), Ours::no_rules, 200});
  rows.push_back({"200 empty without a type", says(reply("", "")), Ours::no_rules, 200});
  rows.push_back({"200 only blank lines", says(reply("\n\n\r\n")), Ours::no_rules, 200});
  rows.push_back({"206 unasked", says(with_status(206)), Ours::denied, 206});
  rows.push_back({"304 unasked", says(status(304)), Ours::denied, 304});
  for (const int status : {400, 401, 402, 403, 404, 405, 406, 410, 418, 421, 451, 499}) {
    rows.push_back({std::to_string(status), says(with_status(status)), Ours::allowed, status});
  }
  for (const int status : {429, 500, 501, 502, 503, 504, 520, 599, 600, 999}) {
    rows.push_back({std::to_string(status), says(with_status(status)), Ours::denied, status});
  }
  for (const int status : {300, 305, 306, 399}) {
    rows.push_back(
        {std::to_string(status) + " is no redirect", says(redirect(status, "/other.txt")), Ours::denied, status});
  }
  Reply wait = with_status(503);
  wait.headers.push_back({"Retry-After", "3600"});
  rows.push_back({"503 Retry After", says(wait), Ours::denied, 503});
  wait.status = 429;
  rows.push_back({"429 Retry After", says(wait), Ours::denied, 429});
  return rows;
}

std::vector<Row> redirections() {
  std::vector<Row> rows;
  for (const int status : {301, 302, 303, 307, 308}) {
    rows.push_back({std::to_string(status) + " other path", redirects(status, "/other.txt")});
  }
  rows.push_back({"relative Location", redirects(302, "other.txt")});
  rows.push_back({"dotted Location", redirects(302, "./a/../other.txt")});
  rows.push_back({"Location with a fragment", redirects(302, "/other.txt#top")});
  rows.push_back({"Location with spaces around", redirects(302, "  /other.txt  ")});
  rows.push_back({"Location without a scheme", [] {
                    return Handler([](const SeenRequest& request) {
                      return redirect(302, "//b.test:" + std::to_string(request.ends.local_port) + "/other.txt");
                    });
                  }});
  rows.push_back({"cross host", [] {
                    return Handler([](const SeenRequest& request) {
                      return redirect(301, std::string(request.ends.tls ? "https" : "http") +
                                               "://b.test:" + std::to_string(request.ends.local_port) + "/other.txt");
                    });
                  }});
  for (const int hops : {1, 2, 3, 4, 5}) {
    rows.push_back({std::to_string(hops) + " hops", redirects(302, "/hop/" + std::to_string(hops - 1))});
  }
  for (const int hops : {6, 7, 10, 100}) {
    rows.push_back(
        {std::to_string(hops) + " hops", redirects(302, "/hop/" + std::to_string(hops - 1)), Ours::allowed, 302});
  }
  rows.push_back({"loop of one", redirects(301, "/robots.txt"), Ours::allowed, 301});
  rows.push_back({"loop of two", redirects(307, "/back"), Ours::allowed, 302});
  rows.push_back({"loop with a fragment", redirects(301, "/robots.txt#again"), Ours::allowed, 301});
  rows.push_back({"no Location", says(status(302)), Ours::denied, 302, "without a Location"});
  rows.push_back({"empty Location", redirects(302, ""), Ours::denied, 302, "without a Location"});
  rows.push_back({"blank Location", redirects(302, "  "), Ours::denied, 302, "without a Location"});
  const std::string no = "cannot be followed";
  for (const char* location :
       {"http://[::1", "http://", "https://", "http://:80/", "http://a b/", "http://a.test:99999/", "http://a.test:x/",
        "http://%00/", "http://a.test%2fb/", "http://\x01/", "http:\\\\?", "//"}) {
    rows.push_back({"Location " + as_test_name(location) + " unusable " + std::to_string(rows.size()),
                    redirects(302, location), Ours::denied, 302, no});
  }
  rows.push_back({"Location beyond 8192 bytes", redirects(302, "/" + std::string(8'300, 'a')), Ours::denied, 302, no});
  rows.push_back(
      {"Location with a NUL", sends("HTTP/1.1 302 Found\r\nLocation: /other\0.txt\r\n\r\n"s), Ours::denied, 0});
  rows.push_back({"two Locations that differ",
                  sends("HTTP/1.1 302 Found\r\nLocation: /other.txt\r\nLocation: /back\r\nContent-Length: 0\r\n\r\n")});
  rows.push_back({"Refresh is no redirect",
                  says(Reply{.headers = {{"Refresh", "0; url=/other.txt"}}, .body = "nothing"}), Ours::no_rules});
  rows.push_back({"meta refresh is no redirect",
                  says(reply("<meta http-equiv=\"refresh\" content=\"0; url=/other.txt\">", "text/html")),
                  Ours::no_rules});
  rows.push_back(
      {"script is no redirect", says(reply("<script>location = '/other.txt'</script>", "text/html")), Ours::no_rules});
  rows.push_back({"404 behind a redirect", redirects(302, "/missing"), Ours::allowed, 404});
  rows.push_back({"500 behind a redirect", redirects(302, "/broken"), Ours::denied, 500});
  return rows;
}

std::vector<Row> types() {
  std::vector<Row> rows;
  for (const char* type : {"text/html", "text/plain; charset=utf-8", "application/octet-stream", "image/png",
                           "application/json", "text/plain; charset=\"", "nonsense", ""}) {
    rows.push_back({"type " + (*type == '\0' ? "missing"s : as_test_name(type) + " " + std::to_string(rows.size())),
                    says(typed(type))});
  }
  rows.push_back(
      {"HTML with rule lines", says(reply("<html><body>\n<p>Hello</p>\n" + text + "</body></html>\n", "text/html"))});
  rows.push_back({"HTML without rules", says(reply("<!DOCTYPE html>\n<html><p>Not here</p></html>\n", "text/html")),
                  Ours::no_rules});
  rows.push_back({"UTF 8 mark", says(reply("\xEF\xBB\xBF" + text))});
  rows.push_back({"UTF 16 little with a mark", says(reply(utf16(text, true, true)))});
  rows.push_back({"UTF 16 big with a mark", says(reply(utf16(text, false, true)))});
  rows.push_back({"UTF 16 little by its label", says(reply(utf16(text, true, false), "text/plain; charset=UTF-16LE"))});
  rows.push_back({"UTF 16 big by its label", says(reply(utf16(text, false, false), "text/plain; charset=utf-16be"))});
  rows.push_back(
      {"UTF 16 labelled and marked little", says(reply(utf16(text, true, true), "text/plain; charset=UTF-16"))});
  rows.push_back(
      {"UTF 16 labelled big but marked little", says(reply(utf16(text, true, true), "text/plain; charset=UTF-16BE"))});
  rows.push_back(
      {"UTF 16 labelled without a mark is big", says(reply(utf16(text, false, false), "text/plain; charset=utf-16"))});
  rows.push_back({"UTF 8 labelled UTF 16", says(reply(text, "text/plain; charset=utf-16"))});
  rows.push_back({"lone CR", says(reply("User-agent: *\rDisallow: /x\r"))});
  rows.push_back({"no line end", says(reply("User-agent: *\nDisallow: /x"))});
  rows.push_back({"NULs between lines", says(reply("User-agent: *\nA\0B\nDisallow: /x\n"s))});
  rows.push_back({"only Allow and Sitemap", says(reply("User-agent: *\nAllow: /y\nSitemap: http://a.test/s.xml\n")),
                  Ours::no_rules});
  return rows;
}

std::vector<Row> codings() {
  const std::string zipped = packed(Coding::gzip, text);
  const std::string refused = "encoded";
  std::vector<Row> rows;
  rows.push_back({"gzip", says(coded("gzip", zipped))});
  rows.push_back({"x gzip", says(coded("X-GZip", zipped))});
  rows.push_back({"gzip of two members", says(coded("gzip", packed(Coding::gzip, "User-agent: *\n") +
                                                                packed(Coding::gzip, "Disallow: /x\n")))});
  rows.push_back({"deflate", says(coded("deflate", packed(Coding::deflate, text)))});
  rows.push_back({"raw deflate", says(coded("deflate", packed(Coding::raw_deflate, text)))});
  rows.push_back({"identity", says(coded("identity", text))});
  rows.push_back({"br unasked", says(coded("br", packed(Coding::brotli, text)))});
  rows.push_back({"zstd unasked", says(coded("zstd", packed(Coding::zstd, text)))});
  rows.push_back({"gzip in gzip", says(coded("gzip, gzip", packed(Coding::gzip, zipped)))});
  rows.push_back(
      {"gzip truncated", says(coded("gzip", zipped.substr(0, zipped.size() / 2))), Ours::denied, 0, "cut short"});
  rows.push_back({"gzip without its last byte", says(coded("gzip", zipped.substr(0, zipped.size() - 1))), Ours::denied,
                  0, "cut short"});
  std::string bent = zipped;
  bent[bent.size() - 6] = static_cast<char>(bent[bent.size() - 6] ^ 1);  // in its checksum
  rows.push_back({"gzip with a wrong checksum", says(coded("gzip", bent)), Ours::denied, 0, refused});
  rows.push_back({"gzip label on plain text", says(coded("gzip", text)), Ours::denied, 0, refused});
  rows.push_back({"gzip second member truncated", says(coded("gzip", zipped + zipped.substr(0, 20))), Ours::denied, 0,
                  "cut short"});
  rows.push_back({"br unasked and damaged", says(coded("br", text)), Ours::denied, 0});
  rows.push_back({"br truncated", says(coded("br", packed(Coding::brotli, text).substr(0, 12))), Ours::denied, 0});
  rows.push_back({"zstd damaged", says(coded("zstd", text)), Ours::denied, 0, refused});
  rows.push_back(
      {"zstd truncated", says(coded("zstd", packed(Coding::zstd, text).substr(0, 14))), Ours::denied, 0, "cut short"});
  rows.push_back({"unknown coding", says(coded("x-secret", text)), Ours::denied, 0, "not requested"});
  rows.push_back({"unknown coding on an empty body", says(coded("x-secret", "")), Ours::denied, 0, "not requested"});
  std::string nested = text;
  for (int i = 0; i < 5; ++i) nested = packed(Coding::gzip, nested);
  rows.push_back(
      {"gzip five times", says(coded("gzip, gzip, gzip, gzip, gzip", nested)), Ours::denied, 0, "more than twice"});
  Reply many = reply(text);
  for (int i = 0; i < 200; ++i) many.headers.push_back({"Content-Encoding", "gzip"});
  rows.push_back({"200 Content Encodings", says(many), Ours::denied, 0, "more than twice"});
  rows.push_back({"Transfer Encoding gzip", sends(head + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunked(zipped)),
                  Ours::denied, 0});
  rows.push_back({"Transfer Encoding gzip alone, truncated",
                  sends(head + "Transfer-Encoding: gzip\r\n\r\n" + zipped.substr(0, zipped.size() - 9)), Ours::denied,
                  0});
  rows.push_back({"gzip bomb", [] { return Handler(coded("gzip", bomb(Coding::gzip, 300'000'000, no_x, '\n'))); }});
  rows.push_back(
      {"gzip bomb in gzip",
       [] { return Handler(coded("gzip, gzip", packed(Coding::gzip, bomb(Coding::gzip, 300'000'000, no_x, '\n')))); }});
  rows.push_back({"br bomb", [] { return Handler(coded("br", bomb(Coding::brotli, 100'000'000, no_x, '\n'))); }});
  rows.push_back({"zstd bomb", [] { return Handler(coded("zstd", bomb(Coding::zstd, 100'000'000, no_x, '\n'))); }});
  return rows;
}

std::vector<Row> broken() {
  const std::string prefix = "User-agent: *\nDisal";
  std::vector<Row> rows;
  const auto deny = [&](std::string name, std::string bytes, std::string sentence = {}) {
    rows.push_back({std::move(name), sends(std::move(bytes)), Ours::denied, 0, std::move(sentence)});
  };
  deny("Content Length short mid rule", head + "Content-Length: 99\r\n\r\n" + prefix);
  deny("Content Length short after a whole line", head + "Content-Length: 99\r\n\r\n" + text);
  deny("Content Length short and empty", head + "Content-Length: 99\r\n\r\n");
  deny("chunks without an end", head + "Transfer-Encoding: chunked\r\n\r\n" + unfinished_chunks(text));
  deny("bad chunk size", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n" + text);
  deny("negative chunk size", head + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + text);
  deny("endless chunk size", head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffffff\r\n" + text);
  deny("404 cut short in its head", "HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n");
  rows.push_back(
      {"404 cut short", sends("HTTP/1.1 404 Not Found\r\nContent-Length: 99\r\n\r\nnot"), Ours::allowed, 404});
  deny("two Content Lengths", head + "Content-Length: 5\r\nContent-Length: 27\r\n\r\n" + text, "two different");
  deny("two Content Lengths in one field", head + "Content-Length: 5, 27\r\n\r\n" + text);
  deny("Content Length that is no number", head + "Content-Length: five\r\n\r\n" + text);
  deny("negative Content Length", head + "Content-Length: -5\r\n\r\n" + text);
  deny("Content Length beyond all numbers", head + "Content-Length: 99999999999999999999999\r\n\r\n" + text);
  deny("Transfer Encoding unknown", head + "Transfer-Encoding: sauce\r\n\r\n" + text);
  deny("empty reply", "");
  deny("HTTP 0.9", text);
  deny("bad status line", "HTTP/1.1 abc\r\n\r\n" + text);
  deny("status of two digits", "HTTP/1.1 20 OK\r\n\r\n" + text);
  deny("status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n");
  deny("status 000", "HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n");
  deny("HTTP 7", "HTTP/7.0 200 OK\r\nContent-Length: 0\r\n\r\n");
  deny("another protocol", "SSH-2.0-OpenSSH_9.2\r\n");
  deny("head without an end", head);
  deny("NUL in a header", "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n"s);
  deny("stray CR in a header", "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n");
  deny("200 interim answers", interim_flood(200) + bytes_of(reply(text)), "interim");
  deny("101 unasked", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n" + text);
  rows.push_back({"16 interim answers", sends(interim_flood(16) + bytes_of(reply(text)))});
  rows.push_back(
      {"same Content Length twice", sends(head + "Content-Length: 26\r\nContent-Length: 26\r\n\r\n" + text)});
  rows.push_back({"chunked", says(Reply{.body = text, .chunked = 3})});
  rows.push_back({"chunked and Content Length",
                  sends(head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(text, 4))});
  rows.push_back({"ended by the close", says(Reply{.body = text, .length = false})});
  rows.push_back({"HTTP 1.0 without a length", sends("HTTP/1.0 200 OK\r\n\r\n" + text)});
  rows.push_back(
      {"ended by a close without a farewell", [] { return Handler(Script().send(head + "\r\n" + text).cut()); }});
  rows.back().denied_under_tls = true;
  rows.push_back({"HTTP 1.0", sends("HTTP/1.0 200 OK\r\nContent-Length: 26\r\n\r\n" + text)});
  rows.push_back({"no reason phrase", sends("HTTP/1.1 200\r\nContent-Length: 26\r\n\r\n" + text)});
  rows.push_back({"bare LF line ends", sends("HTTP/1.1 200 OK\nContent-Length: 26\n\n" + text)});
  rows.push_back({"10 MB header",
                  [] {
                    return Handler(
                        Script().send("HTTP/1.1 200 OK\r\n").repeat("X-Big: " + std::string(9'000, 'a') + "\r\n"));
                  },
                  Ours::denied, 0});
  rows.push_back({"one header line of 10 MB",
                  [] { return Handler(Script().send("HTTP/1.1 200 OK\r\nX-Big: " + std::string(10'000'000, 'a'))); },
                  Ours::denied, 0});
  rows.push_back({"100k headers",
                  [] { return Handler(Script().send("HTTP/1.1 200 OK\r\n" + header_flood(100'000) + "\r\n")); },
                  Ours::denied, 0});
  rows.push_back({"endless trailers",
                  [] {
                    return Handler(Script()
                                       .send(head + "Transfer-Encoding: chunked\r\n\r\n1a\r\n" + text + "\r\n0\r\n")
                                       .repeat("X-Trailer: " + std::string(1'000, 'a') + "\r\n"));
                  },
                  Ours::denied, 0});
  rows.push_back({"endless body",
                  [] { return Handler(Script().send(head + "\r\n" + text).repeat(std::string(64'000, '#') + '\n')); }});
  rows.push_back(
      {"50 MB", [] {
         return Handler(
             Script().send(head + "Content-Length: 50000000\r\n\r\n" + text).repeat(std::string(64'000, '#') + '\n'));
       }});
  rows.push_back({"reset in the body",
                  [&] { return Handler(Script().send(head + "Content-Length: 99\r\n\r\n" + text).reset()); },
                  Ours::denied, 0});
  rows.push_back({"reset at once", [] { return Handler(Script().reset()); }, Ours::denied, 0});
  return rows;
}

// The deadline of the fetch decides, however the time passes.
std::vector<Row> slow() {
  std::vector<Row> rows;
  const auto add = [&](std::string name, std::function<Handler()> robots) {
    rows.push_back({std::move(name), std::move(robots), Ours::denied, 0, {}, 1s});
  };
  add("no answer", [] { return Handler(Script().read_to_end()); });
  add("stall in the head", [] { return Handler(Script().send("HTTP/1.1 200 OK\r\nConte").read_to_end()); });
  add("stall in the body",
      [] { return Handler(Script().send(head + "Content-Length: 99\r\n\r\n" + text).read_to_end()); });
  add("stall before the close", [] { return Handler(Script().send(head + "\r\n" + text).read_to_end()); });
  add("drip in the head", [] { return Handler(Script().drip(bytes_of(reply(std::string(text))), 1, 50ms)); });
  add("drip in the body", [] { return Handler(Script().send(head + "\r\n").drip(std::string(text), 1, 50ms)); });
  add("interim answer and nothing more", [] { return Handler(Script().send(interim_flood(1)).read_to_end()); });
  return rows;
}

// --- the rows --------------------------------------------------------------------------------------------------------

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto& part : {statuses(), redirections(), types(), codings(), broken(), slow()}) {
    rows.insert(rows.end(), part.begin(), part.end());
  }
  return rows;
}

void add_routes(ScriptedServer& server) {
  server.on("", "/other.txt", reply(text));
  server.on("", "/back", redirect(302, "/robots.txt"));
  server.on("", "/broken", status(500));
  server.on("", "/hop/*", [](const SeenRequest& request) -> Answer {
    const int left = std::stoi(request.path().substr(5));
    return left == 0 ? reply(text) : redirect(302, "/hop/" + std::to_string(left - 1));
  });
}

class RobotsFetchRow : public testing::TestWithParam<std::tuple<Row, bool>> {};

TEST_P(RobotsFetchRow, IsWhatTheTableSays) {
  const auto& [row, tls] = GetParam();
  Loopback site(tls);
  site.policy().timeout = row.deadline;
  add_routes(site.server);
  site.robots_txt(row.robots());

  const Response x = site.get("/x");
  const Response y = site.get("/y");
  const auto record = site.record();
  ASSERT_NE(record, nullptr) << x.warning;
  const bool denied = row.ours == Ours::denied || (tls && row.denied_under_tls);
  const int status = tls && row.denied_under_tls ? 0 : row.status;
  EXPECT_EQ(record->status, status);
  EXPECT_EQ(site.times("/robots.txt"), row.status == 421 ? 2U : 1U);  // kept, whatever it is; 421 is asked again once
  ASSERT_NE(x.robots, nullptr) << x.warning;
  EXPECT_EQ(x.robots->status, status);
  EXPECT_EQ(x.robots->outcome, record->outcome);
  switch (denied ? Ours::denied : row.ours) {
    case Ours::rules:
      EXPECT_EQ(record->outcome, RobotsOutcome::rules);
      ASSERT_NE(record->body, nullptr);
      EXPECT_LE(record->body->size(), 512'002U);
      EXPECT_EQ(x.source, ResponseSource::robots_denied) << x.warning;
      EXPECT_EQ(x.code, 403);
      EXPECT_NE(x.warning.find("/x"), std::string::npos) << x.warning;
      EXPECT_EQ(site.times("/x"), 0U);
      EXPECT_EQ(y.body, "page y") << y.warning;
      EXPECT_EQ(site.times("/y"), 1U);
      break;
    case Ours::no_rules:
    case Ours::allowed:
      EXPECT_EQ(record->outcome, row.ours == Ours::allowed ? RobotsOutcome::unavailable : RobotsOutcome::rules);
      EXPECT_EQ(record->body == nullptr, row.ours == Ours::allowed);
      EXPECT_EQ(x.source, ResponseSource::server) << x.warning;
      EXPECT_EQ(x.body, "page x");
      EXPECT_EQ(site.times("/x"), 1U);
      EXPECT_EQ(site.times("/y"), 1U);
      break;
    case Ours::denied:
      EXPECT_EQ(record->outcome, RobotsOutcome::unreachable);
      EXPECT_EQ(record->body, nullptr);
      EXPECT_EQ(record->failures, 1U);
      for (const Response* page : {&x, &y}) {
        EXPECT_EQ(page->source, ResponseSource::robots_unreachable) << page->warning;
        EXPECT_EQ(page->code, 503);
        EXPECT_EQ(page->try_again_at, record->fresh_until);
        EXPECT_NE(page->warning.find("robots.txt"), std::string::npos) << page->warning;
        EXPECT_NE(page->warning.find(row.sentence), std::string::npos) << page->warning;
      }
      EXPECT_EQ(site.times("/x") + site.times("/y"), 0U);
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(Case, RobotsFetchRow, testing::Combine(testing::ValuesIn(all_rows()), testing::Bool()),
                         [](const auto& row) {
                           return as_test_name(std::get<0>(row.param).name) +
                                  (std::get<1>(row.param) ? "_https" : "_http");
                         });

// --- what has no answer at all ---------------------------------------------------------------------------------------

TEST(RobotsFetch, ARefusedConnectionIsUnreachable) {
  Loopback site;
  const std::uint16_t dead = site.server.refuse();
  const Response page = site.robot().get(url_of(dead, "/x", "a.test"));
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
  EXPECT_EQ(site.record_of(url_of(dead, "/", "a.test"))->outcome, RobotsOutcome::unreachable);
}

TEST(RobotsFetch, ANameWithoutAnAddressIsUnreachable) {
  Loopback site;
  site.options.connection.resolve = nullptr;
  // A label of 64 bytes is no name, which the resolver says without asking anybody.
  const std::string url = url_of(site.port, "/x", std::string(64, 'a') + ".test");
  const Response page = site.robot().get(url);
  EXPECT_EQ(page.source, ResponseSource::robots_unreachable) << page.warning;
  EXPECT_EQ(site.record_of(url)->outcome, RobotsOutcome::unreachable);
}

TEST(RobotsFetch, StrictDisallowsAllFor401And403AndTooManyRedirects) {
  for (const auto& [status_code, robots] : {std::pair{401, Handler(status(401))}, std::pair{403, Handler(status(403))},
                                            std::pair{302, Handler(redirect(302, "/robots.txt"))}}) {
    Loopback site;
    site.robot_options.policy = RobotsPolicy::strict();
    site.robots_txt(robots);
    const Response page = site.get("/y");
    EXPECT_EQ(page.source, ResponseSource::robots_denied) << page.warning;
    EXPECT_NE(page.warning.find(std::to_string(status_code)), std::string::npos) << page.warning;
    EXPECT_EQ(site.times("/y"), 0U);
    EXPECT_EQ(site.record()->outcome, RobotsOutcome::unavailable);
  }
}

TEST(RobotsFetch, AsksForWhatItCanReadAndSaysWhoAsks) {
  Loopback site;
  site.robots_txt(reply(text));
  static_cast<void>(site.get("/x"));
  const auto requests = site.server.witness().requests("/robots.txt");
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_EQ(requests[0].method, "GET");
  EXPECT_EQ(requests[0].header("User-Agent"), "test-robot/1.0");
  EXPECT_EQ(requests[0].header("From"), "robot@example.org");
  EXPECT_EQ(requests[0].header("Accept-Encoding"), "gzip");
  EXPECT_EQ(requests[0].header("If-None-Match"), std::nullopt);
  EXPECT_EQ(requests[0].header("If-Modified-Since"), std::nullopt);
}

// --- in time (A20) ---------------------------------------------------------------------------------------------------

TEST(RobotsInTime, IsAskedForOnceWhileFreshAndConfirmedAfterwards) {
  Loopback site;
  Reply tagged = reply(text);
  tagged.headers.push_back({"ETag", "\"7\""});
  tagged.headers.push_back({"Last-Modified", "Sun, 01 Feb 2026 00:00:00 GMT"});
  tagged.headers.push_back({"Cache-Control", "max-age=3600"});
  site.robots_txt([tagged](const SeenRequest& request) {
    return request.header("If-None-Match") ? status(304, {{"Cache-Control", "max-age=7200"}}) : tagged;
  });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(site.get("/y").code, 200);
  EXPECT_EQ(site.times("/robots.txt"), 1U);
  site.clock->advance(59min);
  EXPECT_EQ(site.get("/y").code, 200);
  EXPECT_EQ(site.times("/robots.txt"), 1U);
  site.clock->advance(2min);
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  ASSERT_EQ(site.times("/robots.txt"), 2U);
  const SeenRequest again = site.server.witness().requests("/robots.txt")[1];
  EXPECT_EQ(again.header("If-None-Match"), "\"7\"");
  EXPECT_EQ(again.header("If-Modified-Since"), "Sun, 01 Feb 2026 00:00:00 GMT");
  site.clock->advance(119min);
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.times("/robots.txt"), 2U);
}

struct Outage {
  std::string name;
  Handler answer;
  bool holds_pages_off = false;  // for a while, by the gate
};

class RobotsOutage : public testing::TestWithParam<Outage> {};

TEST_P(RobotsOutage, DeniesThenKeepsTheLastRulesThenRecovers) {
  Loopback site;
  site.robot_options.use_sleep = false;
  site.options.connection.keep_alive = 0;  // a request on a kept connection that breaks is sent once more
  const ResponseSource page = GetParam().holds_pages_off ? ResponseSource::too_early : ResponseSource::server;
  site.robots_txt(GetParam().answer);
  EXPECT_EQ(site.get("/y").source, ResponseSource::robots_unreachable);  // DENY: never had
  EXPECT_EQ(site.get("/y").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(site.times("/robots.txt"), 1U);  // not asked again within its time
  site.clock->advance(2h);
  site.robots_txt(reply(text));
  EXPECT_EQ(site.get("/y").code, 200);  // recovered: RULES
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.times("/robots.txt"), 2U);

  site.robots_txt(GetParam().answer);
  site.clock->advance(25h);
  const Response stale = site.get("/y");
  EXPECT_EQ(stale.source, page) << stale.warning;  // STALE: the last good rules
  ASSERT_NE(stale.robots, nullptr);
  EXPECT_TRUE(stale.robots->stale);
  EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied);
  EXPECT_EQ(site.times("/robots.txt"), 3U);
  site.clock->advance(24h * 28);
  EXPECT_EQ(site.get("/y").source, page);
  EXPECT_EQ(site.times("/robots.txt"), 4U);
  site.clock->advance(24h * 2);
  EXPECT_EQ(site.get("/y").source, ResponseSource::robots_unreachable);  // older than 30 days: the policy's word
  EXPECT_EQ(site.times("/robots.txt"), 5U);
  site.clock->advance(25h);
  site.robots_txt(reply("User-agent: *\nDisallow: /y\n"));
  EXPECT_EQ(site.get("/x").code, 200);
  EXPECT_EQ(site.get("/y").source, ResponseSource::robots_denied);
}

INSTANTIATE_TEST_SUITE_P(By, RobotsOutage,
                         testing::Values(Outage{"500", status(500)}, Outage{"503", status(503), true},
                                         Outage{"503_Retry_After", status(503, {{"Retry-After", "600"}}), true},
                                         Outage{"429", status(429, {{"Retry-After", "30"}}), true},
                                         Outage{"reset", Script().reset(), true}, Outage{"206", status(206)},
                                         Outage{"cut", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nU"),
                                                true}),
                         [](const auto& outage) { return outage.param.name; });

TEST(RobotsInTime, RetryAfterOfRobotsTxtHoldsThePagesOff) {
  Loopback site;
  site.robot_options.use_sleep = false;
  site.robots_txt(in_turn({Handler(status(503, {{"Retry-After", "7200"}})), Handler(reply(text))}));
  EXPECT_EQ(site.get("/y").source, ResponseSource::robots_unreachable);
  const auto wait = site.robot().host_wait(site.url("/"));
  EXPECT_EQ(wait.value(), std::chrono::microseconds(2h));
  site.clock->advance(119min);
  EXPECT_EQ(site.get("/y").source, ResponseSource::robots_unreachable);
  EXPECT_EQ(site.times("/robots.txt"), 1U);
  site.clock->advance(15min);  // with what jitter may add
  EXPECT_EQ(site.get("/y").code, 200);
  EXPECT_EQ(site.times("/robots.txt"), 2U);
}

TEST(RobotsInTime, PastADayItIsAskedForAgainWhateverItSaid) {
  Loopback site;
  Reply forever = reply(text);
  forever.headers.push_back({"Cache-Control", "max-age=31536000, immutable"});
  site.robots_txt(forever);
  static_cast<void>(site.get("/y"));
  site.clock->advance(24h + 1s);
  static_cast<void>(site.get("/y"));
  EXPECT_EQ(site.times("/robots.txt"), 2U);
}

// Answers about the connection, and not about the file, count only if they come twice.
TEST(RobotsAnswersAboutTheConnection, AreAskedAgainOnce) {
  for (const int code : {408, 421, 425}) {
    Loopback site;
    site.robots_txt(in_turn({Handler(status(code)), Handler(reply(no_x))}));
    EXPECT_EQ(site.get("/x").source, ResponseSource::robots_denied) << code;
    EXPECT_EQ(site.times("/robots.txt"), 2U) << code;
    site.robots_txt(status(code), "b.test");
    EXPECT_EQ(site.get("/x", "b.test").code, 200) << code;
    EXPECT_EQ(site.times("/robots.txt", "b.test"), 2U) << code;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
