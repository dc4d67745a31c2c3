// robotrules db PATH import | export: imports a folder, NDJSON or WARC files; exports NDJSON.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include <robotrules/crawl.hpp>
#include <robotrules/crawl_urls.hpp>
#include <robotrules/page_output.hpp>
#include <robotrules/robot_rules.hpp>
#include <robotrules/robots_policy.hpp>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/whole_lines.hpp"
#include "cli/db/actions.hpp"
#include "cli/db/import_record.hpp"
#include "cli/io/input.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/terminal.hpp"
#include "cli/io/text.hpp"

namespace robotrules::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_held_records = 5'000;  // per transaction
constexpr std::size_t max_held_bytes = std::size_t{16} << 20;

// Collects records and stores them in large pieces; shows its progress on a terminal.
class Importer {
 public:
  Importer(Store& store, bool quiet) : store_(store), progress_(quiet) {}

  Timestamp now() const { return now_; }
  void add(const Origin& origin, RobotsRecord record) {
    if (failed_) return;
    const bool is_robots_txt = origin.to_string() != own_rules_site;
    if (is_robots_txt && record.body != nullptr && record.body->size() > max_body_bytes_) {
      const std::size_t kept = base::whole_lines(*record.body, max_body_bytes_);
      record.body = std::make_shared<const std::string>(*record.body, 0, kept);
      record.truncated = true;
    }
    if (record.body != nullptr) held_bytes_ += record.body->size();
    held_.emplace_back(origin, std::move(record));
    if (held_.size() >= max_held_records || held_bytes_ > max_held_bytes) flush();
  }
  void skip(const std::string& what, const std::string& why) {
    ++skipped_;
    if (skipped_ > 20) return;
    progress_.clear();
    complain(db_command, base::printable(what) + ": " + why);
  }

  // Takes over the agent and the policy if this database has none; prints a line if it has others and keeps them.
  void take(const DatabaseFacts& facts, const std::string& what) {
    flush();
    if (failed_) return;
    if (auto taken = take_agent(facts.agent, what); !taken) {
      failed_ = taken.error();
    } else if (facts.policy) {
      if (auto kept = take_policy(*facts.policy, what); !kept) failed_ = kept.error();
    }
  }
  // Ends the import: without the policy, the records would have another meaning than in the exported database.
  void stop(const std::string& what, const std::string& why) {
    flush();
    if (!failed_) failed_ = Error{"invalid-policy", what + ": " + why};
  }

  // `done` and `all`: bytes or files; 0 and 0 if unknown.
  void progress(std::uint64_t done, std::uint64_t all) {
    if (progress_.is_due()) progress_.draw(done, all, counted(imported_ + held_.size(), "record"));
  }

  int finish() {
    flush();
    progress_.clear();
    if (failed_) return refuse(db_command, failed_->message);
    std::string told = counted(imported_, "record") + " imported";
    if (older_ != 0) told += ", " + std::to_string(older_) + " older than the stored ones";
    if (skipped_ != 0) told += ", " + std::to_string(skipped_) + " skipped";
    complain(db_command, told);
    return skipped_ == 0 ? exit_yes : exit_no;
  }
  bool stopped() const { return failed_.has_value(); }

 private:
  // Setting a name clears the records of a database without a name, so only an empty database takes it.
  Result<void> take_agent(const std::string& agent, const std::string& what) {
    const auto kept = store_.agent();
    if (!kept) return kept.error();
    if (agent.empty() || kept.value() == agent) return {};
    if (!kept.value().empty()) {
      progress_.clear();
      complain(db_command, base::printable(what) + ": the exported database belongs to the robot " +
                               base::printable(agent) + "; this database still belongs to " +
                               base::printable(kept.value()));
      return {};
    }
    const auto stats = store_.stats();
    if (!stats) return stats.error();
    if (stats.value().origins != 0) return {};
    const auto set = store_.set_agent(agent, OtherAgent::refused);
    return set ? Result<void>() : set.error();
  }
  Result<void> take_policy(const RobotsPolicy& policy, const std::string& what) {
    const auto kept = store_.policy();
    if (!kept) return kept.error();
    if (!kept.value()) return store_.set_policy(policy);
    if (policy_text(*kept.value()) == policy_text(policy)) return {};
    progress_.clear();
    complain(db_command, base::printable(what) + ": the exported database has another policy (" +
                             std::string(policy.name) + "); this database keeps its own (" +
                             std::string(kept.value()->name) + ")");
    return {};
  }
  void flush() {
    const std::size_t count = held_.size();
    held_bytes_ = 0;
    if (count == 0) return;
    const auto put = store_.put_newer(std::exchange(held_, {}));
    if (!put) {
      failed_ = put.error();
      return;
    }
    imported_ += put.value();
    older_ += count - put.value();
  }

  Store& store_;
  Progress progress_;
  Timestamp now_ = store_.now();
  const std::size_t max_body_bytes_ = RobotsPolicy::rfc9309().body_limit;  // no policy of a store has another limit
  std::vector<std::pair<Origin, RobotsRecord>> held_;
  std::size_t held_bytes_ = 0;
  std::optional<Error> failed_;
  std::uint64_t imported_ = 0;
  std::uint64_t older_ = 0;
  std::uint64_t skipped_ = 0;
};

void import_folder(const std::string& folder, const std::string& scheme, Importer& importer) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code unknown;
    if (at->symlink_status(unknown).type() == fs::file_type::regular) {
      files.push_back(at->path());
    } else {
      importer.skip(at->path().filename().string(), "is not a regular file");
    }
  }
  if (failed) importer.skip(folder, failed.message());
  std::sort(files.begin(), files.end());
  std::uint64_t done = 0;
  for (const fs::path& path : files) {
    importer.progress(done++, files.size());
    if (importer.stopped()) return;
    const auto origin = Origin::of(scheme + path.filename().string());
    if (!origin) {
      importer.skip(path.filename().string(), "is not named after a host; give it a name such as example.org");
      continue;
    }
    FileBytes file = read_file(path.string());
    if (!file.ok()) {
      importer.skip(path.filename().string(), file.error);
      continue;
    }
    importer.add(*origin, record_of(std::move(file.bytes), *origin, importer.now()));
  }
}

void take(ImportRecord made, const std::string& what, Importer& importer) {
  if (made.has_lost_policy)
    importer.stop(what, made.fault);
  else if (made.database)
    importer.take(*made.database, what);
  else if (made.fault.empty())
    importer.add(*made.origin, std::move(made.record));
  else
    importer.skip(what, made.fault);
}

// Imports NDJSON, plain or packed.
void import_lines(int file, const std::string& name, std::uint64_t size, Importer& importer) {
  UrlListReader lines;
  const auto on_line = [&](std::string_view line, std::uint64_t number) {
    take(record_of_line(line, importer.now()), name + ":" + std::to_string(number), importer);
    return !importer.stopped();
  };
  std::string piece(std::size_t{64} * 1024, '\0');
  std::uint64_t done = 0;
  Result<void> read;
  for (ssize_t got = 1; got != 0 && read && !importer.stopped();) {
    got = ::read(file, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      importer.skip(name, "cannot be read: " + error_text(errno));
      return;
    }
    read = got == 0 ? lines.finish(on_line) : lines.write({piece.data(), static_cast<std::size_t>(got)}, on_line);
    done += static_cast<std::uint64_t>(got);
    importer.progress(std::min(done, size), size);
  }
  if (!read) importer.skip(name, read.error().message);
}

void import_warc(const std::string& path, Importer& importer) {
  const auto read = read_warc_robots(
      path,
      [&](WarcRobots found) {
        const std::string url = found.exchange.request.url;
        take(record_of_response(std::move(found), importer.now()), url, importer);
        return !importer.stopped();
      },
      [&](std::uint64_t done, std::uint64_t all) { importer.progress(done, all); });
  if (!read) importer.skip(path, read.error().message);
}

bool is_warc(const std::string& path) {
  const auto what = read_output_name(base::lower_case(path));
  return what && what.value().kind == OutputKind::warc;
}

}  // namespace

int db_import(Store& store, const std::string& argument, const std::string& scheme, bool quiet) {
  Importer importer(store, quiet);
  std::error_code ignored;
  if (argument == "-") {
    import_lines(STDIN_FILENO, "standard input", 0, importer);
  } else if (fs::is_directory(argument, ignored)) {
    import_folder(argument, scheme, importer);
  } else if (!fs::exists(argument, ignored)) {
    return refuse(db_command, argument + " does not exist; check the name");
  } else if (is_warc(argument)) {
    import_warc(argument, importer);
  } else {
    const int file = open(argument.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return refuse(db_command, argument + " cannot be read: " + error_text(errno));
    const std::uintmax_t size = fs::file_size(argument, ignored);
    import_lines(file, argument, ignored ? 0 : size, importer);  // a FIFO has no size
    close(file);
  }
  return importer.finish();
}

int db_export(Store& store) {
  const auto agent = store.agent();
  const auto policy = store.policy();
  if (!agent || !policy) return refuse(db_command, agent ? policy.error().message : agent.error().message);
  Output out;
  out << line_of(DatabaseFacts{agent.value(), policy.value()});
  const auto done = store.for_each_origin([&](const Origin& origin, const RobotsRecord& record) {
    out << line_of(origin, record);
    return true;
  });
  if (done) return exit_yes;
  out.flush();
  return refuse(db_command, done.error().message);
}

}  // namespace robotrules::cli
