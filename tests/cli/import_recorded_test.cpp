// What `get` records of a robots.txt, `db import` reads as the robot did: each coding, status and framing. The robot's
// own database is the witness.
#include <algorithm>
#include <map>

#include "archive/warc_reader.hpp"
#include "cli/get_rig.hpp"
#include "support/server/bodies.hpp"

#include <robotrules/robots_policy.hpp>

namespace robotrules::test::THIS_FILE {
namespace {

const std::string rules = "User-agent: *\nDisallow: /x\n";
constexpr std::size_t limit = 512'000;

class ImportRecorded : public GetRig {
 protected:
  // The robots.txt of the site NAME.localhost.
  void site(const std::string& name, Handler robots) {
    server.on(name + ".localhost", "/robots.txt", std::move(robots));
    sites_.push_back(name);
  }
  static Reply coded(const std::string& codings, std::string body) {
    return {.headers = {{"Content-Encoding", codings}}, .body = std::move(body)};
  }
  // Records what a robot gets, and compares its database with that which imports the record. `known` is the number of
  // sites whose file, or lack of one, the robot knows.
  void expect_the_same(std::size_t known) {
    page("/page", reply("a page"));
    std::vector<std::string> urls;
    for (const std::string& name : sites_) urls.push_back(url("/page", name));
    const Ran got = get({"--input", list(urls), "--output", in_folder("x.warc.gz"), "--db", in_folder("robot.db"),
                         "--max-wait", "0", "--tries", "1"});
    EXPECT_TRUE(got.status == 0 || got.status == 3 || got.status == 4) << got.err;
    const Ran imported = run({"db", in_folder("other.db"), "import", in_folder("x.warc.gz")});
    const auto robot = records_of("robot.db");
    const auto other = records_of("other.db");
    EXPECT_EQ(robot.size(), known) << got.err;
    for (const std::string& name : sites_) {
      const auto theirs = robot.find(name);
      const auto ours = other.find(name);
      const bool is_known = theirs != robot.end();
      EXPECT_EQ(ours != other.end(), is_known) << name << ": " << imported.err;
      if (is_known && ours != other.end()) {
        EXPECT_TRUE(ours->second == theirs->second) << name << ":\n"
                                                    << ours->second.substr(0, 300) << "\n"
                                                    << theirs->second.substr(0, 300);
      }
    }
  }

 private:
  // The answer of each site that gave one, by name: what rules depend on.
  std::map<std::string, std::string> records_of(const std::string& database) const {
    std::map<std::string, std::string> found;
    for (const std::string& line : lines_of(run({"db", in_folder(database), "export"}).out)) {
      const Json record = Json::parse(line);
      if (!record.contains("outcome") || record["outcome"] == "unreachable") continue;
      const std::string origin = record["origin"];
      Json kept;
      for (const char* member : {"outcome", "status", "truncated", "robots", "robots_b64", "url"}) {
        if (record.contains(member)) kept[member] = record[member];
      }
      const std::size_t begin = origin.find("://") + 3;
      found[origin.substr(begin, origin.find('.') - begin)] = kept.dump();
    }
    return found;
  }

  std::vector<std::string> sites_;
};

TEST_F(ImportRecorded, InEachCoding) {
  const std::string gzip = packed(Coding::gzip, rules);
  site("plain", reply(rules));
  site("none", coded("identity", rules));
  site("charset", coded("utf-8", rules));
  site("gzip", coded("gzip", gzip));
  site("x-gzip", coded("X-GZIP", gzip));
  site("deflate", coded("deflate", packed(Coding::deflate, rules)));
  site("raw-deflate", coded("deflate", packed(Coding::raw_deflate, rules)));
  site("brotli", coded("br", packed(Coding::brotli, rules)));
  site("zstd", coded("zstd", packed(Coding::zstd, rules)));
  site("double-gzip", coded("gzip, gzip", packed(Coding::gzip, gzip)));
  site("two-codings", coded("gzip, br", packed(Coding::brotli, gzip)));
  site("two-fields", Reply{.headers = {{"Content-Encoding", "zstd"}, {"Content-Encoding", "gzip"}},
                           .body = packed(Coding::gzip, packed(Coding::zstd, rules))});
  site("members", coded("gzip", gzip + packed(Coding::gzip, "Disallow: /y\n")));
  site("trailing", coded("gzip", gzip + "trailing"));
  site("empty", coded("br", ""));
  site("gzip-file", reply(gzip));
  site("empty-gzip-file", reply(packed(Coding::gzip, "")));
  const std::size_t known = 17;
  // Files that the robot does not obey.
  site("three-codings", coded("gzip, gzip, gzip", packed(Coding::gzip, packed(Coding::gzip, gzip))));
  site("unknown", coded("compress", rules));
  site("mislabelled", coded("gzip", rules));
  site("half", coded("gzip", gzip.substr(0, gzip.size() / 2)));
  site("half-zstd", coded("zstd", packed(Coding::zstd, rules).substr(0, 20)));
  site("half-file", reply(gzip.substr(0, gzip.size() / 2)));
  expect_the_same(known);
}

TEST_F(ImportRecorded, WithEachStatus) {
  for (const int status :
       {200, 201, 202, 203, 204, 205, 226, 299, 206, 300, 304, 305, 399, 400, 401, 403, 404, 405, 406,
        407, 408, 410, 414, 418, 421, 425, 426, 428, 429, 431, 451, 499, 500, 501, 503, 511, 599}) {
    site("s" + std::to_string(status), Reply{.status = status, .body = rules});
  }
  site("challenge", Reply{.status = 202, .body = "<html>wait"});
  site("waf", Reply{.status = 202, .headers = {{"x-amzn-waf-action", "challenge"}}, .body = rules});
  // Errors are what their head says, whatever follows it.
  site("coded-404", Reply{.status = 404, .headers = {{"Content-Encoding", "compress"}}, .body = "no"});
  site("damaged-404", Reply{.status = 404, .headers = {{"Content-Encoding", "gzip"}}, .body = "no"});
  site("short-404", Script().send("HTTP/1.1 404 Not Found\r\nContent-Length: 90\r\n\r\nno").cut());
  expect_the_same(8 + 16 + 3);
}

TEST_F(ImportRecorded, InEachFraming) {
  const std::string gzip = packed(Coding::gzip, rules);
  const auto script = [](const std::string& head, const std::string& body) {
    return Script().send(head + "\r\n\r\n" + body);
  };
  const std::string size = std::to_string(rules.size());
  site("length", reply(rules));
  site("lengths", script("HTTP/1.1 200 OK\r\nContent-Length: " + size + ", " + size, rules));
  site("chunked", Reply{.body = rules, .chunked = 7});
  site("chunked-gzip", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = gzip, .chunked = 7});
  site("both", script("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", chunked(rules, 7)));
  site("trailer",
       script("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", "1b;a=b\r\n" + rules + "\r\n0\r\nX: y\r\n\r\n"));
  site("close", Reply{.body = rules, .length = false});
  site("close-gzip", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = gzip, .length = false});
  site("close-br",
       Reply{.headers = {{"Content-Encoding", "br"}}, .body = packed(Coding::brotli, rules), .length = false});
  site("identity", script("HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: " + size, rules + "more"));
  site("http10", script("HTTP/1.0 200 OK", rules));
  site("only-lf", Script().send("HTTP/1.1 200 OK\nContent-Length: " + size + "\n\n" + rules));
  site("folded", script("HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Encoding:\r\n gzip", gzip));
  site("interim", Script().send("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: " + size +
                                "\r\n\r\n" + rules));
  // A body that looks like a chunk, and is none.
  site("no-chunk", script("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked", chunked("5\r\n" + rules, 100)));
  const std::size_t known = 15;
  site("short", Script().send("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n" + rules).cut());
  site("unfinished",
       Script().send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + unfinished_chunks(rules)).cut());
  site("odd-line", script("HTTP/1.1 200 OK\r\nnot a field\r\nContent-Length: " + size, rules));
  site("two-lengths", script("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6", rules));
  expect_the_same(known);
}

// A robot reads the first 512,000 bytes of a file, and then only its whole lines.
TEST_F(ImportRecorded, OfEachLength) {
  ASSERT_EQ(archive::WarcReader::max_body, limit);
  ASSERT_EQ(RobotsPolicy::rfc9309().body_limit, limit);
  const auto file = [](std::size_t size) {
    std::string made = rules;
    while (made.size() + 100 < size) made += "Disallow: /" + std::to_string(made.size()) + "\n";
    made += "Disallow: /";
    return made + std::string(size - made.size(), 'z');
  };
  for (const std::size_t size : {limit - 1, limit, limit + 1, 2 * limit, 5 * limit}) {
    const std::string name = std::to_string(size);
    const std::string body = file(size);
    site("plain" + name, reply(body));
    site("chunked" + name, Reply{.body = body, .chunked = 9'999});
    site("close" + name, Reply{.body = body, .length = false});
    for (const Coding coding : {Coding::gzip, Coding::brotli, Coding::zstd, Coding::raw_deflate}) {
      const std::string in = std::string(name_of(coding)) + name;
      site(in, coded(std::string(name_of(coding)), packed(coding, body)));
      site("chunked" + in, Reply{.headers = {{"Content-Encoding", std::string(name_of(coding))}},
                                 .body = packed(coding, body),
                                 .chunked = 999});
    }
    site("file" + name, reply(packed(Coding::gzip, body)));
  }
  expect_the_same(5U * 12);
}

// Its encoded form is longer than a robot may read of it decoded.
TEST_F(ImportRecorded, OfALongEncodedForm) {
  std::string long_gzip("\x1f\x8b\x08\0\0\0\0\0\0\3", 10);
  for (int i = 0; i < (8 << 20) / 5; ++i) long_gzip.append("\0\0\0\xff\xff", 5);  // an empty block
  long_gzip.append("\1\0\0\xff\xff\0\0\0\0\0\0\0\0", 13);
  site("long", coded("gzip", long_gzip));
  expect_the_same(1);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
