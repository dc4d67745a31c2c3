// The path of a URL, normalised, in memory that the matcher may read past the end of.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include <robotrules/dialect.hpp>

namespace robotrules::core {

// Holds the path and query of one URL as rules are compared with them, followed by path_padding zero octets. URLs of
// usual length need no memory from the heap. Neither copied nor moved.
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
