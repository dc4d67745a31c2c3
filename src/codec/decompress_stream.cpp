#include "codec/decompress_stream.hpp"

namespace robotrules::codec {

DecompressStream::DecompressStream(Format format, const Limits& limits)
    : format_(format),
      decompressor_(make_decompressor(format, limits)),
      piece_(std::make_unique_for_overwrite<Piece>()) {}

bool DecompressStream::goes_on_with(char next) const noexcept {
  return format_ == Format::zstd || (format_ == Format::gzip && next == '\x1F');
}

DecompressStream::Outcome DecompressStream::write(std::string_view bytes, const Sink& sink) {
  bool is_full = false;  // the decompressor may have more output without new input
  while (!bytes.empty() || is_full) {
    if (place_ == Place::between && !goes_on_with(bytes.front())) place_ = Place::past_end;
    if (place_ == Place::past_end) break;
    const Step step = decompressor_->step(bytes, *piece_);
    bytes.remove_prefix(step.used);
    if (step.made > 0 && !sink({piece_->data(), step.made})) return Outcome::stopped;
    if (step.damage != nullptr) {
      damage_ = step.damage;
      return Outcome::damaged;
    }
    place_ = step.ended ? Place::between : Place::inside;
    is_full = !step.ended && step.made == piece_->size();
  }
  return Outcome::taken;
}

}  // namespace robotrules::codec
