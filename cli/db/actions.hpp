// The actions of `robotrules db PATH ACTION`, one function each.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include "cli/flags/flag_choice.hpp"

namespace robotrules::cli {

inline constexpr std::string_view db_command = "db";

// Each returns an exit status. `argument` is the word after the action.
int db_list(Store& store, const PolicyChoice& policy, bool json);
int db_show(Store& store, const PolicyChoice& policy, bool json, const std::string& argument);
int db_why(Store& store, const PolicyChoice& policy, bool json, const std::string& argument);
// `path` is the name of the database.
int db_stats(Store& store, const PolicyChoice& policy, bool json, const std::string& path);
int db_forget(Store& store, const std::string& argument);
// Deletes what is older than `age`.
int db_prune(Store& store, std::chrono::milliseconds age);
int db_export(Store& store);
// `scheme`: that of the origins of a folder's files, "https://".
int db_import(Store& store, const std::string& argument, const std::string& scheme, bool quiet);

// These two are for the jobs of get.
int db_jobs(const std::string& path, bool json);
// Runs `argument` on --job. `state`: of --state, as given. `urls`: the words after the argument.
int db_queue(const std::string& path, const std::string& argument, const std::optional<std::string>& job,
             const std::optional<std::string>& state, std::span<const std::string> urls, bool json);

}  // namespace robotrules::cli
