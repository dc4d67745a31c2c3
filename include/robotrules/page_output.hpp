// Where fetched pages go: one interface over WARC files, NDJSON files, directory trees and standard output.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/message.hpp>
#include <robotrules/result.hpp>
#include <robotrules/store.hpp>

namespace robotrules {

// FetchedPage::why of a page whose own rules (noindex, noarchive) keep it out.
inline constexpr std::string_view kept_out_by_page = "page-rules";

// FetchedPage::why of a 304 or 206 to a request that was neither conditional nor for a range: it is not the page.
inline constexpr std::string_view unasked_status = "unasked-status";

// What became of one URL. Looked at during the call only.
struct FetchedPage {
  const Response& response;  // the last, or the synthetic one that says why there is none; those before it behind it
  std::string_view url;      // as the queue has it
  std::string_view method;
  std::string_view why{};                  // a stable code; empty: the name of the response's source
  std::optional<Timestamp> known_since{};  // of a 304: when what it confirms was fetched
  bool kept_out = false;                   // the page asks not to be kept: what became of it is told, nothing of it

  std::string_view reason() const noexcept { return why.empty() ? to_string(response.source) : why; }
};

// What an output looks at, and so what must be asked for.
struct PageNeeds {
  bool recording = false;  // Request::record
  bool body = false;       // Request::keep_body
};

// Error::code of write() if the reader of standard output has gone away.
inline constexpr std::string_view output_closed = "output-closed";

// Thread rule: one thread at a time. What an error leaves behind is what was there before the call: a page is written
// whole or not at all. Errors are "output-failed", with the path and the system's words, and those of open_output().
class PageOutput {
 public:
  virtual ~PageOutput() = default;
  PageOutput(const PageOutput&) = delete;
  PageOutput& operator=(const PageOutput&) = delete;

  // Every page, those that were denied or failed too; what it makes of them is the output's affair. When it returns, a
  // kill of the process takes nothing of the page away any more.
  virtual Result<void> write(const FetchedPage& page) = 0;
  // When it returns, not even a failure of the machine does.
  virtual Result<void> flush() = 0;
  // Octets of the file, all of them whole pages; what recover() goes on from. 0 where there is no one file.
  virtual std::uint64_t position() const noexcept = 0;
  virtual PageNeeds needs() const noexcept = 0;

 protected:
  PageOutput() = default;
};

enum class OutputKind : std::uint8_t { warc, ndjson, tree, bodies };
enum class Packing : std::uint8_t { none, gzip, zstd };

struct OutputName {
  OutputKind kind = OutputKind::bodies;
  Packing packing = Packing::none;
};
// "-": bodies on standard output; "*.warc", "*.warc.gz", "*.warc.zst"; "*.ndjson", "*.jsonl"; a folder, which exists or
// whose name ends in "/". Error "unknown-output" for all else.
Result<OutputName> read_output_name(const std::string& name);

struct OutputOptions {
  std::string agent{};  // User-Agent, for the file's own description
  std::string from{};
  std::string policy{};        // how robots.txt is obeyed, in a word: "rfc9309", "strict"
  std::optional<int> level{};  // of gzip (0 to 9) or zstd (1 to 19); null: a fast one (1)
  bool bodies = true;          // in NDJSON
  bool keep_secrets = false;   // of requests (stored_head.hpp); only their owner may read the files that hold any
};

// Opens, and makes where it is missing. What stands in a file stays, and is written on behind it; no two may write one
// file. Errors "unknown-output", "output-failed", "output-busy".
Result<std::unique_ptr<PageOutput>> open_output(const std::string& name, const OutputOptions& options);

// A line a URL: what NDJSON has without headers and bodies. Any name will do.
Result<std::unique_ptr<PageOutput>> open_log(const std::string& path);

}  // namespace robotrules
