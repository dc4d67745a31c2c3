#include "cli/get/get_options.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include <robotrules/url.hpp>

#include "cli/io/input.hpp"

namespace robotrules::cli {
namespace {

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

// Returns the entries of --netrc-file, or of ~/.netrc with --netrc.
Result<std::vector<NetrcMachine>> read_netrc_of(const Given& given) {
  const auto named = given.text("netrc-file");
  if (!given.has("netrc") && !named) return std::vector<NetrcMachine>();
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): no thread runs yet
  if (!named && home == nullptr) {
    return Error{"file-unreadable", "--netrc: the variable HOME is not set; name the file with --netrc-file"};
  }
  const FileBytes file = read_file(named ? *named : std::string(home) + "/.netrc");
  if (!file.ok()) return Error{"file-unreadable", (named ? "--netrc-file: " : "--netrc: ") + file.error};
  return read_netrc(file.bytes);
}

}  // namespace

std::string near_site_of_user(const std::vector<SiteAccess>& users, std::string_view url) {
  const auto origin = Origin::of(url);
  std::string near;
  for (const SiteAccess& known : users) {
    if (!origin || known.site.host != origin->host) continue;
    if (known.site == *origin) return {};
    near = known.site.to_string();
  }
  return near;
}

Result<std::vector<SiteAccess>> read_users(const Given& given) {
  std::vector<SiteAccess> sites;
  for (const std::string& text : given.all("user")) {
    auto site = read_site_access(text);
    if (!site) return given.bad("user", text);
    sites.push_back(*std::move(site));
  }
  return sites;
}

Result<CredentialsFor> read_credentials(const Given& given, const std::vector<SiteAccess>& users) {
  auto machines = read_netrc_of(given);
  if (!machines) return machines.error();
  if (users.empty() && machines.value().empty()) return CredentialsFor();
  return CredentialsFor([users, machines = std::move(machines).value()](
                            std::string_view, std::string_view url) -> std::optional<UserPassword> {
    const auto origin = Origin::of(url);
    if (!origin) return std::nullopt;
    const auto site = std::ranges::find(users, *origin, &SiteAccess::site);
    return site != users.end() ? site->access : netrc_access(machines, url);
  });
}

}  // namespace robotrules::cli
