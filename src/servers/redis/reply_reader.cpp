#include "servers/redis/reply_reader.hpp"

#include <algorithm>
#include <utility>

#include "store/packing.hpp"

namespace robotrules::store::redis {
namespace {

constexpr std::string_view line_end = "\r\n";

}  // namespace

bool ReplyReader::add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (part_ == Part::line ? !add_to_line(bytes) : !add_to_text(bytes)) return false;
  }
  return true;
}

std::optional<Reply> ReplyReader::take() {
  if (whole_.empty()) return std::nullopt;
  Reply reply = std::move(whole_.front());
  whole_.pop_front();
  return reply;
}

// Takes bytes up to the end of a line. Only a CR at the end of `line_` is looked at twice: it may begin the line end.
bool ReplyReader::add_to_line(std::string_view& bytes) {
  const bool is_split = line_.ends_with('\r') && bytes.front() == '\n';
  const std::size_t end = is_split ? 0 : bytes.find(line_end);
  const std::size_t size = std::min(end, bytes.size());
  const bool has_cr = end == std::string_view::npos ? bytes.ends_with('\r') : is_split;
  if (line_.size() + size - (has_cr ? 1 : 0) > limits_.line_bytes) return false;
  if (end == std::string_view::npos) {
    line_ += bytes;
    bytes = {};
    return true;
  }
  std::string_view line = bytes.substr(0, size);
  if (!line_.empty()) {
    line_ += line;
    if (is_split) line_.pop_back();
    line = line_;
  }
  bytes.remove_prefix(size + (is_split ? 1 : line_end.size()));
  all_line_bytes_ += line.size();
  if (all_line_bytes_ > limits_.all_line_bytes) return false;
  const bool is_good = read_line(line);
  line_.clear();
  return is_good;
}

bool ReplyReader::add_to_text(std::string_view& bytes) {
  const std::string_view taken = bytes.substr(0, missing_);
  bytes.remove_prefix(taken.size());
  if (part_ == Part::text) {
    text_ += taken;
    missing_ -= taken.size();
    if (missing_ != 0) return true;
    part_ = Part::text_end;
    missing_ = line_end.size();
    return true;
  }
  if (!line_end.substr(line_end.size() - missing_).starts_with(taken)) return false;
  missing_ -= taken.size();
  if (missing_ != 0) return true;
  part_ = Part::line;
  Reply reply;
  reply.kind = Reply::Kind::text;
  reply.text = std::exchange(text_, {});
  return finish(std::move(reply));
}

bool ReplyReader::read_line(std::string_view line) {
  if (line.empty()) return false;
  const std::string_view rest = line.substr(1);
  Reply reply;
  switch (line.front()) {
    case '+':
    case '-':
      reply.kind = line.front() == '+' ? Reply::Kind::text : Reply::Kind::error;
      reply.text = rest;
      return finish(std::move(reply));
    case ':': {
      const auto number = number_in(rest);
      if (!number) return false;
      reply.kind = Reply::Kind::number;
      reply.number = *number;
      return finish(std::move(reply));
    }
    case '$': {
      const auto size = number_in(rest);
      return size && begin_text(*size);
    }
    case '*': {
      const auto count = number_in(rest);
      return count && begin_list(*count);
    }
    default: return false;
  }
}

bool ReplyReader::begin_text(std::int64_t size) {
  if (size == -1) return finish({});
  if (size < 0 || static_cast<std::uint64_t>(size) > limits_.text_bytes - text_bytes_) return false;
  missing_ = static_cast<std::size_t>(size);
  text_bytes_ += missing_;
  part_ = Part::text;
  if (missing_ != 0) return true;
  part_ = Part::text_end;
  missing_ = line_end.size();
  return true;
}

bool ReplyReader::begin_list(std::int64_t count) {
  if (count == -1) return finish({});
  if (count < 0 || static_cast<std::uint64_t>(count) > limits_.elements - elements_) return false;
  if (open_.size() == limits_.depth) return false;
  elements_ += static_cast<std::size_t>(count);
  Reply list;
  list.kind = Reply::Kind::list;
  if (count == 0) return finish(std::move(list));
  open_.push_back({std::move(list), static_cast<std::size_t>(count)});
  return true;
}

// Takes a whole element, and ends the lists of which it is the last.
bool ReplyReader::finish(Reply reply) {
  while (!open_.empty()) {
    OpenList& outer = open_.back();
    outer.list.items.push_back(std::move(reply));
    if (--outer.missing != 0) return true;
    reply = std::move(outer.list);
    open_.pop_back();
  }
  whole_.push_back(std::move(reply));
  text_bytes_ = all_line_bytes_ = elements_ = 0;
  return true;
}

}  // namespace robotrules::store::redis
