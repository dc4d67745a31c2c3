#include "page/html_tags.hpp"

#include <gumbo.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <new>

#include "base/ascii.hpp"

namespace robotrules::agent {
namespace {

// The memory for one parse, released all at once. The parser, a C library, does not survive a failed allocation. If
// memory runs out, longjmp() leaves it; it has nothing to clean up except the memory in this arena.
class Arena {
 public:
  Arena() = default;
  ~Arena() {
    while (blocks_ != nullptr) {
      Block* next = blocks_->next;
      std::free(blocks_);
      blocks_ = next;
    }
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  static void* allocate(void* self, std::size_t size) {
    Arena& arena = *static_cast<Arena*>(self);
    void* found = arena.take(size);
    if (found == nullptr) std::longjmp(arena.out_of_memory, 1);
    return found;
  }
  static void release(void*, void*) {}

  std::jmp_buf out_of_memory;

 private:
  struct alignas(std::max_align_t) Block {
    Block* next;
  };
  static constexpr std::size_t block_size = std::size_t{64} << 10;

  void* take(std::size_t size) noexcept {
    size = (size + alignof(std::max_align_t) - 1) & ~(alignof(std::max_align_t) - 1);
    if (size > left_) {
      const std::size_t room = std::max(size, block_size);
      void* memory = std::malloc(sizeof(Block) + room);
      if (memory == nullptr) return nullptr;
      blocks_ = new (memory) Block{blocks_};
      next_ = static_cast<char*>(memory) + sizeof(Block);
      left_ = room;
    }
    char* found = next_;
    next_ += size;
    left_ -= size;
    return found;
  }

  Block* blocks_ = nullptr;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

const GumboOutput* parse(const std::string& html, Arena& arena) {
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = &Arena::allocate;
  options.deallocator = &Arena::release;
  options.userdata = &arena;
  options.max_errors = 0;
  if (setjmp(arena.out_of_memory) != 0) return nullptr;
  return gumbo_parse_with_options(&options, html.data(), html.size());
}

std::string cleaned(const char* text) {
  std::string result(text);
  std::replace_if(result.begin(), result.end(), base::is_control, ' ');
  return result;
}

// Returns the words of the text with one space between them.
std::string collapsed(std::string_view text) {
  std::string result;
  while (!(text = base::trimmed(text)).empty()) {
    const std::size_t end =
        static_cast<std::size_t>(std::find_if(text.begin(), text.end(), base::is_space) - text.begin());
    if (!result.empty()) result += ' ';
    result += text.substr(0, end);
    text.remove_prefix(end);
  }
  return result;
}

template <class F>
void for_each_child(const GumboElement& element, F each) {
  for (unsigned i = 0; i < element.children.length; ++i) each(*static_cast<const GumboNode*>(element.children.data[i]));
}

HeadTag copy_of(const GumboElement& element) {
  HeadTag tag;
  tag.name = gumbo_normalized_tagname(element.tag);
  for (unsigned i = 0; i < element.attributes.length; ++i) {
    const auto& attribute = *static_cast<const GumboAttribute*>(element.attributes.data[i]);
    tag.attributes.emplace_back(attribute.name, cleaned(attribute.value));
  }
  if (element.tag == GUMBO_TAG_TITLE) {
    for_each_child(element, [&](const GumboNode& node) {
      if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) tag.text += cleaned(node.v.text.text);
    });
    tag.text = collapsed(tag.text);
  }
  return tag;
}

}  // namespace

const std::string* HeadTag::attribute(std::string_view wanted) const noexcept {
  for (const auto& [key, value] : attributes) {
    if (key == wanted) return &value;
  }
  return nullptr;
}

std::vector<HeadTag> read_head_tags(std::string_view html, const HeadLimits& limits) {
  std::vector<HeadTag> found;
  const std::string markup = head_markup(html, limits);
  if (markup.empty()) return found;
  Arena arena;
  const GumboOutput* tree = parse(markup, arena);
  if (tree == nullptr) throw std::bad_alloc();
  for_each_child(tree->root->v.element, [&](const GumboNode& part) {
    if (part.type != GUMBO_NODE_ELEMENT || part.v.element.tag != GUMBO_TAG_HEAD) return;
    for_each_child(part.v.element, [&](const GumboNode& node) {
      if (node.type == GUMBO_NODE_ELEMENT) found.push_back(copy_of(node.v.element));
    });
  });
  return found;
}

}  // namespace robotrules::agent
