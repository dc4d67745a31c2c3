// Whole answers of a server, byte by byte, through libcurl to a robot and an output: robots.txt, redirects, kept
// connections, interim responses, bodies that break off. Whatever comes, each request ends with a response, and what an
// output has kept of it reads back as what came.
//
// Input: the output (modulo 6), then how to ask (bit 0: two sites at once; 1: HEAD for the second page; 2: cookies;
// 3: small limits; 4: robots.txt read strictly; bits 5 and 6: pages beyond the first), then a script
// (answers/peer.hpp).
#include <fcntl.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <robotrules/robot_ua.hpp>

#include "answers/peer.hpp"
#include "answers/strict_warc.hpp"
#include "archive/outputs.hpp"
#include "archive/packed_file.hpp"
#include "archive/recover.hpp"
#include "base/utf8.hpp"
#include "cli/io/text.hpp"
#include "http/curl/curl_transport.hpp"
#include "input.hpp"
#include "memory_file.hpp"
#include "scratch_folder.hpp"
#include "support/agent/manual_loop.hpp"

namespace robotrules::fuzz {
namespace {

namespace fs = std::filesystem;

struct Asked {
  std::string method;
  std::string url;
  Response response;
};

std::string read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A robot whose loop, clock and network are this thread's.
class Rig {
 public:
  explicit Rig(std::uint8_t how) {
    RobotUAOptions options;
    options.pace.delay = std::chrono::milliseconds(0);
    options.use_sleep = false;
    if ((how & 0x10U) != 0) options.policy = RobotsPolicy::strict();
    if ((how & 4U) != 0) options.http.cookies = std::make_shared<CookieJar>();
    options.http.limits.max_body_bytes = (how & 8U) != 0 ? 100 : 1 << 20;
    if ((how & 8U) != 0) options.http.limits.max_header_bytes = 500;
    ConnectionOptions& connection = options.http.connection;
    connection.guard.allow_all();
    connection.resolve = [](std::string_view, std::uint16_t) { return std::vector<std::string>{"127.0.0.1"}; };
    auto store = make_memory_store({.clock = [clock = clock_] { return clock->now(); }});
    auto rules = std::make_shared<RobotRules>(std::move(RobotRules::open(std::move(store), "FuzzBot")).value());
    ua_ = std::make_unique<RobotUA>(
        RobotUA::make("FuzzBot/1.0", "fuzz@example.org", std::move(rules), options, loop_, transport_).value());
  }
  // What was posted at the end runs while its loop is there.
  ~Rig() {
    ua_.reset();
    loop_->run();
    context_->poll();
    transport_.reset();
    context_->poll();
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  void start(Request request, Asked& asked) {
    ++open_;
    asked.method = request.method;
    asked.url = request.url;
    ua_->start(std::move(request), [this, &asked](Response response) {
      asked.response = std::move(response);
      --open_;
    });
  }
  void run() {
    for (int idle = 0; open_ > 0;) {
      loop_->run();
      context_->restart();
      const bool moved = context_->poll() > 0;
      if (Peer::instance().serve() || moved) {
        idle = 0;
      } else if (!Peer::instance().hang_up()) {
        require(++idle < 1'000, "a request ends");
        loop_->advance(std::chrono::seconds(1));
        if (open_ > 0 && loop_->timers() == 0) context_->run_one_for(std::chrono::milliseconds(5));
      }
    }
  }

 private:
  std::shared_ptr<test::ManualClock> clock_ = std::make_shared<test::ManualClock>();
  std::shared_ptr<test::ManualLoop> loop_ = std::make_shared<test::ManualLoop>(clock_);
  std::shared_ptr<boost::asio::io_context> context_ = std::make_shared<boost::asio::io_context>(1);
  std::shared_ptr<agent::CurlTransport> transport_ = std::make_shared<agent::CurlTransport>(context_);
  std::unique_ptr<RobotUA> ua_;
  int open_ = 0;
};

Request request_of(std::string url, const PageNeeds& needs) {
  Request request;
  request.url = std::move(url);
  request.record = needs.recording;
  request.keep_body = needs.body || needs.recording;
  return request;
}

std::vector<Asked> ask(std::uint8_t how, const PageNeeds& needs) {
  const bool together = (how & 1U) != 0;
  std::vector<Asked> asked(1 + (how >> 5U & 3U));
  Rig rig(how);
  for (std::size_t number = 0; number < asked.size(); ++number) {
    const std::string host = together && number % 2 == 1 ? "b.test" : "a.test";
    Request request = request_of("http://" + host + "/" + std::to_string(number), needs);
    if (number == 1 && (how & 2U) != 0) request.method = "HEAD";
    rig.start(std::move(request), asked[number]);
    if (!together || number % 2 == 1) rig.run();
  }
  rig.run();
  return asked;
}

void require_sense(const Response& response) {
  require(response.code >= 100 && response.code <= 999, "a response has a status");
  require(response.source <= ResponseSource::internal, "and a source");
  require(response.source != ResponseSource::internal, "there is memory, and nothing throws");
  require(response.is_synthetic() || response.code >= 200, "an interim response is not the last");
  require(!response.is_synthetic() || base::is_utf8(response.warning) || !response.warning.empty(), "in words");
  for (const HeaderField& field : response.headers) {
    require(field.name.find_first_of("\r\n") == std::string::npos && field.name.find('\0') == std::string::npos,
            "clean");
    require(field.value.find_first_of("\r\n") == std::string::npos && field.value.find('\0') == std::string::npos,
            "a field is one line");
  }
  const auto before = response.redirects();
  require(before.size() <= 7 + 2, "redirects have an end");
  for (const auto& hop : before) require(hop->code >= 100 && hop->code <= 999, "a hop has a status");
}

Packing packing_of(unsigned output) {
  return output == 1 ? Packing::gzip : output == 2 ? Packing::zstd : Packing::none;
}

std::string unpacked(const std::string& path, Packing packing) {
  auto file = std::move(archive::PackedFile::open(path, packing, 0)).value();
  std::string plain;
  for (int byte = 0; (byte = file->next()) >= 0;) plain += static_cast<char>(byte);
  require(file->error() == 0 && file->boundary() == fs::file_size(path), "a packed file is whole to its end");
  return plain;
}

// The record of a response is what came, and says its own length. That of a 304 that confirms a page has no block.
void require_response(const StrictRecord& record, const Response& hop, std::string_view method) {
  if (record.type == "revisit" && hop.code == 304) {
    return require(record.block.empty() && record.field("content-type").empty(), "a page is in another record");
  }
  const StrictMessage message = message_in(record.block);
  require(message.body == (record.type == "revisit" ? std::string_view() : hop.recorded_body().in_memory()),
          "a body is what came");
  require(message.head.substr(0, 9) == "HTTP/1.1 " || message.head.substr(0, 9) == "HTTP/1.0 ", "a version is known");
  const bool bodiless = method == "HEAD" || hop.code == 304 || hop.code == 204;
  if (record.field("warc-truncated").empty() && !bodiless && !hop.is_synthetic()) require_framing(message);
}

void require_page(const Asked& asked, std::vector<StrictRecord>::const_iterator& at,
                  std::vector<StrictRecord>::const_iterator end) {
  std::vector<const Response*> hops;
  const auto before = asked.response.redirects();
  for (const auto& hop : before) hops.push_back(hop.get());
  hops.push_back(&asked.response);
  for (const Response* hop : hops) {
    if (hop->recording != nullptr && !hop->recording->response_head.empty()) {
      require(at != end && (at->type == "response" || at->type == "revisit"), "an answer is kept");
      require_response(*at++, *hop, asked.method);
      require(at != end && at->type == "request", "with its request");
      ++at;
    }
    require(at != end && at->type == "metadata", "what became of it is kept");
    ++at;
  }
}

void require_warc(const std::string& path, Packing packing, const std::vector<Asked>& asked) {
  const std::string plain = unpacked(path, packing);
  const std::vector<StrictRecord> records = read_strictly(plain);
  auto at = records.begin();
  require(at != records.end() && at->type == "warcinfo", "a file says what it is");
  ++at;
  for (const Asked& page : asked) require_page(page, at, records.end());
  require(at == records.end(), "nothing else is in the file");

  std::size_t told = 0;
  const auto recovered =
      archive::recover(path, {OutputKind::warc, packing}, 0, [&](const archive::RecoveredPage& page) {
        require(told < asked.size() && page.url == asked[told].url && page.method == asked[told].method,
                "in their order");
        ++told;
      });
  require(recovered.ok() && told == asked.size(), "every page is found again");
  require(recovered.value().cut == 0 && recovered.value().position == fs::file_size(path), "and nothing is cut");
}

void require_ndjson(const std::string& path, const std::vector<Asked>& asked) {
  std::ifstream file(path, std::ios::binary);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    require(base::is_utf8(line), "a line is UTF-8");
    const auto page = nlohmann::json::parse(line, nullptr, false);
    require(page.is_object() && lines < asked.size() && page.value("url", "") == asked[lines].url, "a line is a page");
  }
  require(lines == asked.size(), "every page has a line");
}

void require_tree(const std::string& folder, const std::vector<Asked>& asked) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    require(entry.is_regular_file() && !entry.is_symlink(), "a tree is of files");
    ++files;
    const std::string body = read(entry.path());
    bool known = false;
    for (const Asked& page : asked) known = known || page.response.body == body;
    require(known, "a file is a page's body");
  }
  require(files <= asked.size(), "a page is one file");
}

// Of a cut page, the output contains nothing.
void require_bodies(std::string_view written, const std::vector<Asked>& asked) {
  std::string all;
  for (const Asked& page : asked) {
    const Response& response = page.response;
    if (response.is_success() && !response.is_synthetic() && !response.truncated) all += response.body;
  }
  require(written == all, "bodies stand one behind the other");
}

}  // namespace
}  // namespace robotrules::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  constexpr std::array<const char*, 5> names{"/o.warc", "/o.warc.gz", "/o.warc.zst", "/o.ndjson", "/tree/"};
  static const ScratchFolder folder;
  static const MemoryFile memory;
  folder.empty();
  memory.set({});
  Input input(data, size);
  const unsigned output = input.byte() % 6U;
  const std::uint8_t how = input.byte();
  Peer::instance().play(script_of(input.rest()));

  const std::string path = output < names.size() ? folder.path() + names[output] : std::string();
  auto opened = path.empty() ? Result<std::unique_ptr<PageOutput>>(archive::bodies_to(memory.descriptor()))
                             : open_output(path, {.agent = "FuzzBot/1.0", .policy = "rfc9309"});
  require(opened.ok(), "an output can be opened");
  std::unique_ptr<PageOutput> pages = std::move(opened).value();
  const std::vector<Asked> asked = ask(how, pages->needs());
  for (const Asked& page : asked) {
    require_sense(page.response);
    require(pages->write({.response = page.response, .url = page.url, .method = page.method}).ok(),
            "a page is written");
  }
  pages.reset();
  if (output < 3) require_warc(path, packing_of(output), asked);
  if (output == 3) require_ndjson(path, asked);
  if (output == 4) require_tree(path, asked);
  if (output == 5) require_bodies(read(memory.path()), asked);
  Peer::instance().play({});
  return 0;
}
