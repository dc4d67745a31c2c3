// The file that a WARC output writes, or its parts one after the other (warc_parts.hpp), with their indexes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <robotrules/base.hpp>
#include <robotrules/page_output.hpp>

#include "archive/append_file.hpp"
#include "archive/cdx_file.hpp"

namespace robotrules::archive {

// If a part exists, all parts before it are complete and on the disk, and so are their indexes. Thread rule: one thread
// at a time.
class WarcFiles {
 public:
  // Opens the file or the last part, or creates it, and adds what the indexes lack. Fails with "output-failed" or
  // "output-busy".
  static Result<std::unique_ptr<WarcFiles>> open(const std::string& name, Packing packing,
                                                 const OutputOptions& options);

  AppendFile& file() noexcept { return *now_.file; }
  CdxFile* index() noexcept { return now_.index.get(); }  // null: there is none
  std::string file_name() const { return now_.path.substr(now_.path.rfind('/') + 1); }

  // If the part is full, begins the next one and returns true. If this fails, the part stays as it is, and the next
  // call tries again. Precondition: nothing was added to the file since its last commit().
  Result<bool> begin_next_if_full();
  // Syncs the file to the disk and completes its index. No page may follow.
  Result<void> complete();

  std::uint64_t position() const noexcept;  // as PageOutput::position()
  std::uint64_t size() const noexcept { return size_before_ + now_.file->position(); }

 private:
  struct Opened {
    std::string path;
    std::unique_ptr<AppendFile> file;
    std::unique_ptr<CdxFile> index;  // null: there is none, or it is complete, or completing it failed
  };

  WarcFiles(const std::string& name, Packing packing, const OutputOptions& options);
  bool has_parts() const noexcept { return max_size_ > 0; }
  Result<Opened> open_file(const std::string& path) const;
  Result<void> open_last_part();
  Result<void> note_earlier_part(std::uint32_t part);

  std::string name_;  // as it was given
  Packing packing_;
  Readers readers_;
  bool has_index_;
  std::uint64_t max_size_;  // of a part, without its last page; 0: there is one file
  std::uint32_t part_ = 0;
  std::uint64_t size_before_ = 0;  // bytes in the earlier parts
  Opened now_;
};

}  // namespace robotrules::archive
