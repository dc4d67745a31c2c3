#include "demo/site/judge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace robotrules::demo {
namespace {

using std::chrono::microseconds;

constexpr std::string_view domain = ".localhost";
constexpr std::size_t most_told = 20;  // of each kind

std::string at(const Asked& one) { return one.host + one.target + " at " + one.time; }

// One site's part of the log, request by request.
class Watch {
 public:
  Watch(const Site& site, milliseconds delay) : site_(site), delay_(std::max(delay, site.delay)) {}

  void see(const Asked& one, Findings& findings) {
    const Special* special = site_.special(one.target);
    if (special != nullptr && special->is_robots_txt) return;
    if (one.target == "/robots.txt") {
      has_rules_ = true;
      return;
    }
    if (!has_rules_) findings.unread.push_back(at(one));
    if (site_.forbids(one.target)) findings.forbidden.push_back(at(one));
    if (++times_[one.target] > (special == nullptr ? 1 : special->most)) findings.too_often.push_back(at(one));
    if (not_before_) {
      const microseconds spare = one.at - *not_before_;
      if (spare < -jitter) findings.early.push_back(at(one) + ", by " + std::to_string(-spare.count()) + " us");
      findings.least_spare = std::min(findings.least_spare.value_or(spare), spare);
    }
    not_before_ = one.at + delay_;
    if (special == nullptr) return;
    *not_before_ += special->takes;
    const bool is_refused = one.status == 429 || one.status == 503;
    if (is_refused) not_before_ = std::max(*not_before_, one.at + special->leave_alone);
  }

  void end(Findings& findings) const {
    for (const std::string& target : site_.pages) {
      if (!site_.forbids(target) && !times_.contains(target)) findings.missed.push_back(site_.name + target);
    }
  }

 private:
  const Site& site_;
  milliseconds delay_;
  bool has_rules_ = false;
  std::map<std::string, unsigned> times_;
  std::optional<microseconds> not_before_;
};

}  // namespace

Findings judge(const std::vector<Asked>& log, const std::vector<Site>& sites, milliseconds delay) {
  Findings findings;
  findings.requests = log.size();
  std::map<std::string, Watch> watches;
  for (const Site& site : sites) watches.emplace(site.name + std::string(domain), Watch(site, delay));
  for (const Asked& one : log) {
    const auto found = watches.find(one.host);
    if (found == watches.end()) {
      findings.forbidden.push_back(at(one) + ": no such site");
    } else {
      found->second.see(one, findings);
    }
  }
  for (const auto& [host, watch] : watches) watch.end(findings);
  return findings;
}

std::string told(const Findings& findings) {
  const std::pair<const char*, const std::vector<std::string>*> kinds[] = {
      {"forbidden", &findings.forbidden},
      {"early", &findings.early},
      {"too often", &findings.too_often},
      {"before robots.txt", &findings.unread},
      {"missed", &findings.missed}};
  std::string text = "the server's log: " + std::to_string(findings.requests) + " requests";
  for (const auto& [name, found] : kinds) text += ", " + std::to_string(found->size()) + ' ' + name;
  text += '\n';
  for (const auto& [name, found] : kinds) {
    for (std::size_t i = 0; i < std::min(found->size(), most_told); ++i) {
      text += std::string("    ") + name + ": " + (*found)[i] + '\n';
    }
  }
  return text;
}

}  // namespace robotrules::demo
