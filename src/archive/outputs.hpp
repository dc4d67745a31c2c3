// The output formats. open_output() chooses one.
#pragma once

#include <memory>
#include <string>

#include <robotrules/page_output.hpp>

namespace robotrules::archive {

Result<std::unique_ptr<PageOutput>> open_warc(const std::string& path, Packing packing, const OutputOptions& options);

struct NdjsonParts {
  bool headers = true;
  bool bodies = true;
  bool may_move = false;  // another program may move the file, and then reopen() is called: a log
};
Result<std::unique_ptr<PageOutput>> open_ndjson(const std::string& path, NdjsonParts parts);

// Writes successes as files HOST/PATH (tree_name.hpp), with the time of Last-Modified. An existing file belongs to the
// URL in its extended attribute user.xdg.origin.url. The same URL replaces it; another URL gets a name with its own
// hash. If the file system has no such attributes, every URL whose name is taken gets a name with its hash. Links in
// the tree are never followed.
Result<std::unique_ptr<PageOutput>> open_tree(const std::string& folder);

// Writes the bodies of successes to a descriptor, one after the other. Fails with "output-closed" if the reader has
// closed it.
std::unique_ptr<PageOutput> bodies_to(int descriptor);

// Does the same with a pipe or a device that has a name, such as /dev/null. Fails with "output-failed" if it cannot be
// opened.
Result<std::unique_ptr<PageOutput>> bodies_to_device(const std::string& path);

// Writes the lines of a log to a descriptor. Fails as bodies_to() does.
std::unique_ptr<PageOutput> log_to(int descriptor);

}  // namespace robotrules::archive
