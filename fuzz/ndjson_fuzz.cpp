// Lines of JSON as import reads them, and as export would write them again: the same record.
//
// Input: lines.
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "base/escape.hpp"
#include "base/utf8.hpp"
#include "cli/db/import_record.hpp"
#include "cli/io/input.hpp"
#include "cli/io/text.hpp"
#include "input.hpp"
#include "memory_file.hpp"

namespace robotrules::fuzz {
namespace {

bool same(const RobotsRecord& a, const RobotsRecord& b) {
  const bool bodies = a.body == nullptr ? b.body == nullptr : b.body != nullptr && *a.body == *b.body;
  return bodies && a.url == b.url && a.etag == b.etag && a.last_modified == b.last_modified &&
         a.fetched_at == b.fetched_at && a.outcome == b.outcome && a.status == b.status &&
         a.fresh_until == b.fresh_until;
}

void look_at(const std::string& line, Timestamp now, Store& store) {
  const cli::ImportRecord made = cli::record_of_line(line, now);
  if (!made.fault.empty()) {
    require(base::printable(made.fault) == made.fault, "a fault is a clean sentence");
    return;
  }
  require(made.origin.has_value(), "what is taken has a site");
  require(made.record.body != nullptr || made.record.outcome != RobotsOutcome::rules, "rules have a body");
  require(made.record.status >= 0 && made.record.status <= 999, "a status has three digits at most");

  const std::string written = cli::line_of(*made.origin, made.record);
  require(nlohmann::json::accept(written), "what is written is JSON");
  require(written.find('\n') == written.size() - 1 && base::is_utf8(written), "in one line of UTF-8");
  const cli::ImportRecord again = cli::record_of_line(written, now + std::chrono::hours(1));
  require(again.fault.empty() && again.origin == made.origin && same(again.record, made.record),
          "and read as what it was");
  require(cli::line_of(*again.origin, again.record) == written, "and written as it was");

  require(store.put_robots(*made.origin, made.record).ok(), "a store takes it");
  const auto kept = store.robots(*made.origin);
  require(kept.ok() && kept.value() != nullptr && same(*kept.value(), made.record), "and gives it back");
}

}  // namespace
}  // namespace robotrules::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace robotrules;
  using namespace robotrules::fuzz;
  static const MemoryFile file;
  const Timestamp now{std::chrono::days{20'000}};
  const auto store = make_memory_store();
  Input input(data, size);
  file.set(input.rest());
  cli::LineReader lines(file.descriptor());
  std::string line;
  while (lines.next(line)) {
    std::string_view expected = input.line();
    if (expected.ends_with('\r')) expected.remove_suffix(1);
    require(line == expected, "lines are lines");
    look_at(line, now, *store);
  }
  require(lines.error().empty() && input.empty(), "all of them");
  return 0;
}
