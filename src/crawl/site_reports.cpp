#include "crawl/site_reports.hpp"

#include <utility>

#include "crawl/failure_kind.hpp"
#include "crawl/site_sentence.hpp"

namespace robotrules::crawl {

std::string failure_sentence(const std::string& origin, const Response& response) {
  const auto target = Origin::of(response.url);
  const std::string site = target ? target->to_string() : origin;
  const std::string sentence = is_robots_unreachable(response) ? sentence_about(site, *response.robots)
                                                               : without_own_url(site, response.warning);
  return site == origin ? sentence : "a page is redirected to " + site + ": " + sentence;
}

SiteFailure* SiteReports::note_failure(const ActiveSite& site, const UrlTask& task, const Response& response,
                                       bool is_final) {
  const bool pauses = !is_final && response.source == ResponseSource::server;  // a 429 or 503
  if (!is_wanted_ || !(pauses || is_failure(response)) || !failed_.insert(site.known.id).second) return nullptr;
  SiteFailure failure;
  failure.origin = site.known.origin;
  failure.why = FetchedPage{response, {}, {}}.reason();
  failure.cause = response.cause;
  const bool is_too_long = response.source == ResponseSource::disk_too_small;
  failure.sentence = failure_sentence(failure.origin, response);
  if (pauses) failure.sentence = "the server answers " + std::to_string(response.code) + ", so no page is requested";
  if (is_too_long) failure.sentence = "no room for the body of " + task.item.request.url + ": " + failure.sentence;
  failure.is_final = is_final;
  return &reports_.emplace_back(std::move(failure));
}

void SiteReports::note_given_up(const ActiveSite& site, const Silence& silence) {
  failed_.insert(site.known.id);  // after a restart this is its only message
  if (!is_wanted_) return;
  SiteFailure failure;
  failure.origin = site.known.origin;
  failure.why = FetchedPage{*site.given_up, {}, {}}.reason();
  failure.sentence = "no answer for " +
                     std::to_string(std::chrono::floor<std::chrono::minutes>(silence.lasts).count()) +
                     " minutes, so all of its URLs have failed: " + failure_sentence(failure.origin, *site.given_up);
  reports_.push_back(std::move(failure));
}

void SiteReports::note_left_out(const ActiveSite& site, const Response& response) {
  const auto origin = Origin::of(response.url);
  const bool is_own = origin && origin->to_string() == site.known.origin;  // else a redirect led to another site
  if (!is_wanted_ || (is_own && !left_out_.insert(site.known.id).second)) return;
  SiteFailure failure;
  failure.origin = is_own ? site.known.origin : response.url;
  failure.why = to_string(ResponseSource::parked);
  failure.left_out_until = response.try_again_at;
  failure.sentence = response.source == ResponseSource::server ? "the server answers " + std::to_string(response.code)
                                                               : failure_sentence(failure.origin, response);
  reports_.push_back(std::move(failure));
}

}  // namespace robotrules::crawl
