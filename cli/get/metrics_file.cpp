#include <fcntl.h>
#include <prometheus/text_serializer.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "cli/get/metric_families.hpp"
#include "cli/get/metrics.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::chrono::seconds write_every{15};

double now_in_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string other_name(const std::string& path) { return path + ".tmp"; }

// Returns the errno of the failed call, or 0. The reader of the file is another user.
int write_for_all(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return errno;
  int error = ::fchmod(file, 0644) == 0 ? 0 : errno;
  if (error == 0) error = try_write(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

Error MetricsFile::failed(const std::string& why) const {
  return {"metrics-failed", "--metrics-file " + base::printable(path_) + " cannot be written: " + why};
}

Result<void> MetricsFile::check() const {
  if (path_.empty()) return {};
  auto written = write_other("");
  if (written) ::unlink(other_name(path_).c_str());
  return written;
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

// Writes FILE.tmp, which becomes the file. After an error there is no FILE.tmp.
Result<void> MetricsFile::write_other(const std::string& contents) const {
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored)) {
    return failed("it exists and is not a file");
  }
  const int error = write_for_all(other_name(path_), contents);
  if (error == 0) return {};
  ::unlink(other_name(path_).c_str());
  return failed(error_text(error));
}

Result<void> MetricsFile::replace(const std::string& contents) const {
  auto written = write_other(contents);
  if (!written || std::rename(other_name(path_).c_str(), path_.c_str()) == 0) return written;
  const int error = errno;
  ::unlink(other_name(path_).c_str());
  return failed(error_text(error));
}

void MetricsFile::tell(const Result<void>& written) {
  if (!written && !std::exchange(has_failed_, true)) complain("get", written.error().message);
  if (written) has_failed_ = false;
}

}  // namespace robotrules::cli
