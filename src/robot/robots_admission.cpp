#include "robot/robots_admission.hpp"

#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "http/spellings.hpp"
#include "http/synthetic.hpp"
#include "robot/robots_url.hpp"

namespace robotrules::agent {

RobotsAdmission::RobotsAdmission(Engine& engine, RobotSettings settings, std::size_t max_sites_in_memory,
                                 std::size_t max_rule_bytes)
    : engine_(engine),
      desk_(std::make_shared<GateDesk>(engine)),
      addresses_(std::make_shared<SiteAddresses>(engine)),
      max_sites_(max_sites_in_memory),
      max_bytes_(max_rule_bytes) {
  desk_->network().limit(settings.max_wait());
  settings_ = with_session(std::move(settings));
}

// Returns settings with a session of their store. The session ends before the store.
std::shared_ptr<const RobotSettings> RobotsAdmission::with_session(RobotSettings settings) {
  const auto store = settings.rules->store();
  auto opened = store->open_session([loop = engine_.shared_loop()](Loop::Task task) { loop->post(std::move(task)); });
  settings.session = {opened.release(), [store](const StoreSession* session) { delete session; }};
  std::erase_if(sessions_, [](const auto& known) { return known.expired(); });
  sessions_.push_back(settings.session);
  return std::make_shared<const RobotSettings>(std::move(settings));
}

std::shared_ptr<const RobotSettings> RobotsAdmission::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void RobotsAdmission::change_settings(const std::function<void(RobotSettings&)>& change) {
  const std::lock_guard changing(change_mutex_);
  const auto before = settings();
  RobotSettings next = *before;
  change(next);
  auto made = next.rules == before->rules ? std::make_shared<const RobotSettings>(std::move(next))
                                          : with_session(std::move(next));
  {
    const std::lock_guard lock(mutex_);
    settings_ = std::move(made);
  }
  engine_.loop().post([known = weak_from_this()] {
    if (const auto self = known.lock()) self->settings_changed();
  });
}

void RobotsAdmission::settings_changed() {
  desk_->network().limit(settings()->max_wait());
  std::vector<std::shared_ptr<Site>> sites;  // a change of one site may add others
  sites.reserve(sites_.map().size());
  for (const auto& [key, entry] : sites_.map()) sites.push_back(entry.value);
  for (const auto& site : sites) site->settings_changed();
}

std::shared_ptr<Site> RobotsAdmission::site_of(const Origin& origin) {
  if (bytes_ > max_bytes_) forget_some_rules();
  const std::string key = origin.to_string();
  if (const auto* known = sites_.find(key)) return *known;
  auto site = std::make_shared<Site>(*this, origin);
  *sites_.make(key).first = site;
  sites_.set_weight(key, 1, max_sites_, [](const std::shared_ptr<Site>& other) {
    if (!other->is_idle()) return true;
    other->forget_rules();  // so that bytes_ does not count them
    return false;
  });
  return site;
}

// Drops the rules of a few sites, also of active ones.
void RobotsAdmission::forget_some_rules() {
  constexpr int looks = 16;
  for (int i = 0; i < looks && bytes_ > max_bytes_; ++i) {
    if (auto* const site = sites_.pass()) (*site)->forget_rules();
  }
}

// Returns the answer to a request for a URL that own rules of the program close (RobotRules::push_rules()); null: they
// do not. It needs neither the site's robots.txt nor its gate.
std::optional<Response> RobotsAdmission::denied_by_own_rules(const Url& url, const std::string& method) const {
  auto own = settings()->rules->own_rules(url.text);
  if (!own) return std::nullopt;
  auto note = std::make_shared<RobotsNote>();
  note->rules = std::move(own);
  note->verdict = check_spellings(*note->rules, url);
  if (note->verdict.allowed()) return std::nullopt;
  note->access = Access::disallowed;
  const auto rule = note->verdict.rule();
  note->warning = "a rule of the program itself disallows it" +
                  (rule ? ": \"" + base::printable(rule->text()) + "\"" : std::string());
  Response denied =
      synthetic_response(ResponseSource::robots_denied, method, url.text, url.text + ": " + note->warning);
  denied.requested_at = denied.received_at = engine_.loop().wall();
  denied.robots = std::move(note);
  return denied;
}

std::unique_ptr<Applicant> RobotsAdmission::admit(const Url& url, const std::string& method, bool is_target,
                                                  std::function<void(Admitted)> answer) {
  if (auto denied = denied_by_own_rules(url, method)) {
    answer({nullptr, std::move(denied)});
    return nullptr;
  }
  const auto site = site_of(url.origin);
  auto applicant = std::make_unique<SiteApplicant>(site, url, method, false, std::move(answer));
  applicant->is_target = is_target;
  site->enter(*applicant);
  if (!applicant->answer) return nullptr;
  return applicant;
}

std::optional<std::string> RobotsAdmission::objection(const Url& url, const Headers& headers,
                                                      const UserAgentOptions& options) const {
  const auto names = headers.all("User-Agent");
  if (!is_robots_txt(url) && (names.size() != 1 || names.front() != options.agent)) {
    return "the robot obeys robots.txt as \"" + options.agent +
           "\" and cannot send another User-Agent: change its name with RobotUA::agent()";
  }
  for (const std::string_view host : headers.all("Host")) {
    const bool alone = host.find_first_of("/?#@") == std::string_view::npos;
    if (alone && Origin::of(url.origin.scheme + "://" + std::string(host)) == url.origin) continue;
    return "the Host field names another site than the URL, and that site's robots.txt would not be checked: remove it";
  }
  return std::nullopt;
}

std::shared_ptr<Admission> RobotsAdmission::twin(Engine& engine) const {
  return std::make_shared<RobotsAdmission>(engine, *settings(), max_sites_, max_bytes_);
}

void RobotsAdmission::consult(const Url& url, std::function<void(Admitted)> answer) {
  if (auto denied = denied_by_own_rules(url, "GET")) return answer({nullptr, std::move(denied)});
  const auto site = site_of(url.origin);
  const std::uint64_t number = ++last_question_;
  auto applicant = std::make_unique<SiteApplicant>(site, url, "GET", true,
                                                   [this, number, answer = std::move(answer)](Admitted admitted) {
                                                     const auto last = questions_.extract(number);
                                                     answer(std::move(admitted));
                                                   });
  SiteApplicant& asked = *applicant;
  questions_.emplace(number, std::move(applicant));
  site->enter(asked);
}

void RobotsAdmission::answer_questions(ResponseSource source, const std::string& sentence) {
  while (!questions_.empty()) {
    const auto last = questions_.extract(questions_.begin());
    auto& asked = static_cast<SiteApplicant&>(*last.mapped());
    const auto answer = std::move(asked.answer);
    answer({nullptr, synthetic_response(source, asked.method, asked.url.text, asked.url.text + ": " + sentence)});
  }
}

void RobotsAdmission::give_up() noexcept {
  while (!questions_.empty()) {
    try {
      answer_questions(ResponseSource::internal, "there is not enough memory for this question");
    } catch (...) {  // this question cannot be answered; the others are
    }
  }
}

void RobotsAdmission::close() {
  answer_questions(ResponseSource::cancelled, "the agent has ended");
  for (const auto& [key, entry] : sites_.map()) entry.value->close();
  desk_->close();
  try {
    for (const auto& opened : sessions_) {
      if (const auto session = opened.lock()) session->finish();
    }
  } catch (...) {  // holds and leases that were not given back expire
  }
  sites_.clear();
  addresses_->close();
}

}  // namespace robotrules::agent
