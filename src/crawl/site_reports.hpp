// The reports of a crawl about its sites, for CrawlOptions::on_site_failure.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <robotrules/crawl.hpp>

#include "crawl/active_site.hpp"
#include "crawl/retry_policy.hpp"

namespace robotrules::crawl {

// Returns what happened to a request for a page of `origin`. If the page was redirected to another site, the sentence
// names that site, because the failure is not one of `origin`.
std::string failure_sentence(const std::string& origin, const Response& response);

// Each site is reported once for its first failure, and once if it is left out.
class SiteReports {
 public:
  // `is_wanted`: there is a callback.
  explicit SiteReports(bool is_wanted) : is_wanted_(is_wanted) {}

  // Keeps the first failure of a site, or the first response that pauses it, and returns it, for its `next_try_in`. The
  // pointer is valid until the next call. Null: it is not reported.
  SiteFailure* note_failure(const ActiveSite& site, const UrlTask& task, const Response& response, bool is_final);
  // All URLs of the site fail, because of ActiveSite::given_up.
  void note_given_up(const ActiveSite& site, const Silence& silence);
  // The site is left out, or another one to which it has redirected.
  void note_left_out(const ActiveSite& site, const Response& response);

  bool has_news() const noexcept { return !reports_.empty(); }
  std::vector<SiteFailure> take() { return std::exchange(reports_, {}); }

 private:
  const bool is_wanted_;
  std::vector<SiteFailure> reports_;
  std::unordered_set<std::int64_t> failed_;
  std::unordered_set<std::int64_t> left_out_;
};

}  // namespace robotrules::crawl
