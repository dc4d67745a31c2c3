// One origin as a robot sees it: its robots.txt, and the requests that wait for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/robots_state.hpp>

#include "answer/next_record.hpp"
#include "http/admission.hpp"
#include "http/http_engine.hpp"
#include "robot/gate_desk.hpp"
#include "robot/robots_fetch.hpp"
#include "robot/site_addresses.hpp"
#include "robot/site_rules.hpp"

namespace robotrules::agent {

// The settings that all sites of an agent share. A change makes a new object.
struct RobotSettings {
  std::shared_ptr<RobotRules> rules;
  std::shared_ptr<StoreSession> session;  // of the store of `rules`
  std::string token;                      // the product token for reading robots.txt
  RobotsPolicy policy;
  std::optional<RobotsPolicy> given_policy;  // the program's policy; null: the policy of the store
  bool replace_policy = true;                // the store keeps given_policy in place of its own
  std::string given_name;                    // the program's product token; empty: that of the User-Agent header
  Pace pace;
  bool use_sleep = true;
  std::optional<std::chrono::seconds> given_max_wait;                // the program's; null: that of the pace
  std::function<void(const Response& exchange)> on_robots_exchange;  // empty: exchanges are not recorded

  std::chrono::seconds max_wait() const { return given_max_wait.value_or(default_max_wait(pace)); }
};

// The parts of the agent that a site uses.
class SiteHost {
 public:
  virtual ~SiteHost() = default;
  SiteHost(const SiteHost&) = delete;
  SiteHost& operator=(const SiteHost&) = delete;
  virtual Engine& engine() noexcept = 0;
  virtual GateDesk& desk() noexcept = 0;
  virtual const std::shared_ptr<SiteAddresses>& addresses() noexcept = 0;
  virtual std::shared_ptr<const RobotSettings> settings() const = 0;
  virtual double jitter() = 0;  // from 0 to 1
  // Reports a fetch of robots.txt that has ended.
  virtual void robots_fetched(RobotsOutcome outcome) noexcept = 0;
  // Reports the bytes that a site keeps now, and kept before.
  virtual void bytes_changed(std::size_t bytes, std::size_t before) noexcept = 0;

 protected:
  SiteHost() = default;
};

class Site;
class SitePermit;
class SiteApplicant;
using Applicants = std::list<SiteApplicant*>;

// A request that waits for its site; with `only_asks`, only a question whether a URL may be fetched.
class SiteApplicant final : public Applicant {
 public:
  SiteApplicant(const std::shared_ptr<Site>& wanted, const Url& asked, const std::string& by, bool question,
                std::function<void(Admitted)> told)
      : site(wanted), url(asked), method(by), only_asks(question), answer(std::move(told)) {}
  ~SiteApplicant() override;

  std::weak_ptr<Site> site;
  Url url;
  std::string method;
  bool only_asks;
  bool is_target = false;  // of a redirect of another site, which does not wait until a site answers again
  std::function<void(Admitted)> answer;  // empty after the answer
  std::uint64_t number = 0;              // counts the requests of the site
  Timestamp entered_at{};                // when it began to wait
  Applicants* in = nullptr;              // the list in which it waits, at `at`; null: none
  Applicants::iterator at;
};

// One origin. Thread rule: the loop's thread.
class Site : public std::enable_shared_from_this<Site> {
 public:
  Site(SiteHost& host, Origin origin);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // Adds a request to those that wait, and removes one.
  void enter(SiteApplicant& applicant);
  void leave(SiteApplicant& applicant);
  // Returns true if no request waits and nothing is in flight. The store then has all that this site knows.
  bool is_idle() const noexcept {
    return undecided_.empty() && queue_.empty() && in_flight_ == 0 && fetch_ == nullptr && lease_timer_ == 0 &&
           calls_under_way_.use_count() == 1;
  }
  // Ends what is under way. What a session still grants after that is given back.
  void close();
  // Lets the requests that wait for the gate ask it again, with the new settings.
  void settings_changed();
  // Reports the end of an exchange; without an outcome, it did not take place. `session` is the one that gave the
  // token.
  void ended(std::shared_ptr<StoreSession> session, Token token, const std::optional<Outcome>& outcome,
             std::function<void()> recorded);

  const Origin& origin() const noexcept { return origin_; }
  // Returns the bytes that it keeps of robots.txt. The store may share the body.
  std::size_t bytes() const noexcept { return rules_.bytes(); }
  // Drops the rules; they are read from the store when they are needed again.
  void forget_rules();

 private:
  void take_out(SiteApplicant& applicant) noexcept;
  // Moves the applicant to the end of a list, or to its front.
  void move_to(SiteApplicant& applicant, Applicants& list, bool first = false);
  void move_to_gate(SiteApplicant& applicant);
  void use_settings();
  void refresh(const std::function<void(bool known)>& then);
  void record_read(const RobotSettings& asked, Result<ReadRobots> read, const std::function<void(bool known)>& then);
  void drop_steps() noexcept;
  // Returns false if robots.txt must be fetched first.
  bool judge() { return rules_.judge(settings_->policy, session().now()); }
  void take(std::shared_ptr<const RobotsRecord> record);
  void need_robots();
  void lease();
  void leased(Result<LeaseAnswer> answer);
  void fetch_unless(bool known);
  void give_back_lease() noexcept;
  void check_again_after(std::chrono::microseconds delay);
  void fetch();
  void fetched(RobotsFetchEnd end);
  void refused_by_proxy(const RobotsFetchEnd& end);
  void wait_for_pause(const RobotsFetchEnd& end);
  void put_unstored();
  void stored(const Result<void>& put);
  void decide_all(bool again = false);
  void decide_undecided(std::uint64_t last);
  bool is_allowed_so_far(const SiteApplicant& applicant) const;
  bool decide(SiteApplicant& applicant, std::shared_ptr<const RobotsNote>* allowed = nullptr);
  void fail_all(const Error& error);
  void fail_all(ResponseSource source, const std::string& sentence, std::optional<Timestamp> try_again_at = {});
  struct GateQuestion;
  void forget_question() noexcept;
  void pump();
  void take_step();
  void read_rules();
  bool wait_for_visit_time();
  void ask_gate();
  void wait_for_robots();
  void find_addresses();
  void gate_answered(Result<ReserveAnswer> answer, const GateQuestion& asked);
  void send_first();
  bool may_send(const SitePermit& permit, bool robots_txt) const;
  Response pause_response(const SiteApplicant& applicant, Timestamp until, const std::string& sentence, WaitReason why,
                          bool parked) const;
  bool answer_targets(Applicants& list, const std::string& key, Timestamp until);
  void answer_with_pause(SiteApplicant& first, const std::string& key, WaitReason why, Timestamp until);
  void note_wait(WaitReason why, std::chrono::microseconds time) noexcept;
  void answer(SiteApplicant& applicant, Admitted admitted);
  std::shared_ptr<const RobotsNote> note(const Verdict& verdict) const { return rules_.note(verdict, session().now()); }
  Response synthetic(const SiteApplicant& applicant, ResponseSource source, std::string sentence,
                     std::optional<Timestamp> try_again_at, std::shared_ptr<const RobotsNote> robots) const;
  StoreSession& session() const { return *settings_->session; }
  template <class Answer, class Then>
  StoreSession::Done<Answer> when_answered(Then then);

  SiteHost& host_;
  Origin origin_;
  std::shared_ptr<const RobotSettings> settings_;

  SiteRules rules_;                       // in force
  std::optional<std::uint64_t> changes_;  // the change counter of the store when their record was read

  std::uint64_t last_entered_ = 0;  // the number of the request that came last
  Applicants undecided_;            // they wait for robots.txt
  Applicants queue_;                // they wait for the gate
  std::size_t queued_targets_ = 0;  // those of queue_ that are targets of redirects
  std::unique_ptr<RobotsFetch> fetch_;
  // An answer that the store could not take. It is put again, and not fetched again while it is fresh.
  struct Unstored {
    RobotsRecord record;
    std::optional<RobotsLease> lease;
    std::shared_ptr<StoreSession> lender;  // of the lease
    unsigned failures;                     // of putting it, in turn
    Timestamp try_again;
  };
  std::optional<Unstored> unstored_;
  // The proxy did not fetch robots.txt. That is no answer of the site, so no store has it.
  struct Refusal {
    std::string sentence;
    Timestamp until;  // when it is asked again
    unsigned times;   // in a row
  };
  std::optional<Refusal> refusal_;
  std::optional<RobotsLease> lease_;             // held while fetch_ runs
  std::shared_ptr<StoreSession> lease_session_;  // it granted lease_, or is asked for it
  Loop::TimerId lease_timer_ = 0;                // runs until the lease is asked for again
  std::chrono::microseconds lease_poll_{0};
  GateDesk::Number asked_ = 0;                 // the question to the gate; 0: none
  Loop::TimerId window_timer_ = 0;             // runs until the Visit-time starts
  std::chrono::microseconds longest_wait_{0};  // of the first request in queue_, for the gate or the Visit-time
  WaitReason longest_wait_for_ = WaitReason::none;
  std::unique_ptr<SitePermit> permit_;     // granted by the gate, and not used yet
  std::optional<Timestamp> late_read_at_;  // the rules were read then, and the permit had become too old meanwhile
  bool is_deciding_ = false;               // the rules are being read for undecided_
  bool is_reading_ = false;                // they are being read for queue_
  bool is_closed_ = false;
  // Each call of the session that is not answered yet has a copy.
  std::shared_ptr<const bool> calls_under_way_ = std::make_shared<const bool>(true);
  bool finding_addresses_ = false;
  std::optional<std::vector<std::string>> addresses_;  // found just now, for the next question to the gate
  bool pumping_ = false;
  bool pump_again_ = false;
  std::uint32_t in_flight_ = 0;
};

// Returns a function for a call of the session. When the call is answered, and this site still exists and is not
// closed, `then` is called.
template <class Answer, class Then>
StoreSession::Done<Answer> Site::when_answered(Then then) {
  return [known = weak_from_this(), under_way = calls_under_way_, then = std::move(then)](Answer&& answer) mutable {
    const auto self = known.lock();
    if (self != nullptr) then(std::move(answer));
  };
}

}  // namespace robotrules::agent
