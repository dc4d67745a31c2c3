// robotrules check --dialect all: the answers of every dialect side by side.
#include <robotrules/compare.hpp>

#include "base/escape.hpp"
#include "cli/check/check.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/table.hpp"
#include "cli/io/verdict_json.hpp"

namespace robotrules::cli {
namespace {

class AllDialects final : public Checker {
 public:
  AllDialects(const CheckOptions& options, SourceBytes file) : Checker(options), file_(std::move(file)) {
    for (const AskedRobot& robot : robots_) sides_.emplace_back(file_.bytes, robot.agent);
  }

 private:
  bool knows_other_schemes() const noexcept override { return false; }  // not every dialect has an answer for them

  bool takes_paths() const noexcept override { return true; }

  bool answer(const std::string& url, const std::optional<Origin>&) override {
    bool all_allowed = true;
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      const std::span<const Verdict> verdicts = sides_[i].check(url);
      options_.json ? print_json(url, robots_[i], verdicts) : print_text(url, robots_[i], verdicts);
      all_allowed = all_allowed && agree(verdicts) && verdicts.front().allowed();
    }
    return all_allowed;
  }

  // One row per dialect. URLs and rules may be long, so each is the last on its line.
  void print_text(const std::string& url, const AskedRobot& robot, std::span<const Verdict> verdicts) {
    if (agree(verdicts)) {
      const Access access = verdicts.front().access();
      out_ << out_.painted(style_of(access), to_string(access));
    } else {
      out_ << out_.painted(Style::mixed, "differs");
    }
    out_ << "\t" << text_of(url, robot) << "\n";
    Table table("  ");
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const Verdict& verdict = verdicts[i];
      const auto rule = verdict.rule();
      table.row({{differs(verdicts, i) ? "*" : " ", Style::mixed},
                 {std::string(Dialect::presets()[i].name)},
                 {std::string(to_string(verdict.access())), style_of(verdict.access())},
                 {rule ? "line " + std::to_string(rule->line) : "-"},
                 {rule ? base::printable(rule->text()) : std::string(reason_without_rule(verdict.why()))}});
      if (options_.explain) {
        constexpr std::size_t indent = 7;
        const std::string why = verdict.explanation() + " [" + std::string(to_string(verdict.why())) + "]";
        table.line(std::string(indent, ' ') + out_.fitted_line(why, indent, indent));
      }
    }
    table.print(out_);
  }

  // The members of `check --json` are those of the default dialect.
  void print_json(const std::string& url, const AskedRobot& robot, std::span<const Verdict> verdicts) {
    const Verdict& usual = verdicts.front();
    std::string line = json_head(url, robot, Dialect::presets().front().name);
    append_verdict(line, usual.access(), usual.rule(), scratch_);
    line.append(",\"why\":\"").append(to_string(usual.why())).append("\"");
    if (options_.explain) append_explanation(line, usual, scratch_);
    line += ',';
    append_dialects(line, verdicts, options_.explain, scratch_);
    if (file_.fetched) append_robots(line, *file_.fetched);
    out_ << line << "}\n";
  }

  SourceBytes file_;
  std::vector<SideBySide> sides_;  // one for each robot
  std::string scratch_;
};

}  // namespace

std::unique_ptr<Checker> check_all_dialects(const CheckOptions& options, SourceBytes file) {
  return std::make_unique<AllDialects>(options, std::move(file));
}

}  // namespace robotrules::cli
