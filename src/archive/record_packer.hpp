// Compresses records one by one, so that each can be read without those before it.
#pragma once

#include <memory>
#include <string_view>

#include <robotrules/message.hpp>

#include <robotrules/page_output.hpp>
#include "archive/append_file.hpp"

namespace robotrules::archive {

class RecordPacker {
 public:
  virtual ~RecordPacker() = default;
  RecordPacker(const RecordPacker&) = delete;
  RecordPacker& operator=(const RecordPacker&) = delete;
  // Adds a record as one gzip member or zstd frame, or not compressed. The record is `head`, then `body`, then `end`.
  // Fails as the file and the body do.
  virtual Result<void> pack(AppendFile& out, std::string_view head, const BodyView& body, std::string_view end) = 0;

 protected:
  RecordPacker() = default;
};

// Returns the packer for a format. Precondition: the format has this level.
std::unique_ptr<RecordPacker> make_packer(Packing packing, int level);

}  // namespace robotrules::archive
