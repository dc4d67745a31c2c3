// Memory runs out at each allocation in turn, in every function of the C ABI that allocates: the status says so, the
// result is null, nothing leaks, and no exception leaves the library. And robotrules_rules_check() allocates nothing.
//
// This file replaces the global operator new, also for librobotrules.so, so it is a program of its own.
#include <robotrules.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

namespace {

// One thread only.
long countdown = -1;  // the allocation that fails; -1: none
bool failed = false;  // it did
long live_blocks = 0;
long allocations = 0;

void* take(std::size_t size) noexcept {
  ++allocations;
  if (countdown > 0) --countdown;
  if (countdown == 0) {
    countdown = -1;
    failed = true;
    return nullptr;
  }
  void* block = std::malloc(size == 0 ? 1 : size);
  if (block != nullptr) ++live_blocks;
  return block;
}

void* take_or_throw(std::size_t size) {
  if (void* block = take(size)) return block;
  throw std::bad_alloc();
}

void give_back(void* block) noexcept {
  if (block != nullptr) --live_blocks;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return take_or_throw(size); }
void* operator new[](std::size_t size) { return take_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return take(size); }
void operator delete(void* block) noexcept { give_back(block); }
void operator delete[](void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t) noexcept { give_back(block); }
void operator delete[](void* block, std::size_t) noexcept { give_back(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { give_back(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { give_back(block); }

namespace {

long all_sites = 0;
bool all_right = true;

void complain(const char* name, long site, const char* what) {
  std::fprintf(stderr, "%s, allocation %ld: %s\n", name, site, what);
  all_right = false;
}

// Calls with the first allocation failing, then the second, until a call needs no more. `call` frees what it was given.
void each_allocation_fails(const char* name, const std::function<robotrules_status()>& call) {
  if (call() != ROBOTRULES_OK) complain(name, 0, "fails although there is memory");
  for (long site = 1; site < 1'000'000; ++site) {
    const long blocks_before = live_blocks;
    failed = false;
    countdown = site;
    const robotrules_status status = call();
    countdown = -1;
    if (live_blocks != blocks_before) complain(name, site, "leaks");
    if (status != ROBOTRULES_OK && status != ROBOTRULES_OUT_OF_MEMORY) complain(name, site, "another status");
    if (status == ROBOTRULES_OUT_OF_MEMORY && !failed) complain(name, site, "there was memory");
    if (!failed) {
      if (site == 1) complain(name, site, "allocates nothing, so nothing was tested");
      std::printf("%s: %ld allocations, each failed once\n", name, site - 1);
      all_sites += site - 1;
      return;
    }
    if (!all_right) return;
  }
}

// Calls `make` and frees the handle. A failed call must leave null.
template <class Handle, class Make>
std::function<robotrules_status()> made(const Make& make, void (*free)(Handle*)) {
  return [=] {
    int garbage = 0;
    auto* handle = reinterpret_cast<Handle*>(&garbage);
    const robotrules_status status = make(&handle);
    if ((status == ROBOTRULES_OK) != (handle != nullptr)) complain("a handle", 0, "does not fit the status");
    free(handle);
    return status;
  };
}

std::string body() {
  return "User-agent: FooBot\nDisallow: /private/*.php$\nDisallow /x\nAllow: /private/open\nCrawl-delay: 2.5\n"
         "Content-Usage: /private/ train-ai=n\nSitemap: sitemap.xml\n\nUser-agent: *\nDisallow: /\nDisallow: /tmp/\n" +
         std::string(300, '#') + "\n";
}

}  // namespace

int main() {
  const std::string text = body(), other = "User-agent: *\nDisallow: /tmp/\nVisit-time: 0100-0200\nSitemap: /b.xml\n";
  const std::string long_url = "https://example.org/private/" + std::string(5'000, 'x');
  const char *robots = text.data(), *url = long_url.data();
  const std::size_t size = text.size(), url_size = long_url.size();
  robotrules_rules* rules = nullptr;
  robotrules_file *file = nullptr, *after = nullptr;
  robotrules_findings* findings = nullptr;
  if (robotrules_rules_compile(robots, size, ROBOTRULES_TEXT("FooBot"), nullptr, 0, nullptr, 0, &rules) != 0 ||
      robotrules_file_parse(robots, size, nullptr, 0, ROBOTRULES_TEXT("https://example.org/robots.txt"), &file) != 0 ||
      robotrules_file_parse(other.data(), other.size(), nullptr, 0, nullptr, 0, &after) != 0 ||
      robotrules_file_lint(file, nullptr, &findings) != 0) {
    return 2;
  }

  const robotrules_str names[] = {{"Absent", 6}, {"FooBot-with-a-name-that-needs-memory", 36}};
  using Rules = robotrules_rules;
  using File = robotrules_file;
  using Text = robotrules_text;
  each_allocation_fails("rules_compile", made<Rules>(
                                             [=](Rules** out) {
                                               return robotrules_rules_compile(robots, size, ROBOTRULES_TEXT("FooBot"),
                                                                               nullptr, 0, nullptr, 0, out);
                                             },
                                             robotrules_rules_free));
  each_allocation_fails("rules_compile_names", made<Rules>(
                                                   [&](Rules** out) {
                                                     return robotrules_rules_compile_names(robots, size, names, 2, 1,
                                                                                           nullptr, 0, nullptr, 0, out);
                                                   },
                                                   robotrules_rules_free));
  each_allocation_fails(
      "file_parse", made<File>([=](File** out) { return robotrules_file_parse(robots, size, nullptr, 0, "u", 1, out); },
                               robotrules_file_free));
  each_allocation_fails(
      "file_rules",
      made<Rules>([=](Rules** out) { return robotrules_file_rules(file, "FooBot", 6, out); }, robotrules_rules_free));
  each_allocation_fails("file_sitemaps",
                        made<robotrules_sitemaps>([=](auto** out) { return robotrules_file_sitemaps(file, out); },
                                                  robotrules_sitemaps_free));
  each_allocation_fails("file_lint", made<robotrules_findings>(
                                         [=](auto** out) {
                                           const robotrules_lint_options options = {
                                               sizeof(robotrules_lint_options), 1, 1, 200, 0, 5, {"text/html", 9}};
                                           return robotrules_file_lint(file, &options, out);
                                         },
                                         robotrules_findings_free));
  each_allocation_fails(
      "findings_apply",
      made<Text>([=](Text** out) { return robotrules_findings_apply(findings, 0, robots, size, out); },
                 robotrules_text_free));
  each_allocation_fails(
      "fix",
      made<robotrules_fixed>(
          [](auto** out) { return robotrules_fix(ROBOTRULES_TEXT("User-agent: *\nDisallow /x\n"), nullptr, 0, out); },
          robotrules_fixed_free));
  each_allocation_fails(
      "compare", made<robotrules_difference>([&](auto** out) { return robotrules_compare(file, after, names, 2, out); },
                                             robotrules_difference_free));
  each_allocation_fails("file_crawlers", made<robotrules_crawlers>(
                                             [=](auto** out) { return robotrules_file_crawlers(after, "/", 1, out); },
                                             robotrules_crawlers_free));
  each_allocation_fails(
      "rules_explain",
      made<Text>([=](Text** out) { return robotrules_rules_explain(rules, "/x", 2, out); }, robotrules_text_free));
  each_allocation_fails("rules_clean_url",
                        made<Text>([=](Text** out) { return robotrules_rules_clean_url(rules, url, url_size, out); },
                                   robotrules_text_free));
  each_allocation_fails("robots_url", made<Text>([=](Text** out) { return robotrules_robots_url(url, url_size, out); },
                                                 robotrules_text_free));
  each_allocation_fails("rules_check of a long URL", [=] {
    robotrules_verdict verdict;
    const robotrules_status status = robotrules_rules_check(rules, url, url_size, &verdict);
    if (status != ROBOTRULES_OK && verdict.access != ROBOTRULES_ACCESS_UNKNOWN) complain("rules_check", 0, "an answer");
    return status;
  });
  each_allocation_fails("rules_lines", [=] {
    std::size_t count = 0;
    return robotrules_rules_lines(rules, nullptr, 0, &count);
  });
  each_allocation_fails("file_group", [=] {
    robotrules_group group;
    return robotrules_file_group(file, 0, &group);
  });
  if ((robotrules_features() & ROBOTRULES_FEATURE_STORE) != 0) {
    const robotrules_str key[] = {{"https://a-key-that-needs-memory.example", 39}};
    each_allocation_fails("the store", [&] {
      robotrules_store* store = nullptr;
      robotrules_reservation* reservation = nullptr;
      robotrules_database* database = nullptr;
      robotrules_status status = robotrules_store_open("memory:", 7, 0, &store, nullptr);
      if (status == ROBOTRULES_OK) status = robotrules_store_reserve(store, key, 1, nullptr, &reservation, nullptr);
      if (status == ROBOTRULES_OK) status = robotrules_reservation_complete(reservation, 200, -1, 0, nullptr);
      robotrules_reservation_free(reservation);
      reservation = nullptr;
      if (status == ROBOTRULES_OK) status = robotrules_store_reserve(store, key, 1, nullptr, &reservation, nullptr);
      if (status == ROBOTRULES_OK) status = robotrules_reservation_fail(reservation, ROBOTRULES_CAUSE_CONNECT, nullptr);
      if (status == ROBOTRULES_OK) {
        status = robotrules_database_open(store, "FooBot", 6, nullptr, 0, 0, &database, nullptr);
      }
      if (status == ROBOTRULES_OK) {
        status = robotrules_database_keep(database, ROBOTRULES_TEXT("https://example.org/robots.txt"), robots, size, 60,
                                          nullptr);
      }
      robotrules_reservation_free(reservation);
      robotrules_database_free(database);
      robotrules_store_free(store);
      return status;
    });
  }

  // The common question costs no allocation.
  const long before = allocations;
  for (int i = 0; i < 1000; ++i) {
    robotrules_verdict verdict;
    if (robotrules_rules_check(rules, ROBOTRULES_TEXT("https://example.org/private/a.php"), &verdict) !=
            ROBOTRULES_OK ||
        verdict.access != ROBOTRULES_ACCESS_DISALLOWED ||
        robotrules_rules_access(rules, ROBOTRULES_TEXT("/private/open")) != ROBOTRULES_ACCESS_ALLOWED) {
      complain("rules_check", 0, "the answer is wrong");
    }
  }
  if (allocations != before) complain("rules_check", 0, "allocates");

  robotrules_findings_free(findings);
  robotrules_file_free(after);
  robotrules_file_free(file);
  robotrules_rules_free(rules);
  if (live_blocks < 0 || all_sites < 100) complain("all", 0, "too few allocations were counted");
  std::printf("%ld allocations failed, each once\n", all_sites);
  return all_right ? 0 : 1;
}
