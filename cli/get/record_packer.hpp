// Records packed one by one, so that each can be read without those before it.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "cli/get/page_output.hpp"

namespace robotrules::cli {

class RecordPacker {
 public:
  virtual ~RecordPacker() = default;
  RecordPacker(const RecordPacker&) = delete;
  RecordPacker& operator=(const RecordPacker&) = delete;
  // Appends one gzip member or zstd frame (or the octets themselves) of the pieces, one behind the other.
  virtual void pack(std::string& out, std::initializer_list<std::string_view> pieces) = 0;

 protected:
  RecordPacker() = default;
};

// Precondition: the level is one of the packing's.
std::unique_ptr<RecordPacker> make_packer(Packing packing, int level);

}  // namespace robotrules::cli
