#include "robot/site.hpp"

#include <algorithm>
#include <utility>

#include "http/fields/http_date.hpp"
#include "http/synthetic.hpp"
#include "robot/gate_keys.hpp"
#include "robot/page_pace.hpp"
#include "robot/robots_url.hpp"
#include "robot/site_permit.hpp"

namespace robotrules::agent {
namespace {

using std::chrono::microseconds;

// Intervals for checking whether another process has finished fetching the same robots.txt.
constexpr microseconds first_look = std::chrono::milliseconds(20);
constexpr microseconds last_look = std::chrono::milliseconds(1'000);

}  // namespace

SiteApplicant::~SiteApplicant() {
  if (const auto known = site.lock()) known->leave(*this);
}

Site::Site(SiteHost& host, Origin origin) : host_(host), origin_(std::move(origin)), settings_(host.settings()) {}
Site::~Site() = default;

void Site::close() {
  is_closed_ = true;
  fetch_.reset();
  if (lease_) give_back_lease();
  gate_.reset();
  permit_.reset();
  Loop& loop = host_.engine().loop();
  if (lease_timer_ != 0) loop.cancel(std::exchange(lease_timer_, 0));
  if (window_timer_ != 0) loop.cancel(std::exchange(window_timer_, 0));
}

void Site::finish() {
  if (const auto session = lease_session_) session->finish();  // so that no lease is left behind
}

void Site::leave(SiteApplicant& applicant) {
  if (applicant.in != nullptr) std::exchange(applicant.in, nullptr)->erase(applicant.at);
  Loop& loop = host_.engine().loop();
  if (queue_.empty()) {
    gate_.reset();
    if (window_timer_ != 0) loop.cancel(std::exchange(window_timer_, 0));
  }
  if (undecided_.empty() && lease_timer_ != 0) loop.cancel(std::exchange(lease_timer_, 0));
}

// Moves the applicant to the end of a list, or to its front.
static void put(SiteApplicant& applicant, Applicants& list, bool first = false) {
  if (applicant.in != nullptr) applicant.in->erase(applicant.at);
  applicant.in = &list;
  applicant.at = list.insert(first ? list.begin() : list.end(), &applicant);
}

void Site::answer(SiteApplicant& applicant, Admitted admitted) {
  leave(applicant);
  applicant.site.reset();
  const auto called = std::move(applicant.answer);  // may destroy the applicant
  called(std::move(admitted));
}

void Site::enter(SiteApplicant& applicant) {
  const auto self = shared_from_this();
  if (is_robots_txt(applicant.url)) {  // always allowed: RFC 9309 section 2.2.2
    use_settings();
    if (applicant.only_asks) {
      Response yes;
      const Rules none;
      yes.robots = note(none.check("/robots.txt"));
      return answer(applicant, {nullptr, std::move(yes)});
    }
    put(applicant, queue_);
    return pump();
  }
  if (is_allowed_so_far(applicant)) {
    put(applicant, queue_);
    return pump();
  }
  put(applicant, undecided_);
  if (lease_session_ == nullptr && lease_timer_ == 0) decide_all();
}

// Returns true if the records read so far allow the URL. When the gate opens, the store is read again and decides.
bool Site::is_allowed_so_far(const SiteApplicant& applicant) const {
  if (applicant.only_asks || !undecided_.empty() || settings_ != host_.settings()) return false;
  const RobotsState state = robots_state(record_.get(), settings_->policy, session().approximate_now());
  return state == RobotsState::allow_all || (has_rules(state) && rules_.check(applicant.url.text).allowed());
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
  changes_.reset();
  record_.reset();
  state_ = RobotsState::unknown;
  rules_ = Rules();
  weigh();
}

void Site::weigh() {
  const bool has_body = record_ != nullptr && record_->body != nullptr;
  const std::size_t bytes = (has_body ? record_->body->size() : 0) + rules_.memory_bytes();
  host_.bytes_changed(bytes, std::exchange(bytes_, bytes));
}

// Returns a function for a call of the session. When the call is answered, and this site still exists and is not
// closed, `then` is called.
template <class Answer, class Then>
StoreSession::Done<Answer> Site::when_answered(Then then) {
  return [known = weak_from_this(), under_way = calls_under_way_, then = std::move(then)](Answer answer) mutable {
    const auto self = known.lock();
    if (self != nullptr) then(std::move(answer));
  };
}

// Reads the rules that are in force now, and calls `then`: with true if they are known; with false if robots.txt must
// be fetched first, or if the store failed.
void Site::refresh(std::function<void(bool known)> then) {
  use_settings();
  const auto changes = host_.desk().changes(session());
  if (changes && changes == changes_) return then(judge());
  const auto asked = settings_;
  asked->session->read(
      origin_, changes_,
      when_answered<Result<ReadRobots>>([this, asked, then = std::move(then)](Result<ReadRobots> read) {
        if (is_closed_) return;
        if (asked != host_.settings()) return refresh(then);
        if (!read) {
          fail_all(read.error());
          return then(false);
        }
        changes_ = read->changes;
        if (!read->is_unchanged) take(std::move(read->record));
        then(judge());
      }));
}

// Returns false if robots.txt must be fetched first.
bool Site::judge() {
  state_ = robots_state(record_.get(), settings_->policy, session().now());
  return state_ != RobotsState::unknown;
}

void Site::take(std::shared_ptr<const RobotsRecord> record) {
  if (record == record_) return;
  record_ = std::move(record);
  if (record_ == nullptr || record_->fresh_until != unreachable_until_) {  // another process has made it
    why_unreachable_.clear();
    cause_ = FailureCause::none;
  }
  rules_ = record_ != nullptr && record_->body != nullptr
               ? Rules::compile(*record_->body, settings_->token, settings_->rules->dialect(),
                                record_->url.empty() ? origin_.robots_url() : record_->url)
               : Rules();
  weigh();
}

// Decides about the requests that wait for robots.txt. If it must be fetched first, asks for the lease, or asks
// `again`.
void Site::decide_all(bool again) {
  if (undecided_.empty() || is_deciding_) return;
  is_deciding_ = true;
  try {
    refresh([this, again](bool known) {
      is_deciding_ = false;
      if (known) return decide_undecided();
      again ? lease() : need_robots();
    });
  } catch (...) {
    is_deciding_ = false;
    throw;
  }
}

void Site::decide_undecided() {
  if (undecided_.empty()) return;
  const auto self = shared_from_this();
  while (!undecided_.empty()) {
    SiteApplicant& next = *undecided_.front();
    if (!decide(next)) put(next, queue_);
  }
  pump();
}

// Returns true if the request was answered; false if it must go on to the gate.
bool Site::decide(SiteApplicant& applicant, std::shared_ptr<const RobotsNote>* allowed) {
  if (state_ == RobotsState::disallow_all) {
    const bool failed = record_->outcome == RobotsOutcome::unreachable;
    const std::string sentence =
        applicant.url.text + ": robots.txt " +
        (failed ? "cannot be fetched" + (why_unreachable_.empty() ? "" : " (" + why_unreachable_ + ")")
                : "answers " + std::to_string(record_->status)) +
        ", so all of the site is disallowed";
    answer(applicant,
           {nullptr, synthetic(applicant, failed ? ResponseSource::robots_unreachable : ResponseSource::robots_denied,
                               sentence, record_->fresh_until, note({}))});
    return true;
  }
  const Verdict verdict = has_rules(state_) ? rules_.check(applicant.url.text) : Verdict{};
  if (has_rules(state_) && !verdict.allowed()) {
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

void Site::fail_all(const Error& error) {
  const auto self = shared_from_this();
  while (!undecided_.empty()) {
    SiteApplicant& next = *undecided_.front();
    answer(next, {nullptr, synthetic(next, source_of(error, ResponseSource::store),
                                     next.url.text + ": " + error.message, std::nullopt, nullptr)});
  }
}

std::shared_ptr<const RobotsNote> Site::note(const Verdict& verdict) const {
  auto made = std::make_shared<RobotsNote>();
  made->verdict = verdict;
  const bool allow_all = verdict.why() == Why::robots_txt || state_ == RobotsState::allow_all;
  made->access = allow_all ? Access::allowed : access_in(state_, verdict);
  if (record_ == nullptr) return made;
  if (has_rules(state_)) made->rules = rules_;
  made->outcome = record_->outcome;
  made->stale = state_ == RobotsState::stale;
  made->status = record_->status;
  made->url = record_->url.empty() ? origin_.robots_url() : record_->url;
  if (record_->outcome == RobotsOutcome::unreachable) {
    made->warning = why_unreachable_;
    made->cause = cause_;
    made->try_again_at = record_->fresh_until;
  }
  made->truncated = has_rules(state_) && record_->truncated;
  made->fetched_at = record_->fetched_at;
  if (record_->fetched_at != Timestamp{}) {
    made->age = std::chrono::floor<std::chrono::seconds>(session().now() - record_->fetched_at);
  }
  return made;
}

Response Site::synthetic(const SiteApplicant& applicant, ResponseSource source, std::string sentence,
                         std::optional<Timestamp> try_again_at, std::shared_ptr<const RobotsNote> robots) const {
  Response response = synthetic_response(source, applicant.method, applicant.url.text, std::move(sentence));
  response.requested_at = response.received_at = host_.engine().loop().wall();
  response.robots = std::move(robots);
  if (source == ResponseSource::robots_unreachable) response.cause = cause_;
  if (try_again_at) {
    response.try_again_at = try_again_at;
    const auto left = std::chrono::ceil<std::chrono::seconds>(*try_again_at - session().now());
    response.headers.set("Retry-After", std::to_string(std::max<std::int64_t>(0, left.count())));
  }
  return response;
}

// --- robots.txt ------------------------------------------------------------------------------------------------------

void Site::need_robots() {
  if (lease_timer_ != 0) return;
  lease_poll_ = microseconds(0);
  lease();
}

// Asks for the lease to fetch robots.txt. Only one of many processes gets it; the others check the store until the
// record is there.
void Site::lease() {
  if (undecided_.empty() || lease_session_ != nullptr) return;
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
    try {
      refresh([this](bool known) { fetch_unless(known); });  // another process may have finished since the last check
    } catch (...) {
      if (lease_ && fetch_ == nullptr) give_back_lease();
      throw;
    }
    return;
  }
  const auto session = std::exchange(lease_session_, nullptr);
  if (is_closed_) return;
  if (!answer) return fail_all(answer.error());
  const auto left = std::get<Wait>(answer.value()).until - session->now();
  lease_poll_ = std::clamp(lease_poll_ * 2, first_look, last_look);
  check_again_after(std::min(left, lease_poll_));
}

void Site::fetch_unless(bool known) {
  if (known || undecided_.empty()) {
    give_back_lease();
    return decide_all();
  }
  try {
    fetch();
  } catch (...) {
    fetch_.reset();
    give_back_lease();
    throw;
  }
}

void Site::give_back_lease() {
  const auto session = std::exchange(lease_session_, nullptr);
  const auto lease = std::exchange(lease_, std::nullopt);
  session->release(*lease);  // on failure it expires
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
    const auto ask = [pace, timeout, origin, then](const std::string& address) {
      ReserveRequest request;
      request.keys = gate_keys_of(origin, pace, address);
      request.robots_fetch = true;
      request.in_flight = pace.max_in_flight;
      request.max_penalty = pace.max_retry_after;
      request.hold = timeout + std::chrono::seconds(30);
      then(std::move(request), address);
    };
    pace.by_address ? addresses->find(origin, ask) : ask({});
  };
  fetch_ = std::make_unique<RobotsFetch>(host_.engine(), host_.desk(), lease_session_, gate, settings_->policy, record_,
                                         [this](RobotsFetchEnd end) {
                                           const auto self = shared_from_this();
                                           const auto last = std::move(fetch_);
                                           fetched(std::move(end));
                                         });
  fetch_->on_exchange(settings_->on_robots_exchange);
  fetch_->begin(origin_);
}

void Site::fetched(RobotsFetchEnd end) {
  if (end.kind == RobotsFetchEnd::Kind::held_up) {
    give_back_lease();
    return wait_for_pause(end);
  }
  const auto lender = std::exchange(lease_session_, nullptr);
  const auto lease = std::exchange(lease_, std::nullopt);
  why_unreachable_ = end.sentence;
  cause_ = end.cause;
  const Timestamp now = session().now();
  RobotsRecord record = next_record(record_.get(), end, settings_->policy, now, host_.jitter());
  host_.robots_fetched(record.outcome);
  unreachable_until_ = record.fresh_until;
  const bool moved = record.outcome == RobotsOutcome::rules && !end.hops.empty() && end.status < 300;
  const auto target = moved ? Origin::of(end.url) : std::nullopt;
  if (target && target != origin_ && end.url == target->robots_url()) {  // it is also the target's own robots.txt
    RobotsRecord theirs = record;
    theirs.hops.clear();
    lender->put(*target, std::move(theirs), std::nullopt, {});  // only saves a fetch, so an error does not matter
  }
  lease_session_ = lender;
  try {
    lender->put(origin_, std::move(record), lease,
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
  if (!put && put.error().code != "unknown-token") return fail_all(put.error());
  decide_all();
}

// Not even robots.txt may be requested now. No record is made; it is requested again when the pause ends.
void Site::wait_for_pause(const RobotsFetchEnd& end) {
  const auto left = end.until - session().now();
  const bool parked = left > settings_->max_wait;
  if (settings_->use_sleep && !parked) return check_again_after(left);
  while (!undecided_.empty()) {
    SiteApplicant& next = *undecided_.front();
    answer(next, {nullptr, pause_response(next, end.until, end.sentence, parked)});
  }
}

// --- the gate --------------------------------------------------------------------------------------------------------

// Requests that wait under the old settings ask again.
void Site::settings_changed() {
  if (gate_ == nullptr && window_timer_ == 0) return;
  gate_.reset();
  if (window_timer_ != 0) host_.engine().loop().cancel(std::exchange(window_timer_, 0));
  pump();
}

// Asks the gate for the queued requests. A step may call pump() again; a loop instead of recursion keeps the stack
// small.
void Site::pump() {
  pump_again_ = true;
  if (pumping_) return;
  const auto self = shared_from_this();
  struct Pumping {  // resets the flag after an exception too
    bool& on;
    ~Pumping() { on = false; }
  } pumping{pumping_};
  pumping_ = true;
  while (std::exchange(pump_again_, false)) ask_gate();
}

void Site::ask_gate() {
  if (queue_.empty() || gate_ != nullptr || permit_ != nullptr || is_checking_ || window_timer_ != 0 ||
      in_flight_ >= std::max(settings_->pace.max_in_flight, 1U)) {
    return;
  }
  Engine& engine = host_.engine();
  const bool robots_txt = is_robots_txt(queue_.front()->url);
  const bool outdated = record_ == nullptr || settings_ != host_.settings();
  if (!robots_txt && outdated) return check_queue();
  const Pace& pace = settings_->pace;
  const Timestamp now = session().now();
  if (const auto begins = robots_txt ? std::nullopt : visit_time_begins(pace, rules_, now)) {
    if (!settings_->use_sleep || *begins - now > settings_->max_wait) {
      gate_answered(ReserveAnswer{Wait{*begins, gate_key(origin_), WaitWhy::interval}}, nullptr, {});
      return pump();
    }
    window_timer_ = engine.loop().after(*begins - now, [this, known = weak_from_this()] {
      const auto self = known.lock();
      if (self == nullptr) return;
      window_timer_ = 0;
      pump();
    });
    return;
  }
  if (pace.by_address && !address_) return find_address();
  std::string address = std::exchange(address_, std::nullopt).value_or("");
  ReserveRequest request = page_request(pace, rules_, gate_keys_of(origin_, pace, address), now);
  const auto total = engine.settings()->options.limits.max_total_time;
  request.hold =
      total.count() > 0 ? microseconds(total) + std::chrono::seconds(60) : microseconds(std::chrono::hours(6));
  GateWaitOptions patience;
  patience.wait = settings_->use_sleep;
  patience.max_wait = settings_->max_wait;
  gate_ = std::make_unique<GateWait>(host_.desk(), settings_->session, std::move(request), patience,
                                     [this, asked = settings_, address](Result<ReserveAnswer> answer) {
                                       const auto alive = shared_from_this();
                                       const auto last = std::move(gate_);
                                       gate_answered(std::move(answer), asked->session, address);
                                       pump();
                                     });
  gate_->ask();
}

// Reads the rules that are in force now, for the requests that wait for the gate.
void Site::check_queue() {
  is_checking_ = true;
  try {
    refresh([this](bool known) {
      is_checking_ = false;
      if (known) return pump();
      wait_for_robots();
      need_robots();
    });
  } catch (...) {
    is_checking_ = false;
    throw;
  }
}

// Looks up the address, and then asks the gate.
void Site::find_address() {
  if (std::exchange(finding_address_, true)) return;
  host_.addresses()->find(origin_, [this, known = weak_from_this()](const std::string& address) {
    const auto self = known.lock();
    if (self == nullptr) return;
    finding_address_ = false;
    address_ = address;
    pump();
    if (!pumping_) address_.reset();  // unused; a later lookup may give another address
  });
}

Response Site::pause_response(const SiteApplicant& applicant, Timestamp until, const std::string& sentence,
                              bool parked) const {
  return synthetic(applicant, parked ? ResponseSource::parked : ResponseSource::too_early,
                   applicant.url.text + ": " + sentence + " until " + format_http_date(until), until,
                   note(has_rules(state_) ? rules_.check(applicant.url.text) : Verdict{}));
}

// Handles the gate's answer. `asked`: the session that answered. `address`: the address among the keys, if any.
void Site::gate_answered(Result<ReserveAnswer> result, const std::shared_ptr<StoreSession>& asked,
                         const std::string& address) {
  SiteApplicant& first = *queue_.front();
  if (!result) {
    return answer(first, {nullptr, synthetic(first, source_of(result.error(), ResponseSource::store),
                                             first.url.text + ": " + result.error().message, std::nullopt, nullptr)});
  }
  if (const auto* wait = std::get_if<Wait>(&result.value())) {
    const bool long_wait = wait->until - session().now() > settings_->max_wait;
    const std::string sentence = wait->key + " must be left alone: " + std::string(reason_of(wait->why));
    return answer(first, {nullptr, pause_response(first, wait->until, sentence, long_wait)});
  }
  if (const auto* blocked = std::get_if<Blocked>(&result.value())) {
    return answer(first,
                  {nullptr, pause_response(first, blocked->until, blocked->key + " asks to be left alone", true)});
  }
  ++in_flight_;
  Token& token = std::get<Granted>(result.value()).token;
  permit_interval_ = token.interval;
  permit_ = std::make_unique<SitePermit>(shared_from_this(), asked, std::move(token));
  permit_->address = address;
  if (host_.engine().room() == 0) return permit_.reset();  // takes back the dispatch
  if (is_robots_txt(first.url)) return use_permit(true);
  try {
    refresh([this](bool known) { use_permit(known); });
  } catch (...) {
    permit_.reset();
    throw;
  }
}

// Sends the first request. Since the gate was asked, the rules may have expired or been replaced, and the Visit-time
// may have ended. In these cases the permit is dropped, which takes back the dispatch.
void Site::use_permit(bool known) {
  const auto self = shared_from_this();
  auto permit = std::move(permit_);
  if (permit == nullptr || queue_.empty()) return;
  SiteApplicant& first = *queue_.front();
  if (!is_robots_txt(first.url)) {
    if (!known) {
      wait_for_robots();
      permit.reset();
      return need_robots();
    }
    const Timestamp now = session().now();
    const bool is_too_early = visit_time_begins(settings_->pace, rules_, now).has_value() ||
                              page_interval(settings_->pace, rules_, now) > permit_interval_;
    if (is_too_early || decide(first, &permit->robots)) {
      permit.reset();
      return pump();
    }
  }
  answer(first, {std::move(permit), std::nullopt});
  pump();
}

// Moves the pages that wait for the gate to those that wait for robots.txt.
void Site::wait_for_robots() {
  for (auto at = queue_.end(); at != queue_.begin();) {
    SiteApplicant& waits = **--at;
    if (is_robots_txt(waits.url)) continue;
    ++at;  // put() removes this one
    put(waits, undecided_, true);
  }
}

void Site::ended(std::shared_ptr<StoreSession> session, Token token, const std::optional<Outcome>& outcome,
                 std::function<void()> recorded) {
  --in_flight_;
  host_.desk().end(std::move(session), std::move(token), outcome, std::move(recorded));
  if (!is_closed_) pump();
}

}  // namespace robotrules::agent
