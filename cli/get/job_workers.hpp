// What the workers of one job agree on. A queue on a server permits several, and each has flags of its own.
#pragma once

#include <robotrules/robot_ua.hpp>
#include <robotrules/url_queue.hpp>

#include "cli/get/get_options.hpp"

namespace robotrules::cli {

// Call it at the start, after the claim and before the note gets this worker's flags. If the job has other workers,
// says in which flags they differ, and takes their delay over if it is longer. Fails with the errors of the queue.
Result<void> meet_workers(const GetOptions& options, const std::string& job, UrlQueue& queue, RobotUA& robot);

// Call it every few seconds while there are other workers. The longest delay of all holds: takes it over from the note
// of the job and says so (not if `quiet`), or puts this worker's into the note. Fails with the errors of the queue.
Result<void> agree_on_delay(UrlQueue& queue, RobotUA& robot, bool quiet);

}  // namespace robotrules::cli
