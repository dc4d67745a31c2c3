// The actions of `robotrules db PATH ACTION`, one function each.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

inline constexpr std::string_view db_command = "db";

// Each returns an exit status. `argument` is the word after the action; empty if there is none.
int db_list(const Options& options, Store& store);
int db_show(const Options& options, Store& store, const std::string& argument);
int db_why(const Options& options, Store& store, const std::string& argument);
// These two are for the jobs of get. `path` is the database; `urls` are the words after the argument.
int db_jobs(const Options& options, const std::string& path);
int db_queue(const Options& options, const std::string& path, const std::string& argument,
             std::span<const std::string> urls);
int db_stats(const Options& options, Store& store, const std::string& path);
int db_forget(Store& store, const std::string& argument);
int db_prune(const Options& options, Store& store);
int db_export(Store& store);
int db_import(const Options& options, Store& store, const std::string& argument);

}  // namespace robotrules::cli
