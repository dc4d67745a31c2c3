// Sources of robots.txt files: files, standard input, the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/diagnose.hpp>
#include <robotrules/robots_txt.hpp>

#include "cli/io/input.hpp"
#include "cli/io/network.hpp"
#include "cli/io/robots_facts.hpp"

namespace robotrules::cli {

struct SourceBytes : FileBytes {
  std::optional<RobotsFacts> fetched;  // null if it was read from a file
  std::optional<FetchFacts> response;  // the same
  std::string url;                     // of the request; empty if it was read from a file
};

class Sources {
 public:
  // How to treat a fetched file that exceeds the size limit: `cut` removes the excess and an incomplete last line;
  // `seen` keeps the lines up to twice the limit, so that parsing reports that the file is too long.
  enum class Excess : std::uint8_t { cut, seen };

  // `agent`: the robot that fetches. `offline`: a name of a missing file is not taken for a URL.
  Sources(NetworkOptions network, std::string_view command, Excess excess, AgentChoice agent = {}, bool offline = false)
      : network_(std::move(network)), agent_(std::move(agent)), command_(command), excess_(excess), offline_(offline) {}

  // Reads a path, "-" or a URL (for a URL without a path, the site's robots.txt). "example.org/x" is a URL if no such
  // file exists. A response other than success is an error that says what it means for a robot. Prints notes about
  // redirects and long files.
  SourceBytes read(const std::string& source);

  // Does the same, but any response of the server is an answer, and no notes are printed.
  SourceBytes read_answer(const std::string& source);

 private:
  SourceBytes read(const std::string& source, bool any_answer);
  SourceBytes fetch(const std::string& url, bool any_answer);
  void note(const std::string& url, const RobotsFacts& facts, bool is_moved) const;

  NetworkOptions network_;
  AgentChoice agent_;
  std::string_view command_;
  Excess excess_;
  bool offline_;
  std::optional<RobotUA> robot_;  // made for the first URL
};

// Prints a note if the file is an HTML page or UTF-16, or is longer than the dialect of `robots` reads. `path`: as
// given. `robots`: the parsed file.
void note_content(std::string_view command, std::string_view path, const SourceBytes& file, const RobotsTxt& robots);

}  // namespace robotrules::cli
