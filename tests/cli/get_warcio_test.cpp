// WARC files of pages that a real agent fetched, read by warcio (npm): its octets are those that the server sent. And
// by nothing else but the file's own reader where npm is missing.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "cli/command.hpp"
#include "support/agent/loopback.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"
#include "support/test_data.hpp"

namespace robotrules::test {
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
    std::string octets;
    for (int i = 0; i < 70'000; ++i) octets += static_cast<char>(i * 7 % 256);
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
    add_plain("/octets", "Content-Type: application/octet-stream\r\n", octets, octets);
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

TEST_F(Archive, HoldsWhatTheServerSentToTheOctet) {
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

TEST_F(Archive, IsReadByWarcio) {
  for (const std::string name : {"w.warc", "w.warc.gz"}) {
    const std::string path = folder.path() + "/" + name;
    const auto sent = fetch_into(path);
    const std::string here = std::filesystem::path(command_path()).parent_path().parent_path() / "warcio";
    const std::string command =
        "'" + test::source_folder().string() + "/tests/warcio/read.sh' '" + here + "' '" + path + "' 2>&1";
    std::FILE* pipe = popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::string said;
    char piece[4'096];
    for (std::size_t size = 0; (size = fread(piece, 1, sizeof piece, pipe)) > 0;) said.append(piece, size);
    const int status = WEXITSTATUS(pclose(pipe));
    if (status == 77) GTEST_SKIP() << said;
    ASSERT_EQ(status, 0) << said;
    std::size_t number = 0;
    for (const std::string& line : lines_of(said)) {
      const auto record = nlohmann::json::parse(line);
      if (record["type"] != "response") continue;
      ASSERT_LT(number, sent.size());
      const Sent& one = sent[number++];
      std::string block;
      std::string content;
      ASSERT_TRUE(base::decode_base64(record["block"].get<std::string>(), block));
      ASSERT_TRUE(base::decode_base64(record["content"].get<std::string>(), content));
      EXPECT_EQ(block, one.head + one.body) << one.url;
      // warcio finds no end of a head without CRs; the octets above are right all the same.
      EXPECT_EQ(content, one.url.ends_with("/lf") ? "" : one.content) << one.url;
      EXPECT_EQ(record["url"], one.url);
      EXPECT_EQ(record["status"], one.url.ends_with("/lf") ? 404 : 200);
    }
    EXPECT_EQ(number, sent.size());
  }
}

}  // namespace
}  // namespace robotrules::test
