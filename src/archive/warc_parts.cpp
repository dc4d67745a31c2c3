#include "archive/warc_parts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "archive/append_file.hpp"
#include "archive/warc_head.hpp"

namespace robotrules::archive {
namespace {

constexpr std::uint64_t parts_mark = std::uint64_t{1} << 61;
constexpr int size_bits = 44;
constexpr std::size_t part_digits = 5;
static_assert(max_part_size == std::uint64_t{1} << size_bits);
static_assert((std::uint64_t{max_parts} << size_bits) < parts_mark);

// Splits "pages.warc.gz" into "pages-" and ".warc.gz".
std::pair<std::string, std::string> around_number(const std::string& name) {
  const std::size_t at = name.rfind(".warc");
  return {name.substr(0, at) + '-', name.substr(at)};
}

}  // namespace

std::uint64_t number_of(PartPosition position) noexcept {
  return parts_mark | std::uint64_t{position.part} << size_bits | std::min(position.size, max_part_size - 1);
}

std::optional<PartPosition> part_position(std::uint64_t number) noexcept {
  if ((number & parts_mark) == 0) return std::nullopt;
  return PartPosition{static_cast<std::uint32_t>((number ^ parts_mark) >> size_bits), number & (max_part_size - 1)};
}

std::string part_path(const std::string& name, std::uint32_t part) {
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), "%05u", part);
  const auto [before, after] = around_number(name);
  return before + digits.data() + after;
}

Result<std::vector<std::uint32_t>> existing_parts(const std::string& name) {
  const std::filesystem::path path = name;
  const auto [before, after] = around_number(path.filename().string());
  std::vector<std::uint32_t> parts;
  std::error_code failed;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string file = entry->path().filename().string();
    if (file.size() != before.size() + part_digits + after.size()) continue;
    if (!file.starts_with(before) || !file.ends_with(after)) continue;
    if (const auto number = whole_number(std::string_view(file).substr(before.size(), part_digits))) {
      parts.push_back(static_cast<std::uint32_t>(*number));
    }
  }
  if (failed && failed != std::errc::no_such_file_or_directory) {
    return output_error(folder.string(), "cannot be read", failed.value());
  }
  std::sort(parts.begin(), parts.end());
  return parts;
}

}  // namespace robotrules::archive
