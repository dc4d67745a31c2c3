#include <cerrno>

#include "archive/append_file.hpp"
#include "archive/outputs.hpp"
#include "archive/write_all.hpp"

namespace robotrules::archive {
namespace {

class BodiesOutput final : public PageOutput {
 public:
  explicit BodiesOutput(int descriptor) : descriptor_(descriptor) {}

  Result<void> write(const FetchedPage& page) override {
    if (page.kept_out || page.why == unasked_status || page.response.truncated || !page.response.is_success())
      return {};
    return page.response.whole_body().for_each_piece([this](std::string_view piece) -> Result<void> {
      const int error = write_all(descriptor_, piece);
      if (error == 0) return {};
      if (error == EPIPE) return Error{output_closed, "the reader of standard output has gone away"};
      return output_error("standard output", "cannot be written", error);
    });
  }
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return 0; }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }

 private:
  int descriptor_;
};

}  // namespace

std::unique_ptr<PageOutput> bodies_to(int descriptor) { return std::make_unique<BodiesOutput>(descriptor); }

}  // namespace robotrules::archive
