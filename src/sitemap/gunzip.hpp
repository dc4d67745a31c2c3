// gzip as a stream.
#pragma once

#include <zlib.h>

#include <functional>
#include <string_view>

#include <robotrules/result.hpp>

namespace robotrules::agent {

// Members that follow one another are one text; what follows the last one and is none is passed over. Errors:
// "sitemap-malformed", "sitemap-truncated", and whatever the sink answers, at once.
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
  bool between_ = false;  // a member has ended, and none has begun since
  bool over_ = false;     // nothing that comes is looked at
};

}  // namespace robotrules::agent
