#include "cli/batch/blocks.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cli/batch/question.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t piece = std::size_t{256} << 10;         // requested from one read()
constexpr std::size_t max_kept_block = std::size_t{1} << 20;  // a larger block is released after its long line

}  // namespace

void Block::clear() noexcept {
  if (capacity_ > max_kept_block) {
    bytes_.reset();
    capacity_ = 0;
  }
  if (answers.capacity() > 4 * max_kept_block) std::string().swap(answers);
  answers.clear();
  size_ = 0;
  bad = 0;
  done = false;
  too_long_ = false;
}

void Block::reserve(std::size_t size) {
  if (size + QuestionReader::padding <= capacity_) return;
  const std::size_t capacity = std::max(size + QuestionReader::padding, capacity_ * 2);
  auto grown = std::make_unique_for_overwrite<char[]>(capacity);
  if (size_ > 0) std::memcpy(grown.get(), bytes_.get(), size_);
  bytes_ = std::move(grown);
  capacity_ = capacity;
}

std::size_t BlockReader::read_into(char* bytes, std::size_t size) {
  if (!error_.empty()) return 0;
  for (;;) {
    const ssize_t got = ::read(descriptor_, bytes, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    error_ = "cannot read standard input: " + error_text(errno);
    return 0;
  }
}

// Returns false if the input ends first. Stores the bytes after the line in `carried_`.
bool BlockReader::skip_rest_of_line() {
  skipping_ = false;
  std::string bytes(piece, '\0');
  while (const std::size_t got = read_into(bytes.data(), bytes.size())) {
    const auto end = std::string_view(bytes.data(), got).find('\n');
    if (end == std::string_view::npos) continue;
    carried_.assign(bytes, end + 1, got - end - 1);
    return true;
  }
  return false;
}

void BlockReader::finish(Block& block, std::size_t size) {
  carried_.assign(block.bytes_.get() + size, block.size_ - size);
  block.size_ = size;
  std::memset(block.bytes_.get() + size, 0, QuestionReader::padding);
  block.first_line_ = lines_ + 1;
  const std::string_view text = block.text();
  lines_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')) + (text.ends_with('\n') ? 0 : 1);
}

bool BlockReader::next(Block& block) {
  block.clear();
  if (skipping_ && !skip_rest_of_line()) return false;
  block.reserve(carried_.size() + piece);
  std::memcpy(block.bytes_.get(), carried_.data(), carried_.size());
  block.size_ = carried_.size();
  if (const auto end = carried_.rfind('\n'); end != std::string::npos) {  // only after a line that was too long
    finish(block, end + 1);
    return true;
  }
  carried_.clear();
  for (;;) {
    block.reserve(block.size_ + piece);
    char* const begin = block.bytes_.get() + block.size_;
    const std::size_t got = read_into(begin, piece);
    if (got == 0) {
      if (block.size_ == 0 || !error_.empty()) return false;
      finish(block, block.size_);
      return true;
    }
    block.size_ += got;
    const auto end = std::string_view(begin, got).rfind('\n');
    if (end != std::string_view::npos) {
      finish(block, block.size_ - got + end + 1);
      return true;
    }
    if (block.size_ > max_line_bytes_) {
      block.clear();
      block.too_long_ = true;
      block.first_line_ = ++lines_;
      skipping_ = true;
      return true;
    }
  }
}

}  // namespace robotrules::cli
