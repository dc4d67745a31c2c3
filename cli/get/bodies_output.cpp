#include <unistd.h>
#include <cerrno>

#include "cli/get/append_file.hpp"
#include "cli/get/outputs.hpp"

namespace robotrules::cli {
namespace {

class BodiesOutput final : public PageOutput {
 public:
  explicit BodiesOutput(int descriptor) : descriptor_(descriptor) {}

  Result<void> write(const FetchedPage& page) override {
    if (page.kept_out || !page.response.is_success()) return {};
    std::string_view left = page.response.body;
    while (!left.empty()) {
      const ssize_t written = ::write(descriptor_, left.data(), left.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0 && errno == EPIPE) return Error{"output-closed", "nobody reads standard output any more"};
      if (written < 0) return output_error("standard output", "can't be written", errno);
      left.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  }
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return 0; }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }

 private:
  int descriptor_;
};

}  // namespace

std::unique_ptr<PageOutput> bodies_to(int descriptor) { return std::make_unique<BodiesOutput>(descriptor); }

}  // namespace robotrules::cli
