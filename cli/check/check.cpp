// robotrules check: may a robot fetch these URLs?
#include "cli/check/check.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <robotrules/compare.hpp>
#include <robotrules/open_store.hpp>
#include <robotrules/robots_txt.hpp>
#include <robotrules/url.hpp>

#include "base/base64.hpp"
#include "base/escape.hpp"
#include "base/json_text.hpp"
#include "base/userinfo.hpp"
#include "base/utf8.hpp"
#include "cli/db/source.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/input.hpp"
#include "cli/io/network.hpp"
#include "cli/io/sources.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::string_view command = "check";
constexpr std::size_t memory_for_files =
    std::size_t{256} << 20;  // beyond it, the least recently used files are dropped and fetched again

class FromFile final : public OneAnswer {
 public:
  FromFile(const CheckOptions& options, SourceBytes file)
      : OneAnswer(options), file_(std::move(file)), name_(printable_url(*options.robots)) {
    for (const AskedRobot& robot : robots_) rules_.emplace_back(file_.bytes, robot.agent, dialect_);
  }

 private:
  bool takes_paths() const noexcept override { return true; }

  bool answer(const std::string& url, const std::optional<Origin>&) override {
    bool all_allowed = true;
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      const Verdict verdict = rules_[i].check(url);
      const bool allowed = print(url, robots_[i], verdict, name_, file_.fetched ? &*file_.fetched : nullptr);
      all_allowed = all_allowed && allowed;
    }
    return all_allowed;
  }

  SourceBytes file_;
  std::string name_;
  std::vector<FileRules> rules_;  // one for each robot
};

// Answers from the stored file of each URL's site. Keeps the rules of the last site.
class FromDatabase final : public OneAnswer {
 public:
  FromDatabase(const CheckOptions& options, std::shared_ptr<Store> store, const RobotsPolicy& policy)
      : OneAnswer(options), store_(std::move(store)), policy_(policy) {}

 private:
  bool answer(const std::string& url, const std::optional<Origin>& origin) override {
    if (!origin) {
      flush();
      report_error(command, "\"" + printable_url(url) +
                                "\" has no http or https site to look up in the database; write https://HOST/PATH");
      not_asked();
      return false;
    }
    if (!last_ || *last_ != *origin) {
      last_ = origin;
      name_ = origin->robots_url();
      kept_ = kept_robots(*store_, *origin, policy_);
      rules_.clear();
      for (const AskedRobot& robot : robots_) rules_.push_back(kept_.rules(*origin, robot.agent, dialect_));
      if (!kept_.error.empty()) {
        flush();
        complain(command, kept_.error);
      }
    }
    bool all_allowed = true;
    for (std::size_t i = 0; i < robots_.size(); ++i) {
      const bool allowed = answer_for(robots_[i], rules_[i], url);
      all_allowed = all_allowed && allowed;
    }
    return all_allowed;
  }

  bool answer_for(const AskedRobot& robot, const Rules& rules, const std::string& url) {
    if (kept_.state == RobotsState::unknown) return print(url, robot, Verdict(), name_);
    const Verdict verdict = check_as_sent(rules, url);
    if (has_rules(kept_.state) || verdict.why() == Why::robots_txt) return print(url, robot, verdict, name_);
    Answer answer{.robot = robot, .access = access_in(kept_.state, verdict), .file = name_};
    auto why = without_rules(kept_.record->outcome, kept_.record->status, {}, policy_.name, answer.access);
    answer.code = why.code;
    answer.sentence = std::move(why.sentence);
    return print(url, answer);
  }

  std::shared_ptr<Store> store_;
  RobotsPolicy policy_;
  std::optional<Origin> last_;
  std::string name_;
  KeptRobots kept_;
  std::vector<Rules> rules_;  // one for each robot
};

// Returns false after an input error.
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
  report_error(command, lines.error());
  return false;
}

int check_all(const std::vector<std::string>& urls, Checker& checker) {
  bool read = true;
  for (const std::string& url : urls) {
    if (url != "-") {
      checker.check(url);
    } else {
      read = check_standard_input(checker);
    }
    if (!read) break;
  }
  checker.finish();
  if (!read || !checker.all_asked()) return exit_error;
  return checker.all_allowed() ? exit_yes : exit_no;
}

Result<CheckOptions> read_options(const Given& given) {
  CheckOptions options;
  auto network = read_network(given);
  if (!network) return network.error();
  options.network = std::move(network).value();
  options.all_dialects = given.text("dialect") == all_dialects;
  const auto dialect = choose_dialect(options.all_dialects ? std::nullopt : given.text("dialect"));
  if (!dialect) return dialect.error();
  options.dialect = dialect.value();
  options.robots = given.text("robots");
  options.db = given.text("db");
  options.offline = given.has("offline");
  options.explain = given.has("explain");
  options.json = given.has("json");
  options.urls = given.operands;
  auto asked = read_asked_robots(given);
  if (!asked) return asked.error();
  options.asked = std::move(asked).value();
  return options;
}

// Returns a sentence if the options exclude each other, else an empty string.
std::string_view contradiction_in(const CheckOptions& options) {
  const auto from_standard_input =
      std::ranges::count(options.urls, "-") + (!options.db && options.robots == "-" ? 1 : 0);
  if (options.robots && options.db) return "--robots and --db are two sources of rules; give only one";
  if (options.robots) {
    if (from_standard_input > 1) {
      return "standard input can be read only once; give \"-\" once, for --robots or for the URLs";
    }
    const bool fetches = options.offline && is_url(*options.robots);
    return fetches ? "--offline fetches nothing, but --robots is a URL; give a file" : "";
  }
  if (options.all_dialects) return "--dialect all needs one file: give --robots FILE or --robots URL";
  if (options.offline && !options.db) return "--offline needs stored rules: give --db PATH or --robots FILE";
  return from_standard_input > 1 ? "standard input can be read only once, but \"-\" is given twice; give it once" : "";
}

// Opens the store of --db, and creates it if it does not exist, except with --offline; else a store in memory.
Result<std::shared_ptr<Store>> open_store_of(const CheckOptions& options) {
  if (!options.db) return make_memory_store({.limit_bytes = memory_for_files});
  StoreOptions store_options;
  store_options.sqlite.create = !options.offline;
  return open_store(*options.db, store_options);
}

// Uses one file per site: from the database, from the network, or from both.
int check_sites(CheckOptions options) {
  AskedRobots& asked = options.asked;
  for (const std::string& note : asked.notes) complain(command, note);
  auto store = open_store_of(options);
  if (!store) return refuse(command, store.error().message);
  const auto kept = store.value()->agent();  // the robot that the database belongs to
  if (!kept) return refuse(command, kept.error().message);
  if (!asked.is_given && !kept.value().empty()) asked.robots = {AskedRobot(kept.value(), kept.value())};
  const auto policy = policy_over(*store.value(), options.network.policy);
  if (!policy) return refuse(command, policy.error().message);
  options.network.policy.policy = policy.value();
  if (options.offline) {
    FromDatabase checker(options, std::move(store).value(), policy.value());
    return check_all(options.urls, checker);
  }
  // A question about another robot must not clear the database, so requests go out under the database's robot.
  const std::string fetching = kept.value().empty() ? asked.robots.front().name : kept.value();
  auto rules = RobotRules::open(std::move(store).value(), fetching, *options.dialect);
  if (!rules) return refuse(command, rules.error().message);
  auto fetcher =
      make_robot(options.network, asked.first, fetching, std::make_shared<RobotRules>(std::move(rules).value()));
  if (!fetcher) return refuse(command, fetcher.error().message);
  warn_without_certificates(command, options.network.connection.tls);
  const auto checker = check_fetched(options, policy.value().name, std::move(fetcher).value());
  return check_all(options.urls, *checker);
}

// Uses the file of --robots for every URL.
int check_file(const CheckOptions& options) {
  SourceBytes file = Sources(options.network, command, Sources::Excess::cut, options.asked.first, options.offline)
                         .read(*options.robots);
  if (!file.ok()) return refuse(command, file.error);
  for (const std::string& note : options.asked.notes) complain(command, note);
  std::error_code ignored;
  for (const std::string& url : options.urls) {
    if (url != "-" && url.find('/') == std::string::npos && std::filesystem::is_regular_file(url, ignored)) {
      complain(command, "note: \"" + printable_url(url) +
                            "\" is read as a path of the site; to check the URLs in the file " +
                            "of this name, write \"-\" in its place and redirect the file to standard input");
    }
  }
  note_content(command, *options.robots, file, RobotsTxt::parse(file.bytes, *options.dialect));
  const std::unique_ptr<Checker> checker = options.all_dialects ? check_all_dialects(options, std::move(file))
                                                                : std::make_unique<FromFile>(options, std::move(file));
  return check_all(options.urls, *checker);
}

}  // namespace

void Checker::check(const std::string& text) {
  const std::string url = takes_paths() ? read_url_or_path(text) : read_url(text);
  const std::optional<Origin> origin = Origin::of(url);
  // A forgotten "https://" must not turn "disallowed" into "allowed". Some dialects also answer for other schemes.
  const bool other_scheme = knows_other_schemes() && url.find(':') != std::string::npos;
  if (!origin && !url.starts_with('/') && !other_scheme) {
    report_error(command, "\"" + printable_url(url) +
                              "\" is not an http or https URL and does not begin with \"/\"; write https://HOST/PATH");
    all_asked_ = false;
    return;
  }
  all_allowed_ = answer(url, origin) && all_allowed_;
}

std::string Checker::text_of(const std::string& url, const AskedRobot& robot) const {
  return printable_url(url) + (robots_.size() > 1 ? "\t" + base::printable(robot.name) : "");
}

std::string Checker::json_head(const std::string& url, const AskedRobot& robot, std::string_view dialect) const {
  std::string head = "{\"url\":";
  const std::string shown = base::without_userinfo(url);
  base::append_json(head, shown);
  if (!base::is_utf8(shown)) head += ",\"url_b64\":\"" + base::base64(shown) + "\"";
  head += ",\"agent\":";
  base::append_json(head, robot.name);
  if (robot.is_special()) {
    head += ",\"tokens\":[";
    bool first = true;
    for (const std::string& name : robot.names()) {
      if (!std::exchange(first, false)) head += ',';
      base::append_json(head, name);
    }
    head += robot.agent.ignores_star ? "],\"ignores_star\":true" : "],\"ignores_star\":false";
  }
  if (may_ignore(robot.obeys)) {
    head.append(",\"obeys_robots\":\"").append(to_string(robot.obeys)).append("\"");
  }
  head += ",\"dialect\":";
  base::append_json(head, dialect);
  return head + ',';
}

int run_check(const Given& given) {
  auto options = read_options(given);
  if (!options) return refuse(command, options.error().message);
  if (const auto wrong = contradiction_in(options.value()); !wrong.empty()) return refuse(command, wrong);
  return options->robots ? check_file(options.value()) : check_sites(std::move(options).value());
}

}  // namespace robotrules::cli
