// Commands for a Redis server, and its replies.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace robotrules::store::redis {

using Command = std::vector<std::string>;  // the name and its arguments

struct Reply {
  enum class Kind : std::uint8_t { nil, text, number, list, error };
  Kind kind = Kind::nil;
  std::string text;         // of a text, and of an error: "WRONGPASS invalid username-password pair"
  std::int64_t number = 0;  // of a number
  std::vector<Reply> items;

  bool is_error() const noexcept { return kind == Kind::error; }
  bool is_error(std::string_view word) const noexcept {
    return is_error() && text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
  }
  // Return the item if there is one of this kind, or else the default.
  std::int64_t number_at(std::size_t index, std::int64_t otherwise = 0) const noexcept {
    return index < items.size() && items[index].kind == Kind::number ? items[index].number : otherwise;
  }
  std::string_view text_at(std::size_t index) const noexcept {
    return index < items.size() && items[index].kind == Kind::text ? std::string_view(items[index].text)
                                                                   : std::string_view();
  }
};

}  // namespace robotrules::store::redis
