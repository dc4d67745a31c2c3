// robotrules check without --robots: answers each URL from its own site's robots.txt, which is fetched if no stored
// copy is fresh.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include <robotrules/robot_ua.hpp>
#include <robotrules/url.hpp>

#include "base/escape.hpp"
#include "cli/check/check.hpp"
#include "cli/check/one_answer.hpp"
#include "cli/io/network.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Limits for questions that were read but not printed yet. A site that does not answer holds up the printing, but other
// sites only after a limit is reached.
constexpr std::size_t max_questions = 8'192;
constexpr std::size_t max_bytes = std::size_t{32} << 20;

class FromNetwork final : public OneAnswer {
 public:
  FromNetwork(const Options& options, const Dialect& dialect, std::string agent, std::string_view policy, RobotUA robot)
      : OneAnswer(options, dialect, std::move(agent)),
        policy_(policy),
        robot_(std::make_unique<RobotUA>(std::move(robot))),
        own_rules_(robot_->rules()->agent() == agent_),
        printer_([this] { print_answers(); }) {}

  ~FromNetwork() override {
    {
      const std::lock_guard lock(mutex_);
      abandoned_ = true;
    }
    changed_.notify_all();
    if (printer_.joinable()) printer_.join();
    robot_.reset();  // no callback runs after this
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
      complain("check", "\"" + printable_url(url) +
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
    robot_->consult(url, [this, question](const std::shared_ptr<const RobotsNote>& note, Access access) {
      const bool allowed = take(*question, *note, access);
      const std::lock_guard lock(mutex_);
      bytes_ += question->text.size();
      question->answered = true;
      all_allowed_ = all_allowed_ && allowed;
      changed_.notify_all();
    });
    return true;
  }

  // Runs on the user agent's thread. Makes the text of the answer; returns true if the URL is allowed.
  bool take(Question& question, const RobotsNote& note, Access access) {
    RobotsFacts facts;
    facts.outcome = note.stale ? "stale" : to_string(note.outcome);
    facts.status = note.status;
    facts.url = note.url;
    if (note.fetched_at != Timestamp{}) facts.fetched_at = note.fetched_at;
    if (note.rules) facts.truncated = note.truncated;
    Answer answer;
    answer.access = access;
    answer.file = base::printable(note.url);
    if (!note.url.empty()) answer.robots = &facts;
    std::optional<Rules> rules;  // the verdict refers to them
    if (note.verdict.why() == Why::robots_txt) {
      answer.verdict = note.verdict;
    } else if (!note.rules) {
      explain(answer, note);
      if (access == Access::unknown) complain("check", base::printable(answer.sentence));
    } else if (own_rules_) {
      answer.verdict = note.verdict;
      answer.access = answer.verdict.access();
    } else if ((rules = rules_of(question.url, note.url))) {
      answer.verdict = rules->check(question.url);
      answer.access = answer.verdict.access();
    } else {  // the verdict for the database's robot does not apply to another robot
      answer.access = Access::unknown;
      answer.sentence = base::printable(note.url) + " is no longer in the database; run the command again";
      complain("check", answer.sentence);
    }
    question.text = rendered(question.url, answer);
    return answer.access == Access::allowed;
  }

  // The database belongs to another robot than `agent_`; the files are the same for both.
  std::optional<Rules> rules_of(const std::string& url, const std::string& robots_url) const {
    const auto plain = plain_url(url);
    const auto origin = Origin::of(plain ? plain.value() : url);
    if (!origin) return std::nullopt;
    const auto record = robot_->rules()->store()->robots(*origin);
    if (!record || record.value() == nullptr || record.value()->body == nullptr) return std::nullopt;
    return Rules::compile(*record.value()->body, agent_, dialect_, robots_url);
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
  std::unique_ptr<RobotUA> robot_;
  bool own_rules_;  // the user agent's rules are those for `agent_`

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

std::unique_ptr<Checker> check_fetched(const Options& options, const Dialect& dialect, std::string agent,
                                       std::string_view policy, RobotUA robot) {
  return std::make_unique<FromNetwork>(options, dialect, std::move(agent), policy, std::move(robot));
}

}  // namespace robotrules::cli
