// WARC 1.1 read as the standard has it, with nothing forgiven; it shares no code with the writer.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::fuzz {

struct StrictRecord {
  std::string type;
  std::map<std::string, std::string> fields;  // names in lower case
  std::string_view block;

  std::string field(const std::string& name) const;
};

// `plain`: the whole file, unpacked. Ends the program if anything is not as the standard has it: digests, lengths,
// dates, names given twice.
std::vector<StrictRecord> read_strictly(std::string_view plain);

// The HTTP message in a block, as one who reads the archive later takes it.
struct StrictMessage {
  std::string_view head;  // with its empty line
  std::string_view body;
};
StrictMessage message_in(std::string_view block);
// Fails if the head says another length than the body has.
void require_framing(const StrictMessage& message);

}  // namespace robotrules::fuzz
