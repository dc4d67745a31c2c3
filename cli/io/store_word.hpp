// The names of stores in commands that a message recommends.
#pragma once

#include <string>
#include <string_view>

namespace robotrules::cli {

struct StoreWord {
  std::string word;  // a word of a shell that names the store: without a password and first_ever, or "$VARIABLE"
  std::string note;  // says where the missing password comes from; empty: none is missing
};

// `variable` stands for a name that is of no use without its secrets.
StoreWord store_word(std::string_view name, std::string_view variable = "DB");

}  // namespace robotrules::cli
