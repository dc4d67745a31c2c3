// robotrules check: may a robot fetch these URLs?
#include "cli/check.hpp"

#include <unistd.h>

#include <algorithm>

#include <robotrules/robots_txt.hpp>
#include <robotrules/sqlite_store.hpp>

#include "cli/choice.hpp"
#include "cli/db/source.hpp"
#include "cli/dialects.hpp"
#include "cli/input.hpp"
#include "cli/text.hpp"
#include "cli/verdict_json.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "check";

// One answer a URL; `name_` is printed for the file that it came from.
class OneAnswer : public Checker {
 public:
  OneAnswer(const Options& options, const Dialect& dialect, std::string agent, std::string name)
      : Checker(options, std::move(agent)), name_(std::move(name)), dialect_(dialect) {}

 protected:
  bool knows_other_schemes() const noexcept override { return dialect_.http_only; }

  bool print(const std::string& url, const Verdict& verdict) {
    options_.json ? print_json(url, verdict) : print_text(url, verdict);
    return verdict.allowed();
  }

  std::string name_;
  const Dialect& dialect_;

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
    std::string line = json_head(url, dialect_.name);
    append_verdict(line, verdict.access(), verdict.rule(), scratch_);
    line.append(",\"why\":\"").append(to_string(verdict.why())).append("\"");
    if (options_.explain) append_explanation(line, verdict, scratch_);
    out_ << line << "}\n";
  }

  std::string scratch_;
};

class FromFile final : public OneAnswer {
 public:
  FromFile(const Options& options, const std::string& path, const Dialect& dialect, std::string agent,
           std::string robots)
      : OneAnswer(options, dialect, std::move(agent), printable(path)),
        robots_(std::move(robots)),
        reading_(robots_, agent_, dialect) {}

 private:
  bool answer(const std::string& url, const std::optional<Origin>& origin) override {
    return print(url, reading_.ask(url, origin));
  }

  std::string robots_;
  Reading reading_;
};

// Each URL about the file of its own site; the one of the URL before is kept.
class FromDatabase final : public OneAnswer {
 public:
  FromDatabase(const Options& options, std::shared_ptr<Store> store, const Dialect& dialect, std::string agent)
      : OneAnswer(options, dialect, std::move(agent), ""), store_(std::move(store)) {}

 private:
  bool answer(const std::string& url, const std::optional<Origin>& origin) override {
    if (!origin) {
      flush();
      complain(command,
               "\"" + printable(url) + "\" names no site to look for in the database; write https://HOST/PATH");
      return false;
    }
    if (!last_ || *last_ != *origin) {
      last_ = origin;
      name_ = origin->robots_url();
      const FileBytes file = kept_robots(*store_, *origin);
      rules_.reset();
      if (file.ok()) rules_ = Rules::compile(file.bytes, agent_, dialect_, name_);
      if (!file.ok() && !file.missing) {
        flush();
        complain(command, file.error);
      }
    }
    return print(url, rules_ ? rules_->check(url) : Verdict());
  }

  std::shared_ptr<Store> store_;
  std::optional<Origin> last_;
  std::optional<Rules> rules_;
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

int check_all(const Options& options, Checker& checker) {
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

int check_database(const Options& options, const Dialect& dialect) {
  if (options.robots) return refuse("--robots and --db both say where the rules are; give one");
  if (options.dialect == all_dialects) return refuse("--dialect all needs one file: give --robots in place of --db");
  if (std::count(options.operands.begin(), options.operands.end(), "-") > 1) {
    return refuse("standard input can be read once only: \"-\" is given twice");
  }
  SqliteStoreOptions store_options;
  store_options.create = false;
  auto store = open_store(*options.db, store_options);
  if (!store) return refuse(printable(store.error().message));
  AgentChoice agent = choose_agent(options.agent);
  if (!agent.note.empty()) complain(command, agent.note);
  if (!options.agent) {
    const auto kept = store.value()->agent();
    if (!kept) return refuse(printable(kept.error().message));
    if (!kept.value().empty()) agent.name = kept.value();
  }
  FromDatabase checker(options, std::move(store).value(), dialect, std::move(agent.name));
  return check_all(options, checker);
}

}  // namespace

void Checker::check(const std::string& url) {
  const std::optional<Origin> origin = Origin::of(url);
  // A forgotten "https://" must not turn a no into a yes. Dialects that know other schemes have an answer for them.
  const bool other_scheme = knows_other_schemes() && url.find(':') != std::string::npos;
  if (!origin && !url.starts_with('/') && !other_scheme) {
    complain(command, "\"" + printable(url) +
                          "\" is no http or https URL and does not begin with \"/\"; write https://HOST/PATH");
    all_asked_ = false;
    return;
  }
  all_allowed_ = answer(url, origin) && all_allowed_;
}

std::string Checker::json_head(const std::string& url, std::string_view dialect) const {
  std::string head = "{\"url\":";
  append_json(head, url);
  if (!is_utf8(url)) head += ",\"url_b64\":\"" + base64(url) + "\"";
  head += ",\"agent\":";
  append_json(head, agent_);
  head += ",\"dialect\":";
  append_json(head, dialect);
  return head + ',';
}

int run_check(const Options& options) {
  std::string error;
  const bool all = options.dialect == all_dialects;
  const Dialect* dialect = all ? &Dialect::rfc9309() : choose_dialect(options.dialect, error);
  if (dialect == nullptr) return refuse(error);
  if (options.db) return check_database(options, *dialect);
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
  const std::unique_ptr<Checker> checker =
      all ? check_all_dialects(options, std::move(agent.name), std::move(file.bytes))
          : std::make_unique<FromFile>(options, *options.robots, *dialect, std::move(agent.name),
                                       std::move(file.bytes));
  return check_all(options, *checker);
}

}  // namespace robotrules::cli
