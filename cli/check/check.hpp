// The base of the forms of `check`: one dialect or all dialects, one file or the file of each site.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/rules.hpp>
#include <robotrules/url.hpp>

#include "cli/check/asked_robot.hpp"
#include "cli/io/robots_facts.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {

struct CheckOptions {
  NetworkOptions network;
  AskedRobots asked;
  const Dialect* dialect = nullptr;
  bool all_dialects = false;
  std::optional<std::string> robots;  // --robots
  std::optional<std::string> db;
  bool offline = false;
  bool explain = false;
  bool json = false;
  std::vector<std::string> urls;
};

// The options must outlive it.
class Checker {
 public:
  explicit Checker(const CheckOptions& options) : options_(options), robots_(options.asked.robots) {}
  virtual ~Checker() = default;
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Prints the answer for each robot, or an error if the text is not a URL.
  void check(const std::string& text);
  virtual void flush() { out_.flush(); }
  // Call after the last URL: prints the remaining answers. all_allowed() is final afterwards.
  virtual void finish() { flush(); }
  bool all_allowed() const noexcept { return all_allowed_; }
  bool all_asked() const noexcept { return all_asked_; }  // false: an argument was not a URL

 protected:
  // Prints the answers, now or later. Returns false if it is already known that the URL is not allowed for a robot.
  virtual bool answer(const std::string& url, const std::optional<Origin>& origin) = 0;
  // Returns true if URLs with schemes other than http and https have an answer.
  virtual bool knows_other_schemes() const noexcept = 0;
  // Returns true if a path is enough, because the rules are those of a file.
  virtual bool takes_paths() const noexcept { return false; }

  // Returns `{"url":...,"agent":...,"dialect":...,`
  std::string json_head(const std::string& url, const AskedRobot& robot, std::string_view dialect) const;
  // Returns the URL as text, and the robot if there are several.
  std::string text_of(const std::string& url, const AskedRobot& robot) const;

  void not_allowed() noexcept { all_allowed_ = false; }
  void not_asked() noexcept { all_asked_ = false; }

  const CheckOptions& options_;
  const std::vector<AskedRobot>& robots_;
  Output out_;

 private:
  bool all_allowed_ = true;
  bool all_asked_ = true;
};

// Makes the checker of `check --dialect all`.
std::unique_ptr<Checker> check_all_dialects(const CheckOptions& options, SourceBytes file);

// Makes the checker of `check` without --robots. `fetcher` stores fetched files in its own store and may have another
// name than the robots. `policy` must be a literal.
std::unique_ptr<Checker> check_fetched(const CheckOptions& options, std::string_view policy, RobotUA fetcher);

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
