#include <robotrules/page_output.hpp>

#include <unistd.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "archive/outputs.hpp"
#include "archive/warc_parts.hpp"
#include "base/escape.hpp"

namespace robotrules {
namespace {

// Returns the kind of a file by the end of its name; null: the end is not known.
std::optional<OutputName> file_of_name(std::string_view name) {
  if (name.ends_with(".warc")) return OutputName{OutputKind::warc, Packing::none};
  if (name.ends_with(".warc.gz")) return OutputName{OutputKind::warc, Packing::gzip};
  if (name.ends_with(".warc.zst")) return OutputName{OutputKind::warc, Packing::zstd};
  if (name.ends_with(".ndjson") || name.ends_with(".jsonl")) return OutputName{OutputKind::ndjson, Packing::none};
  return std::nullopt;
}

}  // namespace

Result<OutputName> read_output_name(const std::string& name) {
  if (name == "-") return OutputName{OutputKind::bodies, Packing::none};
  if (name.ends_with('/')) return OutputName{OutputKind::tree, Packing::none};
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(name, ignored);
  if (const auto file = file_of_name(name)) {
    if (!is_folder) return *file;
    return Error{"output-is-folder", "the output \"" + base::printable(name) +
                                         "\" has the name of a file, but it is a folder: give another name, or end it "
                                         "in \"/\" to write files into the folder"};
  }
  if (is_folder) return OutputName{OutputKind::tree, Packing::none};
  const auto type = std::filesystem::status(name, ignored).type();
  if (type == std::filesystem::file_type::character || type == std::filesystem::file_type::fifo) {
    return OutputName{OutputKind::bodies, Packing::none};
  }
  return Error{"unknown-output", "the output \"" + base::printable(name) +
                                     "\" has an unknown format: end it in .warc, .warc.gz, .warc.zst, .ndjson, "
                                     ".jsonl or \"/\" (a folder), or write \"-\" for standard output"};
}

Result<void> PageOutput::write_robots_txt(const Response&) { return {}; }

Result<void> PageOutput::complete() { return flush(); }

std::uint64_t PageOutput::size() const noexcept { return position(); }

Result<void> PageOutput::reopen() { return {}; }

Result<void> check_level(const OutputName& output, int level) {
  if (output.kind != OutputKind::warc || output.packing == Packing::none) return {};
  const bool is_gzip = output.packing == Packing::gzip;
  if (level >= (is_gzip ? 0 : 1) && level <= (is_gzip ? 9 : 19)) return {};
  return Error{"invalid-level", std::string(is_gzip ? "gzip has the levels 0 to 9" : "zstd has the levels 1 to 19") +
                                    ", and no level " + std::to_string(level) + ": give another level"};
}

Result<std::unique_ptr<PageOutput>> open_output(const std::string& name, const OutputOptions& options) {
  const auto read = read_output_name(name);
  if (!read) return read.error();
  if (options.level) {
    if (auto has_level = check_level(read.value(), *options.level); !has_level) return has_level.error();
  }
  switch (read.value().kind) {
    case OutputKind::warc: return archive::open_warc(name, read.value().packing, options);
    case OutputKind::ndjson:
      return archive::open_ndjson(name, {.headers = true, .bodies = options.bodies, .may_move = false});
    case OutputKind::tree: return archive::open_tree(name);
    case OutputKind::bodies: break;
  }
  return name == "-" ? archive::bodies_to(STDOUT_FILENO) : archive::bodies_to_device(name);
}

Result<std::vector<std::string>> output_files(const std::string& name, const OutputOptions& options) {
  const auto read = read_output_name(name);
  if (!read) return read.error();
  std::vector<std::string> files;
  if (archive::has_parts(read.value(), options)) {
    const auto parts = archive::existing_parts(name);
    if (!parts) return parts.error();
    for (const std::uint32_t part : parts.value()) files.push_back(archive::part_path(name, part));
  } else if (read.value().kind == OutputKind::warc || read.value().kind == OutputKind::ndjson) {
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) files.push_back(name);
  }
  return files;
}

Result<std::unique_ptr<PageOutput>> open_log(const std::string& path) {
  if (path == "-") return archive::log_to(STDOUT_FILENO);
  return archive::open_ndjson(path, {.headers = false, .bodies = false, .may_move = true});
}

}  // namespace robotrules
