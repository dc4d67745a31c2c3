// Records packed one by one, so that each can be read without those before it.
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
  // Adds one gzip member or zstd frame (or the bytes themselves) of a record: `head`, `body` and `end`, one behind the
  // other. Errors are those of the file and of the body.
  virtual Result<void> pack(AppendFile& out, std::string_view head, const BodyView& body, std::string_view end) = 0;

 protected:
  RecordPacker() = default;
};

// Precondition: the level is one of the packing's.
std::unique_ptr<RecordPacker> make_packer(Packing packing, int level);

}  // namespace robotrules::archive
