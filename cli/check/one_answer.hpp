// `check` with one dialect: one answer per URL, as text or JSON.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/rules.hpp>

#include "cli/check/check.hpp"
#include "cli/io/robots_facts.hpp"

namespace robotrules::cli {

class OneAnswer : public Checker {
 public:
  explicit OneAnswer(const CheckOptions& options) : Checker(options), dialect_(*options.dialect) {}

 protected:
  struct Answer {
    const AskedRobot& robot;
    Access access = Access::unknown;
    Verdict verdict = {};                 // by the rules of a file
    std::string file = {};                // the name of that file, printable
    const RobotsFacts* robots = nullptr;  // null if the file was not fetched
    std::string_view code = {};           // if there are no rules: a stable code and a sentence
    std::string sentence = {};
  };

  bool knows_other_schemes() const noexcept override { return dialect_.http_only; }

  // Returns the answer with a line end. Any thread may call it.
  std::string rendered(const std::string& url, const Answer& answer) const {
    return options_.json ? json(url, answer) : text(url, answer);
  }
  // Prints the answer. Returns false if the URL is not allowed.
  bool print(const std::string& url, const Answer& answer) {
    out_ << rendered(url, answer);
    return answer.access == Access::allowed;
  }
  bool print(const std::string& url, const AskedRobot& robot, const Verdict& verdict, const std::string& file,
             const RobotsFacts* robots = nullptr) {
    return print(
        url, Answer{.robot = robot, .access = verdict.access(), .verdict = verdict, .file = file, .robots = robots});
  }

  const Dialect& dialect_;

 private:
  std::string text(const std::string& url, const Answer& answer) const;
  std::string json(const std::string& url, const Answer& answer) const;
};

}  // namespace robotrules::cli
