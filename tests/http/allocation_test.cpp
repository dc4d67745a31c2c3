// Memory runs out at each allocation in turn, the library's and libcurl's, on the agent's own thread and the caller's:
// the right answer or a synthetic one (or std::bad_alloc before the call began), no crash, no leak, and an agent that
// goes on.
//
// This file replaces the global operator new and is a program of its own.
#include <curl/curl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>

#include "support/agent/loopback.hpp"
#include "support/folder.hpp"
#include "support/server/bodies.hpp"

namespace {

thread_local bool counted = false;  // threads of the agent and of its caller; the server's have what they need
std::atomic<long> countdown{-1};    // the allocation that fails; -1: none
std::atomic<bool> failed{false};
std::atomic<long> live{0};  // blocks that counted threads asked operator new for

bool fails() noexcept {
  if (!counted || countdown.load() <= 0) return false;
  if (countdown.fetch_sub(1) != 1) return false;
  failed = true;
  return true;
}

constexpr std::size_t head = 16;

void* take(std::size_t size, std::size_t alignment) noexcept {
  if (fails()) return nullptr;
  const std::size_t offset = alignment > head ? alignment : head;
  void* base = nullptr;
  if (posix_memalign(&base, offset, size + offset) != 0) return nullptr;
  char* block = static_cast<char*>(base) + offset;
  reinterpret_cast<std::size_t*>(block)[-1] = counted ? 1 : 0;
  if (counted) ++live;
  return block;
}

void give_back(void* block, std::size_t alignment) noexcept {
  if (block == nullptr) return;
  const std::size_t offset = alignment > head ? alignment : head;
  if (reinterpret_cast<std::size_t*>(block)[-1] == 1) --live;
  std::free(static_cast<char*>(block) - offset);
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
  if (void* block = take(size, alignment)) return block;
  throw std::bad_alloc();
}

std::size_t of(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

void* curl_take(std::size_t size) { return fails() ? nullptr : std::malloc(size); }
void* curl_take_more(void* block, std::size_t size) { return fails() ? nullptr : std::realloc(block, size); }
void* curl_take_zeros(std::size_t count, std::size_t size) { return fails() ? nullptr : std::calloc(count, size); }
char* curl_copy(const char* text) { return fails() ? nullptr : ::strdup(text); }

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size, 1); }
void* operator new[](std::size_t size) { return take_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) { return take_or_throw(size, of(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return take_or_throw(size, of(a)); }
void operator delete(void* block) noexcept { give_back(block, 1); }
void operator delete[](void* block) noexcept { give_back(block, 1); }
void operator delete(void* block, std::size_t) noexcept { give_back(block, 1); }
void operator delete[](void* block, std::size_t) noexcept { give_back(block, 1); }
void operator delete(void* block, const std::nothrow_t&) noexcept { give_back(block, 1); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { give_back(block, 1); }
void operator delete(void* block, std::align_val_t a) noexcept { give_back(block, of(a)); }
void operator delete[](void* block, std::align_val_t a) noexcept { give_back(block, of(a)); }
void operator delete(void* block, std::size_t, std::align_val_t a) noexcept { give_back(block, of(a)); }
void operator delete[](void* block, std::size_t, std::align_val_t a) noexcept { give_back(block, of(a)); }

namespace robotrules::test::THIS_FILE {
namespace {

class AgentAllocation : public LocalAgent {
 protected:
  static void SetUpTestSuite() {
    ASSERT_EQ(
        curl_global_init_mem(CURL_GLOBAL_DEFAULT, curl_take, std::free, curl_take_more, curl_copy, curl_take_zeros),
        CURLE_OK);
  }

  // `call` on an agent that has been used, with its first allocation failing, then its second ...
  void each_fails(const char* name, const std::function<Response(UserAgent&)>& call, const std::string& body) {
    server.on("", "/warm", reply("warm"));
    options.limits.max_total_time = Millis(5'000);
    long synthetic = 0;
    long thrown = 0;
    for (long site = 1;; ++site) {
      const long before = live;
      counted = true;
      {
        UserAgent ua = agent();
        ua.start({.url = "no URL"}, [](const Response&) { counted = true; });  // on the agent's thread
        ASSERT_EQ(ua.get(url("/warm")).body, "warm");
        failed = false;
        countdown = site;
        try {
          const Response response = call(ua);
          countdown = -1;
          const bool right = response.code == 200 && response.body == body && !response.is_synthetic();
          ASSERT_TRUE(right || response.is_synthetic())
              << name << ' ' << site << ": " << response.status_line() << ' ' << response.warning;
          ASSERT_NE(response.source, ResponseSource::timeout) << name << ' ' << site << ": nobody said it has failed";
          if (!right) {
            ASSERT_TRUE(failed) << name << ' ' << site << ": " << response.warning;
            ++synthetic;
          }
        } catch (const std::bad_alloc&) {
          countdown = -1;
          ++thrown;
        }
        ASSERT_EQ(ua.get(url("/warm")).body, "warm") << name << ' ' << site << ": the agent does not go on";
      }
      counted = false;
      server.witness().clear();
      ASSERT_EQ(live, before) << name << ": leak after allocation " << site << " failed";
      if (!failed) {
        std::printf("%s: %ld allocations failed, each once; %ld synthetic responses, %ld std::bad_alloc\n", name,
                    site - 1, synthetic, thrown);
        return;
      }
    }
  }
};

TEST_F(AgentAllocation, APlainPage) {
  server.on("", "/", reply("here"));
  each_fails("get", [this](UserAgent& ua) { return ua.get(url("/")); }, "here");
}

TEST_F(AgentAllocation, ARedirectToANewSiteAndAPackedBody) {
  Reply packed_page = reply(packed(Coding::gzip, std::string(100'000, 'x')));
  packed_page.headers.push_back({"Content-Encoding", "gzip"});
  server.on("", "/", redirect(302, url("/there", "b.test")));
  server.on("", "/there", packed_page);
  each_fails("redirect", [this](UserAgent& ua) { return ua.get(url("/")); }, std::string(100'000, 'x'));
}

TEST_F(AgentAllocation, ABodyAChallengeAndCookies) {
  options.cookies = std::make_shared<CookieJar>();
  options.credentials = {{"a.test:" + std::to_string(port), "", "user", "secret"}};
  server.on("", "/", [](const SeenRequest& request) {
    if (!request.header("Authorization")) {
      return status(401, {{"WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""}});
    }
    return reply(request.body);
  });
  each_fails("post", [this](UserAgent& ua) { return ua.post(url("/"), FormFields{{"a", "b"}}); }, "a=b");
}

TEST_F(AgentAllocation, AMirroredFile) {
  server.on("", "/", reply("here"));
  const std::string path = new_folder() + "/a file with a name that is long enough for the heap";
  each_fails("mirror", [&](UserAgent& ua) { return ua.mirror(url("/"), path); }, "");
}

TEST_F(AgentAllocation, AnAgentsBeginningAndEnd) {
  for (long site = 1;; ++site) {
    counted = true;
    failed = false;
    countdown = site;
    try {
      const UserAgent ua(options);
    } catch (const std::bad_alloc&) {
    }
    countdown = -1;
    counted = false;
    if (!failed) break;
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
