// The errors of a PostgreSQL server, as the errors of a store.
#pragma once

#include <string>
#include <string_view>

#include <robotrules/base.hpp>

namespace robotrules::store::postgres {

// The transaction was undone because of another one: make it again. Callers of a store never see this code.
inline constexpr std::string_view again_code = "store-again";
// The transaction was undone because it has waited too long for a lock, or has taken too long. Neither do they see
// this.
inline constexpr std::string_view locked_code = "store-locked";
inline constexpr std::string_view unreachable_code = "store-unreachable";

// Returns the error for a failed statement. `state`: its SQLSTATE; `text`: the server's message; `server`: the name of
// the store without a password.
Error statement_error(std::string_view state, std::string_view text, const std::string& server);
// Returns the error for a connection that could not be made. `text`: libpq's message with PQERRORS_VERBOSE.
Error connection_error(std::string_view text, const std::string& server);
// Returns the error for a server that has not answered, with a reason in words.
Error unreachable(const std::string& server, std::string_view why);
// Returns the error for a key that is longer than max_key.
Error too_long(std::string_view key);
// Returns the error for a row that cannot be read.
Error damaged(const std::string& server, std::string_view what);

}  // namespace robotrules::store::postgres
