// The name of a store, such as redis://user:password@host/0, in messages and printed commands: no part of a password is
// in them, however the name is spelt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/visibility.hpp"

namespace robotrules::base {

struct ShownStore {
  // For messages. "***" stands for each password, and for whatever could contain a part of one. If the parts of an
  // address cannot be told apart, only its scheme is left: "redis://***".
  std::string text;
  // The same store for a command line: without passwords and first_ever. Empty: something else is hidden too.
  std::string command;
  // The texts that "***" stands for.
  std::vector<std::string> hidden{};
  bool is_file = false;       // nothing is hidden, and the name is that of a file
  bool is_clear = false;      // a file, or an address whose parts can be told apart
  bool has_password = false;  // as far as that can be told
};

// `name` may be any text. The address of a server that lacks its "//" or its scheme, and settings of libpq such as
// "host=a password=b", are not names of files; a file of such a name is ./NAME.
ROBOTRULES_INTERNAL_API ShownStore shown_store(std::string_view name);

// Returns shown_store(name).text.
ROBOTRULES_INTERNAL_API std::string without_store_password(std::string_view name);

// Returns true if the text begins as the address of a store on a server does, or has the form of libpq's settings.
ROBOTRULES_INTERNAL_API bool is_store_address(std::string_view text);

// Returns a sentence of a server or a library with "***" in place of each text of ShownStore::hidden, as it is there
// and with %XX decoded.
ROBOTRULES_INTERNAL_API std::string without_hidden(std::string text, const std::vector<std::string>& hidden);

}  // namespace robotrules::base
