// Names and passwords of sites: --user, --netrc and --netrc-file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <robotrules/origin.hpp>
#include <robotrules/result.hpp>
#include <robotrules/user_agent.hpp>

#include "cli/flags/given.hpp"

namespace robotrules::cli {

// Returns the name and password for a URL, or null: UserAgentOptions::get_basic_credentials. A site of --user is asked
// for first, then the hosts of the netrc file.
using CredentialsFor = decltype(UserAgentOptions::get_basic_credentials);

struct SiteAccess {
  Origin site;
  UserPassword access;
};

// Reads --user. Fails if a value is not accepted.
Result<std::vector<SiteAccess>> read_users(const Given& given);

// Reads --netrc and --netrc-file too. Returns an empty function if no flag names a site. Fails if the file cannot be
// read.
Result<CredentialsFor> read_credentials(const Given& given, const std::vector<SiteAccess>& users);

// Returns the site of --user that a URL does not match although the host is the same: the scheme or the port is
// another. Empty: there is none, or another one matches.
std::string near_site_of_user(const std::vector<SiteAccess>& users, std::string_view url);

}  // namespace robotrules::cli
