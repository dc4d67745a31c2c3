// get/*: what an output makes of pages of 4 KB, as robotrules get writes them: request, response and metadata of each.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <robotrules/page_output.hpp>

#include "support/folder.hpp"

namespace robotrules::bench {
namespace {

// Words in markup: packs to about a third, as pages do.
std::string page_text(std::mt19937& random, std::size_t size) {
  std::string text = "<!doctype html><html><head><title>page</title></head><body>";
  while (text.size() < size) {
    text += random() % 6 == 0 ? "</p>\n<p class=\"entry\">" : " ";
    for (auto letters = 2 + random() % 8; letters > 0; --letters) text += "etaoinshrdlucmfw"[random() % 16];
  }
  text.resize(size);
  return text;
}

std::vector<Response> pages() {
  std::mt19937 random(1);
  std::vector<Response> made(256);
  for (std::size_t i = 0; i < made.size(); ++i) {
    Response& page = made[i];
    page.code = 200;
    page.method = "GET";
    page.url = "http://host" + std::to_string(i) + ".example/shop/page" + std::to_string(i) + ".html?id=7";
    page.body = page_text(random, 4'096);
    page.body_size = page.bytes_received = page.body.size();
    page.requested_at = Timestamp(std::chrono::seconds(1'795'273'445));
    page.received_at = page.requested_at + std::chrono::milliseconds(20);
    page.headers = {{"Content-Type", "text/html; charset=utf-8"}, {"ETag", "\"5f2\""}, {"Content-Length", "4096"}};
    auto recording = std::make_shared<Recording>();
    recording->request_head =
        "GET /shop/page.html?id=7 HTTP/1.1\r\nHost: host.example\r\nUser-Agent: "
        "BenchBot/1.0\r\nFrom: me@host.example\r\nAccept-Encoding: gzip, br, zstd\r\n\r\n";
    recording->response_head =
        "HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Sat, 21 Nov 2026 15:04:05 GMT\r\n"
        "Content-Type: text/html; charset=utf-8\r\nETag: \"5f2\"\r\nContent-Length: 4096\r\n\r\n";
    recording->body_is_plain = true;
    recording->peer = "127.0.0.1:8080";
    recording->requested_at = page.requested_at;
    page.recording = std::move(recording);
  }
  return made;
}

// One iteration is one page.
void write_pages(benchmark::State& state, const std::string& name) {
  static const std::vector<Response> all = pages();
  const std::string folder = test::new_folder_on_disk();
  {
    auto output = open_output(folder + "/" + name, {.agent = "BenchBot/1.0"});
    if (!output) return state.SkipWithError("no output");
    std::size_t next = 0;
    for (auto turn : state) {
      const Response& page = all[next++ % all.size()];
      const auto wrote = output.value()->write({.response = page, .url = page.url, .method = page.method});
      if (!wrote) return state.SkipWithError("not written");
    }
    state.SetItemsProcessed(state.iterations());
    state.counters["octets_a_page"] =
        static_cast<double>(output.value()->position()) / static_cast<double>(state.iterations());
  }
  std::filesystem::remove_all(folder);
}

BENCHMARK_CAPTURE(write_pages, warc, "a.warc")->Name("get/warc");
BENCHMARK_CAPTURE(write_pages, warc_gzip, "a.warc.gz")->Name("get/warc_gzip");
BENCHMARK_CAPTURE(write_pages, warc_zstd, "a.warc.zst")->Name("get/warc_zstd");
BENCHMARK_CAPTURE(write_pages, ndjson, "a.ndjson")->Name("get/ndjson");
BENCHMARK_CAPTURE(write_pages, tree, "tree/")->Name("get/tree");

}  // namespace
}  // namespace robotrules::bench
