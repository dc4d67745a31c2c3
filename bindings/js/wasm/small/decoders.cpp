// The module has no libraries for content codings: programs give bodies that are decoded, as fetch() does.
#include "codec/decompressor.hpp"

namespace robotrules::codec {

bool can_decode(Format) noexcept { return false; }

std::unique_ptr<Decompressor> make_decompressor(Format, const Limits&) { __builtin_trap(); }

}  // namespace robotrules::codec
