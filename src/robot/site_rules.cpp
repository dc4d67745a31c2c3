#include "robot/site_rules.hpp"

#include <chrono>
#include <utility>

#include <robotrules/robots_txt.hpp>

#include "http/spellings.hpp"

namespace robotrules::agent {

bool SiteRules::take(std::shared_ptr<const RobotsRecord> record, std::string_view robot, const Dialect& dialect) {
  if (record == record_) return false;
  const bool has_body = record != nullptr && record->body != nullptr;
  rules_ = has_body ? Rules::compile(*record->body, robot, dialect, record->url.empty() ? robots_url_ : record->url)
                    : Rules();
  is_html_ = has_body && looks_like_html(*record->body);
  record_ = std::move(record);
  if (record_ == nullptr || record_->fresh_until != unreachable_until_) {  // another process has made it
    why_unreachable_.clear();
    cause_ = FailureCause::none;
  }
  bytes_ = (has_body ? record_->body->size() : 0) + rules_.memory_bytes();
  return true;
}

void SiteRules::forget() {
  record_.reset();
  state_ = RobotsState::unknown;
  rules_ = Rules();
  bytes_ = rules_.memory_bytes();
}

bool SiteRules::judge(const RobotsPolicy& policy, Timestamp now) {
  state_ = robots_state(record_.get(), policy, now);
  return state_ != RobotsState::unknown;
}

void SiteRules::note_fetch(Timestamp end, std::string why, FailureCause cause) {
  unreachable_until_ = end;
  why_unreachable_ = std::move(why);
  cause_ = cause;
}

Verdict SiteRules::check(const Url& url) const { return has_rules(state_) ? check_spellings(rules_, url) : Verdict{}; }

bool SiteRules::allows(const Url& url, const RobotsPolicy& policy, Timestamp now) const {
  const RobotsState state = robots_state(record_.get(), policy, now);
  return state == RobotsState::allow_all || (has_rules(state) && check_spellings(rules_, url).allowed());
}

std::string SiteRules::why_disallowed() const {
  const bool is_answer = record_->outcome != RobotsOutcome::unreachable;
  const std::string reason = why_unreachable_.empty() ? "" : " (" + why_unreachable_ + ")";
  return "robots.txt " + (is_answer ? "answers " + std::to_string(record_->status) : "cannot be fetched" + reason) +
         ", so all of the site is disallowed";
}

std::shared_ptr<const RobotsNote> SiteRules::note(const Verdict& verdict, Timestamp now) const {
  auto made = std::make_shared<RobotsNote>();
  made->verdict = verdict;
  const bool allow_all = verdict.why() == Why::robots_txt || state_ == RobotsState::allow_all;
  made->access = allow_all ? Access::allowed : access_in(state_, verdict);
  if (record_ == nullptr) return made;
  if (has_rules(state_)) made->rules = rules_;
  made->outcome = record_->outcome;
  made->stale = state_ == RobotsState::stale;
  made->status = record_->status;
  made->url = record_->url.empty() ? robots_url_ : record_->url;
  if (record_->outcome == RobotsOutcome::unreachable) {
    made->warning = why_unreachable_;
    made->cause = cause_;
    made->try_again_at = record_->fresh_until;
  }
  made->truncated = has_rules(state_) && record_->truncated;
  made->is_html = has_rules(state_) && is_html_;
  made->fetched_at = record_->fetched_at;
  if (record_->fetched_at != Timestamp{}) {
    made->age = std::chrono::floor<std::chrono::seconds>(now - record_->fetched_at);
  }
  return made;
}

}  // namespace robotrules::agent
