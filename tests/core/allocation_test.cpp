// Memory runs out at each allocation in turn, in every call of the core: std::bad_alloc or the right answer, no leak,
// the old state as it was, and never an "allowed" that full memory would not have given.
//
// This file replaces the global operator new and is a program of its own.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <string>

#include <robotrules/core.hpp>
#include <robotrules/diagnose.hpp>

#include "core/check.hpp"

namespace {

// One thread only: gtest allocates too, but never while a countdown runs.
long countdown = -1;  // the allocation that fails; -1: none
bool failed = false;  // it did
long live_blocks = 0;
std::size_t live_bytes = 0;
long calls = 0;

// A block knows its size: the bytes before it hold it.
constexpr std::size_t head = alignof(std::max_align_t) > sizeof(std::size_t) ? alignof(std::max_align_t) : 16;

void* take(std::size_t size, std::size_t alignment) noexcept {
  ++calls;
  if (countdown > 0) --countdown;
  if (countdown == 0) {
    countdown = -1;
    failed = true;
    return nullptr;
  }
  const std::size_t offset = alignment > head ? alignment : head;
  void* base = nullptr;
  if (posix_memalign(&base, offset, size + offset) != 0) return nullptr;
  char* block = static_cast<char*>(base) + offset;
  reinterpret_cast<std::size_t*>(block)[-1] = size;
  ++live_blocks;
  live_bytes += size;
  return block;
}

void give_back(void* block, std::size_t alignment) noexcept {
  if (block == nullptr) return;
  const std::size_t offset = alignment > head ? alignment : head;
  --live_blocks;
  live_bytes -= reinterpret_cast<std::size_t*>(block)[-1];
  std::free(static_cast<char*>(block) - offset);
}

void* take_or_throw(std::size_t size, std::size_t alignment) {
  if (void* block = take(size, alignment)) return block;
  throw std::bad_alloc();
}

std::size_t of(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size, 1); }
void* operator new[](std::size_t size) { return take_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size, 1); }
void* operator new(std::size_t size, std::align_val_t a) { return take_or_throw(size, of(a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return take_or_throw(size, of(a)); }
void* operator new(std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept { return take(size, of(a)); }
void* operator new[](std::size_t size, std::align_val_t a, const std::nothrow_t&) noexcept { return take(size, of(a)); }
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
void operator delete(void* block, std::align_val_t a, const std::nothrow_t&) noexcept { give_back(block, of(a)); }
void operator delete[](void* block, std::align_val_t a, const std::nothrow_t&) noexcept { give_back(block, of(a)); }

namespace robotrules::test::THIS_FILE {
namespace {

long all_sites = 0;

struct Total : testing::Environment {
  void TearDown() override { std::printf("%ld allocations failed in this run, each once\n", all_sites); }
};
[[maybe_unused]] const auto* total = testing::AddGlobalTestEnvironment(new Total);

// Runs `call` with its first allocation failing, then its second, until one run has all it asks for. `call` must come
// to its end or throw std::bad_alloc; `right` looks at what a run that came to its end has left (null: it threw).
// Nothing may be held afterwards that was not held before.
template <typename Result>
void each_allocation_fails(const char* name, const std::function<Result()>& call,
                           const std::function<bool(const Result*)>& right) {
  static_cast<void>(call());  // what is made once and for ever is made here
  for (long site = 1;; ++site) {
    const long blocks_before = live_blocks;
    bool fine = false;
    bool threw = false;
    {
      std::optional<Result> result;
      failed = false;
      countdown = site;
      try {
        result.emplace(call());
      } catch (const std::bad_alloc&) {
        threw = true;
      }
      countdown = -1;
      fine = right(result ? &*result : nullptr);
    }
    ASSERT_TRUE(fine) << name << ": wrong after allocation " << site << " failed";
    ASSERT_EQ(live_blocks, blocks_before) << name << ": leak after allocation " << site << " failed";
    ASSERT_TRUE(failed || !threw) << name << ": std::bad_alloc without a cause";
    if (!failed) {
      std::printf("%s: %ld allocations, each failed once\n", name, site - 1);
      all_sites += site - 1;
      return;
    }
  }
}

std::string busy_file() {
  std::string file =
      "\xEF\xBB\xBFUser-agent: FooBot\nUser-agent: BarBot\nDisallow: /private/%7euser/*.php$\nDisalow: /typo\nDisallow "
      "/x\n"
      "Allow: /private/open/\xC3\xBC\nCrawl-delay: 2.5\nRequest-rate: 1/10s\nContent-Signal: search=yes, ai-train=no\n"
      "Content-Usage: /private/ train-ai=n\nSitemap: sitemap.xml\nSitemap: https://foo.example/other.xml\nnonsense\n"
      "Clean-param: ref&sid /shop/\nUnknown-thing: 1\n\nUser-agent: *\nDisallow: /\n";
  for (int i = 0; i < 120; ++i) {
    file += "Disallow: /section" + std::to_string(i * 7919 % 1000) + (i % 3 == 0 ? "/*/print$\n" : "/page\n");
  }
  file += "User-agent: FooBot\nDisallow: /later\nAllow: /section\nAllow: /section\n";
  return file;
}

std::string as_utf16(const std::string& text) {
  std::string wide = "\xFE\xFF";
  for (const char c : text) wide += {'\0', c};
  return wide;
}

constexpr std::string_view robots_url = "https://foo.example/robots.txt";
const std::string closed_url = "https://foo.example/private/%7Euser/a.php";
const std::string long_url = "https://foo.example/private/" + std::string(9'000, 'x') + "/%7e\xC3\xBC/a.php";

TEST(Allocation, CompileAndReadOfEveryPreset) {
  for (const std::string& file : {busy_file(), as_utf16(busy_file())}) {
    for (const Dialect& dialect : Dialect::presets()) {
      const Rules full = Rules::compile(file, "FooBot", dialect, robots_url);
      const Verdict wanted = full.check(closed_url);
      each_allocation_fails<Rules>(
          "Rules::compile", [&] { return Rules::compile(file, "FooBot", dialect, robots_url); },
          [&](const Rules* made) {
            if (made == nullptr) return true;
            const Verdict verdict = made->check(closed_url);
            return verdict.access() == wanted.access() && verdict.line() == wanted.line() &&
                   made->size() == full.size() && made->crawl_delay() == full.crawl_delay();
          });
      const RobotsTxt document = RobotsTxt::parse(file, dialect, robots_url);
      each_allocation_fails<RobotsTxt>(
          "RobotsTxt::parse", [&] { return RobotsTxt::parse(file, dialect, robots_url); },
          [&](const RobotsTxt* made) {
            return made == nullptr || (made->size() == document.size() && made->text() == document.text() &&
                                       made->group_count() == document.group_count());
          });
      each_allocation_fails<Rules>(
          "RobotsTxt::rules_for", [&] { return document.rules_for("FooBot"); },
          [&](const Rules* made) {
            return made == nullptr || (made->size() == full.size() && made->check(closed_url).line() == wanted.line());
          });
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Allocation, AFileOfManyRules) {
  std::string file = "User-agent: *\n";
  for (int i = 0; i < 3'000; ++i) file += "Disallow: /item/" + std::to_string(i * 7919 % 30'011) + "/\n";
  each_allocation_fails<Rules>(
      "Rules::compile, 3,000 rules", [&] { return Rules::compile(file, "FooBot"); },
      [&](const Rules* made) {
        return made == nullptr || (made->size() == 3'000 && made->check("/item/7919/x").line() == 3);
      });
}

TEST(Allocation, AssignedRulesStayWhatTheyWere) {
  const std::string open = "User-agent: *\nAllow: /\n";
  Rules rules = Rules::compile(busy_file(), "FooBot");
  RobotsTxt file = RobotsTxt::parse(busy_file());
  const std::uint32_t line = rules.check(closed_url).line();
  ASSERT_EQ(rules.check(closed_url).access(), Access::disallowed);
  const std::size_t size = file.size();
  bool done = false;
  each_allocation_fails<int>(
      "rules = Rules::compile",
      [&] {
        rules = Rules::compile(busy_file(), "FooBot");
        done = false;
        const Rules other = Rules::compile(open, "FooBot");
        done = true;
        return 0;
      },
      [&](const int* ended) {
        const Verdict verdict = rules.check(closed_url);
        return verdict.access() == Access::disallowed && verdict.line() == line && (ended == nullptr || done);
      });
  each_allocation_fails<int>(
      "file = RobotsTxt::parse",
      [&] {
        const RobotsTxt next = RobotsTxt::parse(open);
        const RobotsTxt again = RobotsTxt::parse(busy_file());
        file = again;
        return 0;
      },
      [&](const int*) {
        return file.size() == size && check(file.rules_for("FooBot"), closed_url).access() == Access::disallowed;
      });
}

TEST(Allocation, QuestionsToRules) {
  for (const Dialect& dialect : Dialect::presets()) {
    const Rules rules = Rules::compile(busy_file(), "FooBot", dialect, robots_url);
    for (const std::string& url : {closed_url, long_url}) {
      const Verdict wanted = rules.check(url);
      each_allocation_fails<Verdict>(
          "Rules::check", [&] { return rules.check(url); },
          [&](const Verdict* made) {
            return made == nullptr || (made->access() == wanted.access() && made->line() == wanted.line());
          });
      const std::string explanation = wanted.explanation();
      each_allocation_fails<std::string>(
          "Verdict::explanation", [&] { return wanted.explanation(); },
          [&](const std::string* made) { return made == nullptr || *made == explanation; });
      const Usage usage = rules.usage(url);
      each_allocation_fails<Usage>(
          "Rules::usage", [&] { return rules.usage(url); },
          [&](const Usage* made) { return made == nullptr || *made == usage; });
      if (const auto rule = wanted.rule()) {
        const std::string text = rule->text();
        each_allocation_fails<std::string>(
            "RuleLine::text", [&] { return rule->text(); },
            [&](const std::string* made) { return made == nullptr || *made == text; });
      }
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Allocation, QuestionsToADocument) {
  const RobotsTxt file = RobotsTxt::parse(busy_file(), Dialect::rfc9309(), robots_url);
  const auto diagnostics = diagnose(file);
  each_allocation_fails<std::vector<Diagnostic>>(
      "diagnose", [&] { return diagnose(file); },
      [&](const std::vector<Diagnostic>* made) {
        return made == nullptr ||
               (made->size() == diagnostics.size() && made->back().message == diagnostics.back().message);
      });
  const auto groups = file.groups();
  each_allocation_fails<std::vector<Group>>(
      "RobotsTxt::groups", [&] { return file.groups(); },
      [&](const std::vector<Group>* made) {
        return made == nullptr ||
               (made->size() == groups.size() && made->back().rules.size() == groups.back().rules.size());
      });
  each_allocation_fails<Group>(
      "RobotsTxt::group", [&] { return file.group(0); },
      [&](const Group* made) { return made == nullptr || made->rules.size() == groups[0].rules.size(); });
  const auto sitemaps = file.sitemaps();
  ASSERT_EQ(sitemaps.size(), 2u);
  each_allocation_fails<std::vector<Sitemap>>(
      "RobotsTxt::sitemaps", [&] { return file.sitemaps(); },
      [&](const std::vector<Sitemap>* made) {
        return made == nullptr || (made->size() == 2 && made->front().url == sitemaps.front().url);
      });
}

TEST(Allocation, SmallFunctions) {
  const std::string header = "Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot) OtherBot/2 Third-Bot/1";
  const auto tokens = product_tokens(header);
  each_allocation_fails<std::vector<std::string_view>>(
      "product_tokens", [&] { return product_tokens(header); },
      [&](const std::vector<std::string_view>* made) { return made == nullptr || *made == tokens; });
  const std::string url = "https://a-host-name-that-is-long-enough-for-the-heap.example:8443/";
  const auto origin = Origin::of(url);
  ASSERT_TRUE(origin);
  each_allocation_fails<std::optional<Origin>>(
      "Origin::of", [&] { return Origin::of(url); },
      [&](const std::optional<Origin>* made) { return made == nullptr || *made == origin; });
  each_allocation_fails<std::string>(
      "Origin::robots_url", [&] { return origin->robots_url(); },
      [&](const std::string* made) { return made == nullptr || *made == origin->robots_url(); });
  const std::string value =
      "first_parameter_name_that_is_long&second_parameter_name_that_is_long /some_dir/get_book.pl";
  const auto clean = parse_clean_param(value);
  ASSERT_TRUE(clean);
  each_allocation_fails<std::optional<CleanParam>>(
      "parse_clean_param", [&] { return parse_clean_param(value); },
      [&](const std::optional<CleanParam>* made) { return made == nullptr || *made == clean; });
}

// What all objects that hold nothing share is made with the first of them.
TEST(Allocation, TheFirstObjectsOfTheProgram) {
  for (int kind = 0; kind < 2; ++kind) {
    for (long site = 1;; ++site) {
      bool threw = false;
      failed = false;
      countdown = site;
      try {
        if (kind == 0) {
          EXPECT_EQ(check(Rules(), "/x").why(), Why::no_group);
        } else {
          EXPECT_EQ(RobotsTxt().size(), 0u);
        }
      } catch (const std::bad_alloc&) {
        threw = true;
      }
      countdown = -1;
      if (!failed) break;
      ASSERT_TRUE(threw) << site;
    }
    EXPECT_EQ(check(Rules(), "/x").access(), Access::allowed);
    EXPECT_EQ(RobotsTxt().group_count(), 0u);
  }
}

// What is noexcept, and what crawlers ask most, takes no memory at all.
TEST(Allocation, NoneWhereNoneIsNeeded) {
  const Rules rules = Rules::compile(busy_file(), "FooBot");
  const RobotsTxt file = RobotsTxt::parse(busy_file());
  const std::string url = "https://foo.example/section7/page?a=b&c=d";
  static_cast<void>(Rules().size() + RobotsTxt().size());  // see above
  const long before = calls;
  const Verdict verdict = rules.check(url);
  (void)verdict.rule();
  (void)verdict.runner_up();
  (void)verdict.group();
  const Rules copy = rules;
  const RobotsTxt same = file;
  const Rules none;
  const RobotsTxt empty;
  (void)file.directive(0);
  (void)copy.crawl_delay();
  (void)none.check(url).access();
  EXPECT_EQ(calls, before);
  EXPECT_EQ(verdict.line(), copy.check(url).line());
}

// The figure that memory_bytes() gives is what operator new handed out.
TEST(Allocation, MemoryBytesIsWhatIsHeld) {
  for (const std::string& text : {busy_file(), std::string("User-agent: *\nDisallow: /\n"), std::string()}) {
    std::size_t before = live_bytes;
    const Rules rules = Rules::compile(text, "FooBot");
    const std::size_t rules_held = live_bytes - before;
    EXPECT_LE(rules_held, rules.memory_bytes() + 64);
    EXPECT_LE(rules.memory_bytes(), rules_held + 64);
    before = live_bytes;
    const RobotsTxt file = RobotsTxt::parse(text);
    const std::size_t file_held = live_bytes - before;
    EXPECT_LE(file_held, file.memory_bytes() + 64);
    EXPECT_LE(file.memory_bytes(), file_held + 64);
  }
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
