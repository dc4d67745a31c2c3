#include "cli/get/url_input.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/url.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/userinfo.hpp"
#include "cli/io/input.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t max_portion = 100'000;
constexpr std::uint64_t max_reported = 10;
constexpr std::size_t piece_size = std::size_t{64} * 1024;

// Returns true if the URL of a line has a user name or a password. Precondition: read_url_line() accepts the line.
bool has_userinfo(std::string_view line) {
  constexpr std::size_t shortest = 2;  // "u@"
  if (line.find('@') == std::string_view::npos) return false;
  line = base::trimmed(line);
  if (!line.starts_with('{')) return base::userinfo_of(line.substr(0, line.find('\t'))).size() >= shortest;
  const auto object = nlohmann::json::parse(line, nullptr, false);
  const auto url = object.find("url");
  return url != object.end() && url->is_string() &&
         base::userinfo_of(url->get_ref<const std::string&>()).size() >= shortest;
}

}  // namespace

void UrlInput::report_bad_line(std::string_view where, std::uint64_t number, std::string_view sentence) {
  ++bad_;
  if (bad_ <= max_reported) {
    const std::string place = number == 0 ? "" : base::printable(where) + ":" + std::to_string(number) + ": ";
    complain("get", place + base::printable(sentence));
  }
  if (bad_ == max_reported) complain("get", "further bad lines are counted but not reported");
}

void UrlInput::tell_bad_lines() const {
  if (bad_ > max_reported) complain("get", counted(bad_, "bad line") + " in all");
}

// The queue keeps no passwords, so those in URLs are not sent. Says so once for a site, unless other options name its
// user.
void UrlInput::report_userinfo(std::string_view line, const std::string& url) {
  if (with_userinfo_.size() > max_reported || !has_userinfo(line)) return;
  if (credentials_ && credentials_("", url)) return;
  const auto origin = Origin::of(url);
  if (!origin || !with_userinfo_.insert(origin->to_string()).second) return;
  if (with_userinfo_.size() > max_reported) {
    return complain("get", "the URLs of further sites have user names and passwords, which are not sent");
  }
  const std::string site = origin->to_string();
  complain("get", "the user name and password in the URL of " + site + " are not sent; use --user " + site +
                      "=NAME:PASSWORD or --netrc-file");
}

Result<void> UrlInput::add(std::string_view line, std::string_view where, std::uint64_t number) {
  auto url = read_url_line(line);
  if (url) report_userinfo(line, url.value().url);
  if (url) return add(std::move(url).value());
  report_bad_line(where, number, url.error().message);
  return {};
}

Result<void> UrlInput::add_operand(std::string_view operand) {
  std::error_code ignored;
  const bool has_scheme = operand.find("://") != operand.npos;
  if (!has_scheme && std::filesystem::is_regular_file(operand, ignored)) {
    report_bad_line("", 0, std::string(operand) + " is a file; read it with --input, or begin the URL with https://");
    return {};
  }
  return add(operand, "", 0);
}

Result<void> UrlInput::add(QueuedUrl url) {
  held_.push_back(std::move(url));
  return held_.size() >= portion_ ? flush() : Result<void>();
}

Result<void> UrlInput::flush() {
  if (held_.empty()) return {};
  auto added = queue_.add(held_);
  const auto may_wait = [&] { return added.error().code == disk_full_code || is_passing(added.error()); };
  while (!added && may_wait() && wait_for_room_(added.error())) added = queue_.add(held_);
  if (!added) return added.error();
  held_.clear();
  portion_ = std::min(portion_ * 10, max_portion);
  counts_.added += added.value().added;
  counts_.duplicates += added.value().duplicates;
  counts_.other_headers += added.value().other_headers;
  if (added.value().added > 0) added_();
  return {};
}

std::vector<std::string> unreadable_inputs(const InputOptions& input) {
  std::vector<std::string> names;
  for (const std::string& path : input.files) {
    if (path == "-" || ::access(path.c_str(), R_OK) == 0) continue;
    const std::string why = error_text(errno);
    names.push_back(input_name(path) + " (" + why + ")");
  }
  return names;
}

bool has_readable_input(const InputOptions& input) {
  if (!input.operands.empty() || !input.sitemap_urls.empty()) return true;
  return unreadable_inputs(input).size() < input.files.size();
}

Result<bool> UrlInput::add_file(const std::string& path, const std::atomic<bool>& stop) {
  const bool is_standard_input = path == "-";
  const std::string name = input_name(path);
  const int file = is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    complain("get", name + ": " + error_text(errno));
    return false;
  }
  UrlListReader list;
  Result<void> added;
  Result<void> read;
  const auto take = [&](std::string_view line, std::uint64_t number) {
    added = add(line, name, number);
    return added.ok() && !stop;
  };
  std::string piece(piece_size, '\0');
  ssize_t got = 1;
  while (got != 0 && read && added && !stop) {
    pollfd ready{file, POLLIN, 0};  // a pipe may be silent for a long time
    if (::poll(&ready, 1, held_.empty() ? 100 : 10) == 0) {
      added = flush();
      continue;
    }
    got = ::read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) read = Error{"input-failed", "cannot read the input: " + error_text(errno)};
    if (got == 0) read = list.finish(take);
    if (got > 0) read = list.write({piece.data(), static_cast<std::size_t>(got)}, take);
  }
  if (!is_standard_input) ::close(file);
  if (!added) return added.error();
  if (!read) complain("get", name + ": " + base::printable(read.error().message));
  return read.ok();
}

}  // namespace robotrules::cli
