// Fetched pages for the tests of outputs, made without a network; and a reader of WARC files that shares no code with
// the command's.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/message.hpp>

#include <robotrules/page_output.hpp>

namespace robotrules::test {

// A server's answer with its recording; the head's fields are the response's.
Response answered(std::string url, std::string head, std::string body, std::string method = "GET");
// The same, for each of what led to it: the last of the list is the answer.
Response after(const Response& before, Response last);
Response denied(std::string url, std::string_view robots_txt);

struct ReadRecord {
  std::vector<std::pair<std::string, std::string>> fields;
  std::string block;
  std::string member;  // unpacked: this record and nothing else, unless the file is plain

  std::string get(std::string_view name) const;  // empty: none
};

// Throws std::runtime_error where the file is not what WARC 1.1 says, or a member is not one record.
std::vector<ReadRecord> read_warc(std::string_view bytes, Packing packing);

std::string contents(const std::string& path);
void put_file(const std::string& path, std::string_view bytes);

}  // namespace robotrules::test
