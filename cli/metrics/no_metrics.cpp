// In place of the other files of this folder, in a build without prometheus-cpp.
#include "cli/metrics/metrics.hpp"

namespace robotrules::cli {
namespace {

Error left_out() {
  return {"metrics-failed",
          "this build of robotrules has no metrics; build it again with prometheus-cpp-dev installed and "
          "ROBOTRULES_BUILD_METRICS on"};
}

}  // namespace

Result<std::unique_ptr<Metrics>> serve_metrics(const std::string&) { return left_out(); }

MetricsFile::~MetricsFile() = default;
Result<void> MetricsFile::check() { return path_.empty() ? Result<void>() : left_out(); }
void MetricsFile::update(const Crawl&) {}
void MetricsFile::finish(const Crawl&, int) {}

}  // namespace robotrules::cli
