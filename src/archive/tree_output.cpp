// Pages as files in folders. Every step goes from an open folder to the next, without following links, so that no URL
// leads out of the tree.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "archive/append_file.hpp"
#include "archive/outputs.hpp"
#include "archive/tree_name.hpp"

namespace robotrules::archive {
namespace {

constexpr const char* origin_attribute = "user.xdg.origin.url";  // wget and curl use the same name
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const noexcept { return number_; }
  bool ok() const noexcept { return number_ >= 0; }

 private:
  int number_;
};

Descriptor open_at(const Descriptor& folder, const std::string& name, int flags, mode_t mode = 0) {
  return Descriptor(openat(folder.number(), name.c_str(), flags, mode));
}

// Opens the folder with that name, or creates it.
Descriptor enter(const Descriptor& folder, const std::string& name) {
  Descriptor entered = open_at(folder, name, folder_flags);
  if (entered.ok() || errno != ENOENT) return entered;
  if (mkdirat(folder.number(), name.c_str(), 0777) != 0 && errno != EEXIST) return entered;
  return open_at(folder, name, folder_flags);
}

enum class Owner : std::uint8_t { nobody, this_url, another };

Owner owner_of(const Descriptor& folder, const std::string& name, const std::string& url) {
  const Descriptor file = open_at(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (!file.ok()) return errno == ENOENT ? Owner::nobody : Owner::another;
  struct stat there{};
  if (fstat(file.number(), &there) != 0 || !S_ISREG(there.st_mode)) return Owner::another;
  std::string noted(url.size() + 1, '\0');
  const ssize_t size = fgetxattr(file.number(), origin_attribute, noted.data(), noted.size());
  if (size < 0) return Owner::another;
  noted.resize(static_cast<std::size_t>(size));
  return noted == url ? Owner::this_url : Owner::another;
}

class TreeOutput final : public PageOutput {
 public:
  TreeOutput(std::string path, Descriptor root) : path_(std::move(path)), root_(std::move(root)) {}

  Result<void> write(const FetchedPage& page) override {
    file_.clear();
    const auto name = tree_name(page.url);
    if (!page.has_whole_body() || !name) return {};
    std::string path = path_;
    Descriptor made;
    const Descriptor* folder = &root_;
    for (const std::string& part : name->folders) {
      Descriptor next = enter(*folder, part);
      path += '/' + part;
      if (!next.ok() && (errno == ENOTDIR || errno == ELOOP)) {  // a file or a link has that name
        next = enter(*folder, with_hash(part, part));
        path = path.substr(0, path.size() - part.size()) + with_hash(part, part);
      }
      if (!next.ok()) return output_error(path, "cannot be created as a folder", errno);
      made = std::move(next);
      folder = &made;
    }
    return put(*folder, path + '/' + name->file, name->file, page);
  }

  Result<void> flush() override {
    if (syncfs(root_.number()) == 0) return {};
    return final_output_error(path_, "cannot be synced to the disk", errno);
  }
  std::uint64_t position() const noexcept override { return 0; }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }
  std::string_view last_file() const noexcept override { return file_; }

 private:
  // Writes the page to a temporary file in the same folder, and then renames it.
  Result<void> put(const Descriptor& folder, const std::string& path, std::string file, const FetchedPage& page) {
    const std::string beside = ".part-" + std::to_string(getpid()) + '-' + std::to_string(++count_);
    const std::string url(page.url);
    unlinkat(folder.number(), beside.c_str(), 0);  // left by an earlier process with the same number
    const Descriptor part = open_at(folder, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (!part.ok()) return output_error(path, "cannot be created", errno);
    const auto give_up = [&](std::string_view what) {
      const int error = errno;
      unlinkat(folder.number(), beside.c_str(), 0);
      return output_error(path, what, error);
    };
    auto body = page.response.whole_body().for_each_piece([&](std::string_view left) -> Result<void> {
      while (!left.empty()) {
        const ssize_t written = ::write(part.number(), left.data(), left.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return output_error(path, "cannot be written", errno);
        left.remove_prefix(static_cast<std::size_t>(written));
      }
      return {};
    });
    if (!body) {
      unlinkat(folder.number(), beside.c_str(), 0);
      return body;
    }
    fsetxattr(part.number(), origin_attribute, url.data(), url.size(), 0);  // if this fails: see outputs.hpp
    note_time(part, page.response);
    if (owner_of(folder, file, url) == Owner::another) file = with_hash(file, url);
    const bool is_new = owner_of(folder, file, url) == Owner::nobody;
    const unsigned how = is_new ? RENAME_NOREPLACE : 0;
    int failed = renameat2(folder.number(), beside.c_str(), folder.number(), file.c_str(), how);
    if (failed != 0 && errno == EINVAL && is_new) {  // the file system does not support RENAME_NOREPLACE
      failed = renameat(folder.number(), beside.c_str(), folder.number(), file.c_str());
    }
    if (failed != 0) return give_up("cannot be put in place");
    file_ = path.substr(path_.size() + 1, path.rfind('/') - path_.size()) + file;
    return {};
  }

  static void note_time(const Descriptor& file, const Response& response) {
    const auto modified = response.last_modified();
    if (!modified) return;
    const auto since = modified->time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    std::array<timespec, 2> times{};
    times[0].tv_nsec = UTIME_OMIT;
    times[1].tv_sec = seconds.count();
    times[1].tv_nsec = std::chrono::nanoseconds(since - seconds).count();
    futimens(file.number(), times.data());  // an error is ignored: the body counts more than the time
  }

  std::string path_;
  std::string file_;  // last_file()
  Descriptor root_;
  std::uint64_t count_ = 0;
};

}  // namespace

Result<std::unique_ptr<PageOutput>> open_tree(const std::string& folder) {
  std::string path = folder;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) return output_error(path, "cannot be created", failed.value());
  Descriptor root(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root.ok()) return output_error(path, "cannot be opened", errno);
  if (faccessat(root.number(), ".", W_OK, AT_EACCESS) != 0) return output_error(path, "cannot be written", errno);
  return std::unique_ptr<PageOutput>(std::make_unique<TreeOutput>(std::move(path), std::move(root)));
}

}  // namespace robotrules::archive
