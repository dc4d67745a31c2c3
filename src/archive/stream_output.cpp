#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>

#include "archive/append_file.hpp"
#include "archive/outputs.hpp"
#include "archive/page_json.hpp"
#include "archive/write_all.hpp"

namespace robotrules::archive {
namespace {

// Standard output, which may be a pipe, a terminal or a file; or a pipe or a device that has a name.
class Stream {
 public:
  explicit Stream(int descriptor) : descriptor_(descriptor) {}
  // Closes the descriptor at the end.
  Stream(int descriptor, std::string name) : descriptor_(descriptor), is_own_(true), name_(std::move(name)) {}
  ~Stream() {
    if (is_own_) close(descriptor_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Result<void> write(const BodyView& bytes) const {
    const auto begin = end_of_file();
    return bytes.for_each_piece([&](std::string_view piece) -> Result<void> {
      const int error = write_all(descriptor_, piece);
      if (error == 0) return {};
      if (error == EPIPE) return Error{output_closed, "the reader of " + name_ + " has gone away"};
      if (begin && take_back(*begin)) return output_error(name_, "cannot be written", error);
      return final_output_error(name_, "cannot be written", error);
    });
  }

 private:
  // Returns where the next byte goes, if the descriptor is a file that ends there; else null.
  std::optional<off_t> end_of_file() const noexcept {
    struct stat there{};
    if (fstat(descriptor_, &there) != 0 || !S_ISREG(there.st_mode)) return std::nullopt;
    const bool appends = (fcntl(descriptor_, F_GETFL) & O_APPEND) != 0;
    if (!appends && lseek(descriptor_, 0, SEEK_CUR) != there.st_size) return std::nullopt;
    return there.st_size;
  }
  bool take_back(off_t begin) const noexcept {
    return ftruncate(descriptor_, begin) == 0 && lseek(descriptor_, begin, SEEK_SET) == begin;
  }

  int descriptor_;
  bool is_own_ = false;
  std::string name_ = "standard output";
};

class StreamOutput : public PageOutput {
 public:
  explicit StreamOutput(int descriptor) : stream_(descriptor) {}
  StreamOutput(int descriptor, std::string name) : stream_(descriptor, std::move(name)) {}
  Result<void> flush() override { return {}; }
  std::uint64_t position() const noexcept override { return 0; }

 protected:
  Stream stream_;
};

class BodiesOutput final : public StreamOutput {
 public:
  using StreamOutput::StreamOutput;

  Result<void> write(const FetchedPage& page) override {
    if (!page.has_whole_body()) return {};
    return stream_.write(page.response.whole_body());
  }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = true}; }
};

class LogOutput final : public StreamOutput {
 public:
  using StreamOutput::StreamOutput;

  Result<void> write(const FetchedPage& page) override {
    line_.clear();
    append_page_facts(line_, page);
    line_ += "}\n";
    return stream_.write(BodyView(line_));
  }
  PageNeeds needs() const noexcept override { return {}; }

 private:
  std::string line_;
};

}  // namespace

std::unique_ptr<PageOutput> bodies_to(int descriptor) { return std::make_unique<BodiesOutput>(descriptor); }

Result<std::unique_ptr<PageOutput>> bodies_to_device(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return output_error(path, "cannot be opened for writing", errno);
  return std::unique_ptr<PageOutput>(std::make_unique<BodiesOutput>(descriptor, path));
}

std::unique_ptr<PageOutput> log_to(int descriptor) { return std::make_unique<LogOutput>(descriptor); }

}  // namespace robotrules::archive
