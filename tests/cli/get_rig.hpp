// robotrules get at scripted servers on loopback, and what it wrote read back.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/page_output.hpp>
#include "cli/command.hpp"
#include "support/server/server.hpp"

namespace robotrules::test {

class GetRig : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;
  using Json = nlohmann::json;

  // Every site has an empty robots.txt and no delay, unless a test says otherwise.
  GetRig();

  // "http://a.localhost:PORT/path": libcurl itself knows where names under localhost lead.
  std::string url(std::string_view path, std::string_view site = "a") const;
  void page(std::string_view path, test::Handler handler) { server.on("", path, std::move(handler)); }
  // The words of a whole line that begins with "get".
  static Words line(Words words);
  static Ran get(Words words, std::string_view input = {}) { return run(line(std::move(words)), input); }
  std::string in_folder(std::string_view name) const { return folder.path() + "/" + std::string(name); }
  std::string list(const std::vector<std::string>& urls) const;  // a file of them

  // Targets that were asked for, in their order; robots.txt is not among them.
  std::vector<std::string> asked() const;
  std::size_t times(std::string_view target) const;
  // Of a file of NDJSON, line by line; and that of one URL.
  static std::vector<Json> json_lines(const std::string& path);
  static Json line_of(const std::string& path, const std::string& url);

  test::ScriptedServer server;
  std::uint16_t port = server.listen();
  TemporaryFolder folder;
};

// What stands in a WARC file, by URL, without robots.txt.
struct WarcPages {
  std::vector<std::string> responses;  // their URLs, in order
  std::vector<std::string> revisits;
  std::vector<std::string> pages;  // of the metadata that end a page: the queue's URLs
};
WarcPages pages_in(const std::string& path, Packing packing);

}  // namespace robotrules::test
