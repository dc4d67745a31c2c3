#include "queue/sqlite/crawl_lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace robotrules::store {

CrawlLock::~CrawlLock() {
  if (file_ >= 0) ::close(file_);
}

namespace {

std::string lock_path(const std::string& database) { return database + "-crawl"; }

// One byte of the file stands for a job. These locks belong to the open file, and not to the process: two queues of a
// process exclude each other too.
struct flock lock_of(std::int64_t job) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = job;
  lock.l_len = 1;
  return lock;
}

}  // namespace

Result<CrawlLock> CrawlLock::take(const std::string& database, std::int64_t job) {
  const std::string path = lock_path(database);
  CrawlLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, S_IRUSR | S_IWUSR));
  struct stat about{};
  if (!lock.is_held() || ::fstat(lock.file_, &about) != 0 || !S_ISREG(about.st_mode)) {
    return Error{"store-path", "The lock file " + path + " can't be opened (" + std::generic_category().message(errno) +
                                   "): delete it, or make it a regular file that you own"};
  }
  struct flock wanted = lock_of(job);
  int failed = 0;
  do {
    failed = ::fcntl(lock.file_, F_OFD_SETLK, &wanted) == 0 ? 0 : errno;
  } while (failed == EINTR);
  if (failed == EAGAIN || failed == EACCES) {
    return Error{"queue-claimed", "Another process is crawling this job of the database " + database +
                                      ": wait until it has ended, or give this one another job or database"};
  }
  if (failed != 0) {
    return Error{"store-io", "The lock file " + path + " can't be locked (" + std::generic_category().message(failed) +
                                 "): put the database on a local disk"};
  }
  return lock;
}

bool CrawlLock::is_taken(const std::string& database, std::int64_t job) {
  const CrawlLock file(::open(lock_path(database).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct flock wanted = lock_of(job);
  return file.is_held() && ::fcntl(file.file_, F_OFD_GETLK, &wanted) == 0 && wanted.l_type != F_UNLCK;
}

}  // namespace robotrules::store
