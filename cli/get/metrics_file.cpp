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

MetricsFile::MetricsFile(std::string path, const Crawl& crawl) : path_(std::move(path)), crawl_(crawl) {}

Result<void> MetricsFile::write() {
  if (path_.empty()) return {};
  next_ = Clock::now() + write_every;
  return replace(text(std::nullopt));
}

void MetricsFile::update() {
  if (Clock::now() >= next_) tell(write());
}

void MetricsFile::finish(int status) {
  if (!path_.empty()) tell(replace(text(status)));
}

std::string MetricsFile::text(std::optional<int> status) const {
  std::vector<prometheus::MetricFamily> families = crawl_metrics(crawl_);
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

Result<void> MetricsFile::replace(const std::string& contents) const {
  const auto failed = [this](const std::string& why) {
    return Error{"metrics-failed", "--metrics-file " + base::printable(path_) + " cannot be written: " + why};
  };
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored) && !std::filesystem::is_regular_file(path_, ignored)) {
    return failed("it exists and is not a file");
  }
  const std::string other = path_ + ".tmp";
  int error = write_for_all(other, contents);
  if (error == 0 && std::rename(other.c_str(), path_.c_str()) != 0) error = errno;
  if (error == 0) return {};
  ::unlink(other.c_str());
  return failed(error_text(error));
}

void MetricsFile::tell(const Result<void>& written) {
  if (!written && !std::exchange(has_failed_, true)) complain("get", written.error().message);
  if (written) has_failed_ = false;
}

}  // namespace robotrules::cli
