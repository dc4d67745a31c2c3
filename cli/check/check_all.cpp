// robotrules check --dialect all: the answers of every dialect side by side.
#include "base/escape.hpp"
#include "cli/check/check.hpp"
#include "cli/check/dialects.hpp"
#include "cli/flags/choice.hpp"
#include "cli/io/table.hpp"
#include "cli/io/text.hpp"
#include "cli/io/verdict_json.hpp"

namespace robotrules::cli {
namespace {

class AllDialects final : public Checker {
 public:
  AllDialects(const Options& options, std::string agent, SourceBytes robots)
      : Checker(options, std::move(agent)), robots_(std::move(robots)), sides_(robots_.bytes, agent_) {}

 private:
  bool knows_other_schemes() const noexcept override { return false; }  // not every dialect has an answer for them

  bool answer(const std::string& url, const std::optional<Origin>&) override {
    const std::span<const Verdict> verdicts = sides_.ask(url);
    options_.json ? print_json(url, verdicts) : print_text(url, verdicts);
    return agree(verdicts) && verdicts.front().allowed();
  }

  // One row per dialect. URLs and rules may be long, so each is the last on its line.
  void print_text(const std::string& url, std::span<const Verdict> verdicts) {
    const bool allowed = verdicts.front().allowed();
    if (agree(verdicts)) {
      out_ << out_.coloured(allowed ? Output::Colour::green : Output::Colour::red,
                            to_string(verdicts.front().access()));
    } else {
      out_ << out_.coloured(Output::Colour::yellow, "differs");
    }
    out_ << "\t" << printable_url(url) << "\n";
    Table table("  ");
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const Verdict& verdict = verdicts[i];
      const auto rule = verdict.rule();
      table.row(
          {{parts(verdicts, i) ? "*" : " ", Output::Colour::yellow},
           {std::string(Dialect::presets()[i].name)},
           {std::string(to_string(verdict.access())), verdict.allowed() ? Output::Colour::green : Output::Colour::red},
           {rule ? "line " + std::to_string(rule->line) : "-"},
           {rule ? base::printable(rule->text()) : std::string(without_rule(verdict.why()))}});
      if (options_.explain) {
        table.line("       " + verdict.explanation() + " [" + std::string(to_string(verdict.why())) + "]");
      }
    }
    table.print(out_);
  }

  // The members of `check --json` are those of the default dialect.
  void print_json(const std::string& url, std::span<const Verdict> verdicts) {
    const Verdict& usual = verdicts.front();
    std::string line = json_head(url, Dialect::presets().front().name);
    append_verdict(line, usual.access(), usual.rule(), scratch_);
    line.append(",\"why\":\"").append(to_string(usual.why())).append("\"");
    if (options_.explain) append_explanation(line, usual, scratch_);
    line += ',';
    append_dialects(line, verdicts, options_.explain, scratch_);
    if (robots_.fetched) append_robots(line, *robots_.fetched);
    out_ << line << "}\n";
  }

  SourceBytes robots_;
  SideBySide sides_;
  std::string scratch_;
};

}  // namespace

std::unique_ptr<Checker> check_all_dialects(const Options& options, std::string agent, SourceBytes robots) {
  return std::make_unique<AllDialects>(options, std::move(agent), std::move(robots));
}

}  // namespace robotrules::cli
