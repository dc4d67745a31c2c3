// Header fields of an HTTP request or response, in their order.
//
//     robotrules::Headers headers{{"Accept", "text/html"}};
//     headers.add("Accept", "application/xml");      // two fields
//     headers.set("Accept", "*/*");                  // one field
//     if (auto type = headers.get("accept")) use(*type);
//
// Thread rule: a value type. Errors: none; add() and set() accept every text, and is_sendable() tells whether the
// fields may be sent. Only std::bad_alloc is thrown.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <robotrules/export.hpp>
#include <robotrules/lifetimebound.hpp>

namespace robotrules {

struct HeaderField {
  std::string name;  // as written; Headers ignores its ASCII case
  std::string value;
  friend bool operator==(const HeaderField&, const HeaderField&) = default;
};

// A list of fields. Names may repeat. Views that the functions return are valid until the object changes.
class ROBOTRULES_API Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<HeaderField> fields) : fields_(fields) {}

  // Appends a field.
  void add(std::string_view name, std::string_view value) {
    fields_.push_back({std::string(name), std::string(value)});
  }
  // Removes all fields with that name and appends this one.
  void set(std::string_view name, std::string_view value);
  // Removes all fields with that name. Returns how many there were.
  std::size_t remove(std::string_view name);

  // Returns the value of the first field with that name, or null if there is none.
  std::optional<std::string_view> get(std::string_view name) const noexcept ROBOTRULES_LIFETIMEBOUND;
  // Returns the values of all fields with that name, in their order.
  std::vector<std::string_view> all(std::string_view name) const ROBOTRULES_LIFETIMEBOUND;
  bool has(std::string_view name) const noexcept { return get(name).has_value(); }

  // Returns true if every name is a token and no value contains a control character other than tab (RFC 9110 section
  // 5). If a field breaks this rule, a server may read it as two fields, or as two requests.
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
