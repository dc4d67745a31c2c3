// A path that two patterns match: a breadth-first search over pairs of positions, one in each pattern.
#include <algorithm>

#include "advice/compare/witness.hpp"

namespace robotrules::advice {
namespace {

struct SplitPattern {
  std::string_view body;  // without a last "$"
  bool anchored;

  explicit SplitPattern(std::string_view text) : body(text), anchored(text.ends_with('$')) {
    if (anchored) body.remove_suffix(1);
  }
  bool ends(std::size_t at) const noexcept { return at == body.size(); }
  bool star(std::size_t at) const noexcept { return !ends(at) && body[at] == '*'; }
  bool byte(std::size_t at) const noexcept { return !ends(at) && body[at] != '*'; }
};

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

// Returns the position of `pattern` after the byte `c`, starting at `at`, or `nowhere` if it does not match `c` there.
std::size_t after(const SplitPattern& pattern, std::size_t at, char c) noexcept {
  if (pattern.ends(at)) return pattern.anchored ? nowhere : at;
  if (pattern.star(at)) return at;
  return pattern.body[at] == c ? at + 1 : nowhere;
}

// To pass a star costs nothing, and to match a byte costs one. So the first way that reaches the end of both patterns
// is a shortest path.
class Search {
 public:
  Search(std::string_view a, std::string_view b)
      : a_(a), b_(b), width_(b_.body.size() + 1), from_((a_.body.size() + 1) * width_) {}

  std::optional<std::string> path() {
    from_[0].seen = true;
    queue_.push_back(0);
    while (!free_.empty() || next_ < queue_.size()) {
      const std::size_t state = free_.empty() ? queue_[next_++] : free_.back();
      if (!free_.empty()) free_.pop_back();
      if (from_[state].done) continue;
      from_[state].done = true;
      const std::size_t i = state / width_;
      const std::size_t j = state % width_;
      if (a_.ends(i) && b_.ends(j)) return trace(state);
      if (a_.star(i)) reach(state, i + 1, j, std::nullopt);
      if (b_.star(j)) reach(state, i, j + 1, std::nullopt);
      if (a_.byte(i)) take(state, i, j, a_.body[i]);
      if (b_.byte(j)) take(state, i, j, b_.body[j]);
    }
    return std::nullopt;
  }

 private:
  struct From {
    std::size_t state = 0;
    std::optional<char> byte;  // null: a star was passed
    bool seen = false;
    bool done = false;
  };

  void take(std::size_t state, std::size_t i, std::size_t j, char c) {
    const std::size_t next_i = after(a_, i, c);
    const std::size_t next_j = after(b_, j, c);
    if (next_i != nowhere && next_j != nowhere) reach(state, next_i, next_j, c);
  }

  void reach(std::size_t state, std::size_t i, std::size_t j, std::optional<char> byte) {
    From& from = from_[i * width_ + j];
    const bool free = !byte;
    if (from.done || (from.seen && !free)) return;
    from = {state, byte, true, false};
    (free ? free_ : queue_).push_back(i * width_ + j);
  }

  std::string trace(std::size_t state) const {
    std::string path;
    while (state != 0) {
      if (const auto byte = from_[state].byte) path += *byte;
      state = from_[state].state;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  SplitPattern a_;
  SplitPattern b_;
  std::size_t width_;
  std::vector<From> from_;
  // Zero-one breadth first: states that cost no byte are visited at once, the newest first.
  std::vector<std::size_t> free_;
  std::vector<std::size_t> queue_;
  std::size_t next_ = 0;  // in queue_
};

}  // namespace

std::optional<std::string> overlap(std::string_view a, std::string_view b) { return Search(a, b).path(); }

}  // namespace robotrules::advice
