// A Site at the gate: when the next request may be sent, and whether it still may be sent then.
#include <algorithm>
#include <utility>

#include "fields/http_date.hpp"
#include "http/synthetic.hpp"
#include "robot/gate_keys.hpp"
#include "robot/page_pace.hpp"
#include "robot/robots_url.hpp"
#include "robot/site_permit.hpp"
#include "robot/site_wait.hpp"

namespace robotrules::agent {

using std::chrono::microseconds;
namespace {

// Rules that were read so recently decide without being read again. So long as a store may answer from its cache.
constexpr microseconds max_read_age = std::chrono::seconds(60);

}  // namespace

// What was asked of the gate, for its answer.
struct Site::GateQuestion {
  std::shared_ptr<StoreSession> session;
  std::vector<std::string> addresses;  // among the keys
  microseconds interval;
  IntervalSource source;

  WaitReason why(const Wait& wait) const { return reason_for(wait, interval, source, session->now()); }
};

// Requests that wait under the old settings ask again.
void Site::settings_changed() {
  if (asked_ == 0 && window_timer_ == 0) return;
  forget_question();
  if (window_timer_ != 0) host_.engine().loop().cancel(std::exchange(window_timer_, 0));
  pump();
}

void Site::forget_question() noexcept {
  if (asked_ != 0) host_.desk().forget(std::exchange(asked_, 0));
}

// Takes steps until one has to wait. A step may call pump() again; a loop instead of recursion keeps the stack small.
void Site::pump() {
  pump_again_ = true;
  if (pumping_) return;
  const auto self = shared_from_this();
  const struct Pumping {  // resets the flag after an exception too
    bool& on;
    ~Pumping() { on = false; }
  } pumping{pumping_};
  pumping_ = true;
  while (std::exchange(pump_again_, false)) take_step();
}

// The way of the first request in queue_, from top to bottom. A step that has to wait returns, and calls pump() when
// its answer has come: then the way begins at the top again, and what is done is not done again.
void Site::take_step() {
  if (is_reading_ || asked_ != 0 || window_timer_ != 0) return;  // a step waits for its answer
  if (queue_.empty()) return permit_.reset();
  if (permit_ == nullptr && in_flight_ >= std::max(settings_->pace.max_in_flight, 1U)) return;
  const bool is_page = !is_robots_txt(queue_.front()->url);  // robots.txt itself needs no rules

  // Know the rules: before the gate is asked, and again after the wait for it, which may have been long.
  const bool knows_rules =
      permit_ != nullptr ? permit_->is_checked : rules_.record() != nullptr && settings_ == host_.settings();
  if (is_page && !knows_rules) return read_rules();

  // Pass the gate, and not before the Visit-time begins.
  if (permit_ == nullptr) {
    if (is_page && wait_for_visit_time()) return;
    if (settings_->pace.by_address && !addresses_) return find_addresses();
    return ask_gate();
  }

  send_first();  // and end: ended() takes the outcome of the exchange, and begins at the top for the next request
}

// Reads the rules that are in force now, for the requests that wait for the gate.
void Site::read_rules() {
  is_reading_ = true;
  refresh([this](bool known) {
    is_reading_ = false;
    const bool needs_none = permit_ != nullptr && (queue_.empty() || is_robots_txt(queue_.front()->url));
    if (permit_ != nullptr) permit_->is_checked = true;
    if (known || needs_none) return pump();
    wait_for_robots();
    permit_.reset();
    need_robots();
  });
}

void Site::ask_gate() {
  auto addresses = std::exchange(addresses_, std::nullopt).value_or(std::vector<std::string>());
  const Pace& pace = settings_->pace;
  ReserveRequest request = page_request(pace, rules_.rules(), gate_keys_of(origin_, pace, addresses), session().now());
  const auto total = host_.engine().settings()->options.limits.max_total_time;
  request.hold =
      total.count() > 0 ? microseconds(total) + std::chrono::seconds(60) : microseconds(std::chrono::hours(6));
  const GateQuestion asked{settings_->session, std::move(addresses), request.interval, request.source};
  GatePatience patience;
  patience.waits = settings_->use_sleep;
  patience.max_wait = settings_->max_wait();
  patience.waits_while_away = queued_targets_ == 0;
  patience.on_wait = [this, asked](const Wait& wait) {
    // Requests in flight end long before their holds expire, so any other reason is a longer one.
    const bool is_open = wait.why == WaitWhy::in_flight;
    note_wait(asked.why(wait), is_open ? microseconds(1) : wait.until - session().now());
  };
  asked_ = host_.desk().ask(settings_->session, std::move(request), std::move(patience),
                            [this, asked](Result<ReserveAnswer> answer) { gate_answered(std::move(answer), asked); });
}

// Returns false if the Visit-time has begun or there is none. Else waits for it, or answers the first request if that
// would take too long.
bool Site::wait_for_visit_time() {
  const Timestamp now = session().now();
  const auto begins = visit_time_begins(settings_->pace, rules_.rules(), now);
  if (!begins) return false;
  if (!settings_->use_sleep || *begins - now > settings_->max_wait()) {
    answer_with_pause(*queue_.front(), gate_key(origin_), WaitReason::visit_time, *begins);
    pump();
    return true;
  }
  note_wait(WaitReason::visit_time, *begins - now);
  window_timer_ = host_.engine().loop().after(*begins - now, [this, known = weak_from_this()] {
    const auto self = known.lock();
    if (self == nullptr) return;
    window_timer_ = 0;
    pump();
  });
  return true;
}

// Looks up the addresses, and then asks the gate.
void Site::find_addresses() {
  if (std::exchange(finding_addresses_, true)) return;
  host_.addresses()->find(origin_, [this, known = weak_from_this()](const std::vector<std::string>& addresses) {
    const auto self = known.lock();
    if (self == nullptr) return;
    finding_addresses_ = false;
    addresses_ = addresses;
    pump();
    if (!pumping_) addresses_.reset();  // unused; a later lookup may give others
  });
}

Response Site::pause_response(const SiteApplicant& applicant, Timestamp until, const std::string& sentence,
                              WaitReason why, bool parked) const {
  Response response = synthetic(applicant, parked ? ResponseSource::parked : ResponseSource::too_early,
                                applicant.url.text + ": " + sentence + " until " + format_http_date(until), until,
                                note(rules_.check(applicant.url)));
  response.waited_for = why;
  return response;
}

void Site::answer_with_pause(SiteApplicant& first, const std::string& key, WaitReason why, Timestamp until) {
  const bool long_wait = until - session().now() > settings_->max_wait();
  const std::string sentence = key + " must be left alone: " + sentence_about(why, rules_.rules());
  longest_wait_ = microseconds(0);
  longest_wait_for_ = WaitReason::none;
  answer(first, {nullptr, pause_response(first, until, sentence, why, long_wait)});
}

// Answers the targets of redirects in the list: they do not wait until the site answers again. Returns false if there
// is none.
bool Site::answer_targets(Applicants& list, const std::string& key, Timestamp until) {
  bool found = false;
  for (;;) {  // an answer may change the list
    const auto next = std::ranges::find_if(list, &SiteApplicant::is_target);
    if (next == list.end()) return found;
    answer_with_pause(**next, key, WaitReason::away, until);
    found = true;
  }
}

// A wait for the gate or the Visit-time begins.
void Site::note_wait(WaitReason why, microseconds time) noexcept {
  if (time <= longest_wait_) return;
  longest_wait_ = time;
  longest_wait_for_ = why;
}

void Site::gate_answered(Result<ReserveAnswer> result, const GateQuestion& asked) {
  const auto self = shared_from_this();
  asked_ = 0;
  SiteApplicant& first = *queue_.front();
  if (!result) {
    answer(first, {nullptr, synthetic(first, source_of(result.error(), ResponseSource::store),
                                      first.url.text + ": " + result.error().message, std::nullopt, nullptr)});
  } else if (const auto* wait = std::get_if<Wait>(&result.value())) {  // a longer one than the settings permit
    const bool is_for_targets = wait->why == WaitWhy::away && queued_targets_ > 0;  // then the others ask again
    if (!is_for_targets || !answer_targets(queue_, wait->key, wait->until)) {
      answer_with_pause(first, wait->key, asked.why(*wait), wait->until);
    }
  } else if (const auto* blocked = std::get_if<Blocked>(&result.value())) {
    answer(first, {nullptr, pause_response(first, blocked->until, blocked->key + " asks to be left alone",
                                           WaitReason::penalty, true)});
  } else {
    ++in_flight_;
    permit_ = std::make_unique<SitePermit>(self, asked.session, std::move(std::get<Granted>(result.value()).token));
    permit_->addresses = asked.addresses;
    const auto read_at = std::exchange(late_read_at_, std::nullopt);
    permit_->is_checked =
        read_at && session().now() - *read_at < max_read_age && settings_ == host_.settings() && judge();
  }
  pump();
}

// Sends the first request. Since the gate was asked, the store and the rules may have been replaced, the rules may have
// expired, the Visit-time may have ended, and other exchanges may have taken the room. In these cases the permit is
// dropped, which takes back the dispatch.
void Site::send_first() {
  auto permit = std::move(permit_);
  SiteApplicant& first = *queue_.front();
  const bool robots_txt = is_robots_txt(first.url);
  // The check of Store::may_send(), where the request is handed over. The time for a connection is not in it.
  const bool is_late = permit->age() > max_grant_age;
  if (is_late) late_read_at_ = session().now();  // the next permit is used at once, however long reads take
  if (is_late || !may_send(*permit, robots_txt) || (!robots_txt && decide(first, &permit->robots))) {
    permit.reset();
    return pump();
  }
  permit->waited = session().now() - first.entered_at;
  permit->waited_for = std::exchange(longest_wait_for_, WaitReason::none);
  longest_wait_ = microseconds(0);
  answer(first, {std::move(permit), std::nullopt});
  pump();
}

bool Site::may_send(const SitePermit& permit, bool robots_txt) const {
  if (host_.engine().room() == 0 || &permit.session() != settings_->session.get()) return false;
  if (robots_txt) return true;
  const Timestamp now = session().now();
  return !visit_time_begins(settings_->pace, rules_.rules(), now) &&
         page_interval(settings_->pace, rules_.rules(), now) <= permit.interval();
}

// Moves the pages that wait for the gate to those that wait for robots.txt.
void Site::wait_for_robots() {
  for (auto at = queue_.end(); at != queue_.begin();) {
    SiteApplicant& waits = **--at;
    if (is_robots_txt(waits.url)) continue;
    ++at;  // move_to() removes this one
    move_to(waits, undecided_, true);
  }
}

void Site::ended(std::shared_ptr<StoreSession> session, Token token, const std::optional<Outcome>& outcome,
                 std::function<void()> recorded) {
  --in_flight_;
  host_.desk().end(std::move(session), std::move(token), outcome, std::move(recorded));
  if (!is_closed_) pump();
}

}  // namespace robotrules::agent
