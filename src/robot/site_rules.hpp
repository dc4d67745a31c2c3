// The rules of a site, as its robots.txt says them to this robot.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <robotrules/dialect.hpp>
#include <robotrules/message.hpp>
#include <robotrules/robots_step.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/store.hpp>

#include "url/url.hpp"

namespace robotrules::agent {

class SiteRules {
 public:
  explicit SiteRules(std::string robots_url) : robots_url_(std::move(robots_url)) {}

  // Takes the record of the store; null: there is none. Returns false if it is the one that was taken last. `robot`:
  // the name by which the file addresses the robot.
  bool take(std::shared_ptr<const RobotsRecord> record, std::string_view robot, const Dialect& dialect);
  // Drops record and rules. They are read from the store when they are needed again.
  void forget();
  // Decides what the record means now. Returns false if robots.txt must be fetched first.
  bool judge(const RobotsPolicy& policy, Timestamp now);
  // A fetch of robots.txt has ended. `end`: of the record that it has made. `why`: what went wrong; empty: nothing.
  void note_fetch(Timestamp end, std::string why, FailureCause cause);

  // The record that was taken last; null: none.
  const std::shared_ptr<const RobotsRecord>& record() const noexcept { return record_; }
  const Rules& rules() const noexcept { return rules_; }
  // What judge() has decided.
  RobotsState state() const noexcept { return state_; }
  // Returns what the rules say about the URL; if none are in force, an empty verdict.
  Verdict check(const Url& url) const;
  // Returns true if the record read so far allows the URL.
  bool allows(const Url& url, const RobotsPolicy& policy, Timestamp now) const;
  // Returns what Response::robots says.
  std::shared_ptr<const RobotsNote> note(const Verdict& verdict, Timestamp now) const;
  // The reason why all of the site is disallowed, as the rest of a sentence.
  std::string why_disallowed() const;
  FailureCause cause() const noexcept { return cause_; }
  // Returns the bytes that it keeps. The store may share the body.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  const std::string robots_url_;
  std::shared_ptr<const RobotsRecord> record_;
  RobotsState state_ = RobotsState::unknown;
  Rules rules_;
  bool is_html_ = false;   // rules_ were read from a web page
  std::size_t bytes_ = 0;  // of record_ and rules_
  std::string why_unreachable_;
  FailureCause cause_ = FailureCause::none;  // belongs to why_unreachable_
  Timestamp unreachable_until_{};            // end of the record that both belong to
};

}  // namespace robotrules::agent
