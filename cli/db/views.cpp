// robotrules db PATH ls | show | why | stats | forget | prune: inspects a database and deletes entries.
#include <nlohmann/json.hpp>

#include <robotrules/open_store.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/rules.hpp>
#include <robotrules/url.hpp>
#include <robotrules/url_queue.hpp>

#include "base/escape.hpp"
#include "base/time_text.hpp"
#include "base/userinfo.hpp"
#include "cli/db/actions.hpp"
#include "cli/db/source.hpp"
#include "cli/io/json_lines.hpp"
#include "cli/io/robots_facts.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

// Returns the origin of a URL, or the https origin of a host.
std::optional<Origin> origin_of(const std::string& text) {
  return Origin::of(text.find("://") == std::string::npos ? "https://" + text : text);
}

int no_origin(const std::string& text) {
  return refuse(db_command,
                "\"" + printable_url(text) + "\" is not an http or https site; give a URL such as https://example.org");
}

// Returns the state of a record: "fresh", "expired", "stale" (the last good copy is used), or else the outcome.
std::string_view state_of(const RobotsRecord& record, const RobotsPolicy& policy, Timestamp now) {
  const RobotsState state = robots_state(&record, policy, now);
  if (state == RobotsState::stale) return to_string(state);
  if (record.outcome != RobotsOutcome::rules) return to_string(record.outcome);
  return state == RobotsState::unknown ? "expired" : "fresh";
}

// Returns the end of the pause that the server asked for, limited to the time for which a robot obeys it.
Timestamp penalty_until(const GateState& gate, Timestamp now) {
  return std::min(gate.penalty_until, now + ReserveRequest().max_penalty);
}

// Returns null if the robots.txt never came.
nlohmann::ordered_json fetched_at(const RobotsRecord& record) {
  if (record.fetched_at == Timestamp{}) return nullptr;
  return base::time_text(record.fetched_at);
}

nlohmann::ordered_json gate_json(const GateState& gate, Timestamp now) {
  nlohmann::ordered_json object;
  object["visits"] = gate.visits;
  object["last_visit"] = gate.last_visit ? nlohmann::ordered_json(base::time_text(*gate.last_visit)) : nullptr;
  object["interval_ms"] = gate.interval.count() / 1000;
  object["interval_source"] = to_string(gate.source);
  object["next_at"] = gate.next_at() > now ? nlohmann::ordered_json(base::time_text(gate.next_at())) : nullptr;
  const Timestamp penalty = penalty_until(gate, now);
  object["penalty_until"] = penalty > now ? nlohmann::ordered_json(base::time_text(penalty)) : nullptr;
  object["incidents"] = gate.incidents;
  object["away_until"] = gate.away_until > now ? nlohmann::ordered_json(base::time_text(gate.away_until)) : nullptr;
  object["failures"] = gate.failures;
  object["in_flight"] = gate.in_flight;
  return object;
}

std::string reason_of(const KeptRobots& kept, const Origin& origin, const Verdict& verdict, const RobotsPolicy& policy,
                      Access access) {
  if (kept.record == nullptr) {
    return "the database has no robots.txt of " + origin.to_string() + ", so it must be fetched first";
  }
  if (kept.state == RobotsState::unknown) {
    return "the stored robots.txt expired at " + base::time_text(kept.record->fresh_until) +
           ", so it must be fetched again";
  }
  if (has_rules(kept.state) || verdict.why() == Why::robots_txt) return verdict.explanation();
  return without_rules(kept.record->outcome, kept.record->status, {}, policy.name, access).sentence;
}

// Returns the rule of the robot's program that disallows the URL (RobotRules::push_rules()), as text; empty: there is
// none.
Result<std::string> own_rule_against(Store& store, const std::string& url) {
  const auto opened = RobotRules::open(std::shared_ptr<Store>(std::shared_ptr<void>(), &store));
  if (!opened) return opened.error();
  const auto own = opened.value().own_rules(url);
  if (!own) return std::string();
  const Verdict verdict = check_as_sent(*own, url);
  return verdict.allowed() || !verdict.rule() ? std::string() : verdict.rule()->text();
}

struct Wait {
  Timestamp until;
  std::string because = "no wait is required";
};

// Returns the longest of the waits for the next visit. `unknown_before`: visits before this time may be lost.
Wait wait_of(const GateState& state, const std::optional<Timestamp>& unknown_before, Timestamp now) {
  Wait longest{now};
  const auto wait = [&longest](Timestamp until, std::string because) {
    if (until > longest.until) longest = {until, std::move(because)};
  };
  wait(state.next_at(), "the interval of " + base::span_text(state.interval) + " (" +
                            std::string(to_string(state.source)) + ") since the last visit" +
                            (state.last_visit ? " at " + base::time_text(*state.last_visit) : ""));
  if (unknown_before) {
    wait(*unknown_before + state.interval, "visits before " + base::time_text(*unknown_before) + " are unknown");
  }
  wait(penalty_until(state, now),
       "the server asked for a pause (" + counted(state.incidents, "incident") + " in a row)");
  wait(state.away_until, "it gave no answer (" + counted(state.failures, "request") + " in a row)");
  if (state.first_hold_ends) wait(*state.first_hold_ends, counted(state.in_flight, "request") + " in flight");
  return longest;
}

}  // namespace

int db_list(Store& store, const PolicyChoice& chosen, bool json) {
  const auto policy = policy_over(store, chosen);
  if (!policy) return refuse(db_command, policy.error().message);
  Output out;
  const Timestamp now = store.now();
  const auto done = store.for_each_origin([&](const Origin& origin, const RobotsRecord& record) {
    const std::string_view state = state_of(record, policy.value(), now);
    const std::size_t size = record.body == nullptr ? 0 : record.body->size();
    if (json) {
      nlohmann::ordered_json object;
      object["origin"] = origin.to_string();
      object["state"] = state;
      object["status"] = record.status;
      object["bytes"] = size;
      object["fetched_at"] = fetched_at(record);
      object["fresh_until"] = base::time_text(record.fresh_until);
      out << json_line(object);
      return true;
    }
    const auto at = fetched_at(record);
    out << state << "\t" << std::to_string(record.status) << "\t" << std::to_string(size) << "\t"
        << (at.is_null() ? "-" : at.get<std::string>()) << "\t" << origin.to_string() << "\n";
    return true;
  });
  return done ? exit_yes : refuse(db_command, done.error().message);
}

int db_show(Store& store, const PolicyChoice& chosen, bool json, const std::string& argument) {
  const auto origin = origin_of(argument);
  if (!origin) return no_origin(argument);
  const auto found = store.robots(*origin);
  if (!found) return refuse(db_command, found.error().message);
  const auto gate = store.gate(gate_key(*origin));
  if (!gate) return refuse(db_command, gate.error().message);
  const auto policy = policy_over(store, chosen);
  if (!policy) return refuse(db_command, policy.error().message);
  if (found.value() == nullptr && gate.value().visits == 0) {
    complain(db_command, "the database has no entry for " + origin->to_string());
    return exit_no;
  }
  const Timestamp now = store.now();
  Output out;
  nlohmann::ordered_json object;
  object["origin"] = origin->to_string();
  if (const RobotsRecord* record = found.value().get()) {
    object["state"] = state_of(*record, policy.value(), now);
    object["outcome"] = to_string(record->outcome);
    object["status"] = record->status;
    object["url"] = record->url;
    if (!record->hops.empty()) object["hops"] = record->hops;
    if (record->truncated) object["truncated"] = true;
    object["fetched_at"] = fetched_at(*record);
    object["fresh_until"] = base::time_text(record->fresh_until);
    if (!record->etag.empty()) object["etag"] = record->etag;
    if (!record->last_modified.empty()) object["last_modified"] = record->last_modified;
    if (record->failing_since) object["failing_since"] = base::time_text(*record->failing_since);
    if (record->failures != 0) object["failures"] = record->failures;
  }
  object["gate"] = gate_json(gate.value(), now);
  if (json) {
    if (found.value() != nullptr && found.value()->body != nullptr) object["robots"] = *found.value()->body;
    out << json_line(object);
    return exit_yes;
  }
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) {
      for (const auto& [inner, of] : value.items()) {
        out << "gate." << inner << ": " << base::printable(of.is_string() ? of.get<std::string>() : of.dump()) << "\n";
      }
      continue;
    }
    out << name << ": " << base::printable(value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
  }
  if (found.value() == nullptr || found.value()->body == nullptr) return exit_yes;
  out << "\n";
  std::string_view body = *found.value()->body;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size());
    std::string_view line = body.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out << base::printable(line) << "\n";
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return exit_yes;
}

// Prints when a URL may be fetched next, and why then.
int db_why(Store& store, const PolicyChoice& chosen, bool json, const std::string& argument) {
  const auto origin = Origin::of(argument);
  if (!origin) return no_origin(argument);
  const auto agent = store.agent();
  if (!agent) return refuse(db_command, agent.error().message);
  const auto policy = policy_over(store, chosen);
  if (!policy) return refuse(db_command, policy.error().message);
  const KeptRobots kept = kept_robots(store, *origin, policy.value());
  if (!kept.error.empty()) return refuse(db_command, kept.error);
  const auto gate = store.gate(gate_key(*origin));
  if (!gate) return refuse(db_command, gate.error().message);
  const auto visited = store.just_visited();
  if (!visited) return refuse(db_command, visited.error().message);

  const Timestamp now = store.now();
  const Rules rules = kept.rules(*origin, agent.value(), Dialect::rfc9309());
  const Verdict verdict = check_as_sent(rules, argument);
  // A database without a robot has no own rules.
  const auto own_rule = agent.value().empty() ? Result<std::string>(std::string()) : own_rule_against(store, argument);
  if (!own_rule) return refuse(db_command, own_rule.error().message);
  const bool is_closed = !own_rule.value().empty();
  const Access access = is_closed ? Access::disallowed : access_in(kept.state, verdict);
  const std::string reason = is_closed ? "disallowed by \"" + own_rule.value() + "\", a rule of the program itself"
                                       : reason_of(kept, *origin, verdict, policy.value(), access);
  const Wait wait = wait_of(gate.value(), visited.value(), now);

  Output out;
  if (json) {
    nlohmann::ordered_json object;
    object["url"] = base::without_userinfo(argument);
    object["access"] = to_string(access);
    object["reason"] = reason;
    object["next_at"] = base::time_text(wait.until);
    object["wait_ms"] = std::chrono::ceil<std::chrono::milliseconds>(wait.until - now).count();
    object["because"] = wait.because;
    object["gate"] = gate_json(gate.value(), now);
    out << json_line(object);
  } else {
    if (!reason.starts_with(to_string(access))) out << to_string(access) << ": ";
    out << base::printable(reason) << "\n";
    out << (wait.until > now
                ? "not before " + base::time_text(wait.until) + " (in " + base::span_text(wait.until - now) + ")"
                : "at any time")
        << ": " << base::printable(wait.because) << "\n";
  }
  return access == Access::allowed && wait.until <= now ? exit_yes : exit_no;
}

int db_stats(Store& store, const PolicyChoice& chosen, bool json, const std::string& path) {
  const auto stats = store.stats();
  if (!stats) return refuse(db_command, stats.error().message);
  const auto agent = store.agent();
  if (!agent) return refuse(db_command, agent.error().message);
  const auto policy = policy_over(store, chosen);
  if (!policy) return refuse(db_command, policy.error().message);
  nlohmann::ordered_json object;
  object["agent"] = agent.value();
  object["policy"] = policy.value().name;
  object["origins"] = stats.value().origins;
  object["bodies"] = stats.value().bodies;
  object["body_bytes"] = stats.value().body_bytes;
  object["gates"] = stats.value().gates;
  object["stored_bytes"] = stats.value().stored_bytes;
  if (may_have_queues(path)) {
    const auto jobs = list_jobs(path);
    if (!jobs) return refuse(db_command, jobs.error().message);
    std::uint64_t urls = 0;
    for (const QueueJob& job : jobs.value()) urls += job.counts.all();
    object["jobs"] = jobs.value().size();
    object["urls"] = urls;
  }
  if (const std::string problem = store.health().problem; !problem.empty()) object["warning"] = problem;
  Output out;
  if (json) {
    out << json_line(object);
    return exit_yes;
  }
  for (const auto& [name, value] : object.items()) {
    out << name << ": " << base::printable(value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
  }
  return exit_yes;
}

int db_forget(Store& store, const std::string& argument) {
  const auto origin = origin_of(argument);
  if (!origin) return no_origin(argument);
  const auto forgotten = store.forget(*origin);
  if (!forgotten) return refuse(db_command, forgotten.error().message);
  if (!forgotten.value()) {
    complain(db_command, "the database has no entry for " + origin->to_string());
    return exit_no;
  }
  complain(db_command, "deleted the robots.txt of " + origin->to_string() +
                           " and the pause that its server asked for; robotrules get --retry fetches the URLs that "
                           "were left out meanwhile");
  return exit_yes;
}

int db_prune(Store& store, std::chrono::milliseconds age) {
  const auto pruned = store.prune(store.now() - age);
  if (!pruned) return refuse(db_command, pruned.error().message);
  complain(db_command, "deleted " + counted(pruned.value().robots, "robots.txt file") + " and " +
                           counted(pruned.value().gates, "gate"));
  return exit_yes;
}

}  // namespace robotrules::cli
