#include "support/archive/fetched.hpp"

#include <zlib.h>
#include <zstd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <robotrules/rules.hpp>

namespace robotrules::test {
namespace {

constexpr Timestamp fetched{std::chrono::microseconds{1'795'273'445'123'456}};  // 2026-11-21T15:04:05.123456Z

std::string take_member(std::string_view& bytes, Packing packing) {
  std::string out;
  if (packing == Packing::zstd) {
    const std::size_t size = ZSTD_findFrameCompressedSize(bytes.data(), bytes.size());
    const auto plain = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (ZSTD_isError(size) != 0 || plain > (1U << 28)) throw std::runtime_error("no zstd frame");
    out.resize(plain);
    if (ZSTD_decompress(out.data(), out.size(), bytes.data(), size) != plain) throw std::runtime_error("bad frame");
    bytes.remove_prefix(size);
    return out;
  }
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw std::runtime_error("no memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  int code = Z_OK;
  while (code == Z_OK) {
    char room[4'096];
    stream.next_out = reinterpret_cast<Bytef*>(room);
    stream.avail_out = sizeof room;
    code = inflate(&stream, Z_NO_FLUSH);
    out.append(room, sizeof room - stream.avail_out);
  }
  bytes.remove_prefix(bytes.size() - stream.avail_in);
  inflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("bad gzip member");
  return out;
}

ReadRecord take_record(std::string_view& bytes) {
  ReadRecord record;
  const auto line = [&bytes] {
    const std::size_t end = bytes.find("\r\n");
    if (end == std::string_view::npos) throw std::runtime_error("the head is cut");
    const std::string_view found = bytes.substr(0, end);
    bytes.remove_prefix(end + 2);
    return found;
  };
  if (line() != "WARC/1.1") throw std::runtime_error("no WARC/1.1 record");
  for (std::string_view field = line(); !field.empty(); field = line()) {
    const std::size_t colon = field.find(": ");
    if (colon == std::string_view::npos) throw std::runtime_error("no field: " + std::string(field));
    record.fields.emplace_back(field.substr(0, colon), field.substr(colon + 2));
  }
  const std::size_t size = std::stoul(record.get("Content-Length"));
  if (bytes.size() < size + 4 || bytes.substr(size, 4) != "\r\n\r\n") throw std::runtime_error("no end of record");
  record.block = bytes.substr(0, size);
  bytes.remove_prefix(size + 4);
  return record;
}

}  // namespace

Response answered(std::string url, std::string head, std::string body, std::string method) {
  Response response;
  auto recording = std::make_shared<Recording>();
  recording->request_head = method + " /asked HTTP/1.1\r\nHost: a.test\r\nUser-Agent: TestBot/1.0\r\n\r\n";
  recording->response_head = head;
  recording->body_is_plain = true;
  recording->peer = "192.0.2.7:443";
  recording->requested_at = fetched;
  response.requested_at = fetched;
  response.received_at = fetched + std::chrono::milliseconds(12);
  response.code = std::stoi(head.substr(head.find(' ') + 1, 3));
  std::istringstream lines(head);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) response.headers.add(line.substr(0, colon), line.substr(colon + 2));
  }
  response.body = std::move(body);
  response.body_size = response.bytes_received = response.body.size();
  response.method = std::move(method);
  response.url = std::move(url);
  response.recording = std::move(recording);
  return response;
}

Response after(const Response& before, Response last) {
  last.previous = std::make_shared<const Response>(before);
  return last;
}

Response denied(std::string url, std::string_view robots_txt) {
  auto note = std::make_shared<RobotsNote>();
  note->access = Access::disallowed;
  note->rules = Rules::compile(robots_txt, "TestBot");
  note->verdict = note->rules->check(url);
  note->status = 200;
  note->url = "http://a.test/robots.txt";
  note->fetched_at = fetched;
  Response response;
  response.code = 403;
  response.source = ResponseSource::robots_denied;
  response.warning = url + ": robots.txt says no";
  response.method = "GET";
  response.url = std::move(url);
  response.robots = std::move(note);
  return response;
}

std::string ReadRecord::get(std::string_view name) const {
  for (const auto& [known, value] : fields) {
    if (known == name) return value;
  }
  return {};
}

std::vector<ReadRecord> read_warc(std::string_view bytes, Packing packing) {
  std::vector<ReadRecord> records;
  while (!bytes.empty()) {
    if (packing == Packing::none) {
      records.push_back(take_record(bytes));
      continue;
    }
    const std::string member = take_member(bytes, packing);
    std::string_view left = member;
    records.push_back(take_record(left));
    if (!left.empty()) throw std::runtime_error("a member with more than one record");
    records.back().member = member;
  }
  return records;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put_file(const std::string& path, std::string_view bytes) {
  std::remove(
      path.c_str());  // a file that is emptied and written anew is brought to the disk by ext4 when it is closed
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace robotrules::test
