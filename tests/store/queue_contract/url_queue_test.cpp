// The contract of the queue for each backend, and the same questions to a naive twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>

#include <robotrules/open_store.hpp>
#include <robotrules/url_queue.hpp>

#include "queue/sqlite/url_queue.hpp"
#include "store/queue_contract.hpp"
#include "store/sip_hash.hpp"
#include "store/sql.hpp"
#include "support/folder.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

using namespace std::chrono_literals;

class UrlQueueContract : public QueueContract {
 protected:
  std::vector<QueueItem> take(std::int64_t site, std::optional<QueuePlace> after = {}, std::size_t count = 100) {
    const auto taken = queue->peek(site, after, count);
    EXPECT_TRUE(taken.ok()) << taken.error().message;
    return taken.ok() ? taken.value() : std::vector<QueueItem>();
  }
  std::vector<QueueSite> sites(std::optional<QueuePlace> after = {}, std::size_t count = 100) {
    const auto found = queue->sites(after, count);
    EXPECT_TRUE(found.ok()) << found.error().message;
    return found.ok() ? found.value() : std::vector<QueueSite>();
  }
};

TEST_P(UrlQueueContract, WhatIsAddedIsTakenAsItWasGiven) {
  QueuedUrl post = wanted("https://a.example/form?x=1", -5);
  post.method = "POST";
  post.headers.add("Accept", "text/html");
  post.headers.add("X-Odd", std::string("a:3\n\0\xFF", 7));
  post.headers.add("", "");
  const std::vector<QueuedUrl> all{wanted("https://a.example"),
                                   wanted("https://a.example/"),
                                   wanted("https://a.example?q"),
                                   wanted("https://user@a.example/"),
                                   wanted("HTTPS://A.example/"),
                                   wanted("https://a.example:443/\xC3\xA4"),
                                   post};
  EXPECT_EQ(add(all).added, all.size());
  const auto found = sites();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].origin, "https://a.example");
  EXPECT_EQ(found[0].pending, all.size());
  const auto items = take(found[0].id);
  ASSERT_EQ(items.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(items[i].request, all[i]) << items[i].request.url;
    EXPECT_EQ(items[i].state, UrlState::pending);
    EXPECT_EQ(items[i].result, std::nullopt);
    const auto one = queue->find(all[i].method, all[i].url);
    ASSERT_TRUE(one.ok() && one.value()) << all[i].url;
    EXPECT_EQ(one.value()->id, items[i].id);
    EXPECT_EQ(one.value()->request, all[i]);
  }
}

TEST_P(UrlQueueContract, AUrlIsAddedOnceWhateverBecameOfIt) {
  const std::string url = "http://a.example/x";
  const auto first = add({wanted(url), wanted(url, 9)});
  EXPECT_EQ(first.added, 1u);
  EXPECT_EQ(first.duplicates, 1u);
  QueuedUrl head = wanted(url);
  head.method = "HEAD";
  EXPECT_EQ(add({head}).added, 1u);
  EXPECT_EQ(add({wanted("https://a.example/x")}).added, 1u);
  ASSERT_TRUE(queue->settle(std::vector{settled(id_of(url))}, {}).ok());
  EXPECT_EQ(add({wanted(url)}).duplicates, 1u);
  EXPECT_EQ(queue->find("GET", url).value()->state, UrlState::done);
  EXPECT_EQ(queue->find("PUT", url).value(), std::nullopt);
  EXPECT_EQ(queue->find("GET", "http://b.example/x").value(), std::nullopt);
}

TEST_P(UrlQueueContract, KeepsTheUrlAsItWasFirstFound) {
  const auto spelled = [](std::string url, std::string found) {
    QueuedUrl made;
    made.url = std::move(url);
    made.found = std::move(found);
    return made;
  };
  const std::vector<QueuedUrl> all{spelled("http://a.example/caf%C3%A9", "http://a.example/caf\xC3\xA9"),
                                   spelled("http://a.example/~joe", "http://a.example/%7Ejoe"),
                                   spelled("http://a.example/x", std::string("any bytes\0\xFF\n", 12)),
                                   spelled("http://a.example/y", "")};
  EXPECT_EQ(add(all).added, all.size());
  const auto again =
      add({spelled("http://a.example/~joe", "http://a.example/%7ejoe"), spelled("http://a.example/y", "later")});
  EXPECT_EQ(again.duplicates, 2u);
  EXPECT_EQ(again.other_headers, 0u);
  if (GetParam().keeps) reopen();
  const auto items = take(sites()[0].id);
  ASSERT_EQ(items.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(items[i].request, all[i]) << all[i].url;
    EXPECT_EQ(queue->find("GET", all[i].url).value()->request, all[i]);
  }
  // Results leave it alone.
  ASSERT_TRUE(queue->settle(std::vector{settled(items[1].id)}, {}).ok());
  EXPECT_EQ(queue->revisit({}).value(), 1u);
  std::vector<std::string> found;
  ASSERT_TRUE(queue
                  ->for_each({},
                             [&](const QueueItem& item) {
                               found.push_back(item.request.found);
                               return true;
                             })
                  .ok());
  EXPECT_EQ(found, (std::vector{all[0].found, all[1].found, all[2].found, std::string()}));
}

// Versions without a normal form made keys of URLs as they were found, with few escapes in small letters.
TEST_P(UrlQueueContract, AUrlThatItHasUnderAnOlderKeyIsADuplicate) {
  const auto spelled = [](std::string url, std::string found) {
    QueuedUrl made;
    made.url = std::move(url);
    made.found = std::move(found);
    return made;
  };
  QueuedUrl with_headers = wanted("http://a.example/%7Ejoe");
  with_headers.headers.add("Accept", "text/html");
  add({wanted("http://a.example/caf%c3%a9"), with_headers});
  const auto again = add({spelled("http://a.example/caf%C3%A9", "http://a.example/caf\xC3\xA9"),
                          spelled("http://a.example/caf%C3%A9", "http://a.example/caf%c3%a9"),
                          spelled("http://a.example/~joe", "http://a.example/%7Ejoe")});
  EXPECT_EQ(again.added, 0u);
  EXPECT_EQ(again.duplicates, 3u);
  EXPECT_EQ(again.other_headers, 1u);
  EXPECT_EQ(queue->counts().value().pending, 2u);
  EXPECT_EQ(queue->find("GET", "http://a.example/caf%C3%A9").value(), std::nullopt);
  ASSERT_TRUE(queue->settle(std::vector{settled(id_of("http://a.example/caf%c3%a9"))}, {}).ok());
  EXPECT_EQ(add({spelled("http://a.example/caf%C3%A9", "http://a.example/caf\xC3\xA9")}).duplicates, 1u);
  QueuedUrl head = spelled("http://a.example/caf%C3%A9", "http://a.example/caf%c3%a9");
  head.method = "HEAD";
  EXPECT_EQ(add({head}).added, 1u) << "another method is another request";
}

TEST_P(UrlQueueContract, KeepsTheRecordThatHasThePayloadWithTheResult) {
  add({wanted("http://a.example/1"), wanted("http://a.example/2")});
  const std::int64_t first = id_of("http://a.example/1");
  FinishedUrl with = settled(first);
  with.result.digest = "sha1:VBQ6FQLYM75BVDVQ3NBPDH22CMRTE57F";
  with.result.page_at = with.result.at - std::chrono::hours(24);
  with.result.page_url = "http://b.example/\xFF";
  ASSERT_TRUE(queue->settle(std::vector{with, settled(first + 1)}, {}).ok());
  if (GetParam().keeps) reopen();
  EXPECT_EQ(queue->find("GET", "http://a.example/1").value()->result, with.result);
  EXPECT_EQ(queue->find("GET", "http://a.example/2").value()->result->digest, "");
  EXPECT_EQ(queue->revisit({}).value(), 2u);  // pending again, and the result is kept
  EXPECT_EQ(take(sites()[0].id)[0].result, with.result);
  ASSERT_TRUE(queue->settle(std::vector{settled(first)}, {}).ok());
  EXPECT_EQ(queue->find("GET", "http://a.example/1").value()->result, settled(first).result)
      << "later results replace earlier ones";
}

TEST_P(UrlQueueContract, TakesByPriorityThenInTheOrderAdded) {
  add({wanted("http://a.example/1"), wanted("http://a.example/2", 5), wanted("http://b.example/1", 7)});
  add({wanted("http://a.example/3", 5), wanted("http://a.example/4", INT32_MIN),
       wanted("http://a.example/5", INT32_MAX)});
  const auto found = sites();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].origin, "http://a.example");  // the most urgent first
  EXPECT_EQ(found[0].priority, INT32_MAX);
  EXPECT_EQ(found[1].priority, 7);
  const std::vector<std::string> order{"http://a.example/5", "http://a.example/2", "http://a.example/3",
                                       "http://a.example/1", "http://a.example/4"};
  EXPECT_EQ(urls_of(take(found[0].id)), order);
  std::vector<std::string> by_ones;
  std::optional<QueuePlace> after;
  while (true) {
    const auto page = take(found[0].id, after, 1);
    if (page.empty()) break;
    by_ones.push_back(page[0].request.url);
    after = place_of(page[0]);
  }
  EXPECT_EQ(by_ones, order);
  ASSERT_TRUE(queue->settle(std::vector{settled(id_of("http://a.example/5"))}, {}).ok());
  EXPECT_EQ(sites()[0].origin, "http://b.example");  // now that one is
  EXPECT_EQ(sites()[1].priority, 5);
}

TEST_P(UrlQueueContract, TakingChangesNothing) {
  add({wanted("http://a.example/1")});
  const auto site = sites()[0].id;
  EXPECT_EQ(take(site).size(), 1u);
  EXPECT_EQ(take(site).size(), 1u);
  EXPECT_EQ(queue->counts().value().pending, 1u);
}

TEST_P(UrlQueueContract, SitesWithNothingPendingAreNotListedAndPagesCoverTheOthers) {
  std::vector<QueuedUrl> urls;
  for (int i = 0; i < 25; ++i) urls.push_back(wanted("http://s" + std::to_string(i) + ".example/", i % 3));
  add(urls);
  ASSERT_TRUE(queue->settle(std::vector{settled(id_of(urls[7].url)), settled(id_of(urls[11].url))}, {}).ok());
  std::set<std::string> seen;
  std::int32_t least = INT32_MAX;
  std::optional<QueuePlace> after;
  for (auto page = sites(after, 4); !page.empty(); page = sites(after, 4)) {
    for (const QueueSite& site : page) {
      EXPECT_TRUE(seen.insert(site.origin).second) << site.origin;
      EXPECT_LE(site.priority, least);
      least = site.priority;
    }
    after = place_of(page.back());
  }
  EXPECT_EQ(seen.size(), 23u);
  EXPECT_FALSE(seen.contains("http://s7.example"));
}

TEST_P(UrlQueueContract, SettlingKeepsResultAndOutputAsOne) {
  add({wanted("http://a.example/1"), wanted("http://a.example/2"), wanted("http://a.example/3"),
       wanted("http://a.example/4"), wanted("http://a.example/5"), wanted("http://a.example/6")});
  const std::int64_t first = id_of("http://a.example/1");
  EXPECT_EQ(queue->output_position("out.warc").value(), std::nullopt);
  FinishedUrl denied = settled(first + 1, UrlState::denied);
  denied.result = {0, "robots-disallowed", "", "", noon, 0};
  ASSERT_TRUE(queue
                  ->settle(std::vector{settled(first), denied, settled(first + 2, UrlState::failed),
                                       settled(first + 3, UrlState::parked), settled(first + 5, UrlState::cut)},
                           OutputPosition{"out.warc", 4'711})
                  .ok());
  EXPECT_EQ(queue->counts().value(), (QueueCounts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(queue->output_position("out.warc").value(), 4'711u);
  EXPECT_EQ(queue->output_position("other").value(), std::nullopt);
  const auto one = queue->find("GET", "http://a.example/2").value();
  EXPECT_EQ(one->state, UrlState::denied);
  EXPECT_EQ(one->result, denied.result);
  EXPECT_EQ(sites()[0].pending, 1u);

  // An id that is not there: nothing of the batch holds.
  const auto refused =
      queue->settle(std::vector{settled(first + 4), settled(first + 6)}, OutputPosition{"out.warc", 9'999});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "unknown-url");
  EXPECT_EQ(queue->counts().value().pending, 1u);
  EXPECT_EQ(queue->output_position("out.warc").value(), 4'711u);
  EXPECT_EQ(queue->settle(std::vector{settled(first, UrlState::pending)}, {}).error().code, "invalid-request");
  // Settled again: the later result.
  ASSERT_TRUE(queue->settle(std::vector{settled(first, UrlState::failed), settled(first, UrlState::denied)}, {}).ok());
  EXPECT_EQ(queue->counts().value(), (QueueCounts{1, 0, 2, 1, 1, 1}));
}

TEST_P(UrlQueueContract, RevisitMakesThemPendingAgainAndKeepsWhatAConditionalRequestNeeds) {
  add({wanted("http://a.example/old"), wanted("http://a.example/new", 4), wanted("http://a.example/denied"),
       wanted("http://a.example/failed"), wanted("http://a.example/parked"), wanted("http://a.example/cut")});
  ASSERT_TRUE(queue
                  ->settle(std::vector{settled(id_of("http://a.example/old")),
                                       settled(id_of("http://a.example/new"), UrlState::done, noon + 2h),
                                       settled(id_of("http://a.example/denied"), UrlState::denied),
                                       settled(id_of("http://a.example/failed"), UrlState::failed),
                                       settled(id_of("http://a.example/parked"), UrlState::parked),
                                       settled(id_of("http://a.example/cut"), UrlState::cut)},
                           {})
                  .ok());
  EXPECT_TRUE(sites().empty());
  EXPECT_EQ(queue->revisit(noon).value(), 0u);
  EXPECT_EQ(queue->revisit(noon + 1h).value(), 4u);
  ASSERT_EQ(sites().size(), 1u);
  EXPECT_EQ(sites()[0].priority, 0);
  const auto items = take(sites()[0].id);
  EXPECT_EQ(urls_of(items), (std::vector<std::string>{"http://a.example/old", "http://a.example/denied",
                                                      "http://a.example/failed", "http://a.example/cut"}));
  ASSERT_TRUE(items[0].result);
  EXPECT_EQ(items[0].result->etag, "\"1\"");
  EXPECT_EQ(items[0].result->last_modified, "Sat, 01 Jan 2000 00:00:00 GMT");
  EXPECT_EQ(queue->revisit({}).value(), 1u);
  EXPECT_EQ(sites()[0].priority, 4);
  EXPECT_EQ(queue->retry_failed().value(), 0u);
  EXPECT_EQ(queue->retry_parked().value(), 1u);
  EXPECT_EQ(queue->counts().value(), (QueueCounts{6, 0, 0, 0, 0, 0}));
  ASSERT_TRUE(
      queue->settle(std::vector{settled(items[2].id, UrlState::failed), settled(items[3].id, UrlState::cut)}, {}).ok());
  EXPECT_EQ(queue->retry_failed().value(), 2u);
}

TEST_P(UrlQueueContract, ForEachGoesOverOneStateOrAllAndStopsWhenTold) {
  add({wanted("http://a.example/1"), wanted("http://b.example/1"), wanted("http://c.example/1")});
  ASSERT_TRUE(queue->settle(std::vector{settled(id_of("http://b.example/1"), UrlState::failed)}, {}).ok());
  const auto count = [&](std::optional<UrlState> state, int stop) {
    int seen = 0;
    EXPECT_TRUE(queue
                    ->for_each(state,
                               [&](const QueueItem& item) {
                                 EXPECT_TRUE(!state || item.state == *state);
                                 EXPECT_TRUE(queue->counts().ok());  // the queue may be asked meanwhile
                                 return ++seen != stop;
                               })
                    .ok());
    return seen;
  };
  EXPECT_EQ(count({}, 0), 3);
  EXPECT_EQ(count({}, 2), 2);
  EXPECT_EQ(count(UrlState::pending, 0), 2);
  EXPECT_EQ(count(UrlState::failed, 0), 1);
  EXPECT_EQ(count(UrlState::denied, 0), 0);
}

TEST_P(UrlQueueContract, WhatCantBeQueuedIsRefusedAndNothingIsAdded) {
  for (const char* bad :
       {"", "a.example", "/x", "ftp://a.example/", "http://", "http://a.example/#x", "http://a.example/ x",
        "http://a.example/\r\nX: y", "http://a b.example/", "http://a.example:99999/"}) {
    const auto refused = queue->add(std::vector{wanted("http://good.example/"), wanted(bad)});
    ASSERT_FALSE(refused.ok()) << bad;
    EXPECT_EQ(refused.error().code, "invalid-url") << bad;
    EXPECT_EQ(queue->find("GET", bad).error().code, "invalid-url") << bad;
  }
  QueuedUrl odd = wanted("http://good.example/");
  for (const char* method : {"", "GET /", "A\nB", "http://a.example/2", "GET,", "M\u00C9THOD"}) {
    odd.method = method;
    EXPECT_EQ(queue->add(std::vector{odd}).error().code, "invalid-request") << method;
  }
  EXPECT_EQ(queue->counts().value(), QueueCounts{});
  EXPECT_EQ(queue->find("GET", "http://good.example/").value(), std::nullopt);
  EXPECT_EQ(queue->peek(1, {}, 1).error().code, "unknown-site");
  EXPECT_EQ(add({wanted("http://good.example/")}).added, 1u);  // its site, that was taken back, is made again
  EXPECT_EQ(take(sites()[0].id).size(), 1u);
}

TEST_P(UrlQueueContract, AHundredThousandGoInAndComeOut) {
  std::vector<QueuedUrl> urls;
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    urls.push_back(wanted("https://s" + std::to_string(random() % 300) + ".example/" + std::to_string(i),
                          static_cast<std::int32_t>(random() % 3)));
  }
  const std::span all(urls);
  for (std::size_t at = 0; at < all.size(); at += 30'000) {
    const auto part = all.subspan(at, std::min<std::size_t>(30'000, all.size() - at));
    ASSERT_EQ(queue->add(part).value().added, part.size());
  }
  ASSERT_EQ(queue->add(urls).value().duplicates, urls.size());
  std::set<std::string> left;
  for (const QueuedUrl& url : urls) left.insert(url.url);
  for (auto page = sites({}, 50); !page.empty(); page = sites({}, 50)) {
    for (const QueueSite& site : page) {
      std::vector<FinishedUrl> done;
      std::optional<QueuePlace> last;
      for (const QueueItem& item : take(site.id, {}, 1'000)) {
        EXPECT_TRUE(!last || place_of(item).priority < last->priority ||
                    (item.request.priority == last->priority && item.id > last->id));
        last = place_of(item);
        EXPECT_EQ(left.erase(item.request.url), 1u);
        done.push_back(settled(item.id));
      }
      EXPECT_EQ(done.size(), site.pending);
      ASSERT_TRUE(queue->settle(done, {}).ok());
    }
  }
  EXPECT_TRUE(left.empty());
  EXPECT_EQ(queue->counts().value(), (QueueCounts{0, urls.size(), 0, 0, 0}));
  EXPECT_EQ(queue->revisit({}).value(), urls.size());  // more than one step of it
  EXPECT_EQ(queue->counts().value(), (QueueCounts{urls.size(), 0, 0, 0, 0}));
}

TEST_P(UrlQueueContract, ThreadsShareIt) {
  std::vector<std::thread> threads;
  std::atomic<std::uint64_t> added{0};
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const auto done =
            queue->add(std::vector{wanted("http://a.example/" + std::to_string(i)),
                                   wanted("http://t" + std::to_string(thread) + ".example/" + std::to_string(i))});
        if (done.ok()) added += done.value().added;
        static_cast<void>(queue->sites({}, 3));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(added, 250u);
  EXPECT_EQ(queue->counts().value().pending, 250u);
}

// Random calls, and a map that is asked the same.
struct TwinUrl {
  std::string site;
  std::int32_t priority = 0;
  std::uint64_t order = 0;
  UrlState state = UrlState::pending;
  std::optional<UrlResult> result;
};

TEST_P(UrlQueueContract, AnswersAsANaiveTwinDoes) {
  std::mt19937 random(GetParam().keeps ? 5 : 6);
  std::map<std::string, TwinUrl> twin;
  std::uint64_t order = 0;
  for (int round = 0; round < 400; ++round) {
    const unsigned what = random() % 10;
    if (what < 4) {
      std::vector<QueuedUrl> urls;
      QueueAdded expected;
      for (unsigned i = random() % 20; i > 0; --i) {
        const std::string site = "http://s" + std::to_string(random() % 6) + ".example";
        const QueuedUrl url =
            wanted(site + "/" + std::to_string(random() % 200), static_cast<std::int32_t>(random() % 5) - 2);
        const bool is_new = twin.try_emplace(url.url, TwinUrl{site, url.priority, order++, {}, {}}).second;
        ++(is_new ? expected.added : expected.duplicates);
        urls.push_back(url);
      }
      const auto added = queue->add(urls).value();
      ASSERT_EQ(added.added, expected.added);
      ASSERT_EQ(added.duplicates, expected.duplicates);
    } else if (what < 8 && !twin.empty()) {
      std::vector<FinishedUrl> batch;
      for (unsigned i = random() % 10; i > 0; --i) {
        auto one = twin.begin();
        std::advance(one, random() % twin.size());
        const FinishedUrl next = settled(id_of(one->first), static_cast<UrlState>(1 + random() % 5),
                                         noon + std::chrono::minutes(random() % 60));
        one->second.state = next.state;
        one->second.result = next.result;
        batch.push_back(next);
      }
      ASSERT_TRUE(queue->settle(batch, {}).ok());
    } else if (what == 8) {
      const Timestamp before = noon + std::chrono::minutes(random() % 60);
      std::uint64_t expected = 0;
      for (auto& [url, one] : twin) {
        const bool is_final = one.state != UrlState::pending && one.state != UrlState::parked;
        if (!is_final || one.result->at >= before) continue;
        one.state = UrlState::pending;
        ++expected;
      }
      ASSERT_EQ(queue->revisit(before).value(), expected);
    } else if (GetParam().keeps) {
      reopen();
    }

    QueueCounts counts;
    std::map<std::string, std::vector<std::pair<std::string, const TwinUrl*>>> pending;
    for (const auto& [url, one] : twin) {
      ++counts.of(one.state);
      if (one.state == UrlState::pending) pending[one.site].emplace_back(url, &one);
    }
    ASSERT_EQ(queue->counts().value(), counts);
    const auto found = sites();
    ASSERT_EQ(found.size(), pending.size());
    for (const QueueSite& site : found) {
      auto& urls = pending[site.origin];
      std::ranges::sort(urls, {}, [](const auto& one) { return std::pair(-one.second->priority, one.second->order); });
      ASSERT_EQ(site.pending, urls.size());
      ASSERT_EQ(site.priority, urls.front().second->priority);
      const auto items = take(site.id, {}, 1'000);
      ASSERT_EQ(items.size(), urls.size());
      for (std::size_t i = 0; i < items.size(); ++i) {
        ASSERT_EQ(items[i].request.url, urls[i].first);
        ASSERT_EQ(items[i].result, urls[i].second->result);
      }
    }
  }
  queue.reset();
  if (GetParam().problems) {
    EXPECT_EQ(GetParam().problems(place), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, UrlQueueContract, testing::ValuesIn(queue_backends()), backend_name);

// --- hashes ----------------------------------------------------------------------------------------------------------

TEST(UrlQueueHash, UrlsOfOneHashAreKeptApart) {
  const auto same = [](const store::SipKey&, std::int64_t, std::string_view, std::string_view url) -> std::uint64_t {
    return url.ends_with("0") ? 0 : 7;
  };
  const std::string path = test::new_folder() + "/store.db";
  std::vector<QueuedUrl> urls;
  for (int i = 0; i < 60; ++i) urls.push_back({"http://s" + std::to_string(i % 3) + ".example/" + std::to_string(i)});
  for (int opening = 0; opening < 2; ++opening) {
    const auto queue = store::open_hashed_queue(path, "crawl", {}, same).value();
    EXPECT_EQ(queue->add(urls).value().added, opening == 0 ? urls.size() : 0u);
    for (const QueuedUrl& url : urls) EXPECT_EQ(queue->find("GET", url.url).value()->request.url, url.url);
    EXPECT_EQ(queue->find("GET", "http://s0.example/1").value(), std::nullopt);
    EXPECT_EQ(queue->counts().value().pending, urls.size());
  }
  // They are not the hashes that its key gives.
  EXPECT_FALSE(check_sqlite_store(path).value().problems.empty());
}

TEST(UrlQueueHash, ThoseOfOtherJobsAreNotRead) {
  const auto same = [](const store::SipKey&, std::int64_t, std::string_view, std::string_view) -> std::uint64_t {
    return 7;
  };
  const std::string path = test::new_folder() + "/store.db";
  const std::vector<QueuedUrl> urls{{"http://a.example/1"}, {"http://a.example/2"}};
  for (const char* job : {"one", "two"}) {
    EXPECT_EQ(store::open_hashed_queue(path, job, {}, same).value()->add(urls).value().added, 2U);
  }
  run_sql(path, "DELETE FROM queue WHERE id <= 2");  // with its hash in the index, such a URL is missed
  const auto found = store::open_hashed_queue(path, "two", {}, same).value()->find("GET", urls[1].url);
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found.value()->id, 4);
}

// The vectors of the paper's reference code: key 00 01 .. 0F, input 00 01 .. of growing length.
TEST(UrlQueueHash, IsSipHash24) {
  const store::SipKey key{0x0706050403020100u, 0x0F0E0D0C0B0A0908u};
  std::string input;
  for (int i = 0; i < 15; ++i) input += static_cast<char>(i);
  EXPECT_EQ(store::sip_hash(key, ""), 0x726FDB47DD0E0E31u);
  EXPECT_EQ(store::sip_hash(key, input.substr(0, 1)), 0x74F839C593DC67FDu);
  EXPECT_EQ(store::sip_hash(key, input.substr(0, 8)), 0x93F5F5799A932462u);
  EXPECT_EQ(store::sip_hash(key, input), 0xA129CA6149BE45E5u);
}

}  // namespace
}  // namespace robotrules::test::THIS_FILE
