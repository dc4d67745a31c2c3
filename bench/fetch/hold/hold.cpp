// robotrules_hold HOSTS SECONDS: one robot that fetches a page a second from each of so many hosts, and what memory
// that takes. A program of its own, as nothing else may have touched the memory that is counted. Prints "name value"
// lines:
//
//   pages, pages_per_second     that came while it was held
//   of_possible                 by hosts x seconds, what a delay of 1 s from the end of one to the next allows
//   failed                      answers that were no such page
//   memory_per_host             the most that the process grew by, without libcurl's, in octets
//   libcurl_per_host            the most that libcurl had allocated: handles, connections, names
#include <curl/curl.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <robotrules/robot_ua.hpp>

#include "support/process.hpp"
#include "support/server/real_server.hpp"

namespace {

using namespace robotrules;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t page_octets = 4'096;

// What libcurl has of the heap, with malloc's own count before each block. Changed on the agent's thread alone, as no
// name is resolved by another.
std::atomic<long long> libcurl_octets{0};

void add(long long octets) {
  libcurl_octets.store(libcurl_octets.load(std::memory_order_relaxed) + octets, std::memory_order_relaxed);
}

long long size_of(void* block) {
  return block == nullptr ? 0 : static_cast<long long>(malloc_usable_size(block) + sizeof(std::size_t));
}
void* counted(void* block) {
  add(size_of(block));
  return block;
}
void* count_malloc(std::size_t size) { return counted(std::malloc(size)); }
void* count_calloc(std::size_t count, std::size_t size) { return counted(std::calloc(count, size)); }
char* count_strdup(const char* text) { return static_cast<char*>(counted(strdup(text))); }
void count_free(void* block) {
  add(-size_of(block));
  std::free(block);
}
void* count_realloc(void* block, std::size_t size) {
  const long long before = size_of(block);
  void* moved = std::realloc(block, size);
  if (moved != nullptr) add(size_of(moved) - before);
  return moved;
}

long long resident() { return static_cast<long long>(test::resident_bytes()); }

// Each host has a descriptor here and one at the server, which is started with the same limit.
void allow_descriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

RobotUAOptions robot_options(std::size_t hosts) {
  RobotUAOptions options;
  options.pace.delay = 1s;
  static_cast<void>(options.http.connection.guard.allow("127.0.0.0/8"));
  options.http.connection.resolve = [](std::string_view, std::uint16_t) {
    return std::vector<std::string>{"127.0.0.1"};
  };
  options.http.connection.keep_alive = hosts + 1'000;
  return options;
}

// Asks each host for page after page until `end`.
class Fetches {
 public:
  Fetches(RobotUA& ua, std::size_t hosts, std::uint16_t port) : ua_(ua), going_(hosts) {
    for (std::size_t host = 0; host < hosts; ++host) {
      urls_.push_back("http://host-" + std::to_string(host) + ".test:" + std::to_string(port) + "/page");
    }
  }

  void begin(Clock::time_point end) {
    end_ = end;
    for (const std::string& url : urls_) next(url);
  }
  bool wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return ended_.wait_for(lock, time, [this] { return going_ == 0; });
  }
  std::size_t pages() const { return pages_; }
  std::size_t failed() const { return failed_; }

 private:
  void next(const std::string& url) {
    Request request;
    request.url = url;
    ua_.start(std::move(request), [this, &url](const Response& page) {
      const bool held = Clock::now() < end_;
      const bool good = page.code == 200 && page.body.size() == page_octets;
      if (!good) ++failed_;
      if (good && held) ++pages_;
      if (held) return next(url);
      const std::lock_guard lock(mutex_);
      if (--going_ == 0) ended_.notify_one();
    });
  }

  RobotUA& ua_;
  std::vector<std::string> urls_;
  Clock::time_point end_;
  std::atomic<std::size_t> pages_{0};
  std::atomic<std::size_t> failed_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  std::size_t going_;
};

void print(const char* name, double value) { std::printf("%s %.6g\n", name, value); }

int hold(std::size_t hosts, std::chrono::seconds time) {
  allow_descriptors();
  const auto nginx = test::RealServer::nginx(
      "access_log off; keepalive_requests 100000; keepalive_timeout 1h; open_file_cache max=10;\n"
      "server { listen 127.0.0.1:{port} backlog=16384; root {folder}; }\n",
      {{"robots.txt", "User-agent: *\nDisallow: /private\n"}, {"page", std::string(page_octets, 'x')}});
  if (!nginx.running()) {
    std::fprintf(stderr, "%s\n", nginx.why_not().c_str());
    return 1;
  }
  if (curl_global_init_mem(CURL_GLOBAL_DEFAULT, count_malloc, count_free, count_realloc, count_strdup, count_calloc) !=
      CURLE_OK) {
    return 1;
  }
  auto made = RobotUA::make("hold-robot/1.0", "hold@example.org", robot_options(hosts));
  if (!made) return 1;
  Fetches fetches(made.value(), hosts, nginx.port());
  malloc_trim(0);
  const long long resident_before = resident();
  const long long libcurl_before = libcurl_octets;
  long long most = 0;
  long long most_of_libcurl = 0;

  const auto begin = Clock::now();
  fetches.begin(begin + time);
  while (!fetches.wait_for(250ms)) {
    const long long libcurl = libcurl_octets - libcurl_before;
    most_of_libcurl = std::max(most_of_libcurl, libcurl);
    most = std::max(most, resident() - resident_before - libcurl);
    if (Clock::now() > begin + time + 60s) {
      std::fprintf(stderr, "the last pages do not come\n");
      return 1;
    }
  }
  const double seconds = std::chrono::duration<double>(time).count();
  const auto pages = static_cast<double>(fetches.pages());
  const auto count = static_cast<double>(hosts);
  print("pages", pages);
  print("pages_per_second", pages / seconds);
  print("of_possible", pages / (count * seconds));
  print("failed", static_cast<double>(fetches.failed()));
  print("memory_per_host", static_cast<double>(most) / count);
  print("libcurl_per_host", static_cast<double>(most_of_libcurl) / count);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const long hosts = argc == 3 ? std::strtol(argv[1], nullptr, 10) : 0;
  const long seconds = argc == 3 ? std::strtol(argv[2], nullptr, 10) : 0;
  if (hosts <= 0 || seconds <= 0) {
    std::fprintf(stderr, "usage: robotrules_hold HOSTS SECONDS\n");
    return 2;
  }
  return hold(static_cast<std::size_t>(hosts), std::chrono::seconds(seconds));
}
