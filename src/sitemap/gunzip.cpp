#include "sitemap/gunzip.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace robotrules::agent {
namespace {

constexpr int gzip_only = 16 + MAX_WBITS;
constexpr char first_octet = '\x1F';

}  // namespace

Gunzip::Gunzip() {
  if (inflateInit2(&stream_, gzip_only) != Z_OK) throw std::bad_alloc();
}

Gunzip::~Gunzip() { inflateEnd(&stream_); }

Result<void> Gunzip::feed(std::string_view octets, const Sink& sink) {
  while (!octets.empty() && !over_) {
    if (between_) {
      over_ = octets.front() != first_octet;
      if (over_) break;
      inflateReset(&stream_);
      between_ = false;
    }
    const auto part = std::min<std::size_t>(octets.size(), std::numeric_limits<uInt>::max());
    // zlib's signature; it does not write there.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(octets.data()));
    stream_.avail_in = static_cast<uInt>(part);
    int status = Z_OK;
    do {
      std::array<char, 16384> decoded{};
      stream_.next_out = reinterpret_cast<Bytef*>(decoded.data());
      stream_.avail_out = static_cast<uInt>(decoded.size());
      status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      const std::size_t size = decoded.size() - stream_.avail_out;
      if (size > 0) {
        if (Result<void> taken = sink({decoded.data(), size}); !taken) return taken;
      }
    } while (status == Z_OK && (stream_.avail_in > 0 || stream_.avail_out == 0));
    octets.remove_prefix(part - stream_.avail_in);
    between_ = status == Z_STREAM_END;
    if (!between_ && status != Z_OK && status != Z_BUF_ERROR) {
      return Error{"sitemap-malformed", "The sitemap begins as gzip does and is damaged; fetch it again."};
    }
  }
  return {};
}

Result<void> Gunzip::finish() const {
  if (between_ || over_) return {};
  return Error{"sitemap-truncated", "The sitemap ends before its compression does; fetch it again."};
}

}  // namespace robotrules::agent
