// The robots.txt of a Site: it is read from the store and, if necessary, fetched.
#include <algorithm>
#include <utility>

#include "robot/gate_keys.hpp"
#include "robot/site.hpp"
#include "robot/site_permit.hpp"

namespace robotrules::agent {
namespace {

using std::chrono::microseconds;

// Intervals for checking whether another process has finished fetching the same robots.txt.
constexpr microseconds first_look = std::chrono::milliseconds(20);
constexpr microseconds last_look = std::chrono::milliseconds(1'000);

// The time until an answer that the store could not take is put again: the first one, doubled up to the last one.
constexpr std::chrono::seconds first_put_pause{5};
constexpr std::chrono::seconds last_put_pause{80};

}  // namespace

// Reads the rules that are in force now, and calls `then`: with true if they are known; with false if robots.txt must
// be fetched first, or if the store failed.
void Site::refresh(const std::function<void(bool known)>& then) {
  try {
    use_settings();
    const auto changes = host_.desk().changes(session());
    if (changes && changes == changes_) return then(judge());
    const auto asked = settings_;
    asked->session->read(origin_, changes_,
                         when_answered<Result<ReadRobots>>([this, asked, then](Result<ReadRobots> read) {
                           if (is_closed_) return;
                           try {
                             record_read(*asked, std::move(read), then);
                           } catch (...) {
                             drop_steps();
                             throw;
                           }
                         }));
  } catch (...) {
    drop_steps();
    throw;
  }
}

void Site::record_read(const RobotSettings& asked, Result<ReadRobots> read,
                       const std::function<void(bool known)>& then) {
  if (&asked != host_.settings().get()) return refresh(then);
  if (!read) {
    fail_all(read.error());
    return then(false);
  }
  if (read->is_unchanged && changes_ != read->changes) return refresh(then);  // the rules were dropped meanwhile
  if (!read->is_unchanged) take(std::move(read->record));
  changes_ = read->changes;
  then(judge());
}

// An exception ended a step that waited for the store. The next request begins it again.
void Site::drop_steps() noexcept {
  is_deciding_ = false;
  is_reading_ = false;
  permit_.reset();
  if (fetch_ == nullptr) give_back_lease();
}

void Site::take(std::shared_ptr<const RobotsRecord> record) {
  const Dialect& dialect = settings_->rules->dialect();
  const bool by_header = dialect.whole_header && settings_->given_name.empty();
  const std::size_t before = rules_.bytes();
  if (rules_.take(std::move(record), by_header ? host_.engine().settings()->options.agent : settings_->token,
                  dialect)) {
    host_.bytes_changed(rules_.bytes(), before);
  }
}

void Site::need_robots() {
  if (lease_timer_ != 0) return;
  if (refusal_ && refusal_->until > session().now()) {
    const Refusal known = *refusal_;
    return fail_all(ResponseSource::proxy_refused, known.sentence, known.until);
  }
  if (unstored_ && unstored_->record.fresh_until <= session().now()) unstored_.reset();
  if (unstored_ && unstored_->try_again > session().now())
    return check_again_after(unstored_->try_again - session().now());
  lease_poll_ = microseconds(0);
  lease();
}

// Asks for the lease to fetch robots.txt. Only one of many processes gets it; the others check the store until the
// record is there.
void Site::lease() {
  if (undecided_.empty() || lease_session_ != nullptr) return;
  if (unstored_ && unstored_->lease && unstored_->lease->expires_at > unstored_->lender->now()) {
    lease_session_ = std::exchange(unstored_->lender, nullptr);
    lease_ = std::exchange(unstored_->lease, std::nullopt);
    return refresh([this](bool known) { fetch_unless(known); });
  }
  // For each hop: the longest wait for its gate and the longest fetch.
  const auto length = 2 * settings_->policy.timeout * (settings_->policy.max_redirects + 1) + std::chrono::seconds(30);
  const auto session = lease_session_ = settings_->session;
  try {
    session->lease(origin_, length, when_answered<Result<LeaseAnswer>>([this](Result<LeaseAnswer> answer) {
                     leased(std::move(answer));
                   }));
  } catch (...) {
    if (!lease_ && fetch_ == nullptr) lease_session_.reset();
    throw;
  }
}

void Site::leased(Result<LeaseAnswer> answer) {
  if (auto* granted = answer ? std::get_if<RobotsLease>(&answer.value()) : nullptr) {
    lease_ = std::move(*granted);
    if (is_closed_) return give_back_lease();
    // Another process may have finished since the last check.
    return refresh([this](bool known) { fetch_unless(known); });
  }
  const auto session = std::exchange(lease_session_, nullptr);
  if (is_closed_) return;
  if (!answer) return fail_all(answer.error());
  const auto left = std::get<Wait>(answer.value()).until - session->now();
  lease_poll_ = std::clamp(lease_poll_ * 2, first_look, last_look);
  check_again_after(std::min(left, lease_poll_));
}

void Site::fetch_unless(bool known) {
  if (known || undecided_.empty() || !lease_) {
    if (known) unstored_.reset();  // another process has fetched it
    give_back_lease();
    return decide_all();
  }
  try {
    unstored_ ? put_unstored() : fetch();
  } catch (...) {
    fetch_.reset();
    give_back_lease();
    throw;
  }
}

// Does nothing if there is none: after an exception, unstored_ may have it.
void Site::give_back_lease() noexcept {
  if (!lease_) return;
  const auto lender = std::exchange(lease_session_, nullptr);
  const auto lease = std::exchange(lease_, std::nullopt);
  try {
    lender->release(*lease);
  } catch (...) {  // it expires
  }
}

void Site::check_again_after(microseconds delay) {
  if (undecided_.empty()) return;
  lease_timer_ = host_.engine().loop().after(std::max(delay, microseconds(1)), [this, known = weak_from_this()] {
    const auto self = known.lock();
    if (self == nullptr) return;
    lease_timer_ = 0;
    decide_all(true);
  });
}

void Site::fetch() {
  const auto gate = [pace = settings_->pace, timeout = settings_->policy.timeout, addresses = host_.addresses()](
                        const Origin& origin, const RobotsGateThen& then) {
    const auto ask = [pace, timeout, origin, then](const std::vector<std::string>& ips) {
      ReserveRequest request;
      request.keys = gate_keys_of(origin, pace, ips);
      request.robots_fetch = true;
      request.in_flight = pace.max_in_flight;
      request.max_penalty = pace.max_retry_after;
      request.hold = timeout + std::chrono::seconds(30);
      then(std::move(request), ips);
    };
    pace.by_address ? addresses->find(origin, ask) : ask({});
  };
  fetch_ = std::make_unique<RobotsFetch>(host_.engine(), host_.desk(), lease_session_, gate, settings_->policy,
                                         rules_.record(), [this](RobotsFetchEnd end) {
                                           const auto self = shared_from_this();
                                           const auto last = std::move(fetch_);
                                           fetched(std::move(end));
                                         });
  fetch_->on_exchange(settings_->on_robots_exchange);
  fetch_->begin(origin_, host_.jitter(), refusal_ ? refusal_->times : 0);
}

void Site::fetched(RobotsFetchEnd end) {
  if (!end.record) {
    give_back_lease();
    return end.source == ResponseSource::too_early ? wait_for_pause(end) : refused_by_proxy(end);
  }
  refusal_.reset();
  RobotsRecord& record = *end.record;
  rules_.note_fetch(record.fresh_until, std::move(end.sentence), end.cause);
  host_.robots_fetched(record.outcome);
  const auto target = record.outcome == RobotsOutcome::rules ? Origin::of(record.url) : std::nullopt;
  if (target && target != origin_ && record.url == target->robots_url()) {  // it is also the target's own robots.txt
    RobotsRecord theirs = record;
    theirs.hops.clear();
    // It only saves a fetch, so an error does not matter.
    lease_session_->put(*target, std::move(theirs), std::nullopt, {});
  }
  unstored_.emplace().record = std::move(record);
  put_unstored();
}

// It is not the site's answer, so there is no record. The site waits as after a failure of its own.
void Site::refused_by_proxy(const RobotsFetchEnd& end) {
  if (end.source != ResponseSource::proxy_refused) return fail_all(end.source, end.sentence);
  refusal_ = Refusal{end.sentence, end.until, (refusal_ ? refusal_->times : 0) + 1};
  fail_all(end.source, end.sentence, end.until);
}

// Puts the record of unstored_, with lease_.
void Site::put_unstored() {
  const auto lender = lease_session_;
  unstored_->lender = lender;
  unstored_->lease = std::exchange(lease_, std::nullopt);
  try {
    lender->put(origin_, unstored_->record, unstored_->lease,
                when_answered<Result<void>>([this](const Result<void>& put) { stored(put); }));
  } catch (...) {
    lease_session_.reset();
    throw;
  }
}

void Site::stored(const Result<void>& put) {
  const auto lender = std::exchange(lease_session_, nullptr);
  if (is_closed_) return;
  changes_.reset();  // the desk may know only the changes before this one
  const bool has_lost_lease = !put && put.error().code == "unknown-token";
  if (has_lost_lease && unstored_ && unstored_->failures > 0) {  // it expired while the store took nothing
    unstored_->failures = 0;
    unstored_->lease.reset();
    return decide_all();
  }
  if (put || has_lost_lease) {
    unstored_.reset();
    return decide_all();
  }
  if (unstored_) {  // its rules may have been dropped meanwhile
    const auto pause = first_put_pause * (1U << std::min(unstored_->failures++, 4U));
    unstored_->try_again = session().now() + std::min<std::chrono::seconds>(pause, last_put_pause);
  }
  fail_all(put.error());
}

// Not even robots.txt may be requested now. No record is made; it is requested again when the pause ends.
void Site::wait_for_pause(const RobotsFetchEnd& end) {
  const auto left = end.until - session().now();
  const bool parked = left > settings_->max_wait();
  if (settings_->use_sleep && !parked) {
    if (end.waits_for == WaitReason::away) answer_targets(undecided_, gate_key(origin_), end.until);
    return check_again_after(left);
  }
  while (!undecided_.empty()) {
    SiteApplicant& next = *undecided_.front();
    answer(next, {nullptr, pause_response(next, end.until, end.sentence, end.waits_for, parked)});
  }
}

}  // namespace robotrules::agent
