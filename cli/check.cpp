// robotrules check: may a robot fetch these URLs?
#include <unistd.h>

#include <string>

#include <robotrules/origin.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/rules.hpp>

#include "cli/choice.hpp"
#include "cli/flags.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verdict_json.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "check";

class Checker {
 public:
  Checker(const Options& options, const std::string& path, const Dialect& dialect, std::string agent,
          std::string robots)
      : options_(options),
        dialect_(dialect),
        agent_(std::move(agent)),
        name_(printable(path)),
        robots_(std::move(robots)),
        rules_(Rules::compile(robots_, agent_, dialect_)) {}

  void check(const std::string& url) {
    const std::optional<Origin> origin = Origin::of(url);
    // A forgotten "https://" must not turn a no into a yes. Dialects that know other schemes have an answer for them.
    const bool other_scheme = dialect_.http_only && url.find(':') != std::string::npos;
    if (!origin && !url.starts_with('/') && !other_scheme) {
      complain(command, "\"" + printable(url) +
                            "\" is no http or https URL and does not begin with \"/\"; write https://HOST/PATH");
      all_asked_ = false;
      return;
    }
    // Only such a dialect reads one file differently for different sites.
    if (dialect_.rule_value == Dialect::RuleValue::url_reference) {
      const std::string from = origin ? origin->robots_url() : std::string();
      if (from != robots_url_) {
        rules_ = Rules::compile(robots_, agent_, dialect_, from);
        robots_url_ = from;
      }
    }
    const Verdict verdict = rules_.check(url);
    all_allowed_ = all_allowed_ && verdict.allowed();
    options_.json ? print_json(url, verdict) : print_text(url, verdict);
  }

  void flush() { out_.flush(); }
  bool all_allowed() const noexcept { return all_allowed_; }
  bool all_asked() const noexcept { return all_asked_; }  // false: something given was no URL

 private:
  std::string place(std::uint32_t line) const { return name_ + ":" + std::to_string(line) + ": "; }

  void print_text(const std::string& url, const Verdict& verdict) {
    out_ << out_.coloured(verdict.allowed() ? Output::Colour::green : Output::Colour::red, to_string(verdict.access()))
         << "\t" << printable(url) << "\n";
    if (!options_.explain) return;
    if (const auto rule = verdict.rule()) {
      out_ << "    rule       " << place(rule->line) << printable(rule->text()) << "\n";
    } else {
      out_ << "    rule       none\n";
    }
    if (const GroupLine group = verdict.group(); group.line != 0) {
      out_ << "    group      " << place(group.line) << "User-agent: " << printable(group.agent)
           << (group.is_default ? " (the group for every robot that none names)" : "") << "\n";
    } else {
      out_ << "    group      none holds for " << printable(agent_) << "\n";
    }
    out_ << "    why        " << verdict.explanation() << " [" << to_string(verdict.why()) << "]\n";
    if (const auto loser = verdict.runner_up()) {
      out_ << "    runner-up  " << place(loser->line) << printable(loser->text()) << "\n";
    }
  }

  void print_json(const std::string& url, const Verdict& verdict) {
    std::string line = "{\"url\":";
    append_json(line, url);
    if (!is_utf8(url)) line += ",\"url_b64\":\"" + base64(url) + "\"";
    line += ",\"agent\":";
    append_json(line, agent_);
    line += ",\"dialect\":";
    append_json(line, dialect_.name);
    line += ',';
    append_verdict(line, verdict.access(), verdict.rule(), scratch_);
    line.append(",\"why\":\"").append(to_string(verdict.why())).append("\"");
    if (options_.explain) append_explanation(line, verdict);
    out_ << line << "}\n";
  }

  void append_explanation(std::string& line, const Verdict& verdict) {
    line += ",\"explanation\":";
    append_json(line, verdict.explanation());
    const GroupLine group = verdict.group();
    line += ",\"group\":";
    if (group.line == 0) {
      line += "null";
    } else {
      line += "{\"line\":" + std::to_string(group.line) + ",\"agent\":";
      append_json(line, group.agent);
      line += group.is_default ? ",\"default\":true}" : ",\"default\":false}";
    }
    line += ",\"runner_up\":";
    if (const auto loser = verdict.runner_up()) {
      line += '{';
      append_verdict(line, loser->access, loser, scratch_);
      line += '}';
    } else {
      line += "null";
    }
  }

  const Options& options_;
  const Dialect& dialect_;
  std::string agent_;
  std::string name_;
  std::string robots_;
  std::string robots_url_;
  Rules rules_;
  Output out_;
  std::string scratch_;
  bool all_allowed_ = true;
  bool all_asked_ = true;
};

// False after an input error.
bool check_standard_input(Checker& checker) {
  LineReader lines(STDIN_FILENO);
  std::string url;
  for (;;) {
    if (lines.would_wait()) checker.flush();
    if (!lines.next(url)) break;
    if (!url.empty()) checker.check(url);
  }
  if (lines.error().empty()) return true;
  checker.flush();
  complain(command, lines.error());
  return false;
}

int refuse(const std::string& error) {
  complain(command, error);
  return exit_error;
}

}  // namespace

int run_check(const Options& options) {
  std::string error;
  const Dialect* dialect = choose_dialect(options.dialect, error);
  if (dialect == nullptr) return refuse(error);
  if (!options.robots) {
    const auto origin = Origin::of(options.operands.front());
    return refuse("no --robots was given, and " + not_fetched(command, origin ? origin->robots_url() : ""));
  }
  if (is_url(*options.robots)) return refuse(not_fetched(command, *options.robots));
  std::size_t from_standard_input = *options.robots == "-" ? 1 : 0;
  for (const std::string& url : options.operands) from_standard_input += url == "-" ? 1 : 0;
  if (from_standard_input > 1) {
    return refuse("standard input can be read once only: \"-\" is given for more than one of --robots and the URLs");
  }
  FileBytes file = read_file(*options.robots);
  if (!file.ok()) return refuse(file.error);
  AgentChoice agent = choose_agent(options.agent);
  if (!agent.note.empty()) complain(command, agent.note);

  if (RobotsTxt::parse(file.bytes).looks_like_html()) {
    complain(command,
             "note: " + printable(*options.robots) + " is a page of HTML, not a robots.txt: see robotrules lint");
  }
  Checker checker(options, *options.robots, *dialect, std::move(agent.name), std::move(file.bytes));
  for (const std::string& url : options.operands) {
    if (url != "-") {
      checker.check(url);
    } else if (!check_standard_input(checker)) {
      return exit_error;
    }
  }
  checker.flush();
  if (!checker.all_asked()) return exit_error;
  return checker.all_allowed() ? exit_yes : exit_no;
}

}  // namespace robotrules::cli
