// The bytes of a sitemap as UTF-8, whatever their charset.
//
// The charset is that of the byte order mark, else of the Content-Type, else of the XML declaration (RFC 7303 section
// 3.2), else UTF-8. A UTF-16 or UTF-32 without a mark is recognised by its NULs, and only by them: a field or a
// declaration that names one is wrong if the bytes have none. Unknown names are passed over. UTF-8 is not checked here:
// the XML parser refuses what is not UTF-8, and in a list of URLs such bytes are sent as they are.
// Thread rule: one thread at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/base.hpp>

#include "charset/utf8_stream.hpp"

namespace robotrules::agent {

class Utf8Input {
 public:
  using Each = std::function<Result<void>(std::string_view text)>;

  // `content_type` is the field of the response; empty: there is none.
  explicit Utf8Input(std::string_view content_type);

  // Calls `each` with the text of the next bytes, and of earlier bytes that were kept until the charset was certain: at
  // most max_prescan. Returns the first error of `each`.
  Result<void> write(std::string_view bytes, const Each& each);
  // Calls `each` with the rest. Call it after the last bytes.
  Result<void> finish(const Each& each);

 private:
  void decide(bool at_end);
  void use(std::string_view charset, std::size_t mark);
  Result<void> convert(std::string_view bytes, const Each& each);

  std::string_view named_;  // by Content-Type; empty: none that is known
  std::string head_;        // bytes until the decision
  bool decided_ = false;
  std::optional<Utf8Stream> stream_;  // null: UTF-8
};

}  // namespace robotrules::agent
