// What the forms of `check` share: one dialect or all of them side by side, one file or that of each site.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/origin.hpp>

#include "cli/flags/flags.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/terminal.hpp"

namespace robotrules::cli {

class Checker {
 public:
  Checker(const Options& options, std::string agent) : options_(options), agent_(std::move(agent)) {}
  virtual ~Checker() = default;
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;

  // Answers, or complains where `url` is none.
  void check(const std::string& url);
  virtual void flush() { out_.flush(); }
  // No URL comes any more: prints what is left, and then it is known whether all are allowed.
  virtual void finish() { flush(); }
  bool all_allowed() const noexcept { return all_allowed_; }
  bool all_asked() const noexcept { return all_asked_; }  // false: something given was no URL

 protected:
  // Prints the answer, perhaps later; false where it is known not to be "allowed".
  virtual bool answer(const std::string& url, const std::optional<Origin>& origin) = 0;
  // True where URLs of schemes other than http and https have an answer.
  virtual bool knows_other_schemes() const noexcept = 0;

  // `{"url":...,"agent":...,"dialect":...,`
  std::string json_head(const std::string& url, std::string_view dialect) const;

  void not_allowed() noexcept { all_allowed_ = false; }
  void not_asked() noexcept { all_asked_ = false; }

  const Options& options_;
  std::string agent_;
  Output out_;

 private:
  bool all_allowed_ = true;
  bool all_asked_ = true;
};

// `check --dialect all`.
std::unique_ptr<Checker> check_all_dialects(const Options& options, std::string agent, SourceBytes robots);

// `check` without --robots. `robot` keeps what it fetches in its own store, and may be another one than `agent`;
// `policy` lives for ever.
std::unique_ptr<Checker> check_fetched(const Options& options, const Dialect& dialect, std::string agent,
                                       std::string_view policy, RobotUA robot);

}  // namespace robotrules::cli
