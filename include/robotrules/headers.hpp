// Headers: the fields of a request or a response, in their order.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/lifetimebound.hpp>

namespace robotrules {

struct HeaderField {
  std::string name;  // as written; compared without regard to ASCII case
  std::string value;
  friend bool operator==(const HeaderField&, const HeaderField&) = default;
};

// Fields may repeat; their order is kept. Nothing is checked on the way in: is_sendable() says whether all of it may
// go over the wire. Thread rule: a value type. Views live until the object changes.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<HeaderField> fields) : fields_(fields) {}

  void add(std::string_view name, std::string_view value) {
    fields_.push_back({std::string(name), std::string(value)});
  }
  // In place of all fields of that name.
  void set(std::string_view name, std::string_view value);
  // How many there were.
  std::size_t remove(std::string_view name);

  // The first field of that name.
  std::optional<std::string_view> get(std::string_view name) const noexcept ROBOTRULES_LIFETIMEBOUND;
  std::vector<std::string_view> all(std::string_view name) const ROBOTRULES_LIFETIMEBOUND;
  bool has(std::string_view name) const noexcept { return get(name).has_value(); }

  // Every name is a token and no value holds a control octet but the tab (RFC 9110 section 5): what does not may be
  // read by a server as another field, or as another request.
  bool is_sendable() const noexcept;

  std::size_t size() const noexcept { return fields_.size(); }
  bool empty() const noexcept { return fields_.empty(); }
  auto begin() const noexcept { return fields_.begin(); }
  auto end() const noexcept { return fields_.end(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<HeaderField> fields_;
};

}  // namespace robotrules
