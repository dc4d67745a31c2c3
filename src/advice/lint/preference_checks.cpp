// Checks Content-Signal ("ai-train=no") and Content-Usage ("train-ai=n"). The most common fault in such lines is mixing
// the two vocabularies.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/extensions.hpp>

#include "advice/lint/checks.hpp"
#include "base/ascii.hpp"
#include "core/structured_field.hpp"

namespace robotrules::advice {
namespace {

bool is_one_of(std::string_view word, std::string_view a, std::string_view b) noexcept {
  return base::equals_ignore_case(word, a) || base::equals_ignore_case(word, b);
}

struct Member {
  std::string_view whole;
  std::string_view key;
  std::string_view value;
  bool has_value = false;
};

// Returns the members of `list`, which is separated by commas.
std::vector<Member> members_of(std::string_view list) {
  std::vector<Member> members;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    Member member;
    member.whole = base::trimmed(list.substr(begin, end - begin));
    const std::size_t equals = member.whole.find('=');
    member.has_value = equals != std::string_view::npos;
    member.key = base::trimmed(member.whole.substr(0, equals));
    if (member.has_value) member.value = base::trimmed(member.whole.substr(equals + 1));
    if (!member.whole.empty()) members.push_back(member);
    begin = end + 1;
  }
  return members;
}

const char* const signal_form = "Write \"search=yes, ai-input=no, ai-train=no\": the values are yes and no.";
const char* const usage_form =
    "Write \"train-ai=n, search=y\", with or without a path before it: lower case, a comma between, y or n.";

}  // namespace

void check_content_signal(const LintLine& line, Findings& findings) {
  bool told = false;
  const auto add = [&](Code code, std::string_view place, const Sentence& message, const Sentence& remedy,
                       std::vector<LineEdit> edits = {}) {
    told = true;
    findings.add(code, line.number, line.column(place), message, remedy, std::move(edits));
  };
  for (const Member& member : members_of(line.lexed.value)) {
    const bool own_key =
        is_one_of(member.key, "search", "ai-input") || base::equals_ignore_case(member.key, "ai-train");
    if (is_one_of(member.key, "train-ai", "ai-use")) {
      const bool train = base::equals_ignore_case(member.key, "train-ai");
      add(Code::mixed_preference_vocabulary, member.whole,
          {"{} is a word of Content-Usage; readers of Content-Signal skip it.", {quote(member.key)}},
          train ? "Write \"ai-train=yes\" or \"ai-train=no\"." : "Write \"ai-input=yes\" or \"ai-input=no\".");
    } else if (own_key && is_one_of(member.value, "y", "n")) {
      const std::string spelled =
          std::string(member.key) + (base::equals_ignore_case(member.value, "y") ? "=yes" : "=no");
      add(Code::mixed_preference_vocabulary, member.whole,
          {"{} has a value of Content-Usage; the values of Content-Signal are yes and no.", {quote(member.whole)}},
          {"Write {}.", {quote(spelled)}}, line.edit(member.whole, spelled));
    } else if (own_key && !is_one_of(member.value, "yes", "no")) {
      add(Code::bad_content_signal, member.whole, {"{} says neither yes nor no.", {quote(member.whole)}}, signal_form);
    } else if (!own_key && !member.has_value) {
      add(Code::bad_content_signal, member.whole, {"{} is not a signal with a value.", {quote(member.whole)}},
          signal_form);
    } else if (!own_key && !base::equals_ignore_case(member.key, "use")) {
      add(Code::unknown_preference, member.whole, {"{} is not a signal of Content-Signal.", {quote(member.key)}},
          "The signals are search, ai-input and ai-train.");
    }
  }
  if (!told && !parse_content_signal(line.lexed.value)) {
    add(Code::bad_content_signal, line.lexed.value, {"{} contains no signal.", {quote(line.lexed.value)}}, signal_form);
  }
}

void check_content_usage(const LintLine& line, Findings& findings) {
  const std::string_view value = line.lexed.value;
  std::string_view list = value;
  const auto add = [&](Code code, std::string_view place, const Sentence& message, const Sentence& remedy,
                       std::vector<LineEdit> edits = {}) {
    findings.add(code, line.number, line.column(place), message, remedy, std::move(edits));
  };
  if (value.starts_with('/')) {
    const auto end = std::find_if(value.begin(), value.end(), base::is_space);
    list = value.substr(static_cast<std::size_t>(end - value.begin()));
  }
  bool mixed = false;
  for (const Member& member : members_of(list)) {
    if (is_one_of(member.key, "ai-train", "ai-input")) {
      mixed = true;
      const bool train = base::equals_ignore_case(member.key, "ai-train");
      add(Code::mixed_preference_vocabulary, member.whole,
          {"{} is a word of Content-Signal; readers of Content-Usage skip it.", {quote(member.key)}},
          train ? "Write \"train-ai=y\" or \"train-ai=n\"." : "Write \"ai-use=y\" or \"ai-use=n\".");
    } else if (is_one_of(member.value, "yes", "no")) {
      const std::string spelled =
          std::string(member.key) + (base::equals_ignore_case(member.value, "yes") ? "=y" : "=n");
      mixed = true;
      add(Code::mixed_preference_vocabulary, member.whole,
          {"{} has a value of Content-Signal; the values of Content-Usage are y and n.", {quote(member.whole)}},
          {"Write {}.", {quote(spelled)}}, line.edit(member.whole, spelled));
    }
  }
  if (mixed) return;
  if (!parse_content_usage(value)) {
    add(Code::bad_content_usage, value, {"{} cannot be read and is ignored as a whole.", {quote(value)}}, usage_form);
    return;
  }
  for (std::size_t at = list.find(';'); at != std::string_view::npos; at = list.find(';', at + 1)) {
    const std::string_view behind = base::trimmed(list.substr(at + 1));
    if (behind.starts_with("train-ai=") || behind.starts_with("ai-use=") || behind.starts_with("search=")) {
      add(Code::bad_content_usage, behind,
          {"{} comes after a \";\", so it is a parameter and has no effect.", {quote(behind)}}, usage_form);
      return;
    }
  }
  core::DictionaryReader reader(base::trimmed(list));
  core::DictionaryMember member;
  while (reader.next(member)) {
    const bool own_key = member.key == "train-ai" || member.key == "ai-use" || member.key == "search";
    if (!own_key) {
      add(Code::unknown_preference, member.key, {"{} is not a preference of Content-Usage.", {quote(member.key)}},
          "The preferences are train-ai, ai-use and search.");
    } else if (member.value != "y" && member.value != "n") {
      add(Code::bad_content_usage, member.key,
          {"{} has the value {}, which says neither y nor n.", {quote(member.key), quote(member.value)}}, usage_form);
    }
  }
}

}  // namespace robotrules::advice
