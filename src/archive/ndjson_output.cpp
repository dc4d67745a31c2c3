#include "archive/append_file.hpp"
#include "archive/outputs.hpp"
#include "archive/page_json.hpp"

namespace robotrules::archive {
namespace {

class NdjsonOutput final : public PageOutput {
 public:
  NdjsonOutput(std::unique_ptr<AppendFile> file, NdjsonParts parts) : file_(std::move(file)), parts_(parts) {}

  Result<void> write(const FetchedPage& page) override {
    auto written = write_line(page);
    if (written) written = file_->commit();
    if (!written) file_->take_back();
    return written;
  }
  Result<void> flush() override {
    const auto there = parts_.may_move ? Result<void>() : file_->check_place();
    return there ? file_->sync() : there;
  }
  Result<void> reopen() override { return file_->reopen(); }
  std::uint64_t position() const noexcept override { return file_->position(); }
  PageNeeds needs() const noexcept override { return {.recording = false, .body = parts_.bodies}; }

 private:
  Result<void> write_line(const FetchedPage& page) {
    line_.clear();
    append_page_facts(line_, page);
    const Response& response = page.response;
    if (!page.kept_out && !response.is_synthetic()) {
      if (parts_.headers) append_headers(line_, response.headers);
      if (auto done = file_->add(line_); !done) return done;
      line_.clear();
      if (parts_.bodies) {
        const auto add = [this](std::string_view text) { return file_->add(text); };
        if (auto done = write_body(response.whole_body(), add); !done) return done;
      }
    }
    return file_->add(line_ += "}\n");
  }

  std::unique_ptr<AppendFile> file_;
  NdjsonParts parts_;
  std::string line_;
};

}  // namespace

Result<std::unique_ptr<PageOutput>> open_ndjson(const std::string& path, NdjsonParts parts) {
  auto file = AppendFile::open(path);
  if (!file) return file.error();
  return std::unique_ptr<PageOutput>(std::make_unique<NdjsonOutput>(std::move(file).value(), parts));
}

}  // namespace robotrules::archive
