// A path that two patterns match: a search through the pairs of their positions.
#include <algorithm>
#include <deque>

#include "core/compare/witness.hpp"

namespace robotrules::core {
namespace {

struct Pattern {
  std::string_view body;  // without a last "$"
  bool anchored;

  explicit Pattern(std::string_view text) : body(text), anchored(text.ends_with('$')) {
    if (anchored) body.remove_suffix(1);
  }
  bool ends(std::size_t at) const noexcept { return at == body.size(); }
  bool star(std::size_t at) const noexcept { return !ends(at) && body[at] == '*'; }
  bool octet(std::size_t at) const noexcept { return !ends(at) && body[at] != '*'; }
};

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

// Where `pattern` stands after `c`, from `at`; nowhere where it cannot take it.
std::size_t after(const Pattern& pattern, std::size_t at, char c) noexcept {
  if (pattern.ends(at)) return pattern.anchored ? nowhere : at;
  if (pattern.star(at)) return at;
  return pattern.body[at] == c ? at + 1 : nowhere;
}

// States are pairs of positions. Passing over a star costs nothing, an octet costs one: the first way to the end of
// both is the shortest path.
class Search {
 public:
  Search(std::string_view a, std::string_view b)
      : a_(a), b_(b), width_(b_.body.size() + 1), from_((a_.body.size() + 1) * width_) {}

  std::optional<std::string> path() {
    from_[0].seen = true;
    queue_.push_back(0);
    while (!queue_.empty()) {
      const std::size_t state = queue_.front();
      queue_.pop_front();
      if (from_[state].done) continue;
      from_[state].done = true;
      const std::size_t i = state / width_;
      const std::size_t j = state % width_;
      if (a_.ends(i) && b_.ends(j)) return trace(state);
      if (a_.star(i)) reach(state, i + 1, j, std::nullopt);
      if (b_.star(j)) reach(state, i, j + 1, std::nullopt);
      if (a_.octet(i)) take(state, i, j, a_.body[i]);
      if (b_.octet(j)) take(state, i, j, b_.body[j]);
    }
    return std::nullopt;
  }

 private:
  struct From {
    std::size_t state = 0;
    std::optional<char> octet;  // null: none was taken
    bool seen = false;
    bool done = false;
  };

  void take(std::size_t state, std::size_t i, std::size_t j, char c) {
    const std::size_t next_i = after(a_, i, c);
    const std::size_t next_j = after(b_, j, c);
    if (next_i != nowhere && next_j != nowhere) reach(state, next_i, next_j, c);
  }

  void reach(std::size_t state, std::size_t i, std::size_t j, std::optional<char> octet) {
    From& from = from_[i * width_ + j];
    const bool free = !octet;
    if (from.done || (from.seen && !free)) return;
    from = {state, octet, true, false};
    free ? queue_.push_front(i * width_ + j) : queue_.push_back(i * width_ + j);
  }

  std::string trace(std::size_t state) const {
    std::string path;
    while (state != 0) {
      if (const auto octet = from_[state].octet) path += *octet;
      state = from_[state].state;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  Pattern a_;
  Pattern b_;
  std::size_t width_;
  std::vector<From> from_;
  std::deque<std::size_t> queue_;
};

}  // namespace

std::optional<std::string> overlap(std::string_view a, std::string_view b) { return Search(a, b).path(); }

}  // namespace robotrules::core
