// Files of fetched pages: one interface for WARC files, NDJSON files, directory trees and bodies on standard output.
//
//   auto output = robotrules::open_output("pages.warc.gz", {.agent = "FooBot/1.0", .from = "bots@example.org"});
//   if (!output) return fail(output.error().message);
//   auto written = output.value()->write({.response = response, .url = "https://example.org/", .method = "GET"});
//   if (written) written = output.value()->flush();
//
// A crawl (crawl.hpp) writes its pages to such an output, and resume() reads them after a crash. A program may derive
// its own output from PageOutput.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/base.hpp>
#include <robotrules/message.hpp>
#include <robotrules/robots_step.hpp>

namespace robotrules {

struct QueuedUrl;
class UrlQueue;

// FetchedPage::why of a page whose own rules (noindex, noarchive) keep it out of the output.
inline constexpr std::string_view kept_out_by_page = "page-rules";

// FetchedPage::why of a page whose body is incomplete, because it was cut at a limit (Response::truncated). WARC and
// NDJSON files contain the part before the cut, and say that it is cut. Trees and standard output contain only whole
// bodies, so they do not contain this one.
inline constexpr std::string_view body_cut = "cut";

// FetchedPage::why of a page that came over HTTP/2 without Content-Length (Response::end_unknown): libcurl takes the
// reset of a stream for the end of a body. The page is kept, but no later copy refers to it.
inline constexpr std::string_view end_unknown = "end-unknown";

// FetchedPage::why of a response 304 to an unconditional request, or 206 to a request without a range. Such a response
// is not the page.
inline constexpr std::string_view unasked_status = "unasked-status";

// Each word that FetchedPage::why can be.
inline constexpr std::array<std::string_view, 4> page_whys = {kept_out_by_page, body_cut, end_unknown, unasked_status};

// A response record of a WARC file: the record that has the payload of a page. Revisit records refer to it.
struct PayloadRecord {
  std::string url;     // WARC-Target-URI
  Timestamp date{};    // WARC-Date
  std::string digest;  // WARC-Payload-Digest: "sha1:BASE32"
  friend bool operator==(const PayloadRecord&, const PayloadRecord&) = default;
};

// The result of one URL. Views and references are valid during the call only.
struct ROBOTRULES_API FetchedPage {
  // The last response, or a synthetic one that says why there is none. Response::previous leads to the redirects. Its
  // body may be empty, unless PageNeeds::body or CrawlOptions::keep_body asks for it.
  const Response& response;
  std::string_view url;  // as in the queue
  std::string_view method;
  std::string_view why{};                // a stable code; empty: see reason()
  std::optional<PayloadRecord> known{};  // of an earlier fetch of the URL: a 304 confirms it; null: not known
  bool kept_out = false;                 // the page asks not to be kept: outputs write its result but not its content
  unsigned tries = 1;                    // requests for the URL in this run; the response is that of the last one
  std::string_view file{};               // for a log: PageOutput::last_file() of the output
  std::vector<QueuedUrl>* links = nullptr;  // of add(); the crawl sets it for CrawlOptions::on_page
  std::uint64_t id = 0;                     // for Crawl::settle(); 0: the page ends when on_page returns

  // Adds URLs to the queue of the crawl, for example the links of the page: in the transaction that marks the page as
  // done. So a crash loses none of them. Only for CrawlOptions::on_page, during the call. URLs that the queue has
  // already change nothing. Fails with "invalid-url" or "invalid-request" (UrlQueue::add()), and elsewhere with
  // "no-crawl"; then no URL of the call is added.
  Result<void> add(std::span<const QueuedUrl> urls) const;
  Result<void> add(std::initializer_list<QueuedUrl> urls) const;

  // Returns `why`, else the lasting cause of the failure ("name-unknown"), else the source of the response ("timeout").
  std::string_view reason() const noexcept {
    if (!why.empty()) return why;
    return response.cause != FailureCause::none ? to_string(response.cause) : to_string(response.source);
  }
  // Returns true if the response contains the page: a success with its whole body. Trees and standard output contain
  // such pages only.
  bool has_whole_body() const noexcept {
    return !kept_out && why != unasked_status && method != "HEAD" && response.is_success() &&
           !response.is_synthetic() && !response.truncated;
  }
};

// The parts of a response that an output reads. The request must ask for them.
struct PageNeeds {
  bool recording = false;   // Request::record
  bool body = false;        // Request::keep_body
  bool robots_txt = false;  // write_robots_txt() is called for each exchange of a robots.txt fetch
  // last_payload() is answered. A page is then requested conditionally only if the queue knows the record that has it:
  // a 304 could refer to no other.
  bool payload_records = false;
};

// Error::code of write() if the reader of standard output has gone away.
inline constexpr std::string_view output_closed = "output-closed";

// Thread rule: one thread at a time. After an error the output is as it was before the call: a page is written whole or
// not at all. The functions must not throw exceptions. Errors: "output-failed" with the path and the system's message,
// "disk-full" in place of it if there is no room for a page, and those of open_output(). After "disk-full" the caller
// may write the same page again.
class ROBOTRULES_API PageOutput {
 public:
  virtual ~PageOutput() = default;
  PageOutput(const PageOutput&) = delete;
  PageOutput& operator=(const PageOutput&) = delete;

  // Takes every page, also denied and failed ones; the output decides which parts it writes. After write() has
  // returned, the page survives the death of the process.
  virtual Result<void> write(const FetchedPage& page) = 0;
  // Takes one exchange of a robots.txt fetch (RobotUA::on_robots_exchange) if needs().robots_txt is true. The default
  // does nothing. It survives as a page does.
  virtual Result<void> write_robots_txt(const Response& exchange);
  // After flush() has returned, all written pages also survive a crash of the machine. Fails with "output-moved" if the
  // file of a WARC or NDJSON output was moved, replaced or deleted.
  virtual Result<void> flush() = 0;
  // Ends the output: flush(), and what needs all pages, such as sorting an index. Precondition: no write() follows.
  virtual Result<void> complete();
  // Opens the file again by its path, which makes a new file if the old one was moved. If that fails, the output
  // continues with the old file. Only NDJSON files and logs do so; for others it does nothing.
  virtual Result<void> reopen();
  // Returns how far the output is complete, for UrlQueue::settle(): the size of the file, which contains whole pages
  // only. With OutputOptions::max_file_size it is a number from which resume() knows the file and its size. Returns 0
  // if the output is neither.
  virtual std::uint64_t position() const noexcept = 0;
  // Returns the bytes in the file or in all files of the output; 0 if they are not counted. The default returns
  // position().
  virtual std::uint64_t size() const noexcept;
  virtual PageNeeds needs() const noexcept = 0;
  // Returns the file that the last write() made, as a path in the folder of the output. Empty if the output is not a
  // folder, or if it made no file.
  virtual std::string_view last_file() const noexcept { return {}; }
  // Returns the record that has the payload of the page that the last write() took: the record that write() made, or
  // an earlier one, if write() made a revisit record. Never a record whose body is cut. Null if no file has the page,
  // or if the output is not a WARC file.
  virtual std::optional<PayloadRecord> last_payload() const { return std::nullopt; }

 protected:
  PageOutput() = default;
};

enum class OutputKind : std::uint8_t { warc, ndjson, tree, bodies };
enum class Packing : std::uint8_t { none, gzip, zstd };

struct OutputName {
  OutputKind kind = OutputKind::bodies;
  Packing packing = Packing::none;
};
// Reads the kind of an output from its name: "-" is standard output; "*.warc", "*.warc.gz" and "*.warc.zst" are WARC
// files; "*.ndjson" and "*.jsonl" are NDJSON files; an existing folder, or a name that ends in "/", is a tree. Any
// other pipe or character device (/dev/null) gets bodies, as standard output does. Fails with "unknown-output" for all
// other names.
ROBOTRULES_API Result<OutputName> read_output_name(const std::string& name);

// Fails with "invalid-level" if the output is a compressed WARC file whose format lacks this level of compression: gzip
// has 0 to 9, zstd 1 to 19. open_output() does the same.
ROBOTRULES_API Result<void> check_level(const OutputName& output, int level);

struct OutputOptions {
  std::string agent{};   // User-Agent; a WARC file names it in its warcinfo record
  std::string from{};    // From; also in the warcinfo record
  std::string policy{};  // name of the RobotsPolicy ("rfc9309", "strict"); also in the warcinfo record
  // More fields of the warcinfo record, as names and values: "operator", "description", "isPartOf" ...
  std::vector<std::pair<std::string, std::string>> warcinfo{};
  std::optional<int> level{};  // of gzip (0 to 9) or zstd (1 to 19); null: 1
  bool dedup = false;          // WARC: a page with the payload of a written or known page becomes a revisit record
  bool cdx = false;            // WARC: write an index (CDXJ) beside the file
  // WARC: when a file has this size, the next page begins another: NAME-00000.warc.gz, NAME-00001.warc.gz, ... for
  // NAME.warc.gz. 0: one file.
  std::uint64_t max_file_size = 0;
  bool bodies = true;         // NDJSON lines contain bodies
  bool keep_secrets = false;  // keep Authorization and Cookie of requests; then only the owner may read the file
};

// Opens an output, and creates it if it is missing. Pages are appended to an existing file, or to the last of several
// (max_file_size). Two processes cannot write the same file. Fails with "unknown-output", "output-failed",
// "output-busy" or "invalid-warcinfo".
ROBOTRULES_API Result<std::unique_ptr<PageOutput>> open_output(const std::string& name,
                                                               const OutputOptions& options = {});

// Returns the files of a WARC or NDJSON output that exist, in the order in which they were begun. Fails with
// "unknown-output" or "output-failed".
ROBOTRULES_API Result<std::vector<std::string>> output_files(const std::string& name,
                                                             const OutputOptions& options = {});

// Opens a log: one line per URL, as NDJSON without headers and bodies. The file may have any name; "-" is standard
// output.
ROBOTRULES_API Result<std::unique_ptr<PageOutput>> open_log(const std::string& path);

// --- robots.txt files in a WARC file --------------------------------------------------------------------------------

// A recorded response to a request for /robots.txt.
struct WarcRobots {
  std::string date;  // WARC-Date
  // For robots_step(), with the first 512,000 bytes of the decoded body; its times are not set. request.url is
  // WARC-Target-URI. If the response cannot be read, `end` is failed.
  RobotsExchange exchange;
};

// Reads a WARC file, plain or packed by gzip or zstd, and calls on_robots for each response to a request for
// /robots.txt, until on_robots returns false. After each record it calls on_progress with the bytes read and the size
// of the file. Fails with "warc-damaged" if the file cannot be opened or cannot be read to its end. Before it fails, it
// has called on_robots for the responses before the damage.
ROBOTRULES_API Result<void> read_warc_robots(
    const std::string& path, const std::function<bool(WarcRobots robots)>& on_robots,
    const std::function<void(std::uint64_t done, std::uint64_t all)>& on_progress = {});

// --- resume: another run ---------------------------------------------------------------------------------------------

// The position that tells resume() not to read a log. A program stores it with UrlQueue::settle() when a crawl has
// ended. Later lines of the log may belong to another crawl, so resume() must not take them for pages of this one.
inline constexpr std::uint64_t log_closed = std::uint64_t{1} << 62;

// Prepares a queue and its output for another run; the queue is open, and the output is not yet. Call it at each start:
// without a file or a stored position it does nothing and returns 0. Marks as done the pages that a WARC or NDJSON file
// contains, or, with another output, those that the log contains. Cuts off an incomplete page at the end, and adds
// missing lines to the log. Returns the number of pages that were marked. `output` and `log` are
// CrawlOptions::output_path and log_path; each may be empty. `options` are those of the next open_output().
//
// With `on_page`, as a crawl that follows links has it: calls it for each of these pages whose whole body the output
// can give back, and adds the URLs that it gives to FetchedPage::add() before the page is marked. The response has
// status, headers, the decoded body, URL and times, and neither redirects nor a recording. From WARC it has the reason
// phrase too; a URL after a redirect has neither userinfo nor fragment, and a response of HTTP/2 or HTTP/3 without
// Content-Length has one. A page that the output has twice comes once. All other pages stay pending, so the next crawl
// fetches and writes them again: those of a tree, of standard output and of NDJSON without bodies; revisits, failures
// without a response, and bodies that were cut, are longer than 64 MiB or (in WARC) have an unknown content coding.
// Memory: one response; from NDJSON several times its body, because a page is one line of JSON.
//
// Fails with "output-shorter" if the file lacks pages that are marked as done, "output-busy" if another process writes
// the file, "unknown-output", "output-damaged", "output-failed", "callback-failed" if on_page throws an exception, or
// with an error of the queue.
ROBOTRULES_API Result<std::uint64_t> resume(UrlQueue& queue, const std::string& output, const std::string& log,
                                            const OutputOptions& options = {},
                                            const std::function<void(const FetchedPage& page)>& on_page = {});

}  // namespace robotrules
