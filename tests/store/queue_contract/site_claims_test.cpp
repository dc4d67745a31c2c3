// The contract of workers, for each backend: they claim sites, take their URLs, settle the results, release the sites.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <utility>

#include "store/queue_contract.hpp"

namespace robotrules::test::THIS_FILE {
namespace {

class SiteClaims : public QueueContract {
 protected:
  void SetUp() override {
    QueueContract::SetUp();
    claim = claim_of(*queue);
  }
  static QueueClaim claim_of(UrlQueue& worker) {
    const auto claimed = worker.claim();
    EXPECT_TRUE(claimed.ok()) << claimed.error().message;
    return claimed.ok() ? claimed.value() : QueueClaim{};
  }
  std::vector<QueueSite> claim_sites(std::size_t count = 100) {
    const auto claimed = queue->claim_sites(claim, count);
    EXPECT_TRUE(claimed.ok()) << claimed.error().message;
    return claimed.ok() ? claimed.value() : std::vector<QueueSite>();
  }
  std::vector<std::string> claim_origins(std::size_t count = 100) {
    std::vector<std::string> origins;
    for (const QueueSite& site : claim_sites(count)) origins.push_back(site.origin);
    return origins;
  }
  // Claims the only free site.
  std::int64_t claim_site() {
    const auto claimed = claim_sites();
    EXPECT_EQ(claimed.size(), 1U);
    return claimed.empty() ? 0 : claimed[0].id;
  }
  std::vector<QueueItem> take(std::int64_t site, std::optional<QueuePlace> after = {}, std::size_t count = 100) {
    const auto taken = queue->take(claim, site, after, count);
    EXPECT_TRUE(taken.ok()) << taken.error().message;
    return taken.ok() ? taken.value() : std::vector<QueueItem>();
  }
  void release(std::int64_t site) { EXPECT_TRUE(queue->release(claim, std::array{site})); }
  Result<void> settle(std::int64_t id) { return queue->settle(claim, std::vector{settled(id)}, {}); }

  QueueClaim claim;
};
using Urls = std::vector<std::string>;

TEST_P(SiteClaims, AreMadeByPriorityThenInTheOrderAdded) {
  add({wanted("http://a.example/1"), wanted("http://b.example/1", 5), wanted("http://c.example/1"),
       wanted("http://c.example/2", 7), wanted("http://d.example/1", -1)});
  EXPECT_EQ(claim_origins(2), (Urls{"http://c.example", "http://b.example"}));
  const auto rest = claim_sites(2);
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].origin, "http://a.example");
  EXPECT_EQ(rest[0].pending, 1U);
  EXPECT_EQ(rest[0].priority, 0);
  EXPECT_EQ(rest[1].origin, "http://d.example");
  EXPECT_EQ(claim_origins(), Urls{}) << "each site is claimed once";
  EXPECT_EQ(claim_origins(0), Urls{});
}

TEST_P(SiteClaims, AWorkerThatClaimsAgainHasTheSameClaimAndItsSites) {
  add({wanted("http://a.example/1")});
  const std::int64_t site = claim_site();
  EXPECT_EQ(claim_of(*queue).fence, claim.fence);
  EXPECT_EQ(claim_origins(), Urls{});
  EXPECT_EQ(take(site).size(), 1U);
}

TEST_P(SiteClaims, OnlyUrlsOfClaimedSitesAreTakenAndSettled) {
  add({wanted("http://a.example/1", 1), wanted("http://b.example/1")});
  const std::int64_t a = claim_sites(1)[0].id;
  const std::int64_t b = queue->sites({}, 2).value()[1].id;
  EXPECT_EQ(urls_of(take(a)), Urls{"http://a.example/1"});
  EXPECT_EQ(queue->take(claim, b, {}, 1).error().code, "claim-lost");
  EXPECT_EQ(queue->take(claim, b + 1, {}, 1).error().code, "claim-lost");
  const std::vector both{settled(id_of("http://a.example/1")), settled(id_of("http://b.example/1"))};
  EXPECT_EQ(queue->settle(claim, both, OutputPosition{"/a.warc", 7}).error().code, "claim-lost");
  EXPECT_EQ(queue->counts().value().pending, 2U) << "a failed transaction changes nothing";
  EXPECT_EQ(queue->output_position("/a.warc").value(), std::nullopt);
  EXPECT_TRUE(queue->settle(claim, std::span(both).first(1), OutputPosition{"/a.warc", 7}));
  EXPECT_EQ(queue->output_position("/a.warc").value(), 7U);
  EXPECT_TRUE(queue->settle(claim, {}, OutputPosition{"/a.warc", 8})) << "a position needs no site";
}

TEST_P(SiteClaims, SettlingRefusesWhatItRefusesWithoutAClaim) {
  add({wanted("http://a.example/1")});
  const std::int64_t id = take(claim_site())[0].id;
  EXPECT_EQ(settle(id + 1).error().code, "unknown-url");
  EXPECT_EQ(queue->settle(claim, std::vector{settled(id, UrlState::pending)}, {}).error().code, "invalid-request");
  EXPECT_TRUE(settle(id));
  EXPECT_TRUE(queue->settle(claim, std::vector{settled(id, UrlState::failed)}, {})) << "later results replace earlier";
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.failed = 1}));
}

TEST_P(SiteClaims, LinksAreAddedInTheTransactionThatSettlesTheirPage) {
  add({wanted("http://a.example/1"), wanted("http://b.example/1")});
  const std::int64_t id = take(claim_sites(1)[0].id)[0].id;
  const std::vector links{wanted("http://a.example/2"), wanted("http://b.example/2"), wanted("http://c.example/1", 9),
                          wanted("http://a.example/1"), wanted("http://a.example/2")};
  const auto settle_all = [&](std::int64_t of, std::span<const QueuedUrl> urls) {
    return queue->settle(claim, std::vector{settled(of)}, OutputPosition{"/a.warc", 7}, urls);
  };
  const std::int64_t foreign = id_of("http://b.example/1");
  EXPECT_EQ(settle_all(foreign, links).error().code, "claim-lost") << "links may be of any site, the page not";
  EXPECT_EQ(settle_all(id, std::vector{links[0], wanted("mailto:me@example.org")}).error().code, "invalid-url");
  EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 2})) << "a failed transaction changes nothing";
  EXPECT_EQ(queue->output_position("/a.warc").value(), std::nullopt);
  for (int time = 0; time < 2; ++time) {  // an answer that was lost: it is made again
    EXPECT_TRUE(settle_all(id, links));
    EXPECT_EQ(queue->counts().value(), (QueueCounts{.pending = 4, .done = 1}));
  }
  EXPECT_EQ(queue->output_position("/a.warc").value(), 7U);
  EXPECT_EQ(claim_origins(), (Urls{"http://c.example", "http://b.example"})) << "a.example is claimed";
}

TEST_P(SiteClaims, AReleasedSiteIsFreeIfUrlsAreLeft) {
  add({wanted("http://a.example/1", 3), wanted("http://a.example/2", 2), wanted("http://b.example/1", 1)});
  const auto sites = claim_sites();
  ASSERT_EQ(sites.size(), 2U);
  const std::int64_t first = take(sites[0].id)[0].id;
  EXPECT_TRUE(settle(first));
  EXPECT_TRUE(settle(take(sites[1].id)[0].id));
  release(sites[1].id);
  EXPECT_EQ(claim_origins(), Urls{}) << "it has no URLs left";
  release(sites[0].id);
  EXPECT_EQ(queue->take(claim, sites[0].id, {}, 1).error().code, "claim-lost");
  EXPECT_EQ(settle(first).error().code, "claim-lost") << "settle before the release";
  release(sites[0].id);
  EXPECT_TRUE(queue->release(claim, std::array{sites[0].id, sites[1].id, std::int64_t{4'711}})) << "ignored";
  const auto again = claim_sites();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].id, sites[0].id);
  EXPECT_EQ(again[0].pending, 1U);
  EXPECT_EQ(again[0].priority, 2);
  EXPECT_EQ(urls_of(take(sites[0].id)), Urls{"http://a.example/2"});
}

TEST_P(SiteClaims, TakingReturnsUrlsUntilTheyAreSettled) {
  add({wanted("http://a.example/1"), wanted("http://a.example/2"), wanted("http://a.example/3")});
  const std::int64_t site = claim_site();
  const auto first = take(site, {}, 2);
  EXPECT_EQ(urls_of(first), (Urls{"http://a.example/1", "http://a.example/2"}));
  EXPECT_EQ(urls_of(take(site, place_of(first[1]), 2)), Urls{"http://a.example/3"});
  EXPECT_EQ(take(site).size(), 3U);
  EXPECT_TRUE(settle(first[0].id));
  EXPECT_EQ(urls_of(take(site)), (Urls{"http://a.example/2", "http://a.example/3"}));
}

TEST_P(SiteClaims, NewUrlsOfAClaimedSiteAreItsWorkers) {
  add({wanted("http://a.example/1")});
  const std::int64_t site = claim_site();
  const auto items = take(site);
  add({wanted("http://a.example/2"), wanted("http://a.example/urgent", 9)});
  EXPECT_EQ(claim_origins(), Urls{});
  EXPECT_EQ(urls_of(take(site, place_of(items[0]))), Urls{"http://a.example/2"});
  EXPECT_EQ(urls_of(take(site)), (Urls{"http://a.example/urgent", "http://a.example/1", "http://a.example/2"}));
  EXPECT_TRUE(settle(items[0].id));
  release(site);
  EXPECT_EQ(claim_origins(), Urls{"http://a.example"}) << "nothing is lost if they come too late for its worker";
}

TEST_P(SiteClaims, NewSitesAreClaimedByTheirPriority) {
  add({wanted("http://a.example/1"), wanted("http://b.example/1"), wanted("http://c.example/1")});
  EXPECT_EQ(claim_origins(2), (Urls{"http://a.example", "http://b.example"}));
  add({wanted("http://d.example/1"), wanted("http://urgent.example/1", 9), wanted("http://idle.example/1", -9)});
  EXPECT_EQ(claim_origins(3), (Urls{"http://urgent.example", "http://c.example", "http://d.example"}));
  add({wanted("http://e.example/1")});
  EXPECT_EQ(claim_origins(), (Urls{"http://e.example", "http://idle.example"}));
}

TEST_P(SiteClaims, SitesWithUrlsThatArePendingAgainAreFree) {
  add({wanted("http://a.example/1"), wanted("http://b.example/1")});
  for (const QueueSite& site : claim_sites()) {
    EXPECT_TRUE(settle(take(site.id)[0].id));
    release(site.id);
  }
  EXPECT_EQ(claim_origins(), Urls{});
  EXPECT_EQ(queue->revisit({}).value(), 2U);
  EXPECT_EQ(claim_origins(), (Urls{"http://a.example", "http://b.example"}));
}

TEST_P(SiteClaims, TheSitesOfAWorkerThatEndsAreFree) {
  if (!GetParam().keeps) GTEST_SKIP() << "the queue ends with its only object";
  add({wanted("http://a.example/1"), wanted("http://b.example/1")});
  const auto sites = claim_sites();
  EXPECT_TRUE(settle(take(sites[0].id)[0].id));
  const QueueClaim before = claim;
  reopen();
  claim = claim_of(*queue);
  EXPECT_GT(claim.fence, before.fence);
  EXPECT_EQ(claim_origins(), Urls{"http://b.example"});
}

TEST_P(SiteClaims, AWorkerWithoutItsClaimSettlesNothing) {
  if (!GetParam().end_claims) GTEST_SKIP() << "a claim cannot be lost";
  add({wanted("http://a.example/1"), wanted("http://b.example/1")});
  const std::int64_t site = claim_sites(1)[0].id;
  const std::int64_t id = take(site)[0].id;
  GetParam().end_claims(place);
  EXPECT_EQ(settle(id).error().code, "claim-lost");
  EXPECT_EQ(queue->settle(claim, {}, OutputPosition{"/a.warc", 7}).error().code, "claim-lost");
  EXPECT_EQ(queue->settle({}, OutputPosition{"/a.warc", 7}).error().code, "claim-lost");
  EXPECT_EQ(queue->claim_sites(claim, 1).error().code, "claim-lost");
  EXPECT_EQ(queue->counts().value().pending, 2U);
  EXPECT_EQ(queue->output_position("/a.warc").value(), std::nullopt);

  const QueueClaim before = std::exchange(claim, claim_of(*queue));
  EXPECT_GT(claim.fence, before.fence);
  EXPECT_EQ(queue->take(claim, site, {}, 1).error().code, "claim-lost") << "its sites are gone";
  EXPECT_EQ(claim_origins(), (Urls{"http://a.example", "http://b.example"}));
  EXPECT_EQ(queue->settle(before, std::vector{settled(id)}, {}).error().code, "claim-lost");
  EXPECT_EQ(queue->take(before, site, {}, 1).error().code, "claim-lost");
  EXPECT_EQ(queue->claim_sites(before, 1).error().code, "claim-lost");
  EXPECT_EQ(queue->release(before, std::array{site}).error().code, "claim-lost");
  EXPECT_TRUE(settle(id));
}

TEST_P(SiteClaims, TwoWorkersNeverHaveTheSameSite) {
  if (!GetParam().keeps) GTEST_SKIP() << "it cannot be opened twice";
  std::vector<QueuedUrl> urls;
  for (int i = 0; i < 20; ++i) urls.push_back(wanted("http://s" + std::to_string(i) + ".example/"));
  add(urls);
  const auto other = open();
  const auto second = other->claim();
  if (!second) {
    EXPECT_EQ(second.error().code, "queue-claimed") << "a backend may permit one worker";
    return;
  }
  std::set<std::int64_t> seen;
  for (int i = 0; i < 4; ++i) {
    for (const QueueSite& site : claim_sites(3)) EXPECT_TRUE(seen.insert(site.id).second) << site.origin;
    for (const QueueSite& site : other->claim_sites(second.value(), 3).value()) {
      EXPECT_TRUE(seen.insert(site.id).second) << site.origin;
      EXPECT_EQ(queue->take(claim, site.id, {}, 1).error().code, "claim-lost");
    }
  }
  EXPECT_EQ(seen.size(), urls.size());
}

// Random calls of one worker, and the same questions to a map.
TEST_P(SiteClaims, AreThoseOfANaiveTwin) {
  struct Site {
    std::map<std::string, std::int32_t> pending;  // URLs with their priorities
    int order = 0;
    std::optional<std::int64_t> claimed{};  // its id
    std::int32_t priority() const {
      return std::ranges::max_element(pending, {}, [](const auto& one) { return one.second; })->second;
    }
  };
  std::mt19937 random(7);
  std::map<std::string, Site> twin;
  int next_url = 0;
  for (int round = 0; round < 1'500; ++round) {
    const unsigned what = random() % 10;
    if (what < 3) {
      std::vector<QueuedUrl> urls;
      for (unsigned i = 1 + random() % 8; i > 0; --i) {
        const std::string origin = "http://s" + std::to_string(random() % 40) + ".example";
        const auto priority = static_cast<std::int32_t>(random() % 4);
        urls.push_back(wanted(origin + "/" + std::to_string(next_url++), priority));
        Site& site = twin.try_emplace(origin, Site{{}, static_cast<int>(twin.size())}).first->second;
        site.pending[urls.back().url] = priority;
      }
      add(urls);
    } else if (what < 6) {
      const std::size_t count = random() % 12;
      std::vector<std::pair<const std::string, Site>*> free;
      for (auto& entry : twin) {
        if (!entry.second.claimed && !entry.second.pending.empty()) free.push_back(&entry);
      }
      std::ranges::sort(free, {},
                        [](const auto* one) { return std::pair(-one->second.priority(), one->second.order); });
      if (free.size() > count) free.resize(count);
      const auto sites = claim_sites(count);
      ASSERT_EQ(sites.size(), free.size()) << "round " << round;
      for (std::size_t i = 0; i < sites.size(); ++i) {
        ASSERT_EQ(sites[i].origin, free[i]->first) << "round " << round;
        free[i]->second.claimed = sites[i].id;
      }
    } else {
      if (twin.empty()) continue;
      Site& site = std::next(twin.begin(), random() % static_cast<unsigned>(twin.size()))->second;
      if (!site.claimed) continue;
      if (what < 9) {
        std::vector<FinishedUrl> done;
        for (const QueueItem& item : take(*site.claimed, {}, 1 + random() % 4)) {
          ASSERT_EQ(site.pending.erase(item.request.url), 1U);
          done.push_back(settled(item.id));
        }
        ASSERT_TRUE(queue->settle(claim, done, {}));
      } else {
        release(*std::exchange(site.claimed, std::nullopt));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, SiteClaims, testing::ValuesIn(queue_backends()), backend_name);

}  // namespace
}  // namespace robotrules::test::THIS_FILE
