// The names of stores in commands that a message recommends.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::cli {

struct StoreWord {
  std::string word;  // a word of a shell that names the store: without a password and first_ever, or "$VARIABLE"
  std::string note;  // what to know of a missing password, such as where it is taken from; empty: none is missing
};

// `variable` is used if the store cannot be opened without what no message contains.
StoreWord store_word(std::string_view name, std::string_view variable = "DB");

}  // namespace robotrules::cli
