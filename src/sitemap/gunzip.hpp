// A streaming gzip decoder.
#pragma once

#include <zlib.h>

#include <functional>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules::agent {

// Decodes gzip data in pieces. Several members in a row are one text; bytes after the last member that do not start
// another one are ignored. Fails with "sitemap-malformed" or "sitemap-truncated". An error of the sink is returned at
// once.
class Gunzip {
 public:
  using Sink = std::function<Result<void>(std::string_view)>;

  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  Result<void> feed(std::string_view octets, const Sink& sink);
  Result<void> finish() const;

 private:
  z_stream stream_{};
  bool between_ = false;  // a member has ended, and no other has started
  bool over_ = false;     // all further bytes are ignored
};

}  // namespace robotrules::agent
