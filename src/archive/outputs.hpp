// The outputs, each by its own name; open_output() chooses.
#pragma once

#include <memory>
#include <string>

#include <robotrules/page_output.hpp>

namespace robotrules::archive {

Result<std::unique_ptr<PageOutput>> open_warc(const std::string& path, Packing packing, const OutputOptions& options);

struct NdjsonParts {
  bool headers = true;
  bool bodies = true;
};
Result<std::unique_ptr<PageOutput>> open_ndjson(const std::string& path, NdjsonParts parts);

// Successes as files HOST/PATH (tree_name.hpp), with the time of Last-Modified. What is there already belongs to its
// URL, which is noted in the extended attribute user.xdg.origin.url: the same URL replaces it, another one, or any
// where the file system keeps no attributes, gets a name with its own hash. Links in the tree are never followed.
Result<std::unique_ptr<PageOutput>> open_tree(const std::string& folder);

// Bodies of successes to a descriptor, one behind the other. Error "output-closed" where the reader has gone.
std::unique_ptr<PageOutput> bodies_to(int descriptor);

}  // namespace robotrules::archive
