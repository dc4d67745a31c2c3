// The normalised path of a URL, with padding that the matcher may read.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include <robotrules/dialect.hpp>

namespace robotrules::core {

// Contains the path and query of one URL as rules are compared with them, and path_padding zero bytes after them. URLs
// of usual length need no heap memory.
class PathBuffer {
 public:
  PathBuffer(std::string_view url, Dialect::UrlPath style, Dialect::Encoding encoding);
  PathBuffer(const PathBuffer&) = delete;
  PathBuffer& operator=(const PathBuffer&) = delete;

  std::string_view path() const noexcept { return path_; }

 private:
  bool take_plain(std::string_view url, Dialect::UrlPath style, Dialect::Encoding encoding) noexcept;
  void take_resolved(std::string_view url, Dialect::Encoding encoding);
  void take_any(std::string_view url, Dialect::UrlPath style, Dialect::Encoding encoding);
  char* room(std::size_t size);

  std::string_view path_;
  std::unique_ptr<char[]> heap_;
  std::array<char, 960> stack_;
};

}  // namespace robotrules::core
