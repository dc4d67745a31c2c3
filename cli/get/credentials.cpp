#include "cli/get/credentials.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <robotrules/origin.hpp>
#include <robotrules/url.hpp>

#include "base/ascii.hpp"
#include "cli/flags/values.hpp"
#include "cli/io/input.hpp"

namespace robotrules::cli {
namespace {

struct SiteAccess {
  Origin site;
  UserPassword access;
};

// Reads "example.org=ann:secret"; null if it is not of this form.
std::optional<SiteAccess> read_site_access(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = equals == std::string_view::npos ? equals : text.find(':', equals);
  if (colon == std::string_view::npos || colon == equals + 1) return std::nullopt;
  std::string site(text.substr(0, equals));
  if (site.find("://") == std::string::npos) site.insert(0, "https://");
  if (site.find_first_of("/?#@", site.find("://") + 3) != std::string::npos) return std::nullopt;
  const auto url = plain_url(site);
  const auto origin = url ? Origin::of(url.value()) : std::nullopt;
  if (!origin) return std::nullopt;
  return SiteAccess{*origin,
                    {std::string(text.substr(equals + 1, colon - equals - 1)), std::string(text.substr(colon + 1))}};
}

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

// Returns the entries of --netrc-file, or of ~/.netrc with --netrc.
Result<std::vector<NetrcMachine>> read_netrc_of(const Options& options) {
  if (!options.netrc && !options.netrc_file) return std::vector<NetrcMachine>();
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  if (!options.netrc_file && home == nullptr) {
    return Error{"file-unreadable", "--netrc: the variable HOME is not set; name the file with --netrc-file"};
  }
  const FileBytes file = read_file(options.netrc_file ? *options.netrc_file : std::string(home) + "/.netrc");
  if (!file.ok()) return Error{"file-unreadable", (options.netrc_file ? "--netrc-file: " : "--netrc: ") + file.error};
  return read_netrc(file.bytes);
}

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

std::string near_site_of_user(const Options& options, std::string_view url) {
  const auto origin = Origin::of(url);
  std::string near;
  for (const std::string& text : options.users) {
    const auto known = read_site_access(text);
    if (!origin || !known || known->site.host != origin->host) continue;
    if (known->site == *origin) return {};
    near = known->site.to_string();
  }
  return near;
}

Result<CredentialsFor> choose_credentials(const Options& options) {
  std::vector<SiteAccess> sites;
  for (const std::string& text : options.users) {
    auto site = read_site_access(text);
    if (!site) return bad_value(flag_for(&Options::users), text);
    sites.push_back(*std::move(site));
  }
  auto machines = read_netrc_of(options);
  if (!machines) return machines.error();
  if (sites.empty() && machines.value().empty()) return CredentialsFor();
  return CredentialsFor([sites = std::move(sites), machines = std::move(machines).value()](
                            std::string_view, std::string_view url) -> std::optional<UserPassword> {
    const auto origin = Origin::of(url);
    if (!origin) return std::nullopt;
    const auto site =
        std::find_if(sites.begin(), sites.end(), [&](const SiteAccess& one) { return one.site == *origin; });
    if (site != sites.end()) return site->access;
    const auto machine = std::find_if(machines.begin(), machines.end(), [&](const NetrcMachine& one) {
      return base::equals_ignore_case(one.host, origin->host);
    });
    return machine == machines.end() ? std::nullopt : std::optional(machine->access);
  });
}

}  // namespace robotrules::cli
