// Where a command's robots.txt files come from: files, standard input, the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/flags/flags.hpp"
#include "cli/io/input.hpp"
#include "cli/io/network.hpp"
#include "cli/io/robots_facts.hpp"

namespace robotrules::cli {

struct SourceBytes : FileBytes {
  std::optional<RobotsFacts> fetched;  // null: a file
};

class Sources {
 public:
  // What is behind the size limit of a fetch: left out, with a half line before it; or kept by one octet, so that the
  // reading says by itself that the file is too long.
  enum class Excess : std::uint8_t { cut, seen };

  Sources(const Options& options, std::string_view command, Excess excess)
      : options_(options), command_(command), excess_(excess) {}

  // Reads a path, "-" or a URL (of one without a path, the site's robots.txt). An answer other than success is an
  // error that says what it means to a robot. What is only worth a note is complained of.
  SourceBytes read(const std::string& source);

 private:
  SourceBytes fetch(const std::string& url);
  Result<void> go_online();

  const Options& options_;
  std::string_view command_;
  Excess excess_;
  NetworkChoice network_;
  std::optional<RobotUA> robot_;  // since it was first needed
};

}  // namespace robotrules::cli
