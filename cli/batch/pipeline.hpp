// The threads of batch: one reader and many workers; answers keep the order of the questions.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/batch/answerer.hpp"
#include "cli/batch/blocks.hpp"

namespace robotrules::cli {

// The thread that finishes the oldest block writes it and the finished blocks after it; there is no writer thread. The
// blocks in progress are limited in number and in bytes, so a slow reader of the answers slows the reading of
// questions.
class Pipeline {
 public:
  Pipeline(const BatchDefaults& defaults, Library& library, unsigned threads) noexcept
      : defaults_(defaults), library_(library), threads_(threads) {}

  struct Outcome {
    std::uint64_t lines = 0;
    std::uint64_t bad = 0;  // error lines
    std::string error;      // why the input could not be read to its end; empty if it could
  };
  // Answers all of `input` on `output`. Ends the process if writing fails; see write_all().
  Outcome run(int input, int output);

 private:
  using Lock = std::unique_lock<std::mutex>;

  void work(int output);
  void write_finished(Lock& lock, int output);
  std::unique_ptr<Block> spare();
  void add(std::unique_ptr<Block> block);

  const BatchDefaults& defaults_;
  Library& library_;
  unsigned threads_;

  std::mutex mutex_;
  std::condition_variable work_;                  // signalled when a block is added or the input ends
  std::condition_variable room_;                  // signalled when a block was written
  std::deque<std::unique_ptr<Block>> under_way_;  // in the order of the input
  std::deque<Block*> waiting_;                    // those that no worker has taken
  std::vector<std::unique_ptr<Block>> spares_;
  std::size_t bytes_ = 0;  // of text in `under_way_`
  bool closed_ = false;
  bool writing_ = false;
  std::uint64_t bad_ = 0;
};

}  // namespace robotrules::cli
