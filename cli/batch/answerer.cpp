#include "cli/batch/answerer.hpp"

#include <functional>
#include <optional>

#include <robotrules/rules.hpp>

#include "base/base64.hpp"
#include "base/escape.hpp"
#include "base/json_text.hpp"
#include "base/userinfo.hpp"
#include "cli/flags/flag_choice.hpp"
#include "cli/io/verdict_json.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t recent_slots = 32768;                      // a power of two
constexpr std::size_t max_recent_bytes = std::size_t{32} << 20;  // per thread; threads share most of them
constexpr std::size_t keep_scratch = 1 << 20;                    // larger buffers are released

void give_back(std::string& buffer) {
  if (buffer.capacity() > keep_scratch) std::string().swap(buffer);
}

// Returns why `host` cannot be the name of a file; empty if it can.
std::string_view refused_host(std::string_view host) {
  if (host.empty()) return "an empty host";
  if (host == ".") return "the host \".\"";
  char before = '\0';
  for (const char c : host) {
    if (c == '/') return "a host with \"/\"";
    if (c == '\0') return "a host with a NUL";
    if (c == '.' && before == '.') return "a host with \"..\"";
    before = c;
  }
  return {};
}

std::string robots_url_of(std::string_view url) {
  const auto origin = Origin::of(url);
  return origin ? origin->robots_url() : std::string();
}

bool needs_url(const Dialect& dialect) noexcept { return dialect.rule_value == Dialect::RuleValue::url_reference; }

}  // namespace

Answerer::Answerer(const BatchDefaults& defaults, Library& library)
    : defaults_(defaults), library_(library), recent_(recent_slots) {}

void Answerer::append_error(std::string& out, std::string_view error, std::uint64_t number) {
  out += "{\"error\":";
  base::append_json(out, error);
  out += ",\"input_line\":" + std::to_string(number) + "}\n";
}

bool Answerer::answer(std::string_view line, std::uint64_t number, std::string& out) {
  error_.clear();
  const bool answered = answer_question(line, out);
  if (!answered) append_error(out, error_, number);
  return answered;
}

bool Answerer::answer_question(std::string_view line, std::string& out) {
  if (line.size() > max_question_bytes) {
    error_ = "the line is longer than 16 MiB; put the robots.txt into a file under --robots-dir";
    return false;
  }
  Question question;
  error_ = reader_.read(line, question);
  if (!error_.empty()) return false;
  if (!question.url) {
    error_ = "the member \"url\" is missing; add it";
    return false;
  }
  url_ = *question.url;
  const Dialect* dialect = defaults_.dialect;
  if (question.dialect) {
    dialect = Dialect::find(*question.dialect);
    if (dialect == nullptr) {
      error_ = unknown_dialect(*question.dialect);
      return false;
    }
  }
  const std::string_view header = question.agent ? *question.agent : std::string_view(defaults_.header);
  const std::string_view name = question.agent ? robot_of(header) : std::string_view(defaults_.agent);
  if (name.empty()) {
    error_ = "\"agent\" contains no robot name; give a name such as FooBot, or a User-Agent header";
    return false;
  }
  const std::string_view agent = dialect->whole_header ? header : name;
  const bool reduced = agent != header;
  const Compiled* const compiled = find(question, *dialect, agent);
  if (compiled == nullptr) return false;
  reader_.append_members(out);
  if (reduced) {
    out += "\"robot\":";
    base::append_json(out, agent);
    out += ',';
  }
  const Verdict verdict = compiled->rules.check(url_);
  append_verdict(out, access_in(compiled->state, verdict), verdict.rule(), scratch_);
  out += "}\n";
  return true;
}

// Caches the last header: headers repeat, and comparing is cheaper than parsing.
std::string_view Answerer::robot_of(std::string_view agent) {
  if (agent == header_) return robot_;
  const std::string_view robot = robot_name(agent);
  if (robot == agent) return robot;
  header_ = agent;
  robot_ = robot;
  return robot_;
}

const Compiled* Answerer::find(const Question& question, const Dialect& dialect, std::string_view agent) {
  if (question.robots && question.robots_b64) {
    error_ = "both \"robots\" and \"robots_b64\" are given; give one of them";
    return nullptr;
  }
  if (question.robots) return find_inline(*question.robots, dialect, agent);
  if (question.robots_b64) {
    give_back(decoded_);
    if (!base::decode_base64(*question.robots_b64, decoded_)) {
      error_ = "\"robots_b64\" is not base64 (RFC 4648, with + and /)";
      return nullptr;
    }
    return find_inline(decoded_, dialect, agent);
  }
  if (library_.names() == Library::Names::none) {
    error_ = "no robots.txt is given; add \"robots\" or \"robots_b64\", or start with --robots-dir DIR or --db PATH";
    return nullptr;
  }
  return find_file(question, dialect, agent);
}

const Compiled* Answerer::find_inline(std::string_view robots, const Dialect& dialect, std::string_view agent) {
  robots_url_.clear();
  if (needs_url(dialect)) robots_url_ = robots_url_of(url_);
  if (inline_dialect_ == &dialect && inline_agent_ == agent && inline_url_ == robots_url_ && inline_robots_ == robots) {
    return &inline_compiled_;
  }
  inline_dialect_ = nullptr;  // in case compile() runs out of memory
  inline_compiled_.rules = Rules::compile(robots, agent, dialect, robots_url_);
  give_back(inline_robots_);
  inline_robots_ = robots;
  inline_agent_ = agent;
  inline_url_ = robots_url_;
  inline_dialect_ = &dialect;
  return &inline_compiled_;
}

bool Answerer::take_origin(const Question& question) {
  const std::optional<Origin> origin =
      question.host ? Origin::of("https://" + std::string(*question.host)) : Origin::of(url_);
  if (!origin) {
    error_ = question.host ? "\"host\" is not a host; write a name such as example.org"
                           : "the URL has no http or https origin; add \"host\"";
    return false;
  }
  host_ = origin->to_string();
  return true;
}

bool Answerer::take_host(const Question& question) {
  if (library_.names() == Library::Names::origins) return take_origin(question);
  if (question.host) {
    if (const auto refused = refused_host(*question.host); !refused.empty()) {
      error_.append(refused).append(" cannot be the name of a file under --robots-dir");
      return false;
    }
    host_ = *question.host;
    return true;
  }
  std::optional<Origin> origin = Origin::of(url_);
  if (!origin) {
    error_ = "the URL \"" + base::printable(base::without_userinfo(url_).substr(0, 200)) +
             "\" has no http or https origin; add \"host\", \"robots\" or \"robots_b64\"";
    return false;
  }
  if (const auto refused = refused_host(origin->host); !refused.empty()) {
    error_.append("the URL has ").append(refused).append("; add \"host\", \"robots\" or \"robots_b64\"");
    return false;
  }
  host_ = std::move(origin->host);
  return true;
}

// Stores `held_` in its slot. If all slots together become too large, all are emptied first.
void Answerer::keep(Recent& slot, std::size_t hash) {
  const std::size_t bytes = held_->bytes();
  if (recent_bytes_ + bytes > max_recent_bytes) {
    for (Recent& each : recent_) each.compiled.reset();
    recent_bytes_ = 0;
  }
  if (bytes > max_recent_bytes) return;
  if (slot.compiled != nullptr) recent_bytes_ -= slot.compiled->bytes();
  slot.hash = hash;
  slot.compiled = held_;
  recent_bytes_ += bytes;
}

const Compiled* Answerer::find_file(const Question& question, const Dialect& dialect, std::string_view agent) {
  if (!take_host(question)) return nullptr;
  robots_url_.clear();
  if (needs_url(dialect)) robots_url_ = robots_url_of(url_);

  // A host contains no "/", and a dialect's name or robots.txt URL contains no NUL: different questions have different
  // keys.
  key_.assign(host_).append("/").append(dialect.name).append("/").append(robots_url_);
  key_ += '\0';
  key_ += agent;
  const std::size_t hash = std::hash<std::string_view>{}(key_);
  Recent& recent = recent_[hash & (recent_slots - 1)];
  const Compiled* compiled = recent.compiled.get();
  if (compiled == nullptr || recent.hash != hash || compiled->key != key_) {
    held_ = library_.compiled({key_, hash, host_, agent, &dialect, robots_url_});
    compiled = held_.get();
    keep(recent, hash);
  }
  if (!compiled->error.empty()) {
    error_ = compiled->error;
    return nullptr;
  }
  return compiled;
}

}  // namespace robotrules::cli
