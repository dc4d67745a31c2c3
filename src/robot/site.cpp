#include "robot/site.hpp"

#include <algorithm>
#include <utility>

#include "http/synthetic.hpp"
#include "robot/robots_url.hpp"
#include "robot/site_permit.hpp"

namespace robotrules::agent {
SiteApplicant::~SiteApplicant() {
  if (const auto known = site.lock()) known->leave(*this);
}

Site::Site(SiteHost& host, Origin origin)
    : host_(host), origin_(std::move(origin)), settings_(host.settings()), rules_(origin_.robots_url()) {}
Site::~Site() { forget_question(); }

void Site::close() {
  is_closed_ = true;
  fetch_.reset();
  if (unstored_ && unstored_->lease && lease_session_ == nullptr) {
    lease_session_ = std::move(unstored_->lender);
    lease_ = std::move(unstored_->lease);
  }
  unstored_.reset();
  give_back_lease();
  forget_question();
  permit_.reset();
  Loop& loop = host_.engine().loop();
  if (lease_timer_ != 0) loop.cancel(std::exchange(lease_timer_, 0));
  if (window_timer_ != 0) loop.cancel(std::exchange(window_timer_, 0));
}

void Site::leave(SiteApplicant& applicant) {
  take_out(applicant);
  Loop& loop = host_.engine().loop();
  if (queue_.empty()) {
    forget_question();
    if (window_timer_ != 0) loop.cancel(std::exchange(window_timer_, 0));
  }
  if (undecided_.empty() && lease_timer_ != 0) loop.cancel(std::exchange(lease_timer_, 0));
}

void Site::take_out(SiteApplicant& applicant) noexcept {
  if (applicant.in == nullptr) return;
  if (applicant.in == &queue_ && applicant.is_target) --queued_targets_;
  std::exchange(applicant.in, nullptr)->erase(applicant.at);
}

void Site::move_to(SiteApplicant& applicant, Applicants& list, bool first) {
  take_out(applicant);
  applicant.at = list.insert(first ? list.begin() : list.end(), &applicant);
  applicant.in = &list;
  if (&list == &queue_ && applicant.is_target) ++queued_targets_;
}

void Site::move_to_gate(SiteApplicant& applicant) {
  move_to(applicant, queue_);
  if (applicant.is_target) forget_question();  // it waits for less than the others
}

void Site::answer(SiteApplicant& applicant, Admitted admitted) {
  leave(applicant);
  applicant.site.reset();
  const auto called = std::move(applicant.answer);  // may destroy the applicant
  called(std::move(admitted));
}

void Site::enter(SiteApplicant& applicant) {
  const auto self = shared_from_this();
  applicant.number = ++last_entered_;
  applicant.entered_at = session().now();
  if (is_robots_txt(applicant.url)) {  // always allowed: RFC 9309 section 2.2.2
    use_settings();
    if (applicant.only_asks) {
      Response yes;
      const Rules none;
      yes.robots = note(none.check("/robots.txt"));
      return answer(applicant, {nullptr, std::move(yes)});
    }
    move_to_gate(applicant);
    return pump();
  }
  if (is_allowed_so_far(applicant)) {
    move_to_gate(applicant);
    return pump();
  }
  move_to(applicant, undecided_);
  if (applicant.is_target && lease_timer_ != 0) host_.engine().loop().cancel(std::exchange(lease_timer_, 0));
  if (lease_session_ == nullptr && lease_timer_ == 0) decide_all();
}

// Returns true if the records read so far allow the URL. When the gate opens, the store is read again and decides.
bool Site::is_allowed_so_far(const SiteApplicant& applicant) const {
  if (applicant.only_asks || !undecided_.empty() || settings_ != host_.settings()) return false;
  return rules_.allows(applicant.url, settings_->policy, session().approximate_now());
}

// New settings may contain other rules, another store or another name. Then all that was read before is dropped.
void Site::use_settings() {
  auto settings = host_.settings();
  if (settings == settings_) return;
  const bool read_alike = settings->rules == settings_->rules && settings->token == settings_->token;
  settings_ = std::move(settings);
  if (!read_alike) forget_rules();
}

void Site::forget_rules() {
  const std::size_t before = rules_.bytes();
  changes_.reset();
  unstored_.reset();
  rules_.forget();
  host_.bytes_changed(rules_.bytes(), before);
}

// Decides about the requests that wait for robots.txt. If it must be fetched first, asks for the lease, or asks
// `again`.
void Site::decide_all(bool again) {
  if (undecided_.empty() || is_deciding_) return;
  is_deciding_ = true;
  refresh([this, again, last = last_entered_](bool known) {
    is_deciding_ = false;
    if (known) return decide_undecided(last);
    again ? lease() : need_robots();
  });
}

// Decides about the requests up to the number `last`. Those that came after the rules were read wait for the next
// reading.
void Site::decide_undecided(std::uint64_t last) {
  if (undecided_.empty()) return;
  const auto self = shared_from_this();
  while (!undecided_.empty() && undecided_.front()->number <= last) {
    SiteApplicant& next = *undecided_.front();
    if (!decide(next)) move_to_gate(next);
  }
  pump();
  decide_all();
}

// Returns true if the request was answered; false if it must go on to the gate.
bool Site::decide(SiteApplicant& applicant, std::shared_ptr<const RobotsNote>* allowed) {
  if (rules_.state() == RobotsState::disallow_all) {
    const RobotsRecord& record = *rules_.record();
    const bool failed = record.outcome == RobotsOutcome::unreachable;
    answer(applicant,
           {nullptr, synthetic(applicant, failed ? ResponseSource::robots_unreachable : ResponseSource::robots_denied,
                               applicant.url.text + ": " + rules_.why_disallowed(), record.fresh_until, note({}))});
    return true;
  }
  const Verdict verdict = rules_.check(applicant.url);
  if (has_rules(rules_.state()) && !verdict.allowed()) {
    answer(applicant,
           {nullptr, synthetic(applicant, ResponseSource::robots_denied,
                               applicant.url.text + ": " + verdict.explanation(), std::nullopt, note(verdict))});
    return true;
  }
  if (allowed != nullptr) *allowed = note(verdict);
  if (!applicant.only_asks) return false;
  Response yes;
  yes.robots = note(verdict);
  answer(applicant, {nullptr, std::move(yes)});
  return true;
}

void Site::fail_all(const Error& error) { fail_all(source_of(error, ResponseSource::store), error.message); }

void Site::fail_all(ResponseSource source, const std::string& sentence, std::optional<Timestamp> try_again_at) {
  const auto self = shared_from_this();
  while (!undecided_.empty()) {
    SiteApplicant& next = *undecided_.front();
    answer(next, {nullptr, synthetic(next, source, next.url.text + ": " + sentence, try_again_at, nullptr)});
  }
}

Response Site::synthetic(const SiteApplicant& applicant, ResponseSource source, std::string sentence,
                         std::optional<Timestamp> try_again_at, std::shared_ptr<const RobotsNote> robots) const {
  Response response = synthetic_response(source, applicant.method, applicant.url.text, std::move(sentence));
  response.requested_at = response.received_at = host_.engine().loop().wall();
  response.robots = std::move(robots);
  if (source == ResponseSource::robots_unreachable) response.cause = rules_.cause();
  if (try_again_at) {
    response.try_again_at = try_again_at;
    const auto left = std::chrono::ceil<std::chrono::seconds>(*try_again_at - session().now());
    response.headers.set("Retry-After", std::to_string(std::max<std::int64_t>(0, left.count())));
  }
  return response;
}

}  // namespace robotrules::agent
