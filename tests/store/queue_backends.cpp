#include <filesystem>

#include <robotrules/open_store.hpp>

#include "store/queue_contract.hpp"
#include "support/folder.hpp"

namespace robotrules::test {
namespace {

std::string problems_of(const std::string& path) {
  const auto report = check_sqlite_store(path);
  if (!report) return report.error().message;
  std::string all;
  for (const std::string& problem : report.value().problems) all += problem + "\n";
  return all;
}

// As a file system that loses the lock: the lock file is another one now, and another object has claimed the job.
void lose_lock(const std::string& path) {
  std::filesystem::remove(path + "-crawl");
  const auto other = open_url_queue(path);
  EXPECT_TRUE(other.ok() && other.value()->claim().ok());
}

}  // namespace

const std::vector<QueueBackend>& queue_backends() {
  const auto open = [](const std::string& path) { return open_url_queue(path); };
  static const std::vector<QueueBackend> all{
      {.name = "file",
       .keeps = true,
       .new_place = [] { return new_folder() + "/store.db"; },
       .open = open,
       .end_claims = lose_lock,
       .problems = problems_of},
      {.name = "temporary",
       .keeps = false,
       .new_place = [] { return std::string(); },
       .open = open,
       .end_claims = {},
       .problems = {}},
  };
  return all;
}

}  // namespace robotrules::test
