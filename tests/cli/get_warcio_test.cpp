// WARC files of pages that a real agent fetched, read by warcio (npm), and by warcio and pywb (PyPI): their bytes are
// those that the server sent. Without npm or PyPI, only the tests' own reader reads them.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "cli/command.hpp"
#include "cli/nights_rig.hpp"
#include "support/agent/loopback.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"
#include "support/test_data.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

struct Sent {
  std::string url;
  std::string head;     // as the archive has it
  std::string body;     // likewise: encoded, without chunks
  std::string content;  // decoded
  std::string request;
};

class Archive : public test::LocalAgent {
 protected:
  // One of each kind of answer, fetched into `path`.
  std::vector<Sent> fetch_into(const std::string& path) {
    using test::Coding;
    const std::string page = "<title>caf\u00e9</title>" + std::string(3'000, 'x');
    std::string bytes;
    for (int i = 0; i < 70'000; ++i) bytes += static_cast<char>(i * 7 % 256);
    const auto plain = [](const std::string& fields, const std::string& body) {
      return "HTTP/1.1 200 OK\r\n" + fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    };
    std::vector<Sent> sent;
    const auto add = [&](const std::string& name, std::string on_wire, std::string head, std::string body,
                         std::string content) {
      server.on("", name, test::Script().send(std::move(on_wire)));
      sent.push_back({url(name), std::move(head), std::move(body), std::move(content), {}});
    };
    const auto add_plain = [&](const std::string& name, const std::string& fields, const std::string& body,
                               const std::string& content) {
      add(name, plain(fields, body) + body, plain(fields, body), body, content);
    };
    add_plain("/html", "Content-Type: text/html\r\nX-Odd:  spaced  \r\n", page, page);
    add_plain("/octets", "Content-Type: application/octet-stream\r\n", bytes, bytes);
    add_plain("/empty", "", "", "");
    const std::string gzip = test::packed(Coding::gzip, page);
    add_plain("/gzip", "Content-Encoding: gzip\r\n", gzip, page);
    const std::string chunked_head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n";
    add("/chunked", chunked_head + "\r\n" + test::chunked(page, 700),
        "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\nX-A: b\r\nContent-Length: " +
            std::to_string(page.size()) + "\r\n\r\n",
        page, page);
    add("/to-the-end", "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n" + page, "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n", page, page);
    add("/lf", "HTTP/1.1 404 Not Found\nContent-Length: 2\n\nno", "HTTP/1.1 404 Not Found\nContent-Length: 2\n\n", "no",
        "no");

    auto output = open_output(path, {.agent = "TestBot/1.0"});
    EXPECT_TRUE(output.ok());
    UserAgent robot = agent();
    for (Sent& one : sent) {
      Request request;
      request.url = one.url;
      request.record = output.value()->needs().recording;
      request.keep_body = output.value()->needs().body;
      const Response response = robot.request(request);
      EXPECT_TRUE(output.value()->write({.response = response, .url = one.url, .method = "GET"}).ok());
      one.request = seen(count() - 1).head;
    }
    return sent;
  }
  TemporaryFolder folder;
};

TEST_F(Archive, HoldsWhatTheServerSentToTheByte) {
  for (const auto& [name, packing] :
       {std::pair{"a.warc", Packing::none}, {"a.warc.gz", Packing::gzip}, {"a.warc.zst", Packing::zstd}}) {
    const std::string path = folder.path() + "/" + name;
    const auto sent = fetch_into(path);
    const auto records = read_warc(contents(path), packing);
    ASSERT_EQ(records.size(), 1 + 3 * sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      EXPECT_EQ(records[1 + 3 * i].block, sent[i].head + sent[i].body) << sent[i].url;
      EXPECT_EQ(records[2 + 3 * i].block, sent[i].request);
      EXPECT_EQ(records[1 + 3 * i].get("WARC-Truncated"), "");
    }
  }
}

// What a script of tests/warcio says of `arguments`, line by line. `missing` is set if it cannot run here.
std::vector<nlohmann::json> told(const std::string& script, const std::string& arguments, std::string& missing) {
  const std::filesystem::path build = std::filesystem::path(command_path()).parent_path().parent_path();
  const std::string folder = (build / (script == "read.sh" ? "warcio" : "warcio-python")).string();
  const std::string command =
      "'" + test::source_folder().string() + "/tests/warcio/" + script + "' '" + folder + "' " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  std::string said;
  char piece[4'096];
  for (std::size_t size = 0; (size = fread(piece, 1, sizeof piece, pipe)) > 0;) said.append(piece, size);
  const int status = WEXITSTATUS(pclose(pipe));
  std::vector<nlohmann::json> lines;
  if (status == 77) {
    missing = said;
    return lines;
  }
  EXPECT_EQ(status, 0) << said;
  if (status != 0) return lines;
  for (const std::string& line : lines_of(said)) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

std::string decoded(const nlohmann::json& line, const char* name) {
  std::string bytes;
  EXPECT_TRUE(base::decode_base64(line.value(name, ""), bytes));
  return bytes;
}

class IsRead : public Archive, public ::testing::WithParamInterface<const char*> {};

TEST_P(IsRead, WithTheBytesOfTheServer) {
  for (const std::string name : {"w.warc", "w.warc.gz"}) {
    const std::string path = folder.path() + "/" + name;
    const auto sent = fetch_into(path);
    std::string missing;
    const auto records = told(GetParam(), "'" + path + "'", missing);
    if (!missing.empty()) GTEST_SKIP() << missing;
    std::size_t number = 0;
    for (const auto& record : records) {
      if (record["type"] != "response") continue;
      ASSERT_LT(number, sent.size());
      const Sent& one = sent[number++];
      const bool only_lf = one.url.ends_with("/lf");
      EXPECT_EQ(decoded(record, "block"), one.head + one.body) << one.url;
      EXPECT_EQ(record["url"], one.url);
      EXPECT_EQ(record["status"], only_lf ? 404 : 200);
      // warcio (JavaScript) finds no end of a head without CRs; the bytes above are right all the same.
      const bool finds_no_end = only_lf && GetParam() == std::string("read.sh");
      EXPECT_EQ(decoded(record, "content"), finds_no_end ? "" : one.content) << one.url;
    }
    EXPECT_EQ(number, sent.size());
  }
}

INSTANTIATE_TEST_SUITE_P(By, IsRead, ::testing::Values("read.sh", "read_python.sh"),
                         [](const auto& one) { return one.param == std::string("read.sh") ? "JavaScript" : "Python"; });

// A file of a whole run: robots.txt, a redirect, a failure, copies of a body, fields of warcinfo and an index.
class IsReplayed : public GetRig {
 protected:
  void fetch(const std::string& out) {
    server.on("", "/robots.txt", test::reply("User-agent: *\nDisallow: /x\n"));
    for (const char* same : {"/1", "/2"}) page(same, test::reply("same"));
    page("/3?b&a", test::reply("same"));
    page("/gzip", test::Reply{.headers = {{"Content-Encoding", "gzip"}},
                              .body = test::packed(test::Coding::gzip, std::string(9'000, 'g'))});
    page("/old", test::redirect(301, "/1"));
    const Ran ran = get({url("/1"), url("/2"), url("/3?b&a"), url("/gzip"), url("/old"), url("/gone"), url("/x"),
                         url("/1", "www.b"), "--output", out, "--dedup", "--cdx", "--warc-header", "operator=Ann"});
    EXPECT_EQ(ran.status, 3) << ran.err;
  }
};

TEST_F(IsReplayed, ByWarcioWithEveryRecord) {
  for (const std::string name : {"plain.warc", "packed.warc.gz"}) {
    fetch(in_folder(name));
    const auto own = read_warc(contents(in_folder(name)), name == "plain.warc" ? Packing::none : Packing::gzip);
    for (const char* script : {"read.sh", "read_python.sh"}) {
      std::string missing;
      const auto records = told(script, "'" + in_folder(name) + "'", missing);
      if (!missing.empty()) GTEST_SKIP() << missing;
      ASSERT_EQ(records.size(), own.size()) << script;
      for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_EQ(records[i]["type"], own[i].get("WARC-Type"));
        EXPECT_EQ(decoded(records[i], "block"), own[i].block);
      }
    }
  }
}

TEST_F(IsReplayed, ByPywbThroughTheIndex) {
  const std::map<std::string, std::string> bodies{{url("/robots.txt"), "User-agent: *\nDisallow: /x\n"},
                                                  {url("/1"), "same"},
                                                  {url("/2"), "same"},
                                                  {url("/3?b&a"), "same"},
                                                  {url("/1", "www.b"), "same"},
                                                  {url("/gzip"), std::string(9'000, 'g')}};
  for (const std::string name : {"a.warc", "a.warc.gz"}) {
    fetch(in_folder(name));
    std::string missing;
    const auto pages =
        told("read_python.sh", "'" + in_folder(name) + "' --index '" + in_folder("a.cdxj") + "'", missing);
    if (!missing.empty()) GTEST_SKIP() << missing;
    std::set<std::string> found;
    for (const auto& one : pages) {
      const std::string where = one["url"];
      const auto body = bodies.find(where);
      if (body == bodies.end()) continue;
      found.insert(where);
      EXPECT_EQ(one.value("status", 0), 200) << where << one;
      EXPECT_EQ(decoded(one, "content"), body->second) << where;
    }
    EXPECT_EQ(found.size(), bodies.size());
    EXPECT_EQ(pages.size(), lines_of(contents(in_folder("a.cdxj"))).size());
    std::filesystem::remove(in_folder("a.cdxj"));  // of the other file
  }
}

// The files of two nights, as programs of others read them.
class NightsAreRead : public NightsRig {
 protected:
  NightsAreRead() {
    for (int night = 0; night < 2; ++night) fetch_night();
    for (const std::string& file : files_) names += " '" + file + "'";
  }
  std::string names;
};

TEST_F(NightsAreRead, ByWarcioWhichFindsTheResponseOfEachRevisit) {
  std::string missing;
  const auto lines = told("read_python.sh", "--revisits" + names, missing);
  if (!missing.empty()) GTEST_SKIP() << missing;
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[0].value("revisit", 0), 4);
  EXPECT_EQ(lines[1].value("response", 0), 3);
  EXPECT_EQ(lines[1].value("revisit", 0), lines[0].value("response", 0) + 4 - 3 - 1) << "without robots.txt";
  for (std::size_t i = 2; i < lines.size(); ++i) EXPECT_EQ(lines[i].value("sound", false), true) << lines[i];
}

// Each capture of each index is replayed: a page that has not changed is the page, whatever the server answered.
class NightsAreReplayed : public NightsAreRead, public ::testing::WithParamInterface<const char*> {};

TEST_P(NightsAreReplayed, ByPywbWithTheWholePageEachNight) {
  std::string index = GetParam();
  if (index == "own") {
    std::vector<std::string> lines;
    for (const char* name : {"night-1.cdxj", "night-2.cdxj"}) {
      for (std::string& line : lines_of(contents(in_folder(name)))) lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    index = folder.file("both.cdxj", text);
  }
  std::string missing;
  const auto pages = told("read_python.sh", "--index '" + index + "'" + names, missing);
  if (!missing.empty()) GTEST_SKIP() << missing;
  std::map<std::string, int> captures;
  int revisits = 0;
  for (const auto& one : pages) {
    const std::string where = one["url"];
    const auto body = bodies_.find(where);
    if (body == bodies_.end()) continue;
    ++captures[where];
    revisits += one["mime"] == "warc/revisit" ? 1 : 0;
    EXPECT_EQ(one.value("status", 0), 200) << one;
    EXPECT_EQ(decoded(one, "content"), body->second) << one;
  }
  EXPECT_EQ(captures.size(), bodies_.size());
  for (const auto& [where, count] : captures) EXPECT_EQ(count, where == url("/new") ? 4 : 2) << where;
  EXPECT_GT(revisits, static_cast<int>(bodies_.size()));
}

INSTANTIATE_TEST_SUITE_P(WithTheIndexOf, NightsAreReplayed, ::testing::Values("own", "pywb", "cdxj-indexer", "wacz"),
                         [](const auto& one) {
                           return std::string(one.param == std::string("cdxj-indexer") ? "cdxj" : one.param);
                         });

}  // namespace
}  // namespace robotrules::test::THIS_FILE
