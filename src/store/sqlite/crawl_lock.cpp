#include "store/sqlite/crawl_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace robotrules::store {

CrawlLock::~CrawlLock() {
  if (file_ >= 0) ::close(file_);
}

Result<CrawlLock> CrawlLock::take(const std::string& database) {
  const std::string path = database + "-crawl";
  CrawlLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR));
  struct stat about{};
  if (!lock.is_held() || ::fstat(lock.file_, &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error{"store-path", "The lock file " + path + " can't be opened (" + std::generic_category().message(errno) +
                                   "): delete it, or make it a regular file that you own"};
  }
  int failed = 0;
  do {
    failed = ::flock(lock.file_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  } while (failed == EINTR);
  if (failed == EWOULDBLOCK) {
    return Error{"queue-claimed", "Another process is crawling with the database " + database +
                                      ": wait until it has ended, or give this one another database"};
  }
  if (failed != 0) {
    return Error{"store-io", "The lock file " + path + " can't be locked (" + std::generic_category().message(failed) +
                                 "): put the database on a local disk"};
  }
  return lock;
}

}  // namespace robotrules::store
