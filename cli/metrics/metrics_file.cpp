#include <fcntl.h>
#include <prometheus/text_serializer.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/metrics/metric_families.hpp"
#include "cli/metrics/metrics.hpp"

namespace robotrules::cli {
namespace {

constexpr std::chrono::seconds write_every{15};

double now_in_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string other_name(const std::string& path) { return path + ".tmp"; }

// Returns the errno of the failed call, or 0. The reader of the file is another user.
int write_for_all(int file, const std::string& text) {
  if (::ftruncate(file, 0) != 0 || ::fchmod(file, 0644) != 0) return errno;
  return try_write(file, text);
}

// Returns true if only this name leads to the file, and the file belongs to this user: a name that everybody can
// predict may be another user's file, a pipe, or a second name of a file that is not to be cut.
bool is_own(int file) {
  struct stat about{};
  return ::fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink <= 1 && about.st_uid == ::geteuid();
}

// Returns false if another process, or another object of this one, has locked the file.
bool lock(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

constexpr const char* is_shared = "another crawl writes it; give each crawl a file of its own";

}  // namespace

Error MetricsFile::failed(const std::string& why) const {
  return {"metrics-failed", "--metrics-file " + base::printable(path_) + " cannot be written: " + why};
}

MetricsFile::~MetricsFile() { hold(-1); }

void MetricsFile::hold(int file) {
  if (locked_ >= 0) ::close(locked_);
  locked_ = file;
}

Result<void> MetricsFile::check() {
  if (path_.empty()) return {};
  const auto other = open_other();
  if (!other) return other.error();
  ::unlink(other_name(path_).c_str());
  ::close(other.value());
  return {};
}

void MetricsFile::update(const Crawl& crawl) {
  if (path_.empty() || Clock::now() < next_) return;
  next_ = Clock::now() + write_every;
  tell(replace(text(crawl, std::nullopt)));
}

void MetricsFile::finish(const Crawl& crawl, int status) {
  if (!path_.empty()) tell(replace(text(crawl, status)));
}

std::string MetricsFile::text(const Crawl& crawl, std::optional<int> status) const {
  std::vector<prometheus::MetricFamily> families = crawl_metrics(crawl);
  if (status) {
    families.push_back(
        gauge_of("robotrules_end_time_seconds", "The end of the run since unix epoch", now_in_seconds()));
    families.push_back(gauge_of("robotrules_exit_status", "The exit status of the run", *status));
  }
  const std::filesystem::path path(path_);
  const std::string name = (path.extension() == ".prom" ? path.stem() : path.filename()).string();
  for (prometheus::MetricFamily& family : families) {
    for (prometheus::ClientMetric& metric : family.metric) {
      metric.label.insert(metric.label.begin(), {"crawl", base::printable(name)});
    }
  }
  return prometheus::TextSerializer().Serialize(families);
}

// Opens FILE.tmp, which becomes the file, and locks it. Each process that writes the file holds such a lock on it.
Result<int> MetricsFile::open_other() {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored)) {
    return failed("it exists and is not a file");
  }
  const int other = ::open(other_name(path_).c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (other < 0) return failed(error_text(errno));
  if (!is_own(other)) {
    ::close(other);
    return failed(base::printable(other_name(path_)) + " is in the way; delete it");
  }
  if (!lock(other)) {
    ::close(other);
    return failed(is_shared);
  }
  if (locked_ < 0) hold(::open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (locked_ < 0 || lock(locked_)) return other;
  hold(-1);
  ::unlink(other_name(path_).c_str());
  ::close(other);
  return failed(is_shared);
}

Result<void> MetricsFile::replace(const std::string& contents) {
  const auto other = open_other();
  if (!other) return other.error();
  int error = write_for_all(other.value(), contents);
  if (error == 0 && std::rename(other_name(path_).c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) {
    hold(other.value());
    return {};
  }
  ::unlink(other_name(path_).c_str());
  ::close(other.value());
  return failed(error_text(error));
}

void MetricsFile::tell(const Result<void>& written) {
  if (!written && !std::exchange(has_failed_, true)) complain("get", written.error().message);
  if (written) has_failed_ = false;
}

}  // namespace robotrules::cli
