// The admission of a robot: robots.txt and the gate decide.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/evicting_map.hpp"
#include "http/admission.hpp"
#include "robot/site.hpp"

namespace robotrules::agent {

// Thread rule: settings and fetches() may be used from any thread, all else on the loop's thread.
class RobotsAdmission final : public Admission, public SiteHost, public std::enable_shared_from_this<RobotsAdmission> {
 public:
  RobotsAdmission(Engine& engine, RobotSettings settings, std::size_t max_sites_in_memory, std::size_t max_rule_bytes);

  std::unique_ptr<Applicant> admit(const Url& url, const std::string& method, bool is_target,
                                   std::function<void(Admitted)> answer) override;
  // Objects to a request that has another User-Agent than the robot, or a Host other than that of the URL, because
  // other rules may apply to them. robots.txt may be requested under any name.
  std::optional<std::string> objection(const Url& url, const Headers& headers,
                                       const UserAgentOptions& options) const override;
  std::shared_ptr<Admission> twin(Engine& engine) const override;
  // Asks whether a URL may be fetched, and reserves nothing. The answer always has a response, with the robots note if
  // there is a decision. The response is not synthetic if the URL is allowed.
  void consult(const Url& url, std::function<void(Admitted)> answer);
  void give_up() noexcept override;
  void close() override;

  Engine& engine() noexcept override { return engine_; }
  GateDesk& desk() noexcept override { return *desk_; }
  const std::shared_ptr<SiteAddresses>& addresses() noexcept override { return addresses_; }
  std::shared_ptr<const RobotSettings> settings() const override;
  // Changes the settings, also for requests that wait already.
  void change_settings(const std::function<void(RobotSettings&)>& change);
  void bytes_changed(std::size_t bytes, std::size_t before) noexcept override { bytes_ += bytes - before; }
  void robots_fetched(RobotsOutcome outcome) noexcept override { ++fetches_[static_cast<std::size_t>(outcome)]; }
  std::optional<Timestamp> network_failing_since() const noexcept { return desk_->network().failing_since(); }
  RobotsFetches fetches() const noexcept { return {fetches_[0], fetches_[1], fetches_[2]}; }
  double jitter() override { return std::uniform_real_distribution<double>(0, 1)(random_); }

 private:
  std::shared_ptr<const RobotSettings> with_session(RobotSettings settings);
  std::shared_ptr<Site> site_of(const Origin& origin);
  void settings_changed();
  void forget_some_rules();
  std::optional<Response> denied_by_own_rules(const Url& url, const std::string& method) const;
  void answer_questions(ResponseSource source, const std::string& sentence);

  Engine& engine_;
  std::shared_ptr<GateDesk> desk_;
  std::shared_ptr<SiteAddresses> addresses_;
  std::mutex change_mutex_;   // held for the whole of a change
  mutable std::mutex mutex_;  // of settings_
  std::shared_ptr<const RobotSettings> settings_;
  std::vector<std::weak_ptr<StoreSession>> sessions_;  // all that may still be used; under change_mutex_
  std::size_t max_sites_;
  std::size_t max_bytes_;
  std::size_t bytes_ = 0;                                // used by the rules of all sites
  std::array<std::atomic<std::uint64_t>, 3> fetches_{};  // of robots.txt files, by RobotsOutcome
  base::EvictingMap<std::string, std::shared_ptr<Site>> sites_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Applicant>> questions_;
  std::uint64_t last_question_ = 0;
  std::mt19937 random_{std::random_device{}()};
};

}  // namespace robotrules::agent
