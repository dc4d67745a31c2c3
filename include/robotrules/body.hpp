// Bodies of requests and responses: in memory, in a temporary file, or read while they are sent; forms.
//
//     auto done = response.whole_body().for_each_piece([&](std::string_view piece) { return write(piece); });
//     request.body = robotrules::body_of_file("report.pdf");
//
// In this example write() returns a Result<void>.
// Thread rule and errors: see each class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>

namespace robotrules {

// --- bodies of responses --------------------------------------------------------------------------------------------

// Error::code if a disk has room for a part of a body, but not for all of it.
inline constexpr std::string_view disk_too_small_code = "disk-too-small";

// A temporary file without a name, which contains the rest of a long body. The file is deleted with the last shared_ptr
// to it.
// Thread rule: after the last append(), any thread may call read().
// Errors: every function that returns a Result fails with "spool-failed" if the file cannot be made, written or read,
// and with "disk-full" if there is no room for it, or with "disk-too-small" if the files of this process have taken the
// room.
class ROBOTRULES_API SpoolFile {
 public:
  // Makes a file in `folder`.
  static Result<std::shared_ptr<SpoolFile>> make(const std::string& folder);
  ~SpoolFile();
  SpoolFile(const SpoolFile&) = delete;
  SpoolFile& operator=(const SpoolFile&) = delete;

  // Adds `bytes` at the end.
  Result<void> append(std::string_view bytes);
  std::uint64_t size() const noexcept { return size_; }
  // Reads up to `room` bytes at `offset` into `to`. Returns the number of bytes; 0 at the end of the file.
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t room) const;

 private:
  SpoolFile(std::string folder, int file) : folder_(std::move(folder)), file_(file) {}
  std::string folder_;
  int file_;
  std::uint64_t size_ = 0;
};

// A view of a whole body: the beginning is in memory, the rest may be in a temporary file. The response that it came
// from must outlive it.
class ROBOTRULES_API BodyView {
 public:
  BodyView() = default;
  explicit BodyView(std::string_view in_memory ROBOTRULES_LIFETIMEBOUND,
                    const SpoolFile* rest ROBOTRULES_LIFETIMEBOUND = nullptr) noexcept
      : in_memory_(in_memory), rest_(rest) {}

  std::uint64_t size() const noexcept { return in_memory_.size() + (rest_ != nullptr ? rest_->size() : 0); }
  // Returns the beginning of the body, or the whole body if is_in_memory().
  std::string_view in_memory() const noexcept { return in_memory_; }
  bool is_in_memory() const noexcept { return rest_ == nullptr; }
  // Calls `each` with the body in pieces: first the part in memory, then pieces of at most 64 KiB. Stops at the first
  // error of `each` and returns it. Fails with "spool-failed" if the file cannot be read.
  Result<void> for_each_piece(const std::function<Result<void>(std::string_view piece)>& each) const;
  // Returns the whole body as one string. Fails with "spool-failed".
  Result<std::string> text() const;

 private:
  std::string_view in_memory_;
  const SpoolFile* rest_ = nullptr;
};

// --- bodies of requests ---------------------------------------------------------------------------------------------

// A source of the bytes of a request's body. After a redirect that keeps the method (307, 308), the agent sends the
// body again: it rewinds the source and reads it once more.
// Thread rule: all functions are called on the agent's thread, for one request at a time.
class ROBOTRULES_API BodySource {
 public:
  virtual ~BodySource() = default;
  BodySource(const BodySource&) = delete;
  BodySource& operator=(const BodySource&) = delete;

  // Returns the total number of bytes; null if it is not known in advance (the body is then sent in chunks).
  virtual std::optional<std::uint64_t> size() const = 0;
  // Goes back to the beginning. Returns false if that is not possible.
  virtual bool rewind() = 0;
  // Copies up to `room` bytes to `to`. Returns the number of bytes, 0 at the end, and null if the source cannot be
  // read, which ends the transfer.
  virtual std::optional<std::size_t> read(char* to, std::size_t room) = 0;

 protected:
  BodySource() = default;
};
// Returns a source that sends this string.
ROBOTRULES_API std::shared_ptr<BodySource> body_of(std::string bytes);
// Returns a source that sends a file. The file is opened when it is sent; if it cannot be read, the request ends with
// ResponseSource::invalid_request.
ROBOTRULES_API std::shared_ptr<BodySource> body_of_file(std::string path);
// Returns a source that sends the pieces that `next` returns; an empty piece is the end. The pieces can be sent only
// once: a redirect that would send them again ends with ResponseSource::invalid_request. `size` is the total number of
// bytes, if it is known.
ROBOTRULES_API std::shared_ptr<BodySource> body_of_callback(std::function<std::string()> next,
                                                            std::optional<std::uint64_t> size = std::nullopt);

using FormFields = std::vector<std::pair<std::string, std::string>>;
// Returns the fields as application/x-www-form-urlencoded text.
ROBOTRULES_API std::string form_urlencoded(const FormFields& fields);

// One part of a multipart/form-data body.
struct FormPart {
  std::string name;
  std::shared_ptr<BodySource> body;
  std::string filename{};      // empty: the part is a plain field
  std::string content_type{};  // empty: the part has no Content-Type
};
struct MultipartForm {
  std::shared_ptr<BodySource> body;  // reads files in pieces while it is sent
  std::string content_type;          // "multipart/form-data" with the boundary
};
// Returns the parts as one body with a random boundary.
ROBOTRULES_API MultipartForm multipart_form(std::vector<FormPart> parts);

}  // namespace robotrules
