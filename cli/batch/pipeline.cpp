#include "cli/batch/pipeline.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <system_error>
#include <thread>

#include "cli/io/terminal.hpp"

namespace robotrules::cli {
namespace {

constexpr std::size_t blocks_per_thread = 4;
constexpr std::size_t max_bytes = std::size_t{16} << 20;  // in progress, unless a single block is larger

void answer_block(Answerer& answerer, Block& block) {
  std::uint64_t number = block.first_line();
  if (block.too_long()) {
    Answerer::append_error(block.answers,
                           "the line is longer than 16 MiB; put the robots.txt into a file under --robots-dir", number);
    ++block.bad;
    return;
  }
  std::string_view rest = block.text();
  if (number == 1 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  while (!rest.empty()) {
    const void* const end = std::memchr(rest.data(), '\n', rest.size());
    const std::size_t length =
        end == nullptr ? rest.size() : static_cast<std::size_t>(static_cast<const char*>(end) - rest.data());
    if (!answerer.answer(rest.substr(0, length), number, block.answers)) ++block.bad;
    ++number;
    rest.remove_prefix(end == nullptr ? length : length + 1);
  }
}

// Ends the process: without memory a line could be skipped.
[[noreturn]] void give_up(const std::exception& error) {
  complain("batch", error.what());
  std::_Exit(exit_error);
}

}  // namespace

std::unique_ptr<Block> Pipeline::spare() {
  const Lock lock(mutex_);
  if (spares_.empty()) return std::make_unique<Block>();
  auto block = std::move(spares_.back());
  spares_.pop_back();
  return block;
}

void Pipeline::add(std::unique_ptr<Block> block) {
  const std::size_t size = block->text().size();
  Lock lock(mutex_);
  room_.wait(lock, [&] {
    return under_way_.empty() || (under_way_.size() < blocks_per_thread * threads_ && bytes_ + size <= max_bytes);
  });
  bytes_ += size;
  waiting_.push_back(block.get());
  under_way_.push_back(std::move(block));
  work_.notify_one();
}

void Pipeline::write_finished(Lock& lock, int output) {
  if (writing_) return;
  writing_ = true;
  while (!under_way_.empty() && under_way_.front()->done) {
    auto block = std::move(under_way_.front());
    under_way_.pop_front();
    lock.unlock();
    write_all(output, block->answers);
    lock.lock();
    bytes_ -= block->text().size();
    bad_ += block->bad;
    spares_.push_back(std::move(block));
    room_.notify_one();
  }
  writing_ = false;
}

void Pipeline::work(int output) {
  try {
    Answerer answerer(defaults_, library_);
    Lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [&] { return !waiting_.empty() || closed_; });
      if (waiting_.empty()) return;
      Block& block = *waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      answer_block(answerer, block);
      lock.lock();
      block.done = true;
      write_finished(lock, output);
    }
  } catch (const std::exception& error) {
    give_up(error);
  }
}

Pipeline::Outcome Pipeline::run(int input, int output) {
  BlockReader reader(input, max_question_bytes);
  {
    std::vector<std::jthread> workers;
    workers.reserve(threads_);
    try {
      while (workers.size() < threads_) workers.emplace_back([this, output] { work(output); });
    } catch (const std::system_error& error) {  // the others do the work; none: give_up() says why
      if (workers.empty()) give_up(error);
    }
    try {
      for (auto block = spare(); reader.next(*block); block = spare()) add(std::move(block));
    } catch (const std::exception& error) {
      give_up(error);
    }
    const Lock lock(mutex_);
    closed_ = true;
    work_.notify_all();
  }
  return {reader.lines(), bad_, reader.error()};
}

}  // namespace robotrules::cli
