// Names and passwords of hosts in a netrc file.
#include <algorithm>
#include <utility>

#include <robotrules/url.hpp>
#include <robotrules/user_agent.hpp>

#include "base/ascii.hpp"

namespace robotrules {
namespace {

// Takes a word from the front of a line: up to a space, or in quotes with escapes.
std::string take_word(std::string_view& line) {
  std::string word;
  if (!line.starts_with('"')) {
    const auto end = std::find_if(line.begin(), line.end(), base::is_space);
    word.assign(line.begin(), end);
    line.remove_prefix(word.size());
    return word;
  }
  std::size_t at = 1;
  for (; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size()) ++at;
    word += line[at];
  }
  line.remove_prefix(std::min(at + 1, line.size()));
  return word;
}

class NetrcReader {
 public:
  void read_line(std::string_view line) {
    line = base::trimmed(line);
    if (line.empty()) in_macro_ = false;
    if (in_macro_ || line.starts_with('#')) return;
    for (; !line.empty() && !in_macro_; line = base::trimmed(line)) read_word(take_word(line));
  }

  std::vector<NetrcMachine> take_machines() {
    std::erase_if(machines_, [](const NetrcMachine& one) { return one.host.empty() || one.access.user.empty(); });
    return std::move(machines_);
  }

 private:
  void read_word(std::string word) {
    if (value_ != nullptr) {
      *std::exchange(value_, nullptr) = std::move(word);
    } else if (word == "machine" || word == "default") {
      machines_.emplace_back();
      if (word == "machine") value_ = &machines_.back().host;
    } else if (word == "login") {
      value_ = machines_.empty() ? &unused_ : &machines_.back().access.user;
    } else if (word == "password") {
      value_ = machines_.empty() ? &unused_ : &machines_.back().access.password;
    } else if (word == "account") {
      value_ = &unused_;
    } else if (word == "macdef") {
      in_macro_ = true;  // up to an empty line
    }
  }

  std::vector<NetrcMachine> machines_;
  std::string* value_ = nullptr;  // gets the next word
  std::string unused_;
  bool in_macro_ = false;
};

}  // namespace

std::vector<NetrcMachine> read_netrc(std::string_view text) {
  NetrcReader reader;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take_machines();
}

std::optional<UserPassword> netrc_access(std::span<const NetrcMachine> machines, std::string_view url) {
  const auto origin = Origin::of(url);
  if (!origin) return std::nullopt;
  const auto machine = std::ranges::find_if(
      machines, [&](const NetrcMachine& one) { return base::equals_ignore_case(one.host, origin->host); });
  return machine == machines.end() ? std::nullopt : std::optional(machine->access);
}

}  // namespace robotrules
