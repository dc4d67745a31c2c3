// The job of a run of `robotrules get`: which one it is, and the flags that are kept with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <robotrules/base.hpp>
#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/flags/given.hpp"
#include "cli/get/get_options.hpp"

namespace robotrules::cli {

// Returns the name of the database that has the queue: --queue, else --db. Null: the queue is a temporary one, because
// there is no --db, or because Redis keeps no queues.
std::optional<std::string> queue_database(const std::optional<std::string>& db,
                                          const std::optional<std::string>& queue);

// Returns the job of --job in `database`, which is queue_database(). Without it, returns the job of the database that
// has the output; else a name made of the inputs and the output, so that the same command line goes on with the same
// job; without inputs, the only job. If there are no inputs, sets the flags that are kept with the job and are not
// given. Fails with "unknown-job" if there are no inputs and no such job, and with the errors of list_jobs().
Result<std::string> choose_job(Given& given, const InputOptions& input, const std::optional<std::string>& database);

// Returns the absolute path of a file or folder, in a folder without links, "." and "..": it is the same for each
// spelling. A "/" at the end stays.
std::string file_identity(const std::string& path);

// Returns true if the output is standard output, another pipe or a device: it belongs to no job, and no later run can
// continue it.
bool is_stream(const std::string& output);

// The member of a note that has the longest delay of the workers of a job, in milliseconds.
inline constexpr const char* longest_delay_member = "longest-delay";
// Returns the text of a note.
std::string note_text(const nlohmann::ordered_json& note);

// Returns the flags to keep with a job as JSON: those that say how and where to, and not from what.
std::string flags_to_keep(const Given& given);

// Returns the note of the job for UrlQueue::set_note(): the flags to keep. `before` is the note of an earlier run, or
// empty: the sites whose /sitemap.xml was tried are kept, and the longest delay.
std::string note_to_keep(const std::string& flags, std::string_view before);

// Whether a run of the job has tried /sitemap.xml of a site. The queue keeps it in its note. Fail with its errors.
Result<bool> has_tried_sitemap_xml(const UrlQueue& queue, const std::string& site);
Result<void> keep_tried_sitemap_xml(UrlQueue& queue, const std::string& site);

// Call it at the start, after the claim and before the note gets this worker's flags. If the job has other workers,
// says in which flags they differ, and takes their delay over if it is longer. Fails with the errors of the queue.
Result<void> meet_workers(const GetOptions& options, const std::string& job, UrlQueue& queue, RobotUA& robot);

// Call it every few seconds while there are other workers. The longest delay of all holds: takes it over from the note
// of the job and says so (not if `quiet`), or puts this worker's into the note. Fails with the errors of the queue.
Result<void> agree_on_delay(UrlQueue& queue, RobotUA& robot, bool quiet);

}  // namespace robotrules::cli
