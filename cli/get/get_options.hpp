// The options of `robotrules get`, and the names and passwords of sites: --user, --netrc and --netrc-file.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/crawl.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/url.hpp>
#include <robotrules/user_agent.hpp>

#include "cli/flags/flag_choice.hpp"
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

// The sources of the URLs.
struct InputOptions {
  std::vector<std::string> operands;
  std::vector<std::string> files;
  std::vector<std::string> sitemap_urls;
  bool sitemaps = false;  // those that the robots.txt files of the operands' sites name
  bool sitemap_any_host = false;

  // Returns false if a job is only to be continued.
  bool has_any() const noexcept { return !operands.empty() || !files.empty() || !sitemap_urls.empty(); }
};

struct GetOptions {
  std::string token;  // the robot's name in robots.txt files
  const Dialect* dialect = nullptr;
  PolicyChoice policy;
  RobotUAOptions robot;  // with policy, pace and limits
  CrawlOptions crawl;
  InputOptions input;
  std::string output;
  std::string output_shown;  // for people
  OutputOptions output_options;
  std::optional<std::string> log;
  std::optional<std::string> db;
  std::optional<std::string> queue;               // --queue
  std::optional<std::string> queue_in;            // queue_database()
  std::string kept;                               // flags_to_keep()
  std::vector<SiteAccess> users;                  // --user
  std::optional<std::string> metrics;             // --metrics
  std::string metrics_file;                       // empty: none
  std::chrono::milliseconds stop_within{10'000};  // from SIGTERM to the end of requests on the wire
  bool quiet = false;
  bool explain = false;
  bool dry_run = false;
  bool revisit = false;
  bool retry = false;
  bool fails_on_denied = false;
};

InputOptions read_input(const Given& given);

// `input` is that of read_input(), and `queue_in` is queue_database(). Fails if a flag's value is not accepted, and
// with "missing-from" without --from.
Result<GetOptions> read_get(const Given& given, InputOptions input, std::optional<std::string> queue_in);

// Sets every option that depends on the policy.
void use_policy(GetOptions& options, const RobotsPolicy& policy);

}  // namespace robotrules::cli
