// robotrules get: fetch a list of URLs politely.
#include <csignal>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <robotrules/crawl.hpp>

#include "base/escape.hpp"
#include "cli/get/input_reader.hpp"
#include "cli/get/job.hpp"
#include "cli/get/messages.hpp"
#include "cli/get/progress.hpp"
#include "cli/get/run.hpp"
#include "cli/get/signals.hpp"
#include "cli/get/summary.hpp"
#include "cli/get/url_input.hpp"
#include "cli/io/network.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"
#include "cli/metrics/metrics.hpp"

namespace robotrules::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds check_interval{100};
constexpr std::chrono::seconds agree_every{5};  // the workers of a job, on their delay

// Reduces the number of simultaneous requests and the memory if the limit on open files requires it. Each body in a
// temporary file uses one MiB of memory, so the limit on memory also limits the number of such files.
Result<void> fit_to_files(UserAgentOptions& http, bool quiet) {
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  const std::uint64_t bodies = http.max_memory / mib + (http.max_memory % mib != 0 ? 1 : 0);
  const auto shares = share_open_files(http.max_in_flight, bodies);
  if (!shares) return shares.error();
  if (shares.value().concurrency < http.max_in_flight && !quiet) {
    complain("get", "--concurrency " + std::to_string(http.max_in_flight) + " is reduced to " +
                        std::to_string(shares.value().concurrency) +
                        ", because the process may not open more files; raise the limit (ulimit -n)");
  }
  if (shares.value().bodies < bodies) {
    if (!quiet) {
      complain("get", "--memory is reduced to " + std::to_string(shares.value().bodies) +
                          "M, because the process may not open more temporary files; raise the limit (ulimit -n)");
    }
    http.max_memory = shares.value().bodies * mib;
  }
  http.max_in_flight = shares.value().concurrency;
  http.connection.keep_alive = shares.value().keep_alive;
  return {};
}

// Returns true if a stopped --revisit left pending URLs, which then continues: only they have an earlier result.
Result<bool> is_revisit_under_way(const UrlQueue& queue) {
  bool found = false;
  const auto looked = queue.for_each(UrlState::pending, [&found](const QueueItem& item) {
    found = item.result.has_value();
    return !found;
  });
  if (!looked) return looked.error();
  return found;
}

Result<void> bring_back(GetRun& run) {
  const GetOptions& options = run.options;
  const auto under_way = options.revisit ? is_revisit_under_way(*run.queue) : Result<bool>(true);
  if (!under_way) return under_way.error();
  if (!under_way.value()) {
    if (const auto done = run.queue->revisit(std::nullopt); !done) return done.error();
  }
  if (options.retry) {
    if (const auto done = run.queue->retry_failed(); !done) return done.error();
    if (const auto done = run.queue->retry_parked(); !done) return done.error();
  }
  return {};
}

// Returns the shortest command that goes on with the job; empty without a database.
GoOn way_to_go_on(const GetRun& run) {
  const GetOptions& options = run.options;
  if (!options.queue_in) return {};
  const StoreWord store = store_word(*options.db);
  const StoreWord queue = options.queue ? store_word(*options.queue, "QUEUE") : StoreWord();
  const bool has_other_note = !queue.note.empty() && queue.note != store.note;
  return {"robotrules get --db " + store.word + (options.queue ? " --queue " + queue.word : "") + " --job " +
              shell_word(run.job),
          store.note + (!store.note.empty() && has_other_note ? "; " : "") + (has_other_note ? queue.note : "")};
}

// Returns the exit status for all URLs of the job. The summary has only the URLs of this run (`shown`), so a line has
// the numbers of all if an earlier run or another worker has ended some. With --quiet there is no summary, so the line
// explains a status other than 0.
int status_of_job(const GetRun& run, const CrawlCounts& shown) {
  const GetOptions& options = run.options;
  const auto counts = run.queue->counts();
  if (!counts) return exit_error;
  QueueCounts urls = counts.value();
  urls.pending = shown.pending;
  const int status = status_of(urls, run.options.fails_on_denied);
  if (options.quiet ? status != exit_yes : run.has_results || urls.all() - urls.pending != shown.ended()) {
    complain("get", summary_line(urls, run.options.queue_in ? run.job : ""));
  }
  return status;
}

// Returns the exit status of a job without URLs to go, and says how to try again those that have failed.
int status_of_done_job(const GetRun& run) {
  const int status = status_of_job(run, {});
  if (!run.options.quiet && (status == exit_incomplete || status == exit_left_out)) {
    complain("get", retry_hint(way_to_go_on(run)));
  }
  return status;
}

// The parts of a run that show it and that end it.
struct Watch {
  CrawlProgress& progress;
  MetricsFile& metrics;
  RunSignals& signals;
};

// If the terminal has gone, the run ends as after SIGTERM.
void take_signal(const Watch& watch, Crawl& crawl) {
  switch (watch.signals.take()) {
    case RunSignals::Event::none: break;
    case RunSignals::Event::reopen_log: crawl.reopen_log(); break;
    case RunSignals::Event::tell_state: watch.progress.tell_state(); break;
    case RunSignals::Event::terminal_gone: count_interrupt(SIGHUP);
  }
}

// Waits until the crawl has ended, and passes signals on to it. Returns the time by which the run must end; null: none.
std::optional<Clock::time_point> wait_until_over(Crawl& crawl, InputReader& reading, const Watch& watch,
                                                 std::chrono::milliseconds stop_within) {
  bool was_interrupted = false;
  std::optional<Clock::time_point> end_by;
  while (!crawl.wait_for(check_interval)) {
    take_signal(watch, crawl);
    if (interrupts() > 0 && !std::exchange(was_interrupted, true)) {
      reading.stop();
      crawl.stop();
      // After SIGINT a person sees what is still under way, and can interrupt again.
      if (first_interrupt() != SIGINT) end_by = Clock::now() + stop_within;
      watch.progress.interrupted();
    }
    if (end_by && Clock::now() >= *end_by) crawl.cancel();
    watch.progress.update();
    watch.metrics.update(crawl);
  }
  return end_by;
}

// `messages` must outlive the crawl.
void set_callbacks(GetRun& run, SiteMessages& messages) {
  const GetOptions& options = run.options;
  CrawlOptions& crawl = run.options.crawl;
  if (!options.quiet) {
    crawl.on_site_failure = [&messages](const SiteFailure& failure) { tell_failure(failure, messages); };
  }
  crawl.on_disk_full = [](std::string_view sentence) { tell_wait(sentence, "there is room on the disk again"); };
  crawl.on_proxy_failed = tell_proxy;
  crawl.on_network_failed = [](std::string_view sentence) { tell_wait(sentence, "the network works again"); };
  crawl.on_queue_unreachable = tell_queue;
  crawl.on_workers = [&run, quiet = options.quiet, ask_at = Clock::now()](const QueueWorkers& workers) mutable {
    if (workers.all < 2 || Clock::now() < ask_at) return;
    ask_at = Clock::now() + agree_every;
    // If it fails, the crawl meets the same trouble, and says so.
    static_cast<void>(agree_on_delay(*run.queue, *run.robot, quiet));
  };
  crawl.on_page = [&options, &messages, explain = options.explain, to_stdout = run.options.output == "-",
                   told = std::set<std::string>()](const FetchedPage& page) mutable {
    if (to_stdout) note_body_end(page);
    if (page.response.code == 401 && !options.quiet && !options.users.empty())
      tell_near_user(page, options.users, told, messages);
    if (explain) tell_denial(page);
  };
  crawl.on_log_reopened = [log = options.log.value_or(""), quiet = options.quiet](const Result<void>& reopened) {
    tell_reopened(log, reopened, quiet);
  };
}

// The end of the reading and the crawl.
struct Ended {
  bool complete = true;  // every input was read without a fault
  bool all_read = true;
  std::optional<Error> error;
  SitemapTotals sitemaps;
};

void read_and_crawl(GetRun& run, Crawl& crawl, const Watch& watch, Ended& ended) {
  {
    InputReader reading(*run.robot, *run.queue, run.options, [&crawl](bool open) { crawl.urls_added(open); });
    auto end_by = wait_until_over(crawl, reading, watch, run.options.stop_within);
    reading.stop();
    while (!reading.ended()) {
      take_signal(watch, crawl);
      if (interrupts() > 0 && first_interrupt() != SIGINT && !end_by) end_by = Clock::now() + run.options.stop_within;
      // All pages are settled; do not wait for a sitemap.
      if (end_by && Clock::now() >= *end_by) {
        watch.progress.finish(run.recovered, false);
        watch.metrics.finish(crawl, exit_interrupted());
        std::_Exit(exit_interrupted());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ended.complete = reading.complete();
    ended.all_read = reading.all_read();
    ended.error = reading.error();
    ended.sitemaps = reading.sitemaps();
  }
  if (const auto result = crawl.result(); !result) ended.error = result.error();
}

// Returns the exit status, and prints the error that ended the run.
int status_at_end(const GetRun& run, const Ended& ended, const CrawlCounts& counts) {
  if (const auto& error = ended.error) {
    if (error->code == output_closed) return exit_closed;
    if (error->code == disk_full_code && interrupts() > 0)
      return exit_interrupted();  // the same command line continues
    return refuse("get", error->message);
  }
  if (interrupts() > 0) return exit_interrupted();
  if (!ended.complete) return exit_error;
  return status_of_job(run, counts);
}

int fetch_all(GetRun& run, RunSignals& signals) {
  const GetOptions& options = run.options;
  catch_interrupts();
  SiteMessages messages;
  set_callbacks(run, messages);
  const auto at_start = run.queue->counts();
  if (!at_start) return refuse("get", at_start.error().message);
  const QueueCounts& before = at_start.value();
  Crawl crawl(*run.robot, *run.queue, *run.output, run.log.get(), run.options.crawl);
  const std::unique_ptr<Metrics> metrics = std::move(run.metrics);  // ends before the crawl
  if (metrics != nullptr) {
    metrics->show(crawl);
    if (!options.quiet) complain("get", "metrics are served at http://" + metrics->address() + "/metrics");
  }
  run.metrics_file->update(crawl);
  Ended ended;
  SummaryFacts known;
  known.output = options.output_shown;
  known.go_on = way_to_go_on(run);
  known.earlier = before.failed + before.cut + before.parked;
  known.done_before = before.done;
  known.denied_before = before.denied;
  CrawlProgress progress(crawl, options.quiet, options.output == "-" || options.log == "-", std::move(known));
  read_and_crawl(run, crawl, {progress, *run.metrics_file, signals}, ended);
  const auto keep = [&ended](const Result<void>& result) {
    if (!result && !ended.error) ended.error = result.error();
  };
  keep(run.output->complete());
  if (run.log != nullptr) keep(run.log->flush());
  if (!ended.error) {  // without a log, this only checks that the database is still there
    const std::string& log = run.options.crawl.log_path;
    keep(run.queue->settle({}, log.empty() ? std::nullopt : std::optional(OutputPosition{log, log_closed})));
  }
  const CrawlCounts counts = crawl.counts();
  messages.tell_numbers();
  progress.finish(run.recovered, ended.all_read, ended.sitemaps);
  const int status = status_at_end(run, ended, counts);
  run.metrics_file->finish(crawl, status);
  return status;
}

// Ends a run that cannot begin.
int refuse_start(GetRun& run, const Error& error) {
  remove_made(run);
  return interrupts() > 0 ? exit_interrupted() : refuse("get", error.message);
}

int foretell(GetRun& run) {
  catch_interrupts();
  bool complete = true;
  {
    const InputReader reading(*run.robot, *run.queue, run.options, [](bool) {});
    while (!reading.ended()) {
      if (interrupts() > 0) std::_Exit(exit_interrupted());  // there is nothing to save
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (reading.error()) return refuse("get", reading.error()->message);
    complete = reading.complete();
  }
  const auto status = dry_run(run, [] { return interrupts() > 0; });
  if (!status) return refuse("get", status.error().message);
  if (interrupts() > 0) return exit_interrupted();
  if (!complete) return exit_error;
  return status.value();
}

// Ends a run that goes on with a job without URLs to go.
int end_done_job(GetRun& run) {
  const GetOptions& options = run.options;
  if (!options.quiet) {
    complain("get", "nothing is to go in the job " + base::printable(run.job) + "; --revisit fetches its URLs again");
  }
  const auto files = output_files(options.output, options.output_options);
  if (options.output_options.cdx && files &&
      !files.value().empty()) {  // an earlier run may have left an index incomplete
    auto done = open_outputs(run);
    if (done) done = run.output->complete();
    if (!done) return refuse("get", done.error().message);
  }
  return status_of_done_job(run);
}

// Opens the outputs, and fetches all pages.
int begin_and_fetch(GetRun& run, RunSignals& signals) {
  warn_without_certificates("get", run.options.robot.http.connection.tls);
  auto opened = open_metrics(run);
  if (opened) opened = open_outputs(run);
  if (!opened) return refuse_start(run, opened.error());
  if (run.left > run.recovered && !run.options.quiet) {
    const std::uint64_t left = run.left - run.recovered;
    complain("get", counted(left, "URL") + " of an earlier run " + (left == 1 ? "is" : "are") + " to go (job " +
                        base::printable(run.job) + ")");
  }
  if (auto done = bring_back(run); !done) return refuse_start(run, done.error());
  return fetch_all(run, signals);
}

// Fails if a value of the network's flags is wrong, so that this is told before a server is waited for. read_get()
// reads them again, with those that a job kept. `goes_on`: a job may add the certificate that belongs to a key or a
// password.
Result<void> check_network(Given given, bool goes_on) {
  if (goes_on) {
    for (const std::string_view name : {"client-cert", "client-key", "client-key-password"}) {
      given.set(*find_flag(given.command(), name), {});
    }
  }
  const auto network = read_network(given);
  return network ? Result<void>() : network.error();
}

}  // namespace

int run_get(const Given& command_line) {
  const InputOptions input = read_input(command_line);
  const bool has_input = input.has_any();
  const auto database = queue_database(command_line.text("db"), command_line.text("queue"));
  if (const auto checked = check_network(command_line, !has_input && database.has_value()); !checked) {
    return refuse("get", checked.error().message);
  }
  Given given = command_line;         // and the flags that a job keeps
  std::optional<RunSignals> signals;  // before any thread starts
  if (!given.has("dry-run")) signals.emplace();
  if (!has_input && !database) return refuse("get", "no URLs were given; give URLs, --input or --sitemap");
  if (given.has("queue") && !given.has("db"))
    return refuse("get", "--queue is for a crawl with a store; give --db too");
  if (given.has("job") && !given.has("db")) return refuse("get", "--job names a crawl in a database; give --db too");
  GetRun run;
  const auto chosen = wait_for_server(given, [&]() -> Result<void> {
    auto job = choose_job(given, input, database);
    if (!job) return job.error();
    run.job = std::move(job).value();
    return {};
  });
  if (!chosen) return refuse_start(run, chosen.error());
  auto read = read_get(given, input, database);
  if (!read) return refuse("get", read.error().message);
  GetOptions& options = run.options = std::move(read).value();
  if (auto fitted = fit_to_files(options.robot.http, options.quiet); !fitted) {
    return refuse("get", fitted.error().message);
  }
  if (const auto opened = wait_for_server(given, [&] { return open_stores(run); }); !opened) {
    return refuse_start(run, opened.error());
  }
  if (has_input && run.left == 0 && !has_readable_input(options.input)) {
    return refuse_start(run, {"file-unreadable", "cannot read " + listed(unreadable_inputs(options.input))});
  }
  if (options.dry_run) {
    if (auto done = bring_back(run); !done) return refuse_start(run, done.error());
    return foretell(run);
  }
  if (!has_input && run.left == 0 && !options.retry && !options.revisit) return end_done_job(run);
  return begin_and_fetch(run, *signals);
}

}  // namespace robotrules::cli
