// One origin: its robots.txt as it is in force, and who waits for it.
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

#include "http/admission.hpp"
#include "http/engine.hpp"
#include "robot/gate_desk.hpp"
#include "robot/gate_wait.hpp"
#include "robot/robots_fetch.hpp"
#include "robot/robots_outcome.hpp"
#include "robot/site_addresses.hpp"

namespace robotrules::agent {

// What all sites of an agent share; a change makes another one.
struct RobotSettings {
  std::shared_ptr<RobotRules> rules;
  std::string token;  // the product token that robots.txt is read for
  RobotsPolicy policy;
  std::optional<RobotsPolicy> given_policy;  // by the program; else the policy is the store's
  bool replace_policy = true;                // the store keeps the given one in place of its own
  std::string given_name;                    // the product token by the program; empty: that of the header
  Pace pace;
  bool use_sleep = true;
  std::chrono::seconds longest_wait{86'400};
};

// What a site needs of those around it.
class SiteHost {
 public:
  virtual ~SiteHost() = default;
  SiteHost(const SiteHost&) = delete;
  SiteHost& operator=(const SiteHost&) = delete;
  virtual Engine& engine() noexcept = 0;
  virtual GateDesk& desk() noexcept = 0;
  virtual const std::shared_ptr<SiteAddresses>& addresses() noexcept = 0;
  virtual std::shared_ptr<const RobotSettings> settings() const = 0;
  virtual double jitter() = 0;  // 0..1
  // The octets that a site keeps, now and before.
  virtual void weighs(std::size_t octets, std::size_t before) noexcept = 0;

 protected:
  SiteHost() = default;
};

class Site;

class SiteApplicant;
using Applicants = std::list<SiteApplicant*>;

// A request (or, where `only_asks`, a question) that waits for its site.
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
  std::function<void(Admitted)> answer;  // empty: answered
  Applicants* in = nullptr;              // the list it waits in, at `at`
  Applicants::iterator at;
};

class Site : public std::enable_shared_from_this<Site> {
 public:
  Site(SiteHost& host, Origin origin);

  void enter(SiteApplicant& applicant);
  void leave(SiteApplicant& applicant);
  // Nobody waits and nothing is in flight: what is known here is in the store too.
  bool is_idle() const noexcept {
    return undecided_.empty() && queue_.empty() && in_flight_ == 0 && fetch_ == nullptr && lease_timer_ == 0;
  }
  void close();
  // Those that wait for the gate ask it again, by the settings as they are now.
  void settings_changed();
  // An exchange has ended, or did not take place (no outcome). `store` gave the token.
  void ended(std::shared_ptr<Store> store, Token token, const std::optional<Outcome>& outcome,
             std::function<void()> recorded);

  const Origin& origin() const noexcept { return origin_; }
  // Octets of what it keeps of robots.txt; the body may be shared with the store.
  std::size_t octets() const noexcept { return octets_; }
  // Reads it from the store again when it is needed.
  void forget_rules();

 private:
  void use_settings();
  void weigh();
  bool refresh();
  void need_robots();
  void lease();
  void look_after(std::chrono::microseconds delay);
  void fetch();
  void fetched(RobotsFetchEnd end);
  void held_up(const RobotsFetchEnd& end);
  void decide_all();
  bool goes_on(const SiteApplicant& applicant) const;
  bool decide(SiteApplicant& applicant, std::shared_ptr<const RobotsNote>* allowed = nullptr);
  void fail_all(const Error& error);
  void pump();
  void ask_gate();
  void wait_for_robots();
  void find_address();
  void opened(Result<ReserveAnswer> answer, const std::shared_ptr<Store>& asked, const std::string& address);
  Response left_alone(const SiteApplicant& applicant, Timestamp until, const std::string& sentence, bool parked) const;
  void answer(SiteApplicant& applicant, Admitted admitted);
  std::shared_ptr<const RobotsNote> note(const Verdict& verdict) const;
  Response synthetic(const SiteApplicant& applicant, ResponseSource source, std::string sentence,
                     std::optional<Timestamp> come_back, std::shared_ptr<const RobotsNote> robots) const;
  Store& store() const { return *settings_->rules->store(); }

  SiteHost& host_;
  Origin origin_;
  std::shared_ptr<const RobotSettings> settings_;

  // As it is in force.
  std::shared_ptr<const RobotsRecord> record_;
  std::optional<std::uint64_t> changes_;      // of the store, when the record was read
  RobotsState state_ = RobotsState::unknown;  // when it was last brought up to date
  Rules rules_;
  std::size_t octets_ = 0;  // of both
  std::string why_unreachable_;

  Applicants undecided_;  // wait for robots.txt
  Applicants queue_;      // wait for the gate
  std::unique_ptr<RobotsFetch> fetch_;
  std::optional<RobotsLease> lease_;    // while it runs
  std::shared_ptr<Store> lease_store_;  // that granted it
  Loop::TimerId lease_timer_ = 0;       // until it is asked for again
  std::chrono::microseconds lease_poll_{0};
  std::unique_ptr<GateWait> gate_;
  Loop::TimerId window_timer_ = 0;  // until its Visit-time begins
  bool finding_address_ = false;
  std::optional<std::string> address_;  // just found, for the gate to be asked by
  bool pumping_ = false;
  bool pump_again_ = false;
  std::uint32_t in_flight_ = 0;
};

}  // namespace robotrules::agent
