// robotrules check without --robots: answers each URL from its own site's robots.txt, which is fetched if no stored
// copy is fresh.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <robotrules/robot_ua.hpp>
#include <robotrules/url.hpp>

#include "base/escape.hpp"
#include "cli/check/check.hpp"
#include "cli/io/network.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Limits for questions that were read but not printed yet. A site that does not answer holds up the printing, but other
// sites only after a limit is reached.
constexpr std::size_t max_questions = 8'192;
constexpr std::size_t max_bytes = std::size_t{32} << 20;

constexpr std::size_t max_reported = 10;  // sites that cannot be reached

class FromNetwork final : public OneAnswer {
 public:
  FromNetwork(const CheckOptions& options, std::string_view policy, RobotUA fetcher)
      : OneAnswer(options),
        policy_(policy),
        fetcher_(std::make_unique<RobotUA>(std::move(fetcher))),
        printer_([this] { print_answers(); }) {}

  ~FromNetwork() override {
    {
      const std::lock_guard lock(mutex_);
      abandoned_ = true;
    }
    changed_.notify_all();
    if (printer_.joinable()) printer_.join();
    fetcher_.reset();  // no callback runs after this
  }

  void flush() override {}  // the printer flushes

  void finish() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    printer_.join();
    if (!all_allowed_) not_allowed();
  }

 private:
  struct Question {
    std::string url;
    std::string text;  // the answer
    bool answered = false;
  };

  // The result is known later.
  bool answer(const std::string& url, const std::optional<Origin>& origin) override {
    if (!origin) {
      report_error("check", "\"" + printable_url(url) +
                                "\" has no http or https site whose robots.txt could be fetched; write " +
                                "https://HOST/PATH, or give --robots");
      not_asked();
      return false;
    }
    auto question = std::make_shared<Question>();
    question->url = url;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return questions_.size() < max_questions && bytes_ < max_bytes; });
      questions_.push_back(question);
      bytes_ += url.size();
    }
    fetcher_->consult(url, [this, question](const std::shared_ptr<const RobotsNote>& note, Access access) {
      const bool allowed = take(*question, *note, access);
      const std::lock_guard lock(mutex_);
      bytes_ += question->text.size();
      question->answered = true;
      all_allowed_ = all_allowed_ && allowed;
      changed_.notify_all();
    });
    return true;
  }

  // Runs on the user agent's thread. Makes the text of the answers; returns true if the URL is allowed for all robots.
  bool take(Question& question, const RobotsNote& note, Access access) {
    RobotsFacts facts;
    facts.outcome = note.stale ? "stale" : to_string(note.outcome);
    facts.status = note.status;
    facts.url = note.url;
    if (note.fetched_at != Timestamp{}) facts.fetched_at = note.fetched_at;
    if (note.rules) facts.truncated = note.truncated;
    if (note.is_html) report_html(note.url);
    bool all_allowed = true;
    for (const AskedRobot& robot : robots_) {
      Answer answer{.robot = robot, .access = access, .file = base::printable(note.url)};
      if (!note.url.empty()) answer.robots = &facts;
      const Rules rules = judge(answer, question.url, note);  // the verdict refers to them
      question.text += rendered(question.url, answer);
      all_allowed = all_allowed && answer.access == Access::allowed;
    }
    return all_allowed;
  }

  // Sets the verdict, or the reason why there is none. Returns the rules that the verdict refers to, if they are not
  // those of the note.
  Rules judge(Answer& answer, const std::string& url, const RobotsNote& note) {
    const bool is_fetcher = !answer.robot.is_special() && answer.robot.name == fetcher_->rules()->agent();
    if (note.verdict.why() == Why::robots_txt) {
      answer.verdict = note.verdict;
    } else if (!note.rules) {
      explain(answer, note);
      if (&answer.robot == &robots_.front()) report_failure(answer, url, note);
    } else if (is_fetcher) {
      answer.verdict = note.verdict;
      answer.access = answer.verdict.access();
    } else if (std::optional<Rules> rules = rules_of(answer.robot, url, note.url)) {
      answer.verdict = check_as_sent(*rules, url);
      answer.access = answer.verdict.access();
      return *std::move(rules);
    } else {  // the verdict for the fetcher does not apply to another robot
      answer.access = Access::unknown;
      answer.sentence = base::printable(note.url) + " is no longer in the database; run the command again";
      complain("check", answer.sentence);
    }
    return {};
  }

  // Prints once for each site that its robots.txt is a web page.
  void report_html(const std::string& robots_url) {
    if (web_pages_.size() == max_reported || !web_pages_.insert(robots_url).second) return;
    complain("check", "note: " + printable_url(robots_url) + " is an HTML page, not a robots.txt; see robotrules lint");
  }

  // Prints why a URL has no answer, and once for each site why nothing answered for its robots.txt: the user may have
  // mistyped the name, or must permit the address. If a server answers, its answer is part of the result. With
  // --explain, the result contains the reason.
  void report_failure(const Answer& answer, const std::string& url, const RobotsNote& note) {
    if (answer.access == Access::unknown) return complain("check", base::printable(answer.sentence));
    if (note.outcome != RobotsOutcome::unreachable || note.status != 0 || options_.explain) return;
    const auto origin = Origin::of(url);
    const std::string site = origin ? origin->to_string() : url;
    if (reported_.size() == max_reported || !reported_.insert(site).second) return;
    complain("check", printable_url(site) + ": " + base::printable(answer.sentence));
    if (reported_.size() == max_reported) {
      complain("check", "further sites that cannot be reached are not reported; --explain prints the reason for each");
    }
  }

  // The database belongs to another robot than `robot`; the files are the same for both. Often many URLs of a site
  // follow each other, so the last rules of each robot are kept.
  std::optional<Rules> rules_of(const AskedRobot& robot, const std::string& url, const std::string& robots_url) {
    const auto plain = plain_url(url);
    const auto origin = Origin::of(plain ? plain.value() : url);
    if (!origin) return std::nullopt;
    const auto record = fetcher_->rules()->store()->robots(*origin);
    if (!record || record.value() == nullptr || record.value()->body == nullptr) return std::nullopt;
    LastRules& last = last_rules_[static_cast<std::size_t>(&robot - robots_.data())];
    const auto& body = record.value()->body;
    const bool same_body = last.body == body || (last.body != nullptr && *last.body == *body);
    if (!same_body || last.robots_url != robots_url) {
      last = {body, robots_url, Rules::compile(*body, robot.agent, dialect_, robots_url)};
    }
    return last.rules;
  }

  void explain(Answer& answer, const RobotsNote& note) const {
    const std::string warning = note.warning + std::string(hint_for(note.cause));
    if (answer.access == Access::unknown) {
      answer.sentence = warning;
      return;
    }
    auto why = without_rules(note.outcome, note.status, warning, policy_, answer.access);
    answer.code = why.code;
    answer.sentence = std::move(why.sentence);
  }

  void print_answers() {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto ready = [this] { return !questions_.empty() && questions_.front()->answered; };
      if (!ready()) {
        lock.unlock();
        out_.flush();
        lock.lock();
      }
      changed_.wait(lock, [&] { return abandoned_ || ready() || (ended_ && questions_.empty()); });
      if (abandoned_ || questions_.empty()) break;
      const std::shared_ptr<Question> first = std::move(questions_.front());
      questions_.pop_front();
      bytes_ -= first->url.size() + first->text.size();
      changed_.notify_all();
      lock.unlock();
      out_ << first->text;
      lock.lock();
    }
    lock.unlock();
    out_.flush();
  }

  std::string_view policy_;
  std::unique_ptr<RobotUA> fetcher_;

  // Only the user agent's thread uses these.
  struct LastRules {
    std::shared_ptr<const std::string> body;
    std::string robots_url;
    Rules rules;
  };
  std::vector<LastRules> last_rules_ = std::vector<LastRules>(robots_.size());
  std::set<std::string> reported_;   // sites
  std::set<std::string> web_pages_;  // robots.txt files that are web pages

  std::mutex mutex_;  // guards the members up to `abandoned_`
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Question>> questions_;  // in the order of the input
  std::size_t bytes_ = 0;                            // in them
  bool all_allowed_ = true;
  bool ended_ = false;  // the last question was added
  bool abandoned_ = false;

  std::thread printer_;  // last member, because it uses the others
};

}  // namespace

std::unique_ptr<Checker> check_fetched(const CheckOptions& options, std::string_view policy, RobotUA fetcher) {
  return std::make_unique<FromNetwork>(options, policy, std::move(fetcher));
}

}  // namespace robotrules::cli
