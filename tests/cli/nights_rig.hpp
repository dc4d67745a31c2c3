// A job that archives the same site every night, with a WARC file for each night.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/get_rig.hpp"
#include "support/archive/fetched.hpp"
#include "support/server/bodies.hpp"

namespace robotrules::test {

class NightsRig : public GetRig {
 protected:
  NightsRig() {
    server.on("", "/robots.txt", reply("User-agent: *\nDisallow: /no\n"));
    std::string filler;  // 2,000 bytes that are not compressed well
    for (std::uint32_t x = 1; filler.size() < 2'000; x = x * 1'664'525 + 1'013'904'223)
      filler += static_cast<char>('!' + (x >> 26));
    for (int i = 0; i < 40; ++i) {
      const std::string name = "/plain/" + std::to_string(i);
      add_page(name, reply(name + filler), name + filler);
    }
    for (int i = 0; i < 5; ++i) {
      const std::string name = "/tagged/" + std::to_string(i);
      add_page(name, tagged(name + filler), name + filler);
    }
    for (const char* twin : {"/twin/1", "/twin/2", "/twin/3"})
      add_page(twin, reply("twins" + filler), "twins" + filler);
    for (const char* twin : {"/tagged-twin/1", "/tagged-twin/2"})
      add_page(twin, tagged("both" + filler), "both" + filler);
    add_page("/gzip", Reply{.headers = {{"Content-Encoding", "gzip"}}, .body = packed(Coding::gzip, filler)}, filler);
    add_page("/chunked", Reply{.body = "chunks" + filler, .chunked = 700}, "chunks" + filler);
    add_page("/empty", tagged(""), "");
    add_page("/new", reply("new"), "new");
    page("/old", redirect(301, "/new"));
    page("/gone", Reply{.status = 404, .body = "gone"});
    page("/changes", [this](const SeenRequest&) { return reply("night " + std::to_string(night_)); });
    for (const char* name : {"/old", "/gone", "/changes", "/no"}) urls_.push_back(url(name));
  }

  // Fetches the URLs into night-N.warc.gz, and returns its path.
  std::string fetch_night(const Words& more = {}) {
    ++night_;
    const std::string out = in_folder("night-" + std::to_string(night_) + ".warc.gz");
    Words words{"--input", list(urls_), "--output", out,       "--db", in_folder("nights.db"),
                "--job",   "nightly",   "--dedup",  "--retry", "--cdx"};
    if (night_ > 1) words.emplace_back("--revisit");
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = get(words);
    EXPECT_EQ(ran.status, 3) << "one page is not found: " << ran.err;
    files_.push_back(out);
    return out;
  }
  void add_page(const std::string& path, Handler handler, const std::string& body) {
    page(path, std::move(handler));
    urls_.push_back(url(path));
    bodies_[url(path)] = body;
  }
  // A page with an ETag, which answers 304.
  static Handler tagged(const std::string& body) {
    return [body](const SeenRequest& request) -> Answer {
      const std::string tag = "\"" + std::to_string(body.size()) + "\"";
      if (request.header("If-None-Match") == tag) return status(304, {{"ETag", tag}});
      return Reply{.headers = {{"ETag", tag}}, .body = body};
    };
  }

  std::atomic<int> night_ = 0;  // the server reads it
  std::vector<std::string> urls_;
  std::map<std::string, std::string> bodies_;  // of pages that do not change, decoded
  std::vector<std::string> files_;             // one for each night
};

}  // namespace robotrules::test
