// The base of the forms of `check`: one dialect or all dialects, one file or the file of each site.
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

  // Prints the answer, or an error if `url` is not a URL.
  void check(const std::string& url);
  virtual void flush() { out_.flush(); }
  // Call after the last URL: prints the remaining answers. all_allowed() is final afterwards.
  virtual void finish() { flush(); }
  bool all_allowed() const noexcept { return all_allowed_; }
  bool all_asked() const noexcept { return all_asked_; }  // false: an argument was not a URL

 protected:
  // Prints the answer, now or later. Returns false if the URL is already known not to be allowed.
  virtual bool answer(const std::string& url, const std::optional<Origin>& origin) = 0;
  // Returns true if URLs with schemes other than http and https have an answer.
  virtual bool knows_other_schemes() const noexcept = 0;

  // Returns `{"url":...,"agent":...,"dialect":...,`
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

// Makes the checker of `check --dialect all`.
std::unique_ptr<Checker> check_all_dialects(const Options& options, std::string agent, SourceBytes robots);

// Makes the checker of `check` without --robots. `robot` stores fetched files in its own store and may have another
// name than `agent`. `policy` must be a literal.
std::unique_ptr<Checker> check_fetched(const Options& options, const Dialect& dialect, std::string agent,
                                       std::string_view policy, RobotUA robot);

}  // namespace robotrules::cli
