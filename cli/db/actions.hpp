// What `robotrules db PATH ACTION` does: a function an action.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <robotrules/store.hpp>

#include "cli/flags/flags.hpp"

namespace robotrules::cli {

inline constexpr std::string_view db_command = "db";

// Each answers an exit status. `argument` is what stands behind the action; empty: nothing.
int db_list(const Options& options, Store& store);
int db_show(const Options& options, Store& store, const std::string& argument);
int db_why(const Options& options, Store& store, const std::string& argument);
int db_stats(const Options& options, Store& store);
int db_forget(Store& store, const std::string& argument);
int db_prune(const Options& options, Store& store);
int db_export(Store& store);
int db_import(const Options& options, Store& store, const std::string& argument);

// "2026-11-21T15:04:05.000000Z", and back; null where the text is not of that form (the fraction may be left out).
std::string time_text(Timestamp time);
std::optional<Timestamp> time_of_text(std::string_view text);

// "30d", "12h", "15m", "20s"; null where the text is none of these.
std::optional<std::chrono::microseconds> span_of_text(std::string_view text);
// "2 h 5 min", "3.2 s": the two greatest parts.
std::string span_text(std::chrono::microseconds span);

}  // namespace robotrules::cli
