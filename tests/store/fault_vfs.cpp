#include "store/fault_vfs.hpp"

#include <sqlite3.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace robotrules::test {
namespace {

FaultVfs* active = nullptr;
sqlite3_vfs* real = nullptr;

// SQLite's object, the path, and behind it the real file's object.
struct FaultFile {
  sqlite3_file base;
  std::string* path;
  sqlite3_file* file() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};
FaultFile* of(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file); }
const sqlite3_io_methods* methods_of(sqlite3_file* file) { return of(file)->file()->pMethods; }
bool fails() { return active != nullptr && active->fails(); }

int close_file(sqlite3_file* file) {
  const int code = methods_of(file)->xClose(of(file)->file());
  delete of(file)->path;
  of(file)->path = nullptr;
  return code;
}
int read_file(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
  return fails() ? SQLITE_IOERR_READ : methods_of(file)->xRead(of(file)->file(), into, size, offset);
}
int write_file(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  if (fails()) return SQLITE_IOERR_WRITE;
  if (active != nullptr) {
    active->wrote(*of(file)->path, offset, std::string(static_cast<const char*>(from), static_cast<std::size_t>(size)));
  }
  return methods_of(file)->xWrite(of(file)->file(), from, size, offset);
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (fails()) return SQLITE_IOERR_TRUNCATE;
  if (active != nullptr) active->truncated(*of(file)->path, size);
  return methods_of(file)->xTruncate(of(file)->file(), size);
}
int sync_file(sqlite3_file* file, int flags) {
  if (fails()) return SQLITE_IOERR_FSYNC;
  if (active != nullptr) active->synced(*of(file)->path);
  return methods_of(file)->xSync(of(file)->file(), flags);
}
int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return fails() ? SQLITE_IOERR_FSTAT : methods_of(file)->xFileSize(of(file)->file(), size);
}
int lock_file(sqlite3_file* file, int level) {
  return fails() ? SQLITE_IOERR_LOCK : methods_of(file)->xLock(of(file)->file(), level);
}
int unlock_file(sqlite3_file* file, int level) { return methods_of(file)->xUnlock(of(file)->file(), level); }
int check_lock(sqlite3_file* file, int* answer) {
  return methods_of(file)->xCheckReservedLock(of(file)->file(), answer);
}
int control(sqlite3_file* file, int what, void* with) {
  return methods_of(file)->xFileControl(of(file)->file(), what, with);
}
int sector_size(sqlite3_file*) { return 512; }
int characteristics(sqlite3_file*) { return 0; }  // no write is atomic, and none is safe before a sync
int map_shared(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
  return fails() ? SQLITE_IOERR_SHMMAP : methods_of(file)->xShmMap(of(file)->file(), page, size, extend, at);
}
int lock_shared(sqlite3_file* file, int offset, int count, int flags) {
  return methods_of(file)->xShmLock(of(file)->file(), offset, count, flags);
}
void barrier(sqlite3_file* file) { methods_of(file)->xShmBarrier(of(file)->file()); }
int unmap_shared(sqlite3_file* file, int remove) { return methods_of(file)->xShmUnmap(of(file)->file(), remove); }

const sqlite3_io_methods fault_methods{2,         close_file,   read_file,       write_file,  truncate_file,
                                       sync_file, file_size,    lock_file,       unlock_file, check_lock,
                                       control,   sector_size,  characteristics, map_shared,  lock_shared,
                                       barrier,   unmap_shared, nullptr,         nullptr};

int open_file(sqlite3_vfs*, const char* path, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  if (fails()) return SQLITE_CANTOPEN;
  std::memset(of(file)->file(), 0, static_cast<std::size_t>(real->szOsFile));
  const int code = real->xOpen(real, path, of(file)->file(), flags, out_flags);
  if (code != SQLITE_OK) return code;
  of(file)->path = new std::string(path == nullptr ? "" : path);
  file->pMethods = &fault_methods;
  if (active != nullptr && path != nullptr) active->opened(path);
  return code;
}
int delete_file(sqlite3_vfs*, const char* path, int sync) {
  if (fails()) return SQLITE_IOERR_DELETE;
  if (active != nullptr) active->deleted(path);
  return real->xDelete(real, path, sync);
}

sqlite3_vfs fault_vfs{};

}  // namespace

FaultVfs::FaultVfs() {
  if (active != nullptr) throw std::logic_error("one at a time");
  if (real == nullptr) {
    real = sqlite3_vfs_find(nullptr);
    fault_vfs = *real;
    fault_vfs.szOsFile = static_cast<int>(sizeof(FaultFile)) + real->szOsFile;
    fault_vfs.pNext = nullptr;
    fault_vfs.zName = "robotrules-faults";
    fault_vfs.xOpen = open_file;
    fault_vfs.xDelete = delete_file;
  }
  sqlite3_vfs_register(&fault_vfs, 1);
  active = this;
}

FaultVfs::~FaultVfs() {
  active = nullptr;
  sqlite3_vfs_unregister(&fault_vfs);
  sqlite3_vfs_register(real, 1);
}

void FaultVfs::fail_at(std::uint64_t number, bool sticky) {
  fail_at_ = number == 0 ? 0 : calls_ + number;
  sticky_ = sticky;
  failed_ = false;
}

bool FaultVfs::fails() {
  ++calls_;
  if (fail_at_ == 0 || (sticky_ ? calls_ < fail_at_ : calls_ != fail_at_)) return false;
  failed_ = true;
  return true;
}

void FaultVfs::snapshot_at(std::uint64_t number, std::function<void()> snapshot) {
  snapshot_in_ = number;
  snapshot_ = std::move(snapshot);
}

void FaultVfs::apply(std::string& content, const Change& change) {
  if (change.truncates) {
    content.resize(static_cast<std::size_t>(change.offset), '\0');
    return;
  }
  const auto end = static_cast<std::size_t>(change.offset) + change.bytes.size();
  if (content.size() < end) content.resize(end, '\0');
  content.replace(static_cast<std::size_t>(change.offset), change.bytes.size(), change.bytes);
}

void FaultVfs::opened(const std::string& path) {
  if (files_.contains(path)) return;
  std::ifstream stream(path, std::ios::binary);
  files_[path].durable.assign(std::istreambuf_iterator<char>(stream), {});
}
void FaultVfs::wrote(const std::string& path, std::int64_t offset, std::string bytes) {
  if (snapshot_in_ != 0 && --snapshot_in_ == 0) snapshot_();
  files_[path].pending.push_back({false, offset, std::move(bytes)});
}
void FaultVfs::truncated(const std::string& path, std::int64_t size) {
  files_[path].pending.push_back({true, size, {}});
}
void FaultVfs::synced(const std::string& path) {
  File& file = files_[path];
  for (const Change& change : file.pending) apply(file.durable, change);
  file.pending.clear();
}
void FaultVfs::deleted(const std::string& path) { files_.erase(path); }

void FaultVfs::lose_power(const std::string& folder, std::mt19937& random) const {
  constexpr std::size_t sector = 512;
  const bool all_or_nothing = random() % 4 == 0;  // a disk that lost everything since the sync, or nothing
  const bool kept_all = random() % 2 == 0;
  for (const auto& [path, file] : files_) {
    if (path.ends_with("-shm")) continue;  // memory
    std::string content = file.durable;
    for (const Change& change : file.pending) {
      if (all_or_nothing ? !kept_all : random() % 2 == 0) continue;
      if (change.truncates || all_or_nothing || random() % 3 != 0) {
        apply(content, change);
        continue;
      }
      // Torn: some of its sectors.
      for (std::size_t at = 0; at < change.bytes.size(); at += sector) {
        if (random() % 2 == 0)
          apply(content, {false, change.offset + static_cast<std::int64_t>(at), change.bytes.substr(at, sector)});
      }
    }
    std::ofstream(folder + "/" + std::filesystem::path(path).filename().string(), std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
  }
}

}  // namespace robotrules::test
