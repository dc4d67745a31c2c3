// The index of a WARC file: a CDXJ file beside it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/page_output.hpp>

#include "archive/append_file.hpp"
#include "archive/cdx_line.hpp"

namespace robotrules::archive {

// Returns "NAME.cdxj" for "NAME.warc", "NAME.warc.gz" and "NAME.warc.zst".
std::string cdx_path_of(const std::string& warc);

// While the WARC file grows, the lines are in the order of its records; complete() sorts them. open() adds the lines
// that an index lacks because its process was killed. Thread rule: one thread at a time.
class CdxFile {
 public:
  // Opens the index of a WARC file, or creates it, and brings it into agreement with the first `size` bytes of the
  // file: removes lines of later records, and adds the lines of records without one. If the index is damaged, makes it
  // again. Fails with "output-failed" or "output-busy".
  static Result<std::unique_ptr<CdxFile>> open(const std::string& warc, Packing packing, std::uint64_t size);

  // Adds a record of the page that is being written. A record that no program could replay gets no line: it has no body
  // (HEAD, 304).
  void add(CdxRecord record);
  // Ends that page: its records are in the WARC file, or not. If a line cannot be written, the index ends before it,
  // and complete() fails; the next open() adds the lines.
  void commit();
  void take_back() noexcept { added_.clear(); }
  // Writes and sorts the index. No add() may follow. Fails with "output-failed".
  Result<void> complete();

 private:
  CdxFile(std::string path, std::string warc) : path_(std::move(path)), warc_(std::move(warc)) {}
  // Returns how far the index describes the WARC file.
  Result<std::uint64_t> keep_sound_lines(std::uint64_t size);
  Result<void> add_missing(const std::string& warc, Packing packing, std::uint64_t from, std::uint64_t size);

  std::string path_;
  std::string warc_;  // name without folders
  std::unique_ptr<AppendFile> file_;
  std::vector<CdxRecord> added_;
  Result<void> state_;  // the first error
};

}  // namespace robotrules::archive
