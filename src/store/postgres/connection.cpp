#include "store/postgres/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "store/postgres/problems.hpp"

namespace robotrules::store::postgres {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view no_answer_in_time = "it has not answered in time";

// Returns false at the deadline.
bool wait_for(int socket, short events, Deadline deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd file{socket, events, 0};
    const int ready = poll(&file, 1, static_cast<int>(std::clamp<long long>(left, 0, std::numeric_limits<int>::max())));
    if (ready > 0) return true;
    if (ready == 0 && left <= 0) return false;
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return true;  // libpq will report it
  }
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (auto end = list.find(','); end != std::string::npos; end = list.find(',', begin)) {
    parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(list.substr(begin));
  return parts;
}

// Returns the options for each host of the target.
std::vector<std::vector<std::pair<std::string, std::string>>> hosts_of(const Target& target) {
  std::size_t count = 1;
  for (const auto& [name, value] : target.options) {
    if (name == "host" || name == "hostaddr") count = std::max(count, split(value).size());
  }
  std::vector hosts(count, target.options);
  for (std::size_t i = 0; i < count && count > 1; ++i) {
    for (auto& [name, value] : hosts[i]) {
      if (name != "host" && name != "hostaddr" && name != "port") continue;
      const auto parts = split(value);
      value = parts[parts.size() == 1 ? 0 : std::min(i, parts.size() - 1)];
    }
  }
  return hosts;
}

}  // namespace

Connection::~Connection() = default;

Result<std::unique_ptr<Connection>> Connection::open(const Target& target, std::size_t& first, Deadline deadline) {
  const auto hosts = hosts_of(target);
  std::optional<Error> failure;
  for (std::size_t tried = 0; tried < hosts.size(); ++tried) {
    const std::size_t host = (first + tried) % hosts.size();
    const auto now = Clock::now();
    const auto share = (deadline - now) / static_cast<std::ptrdiff_t>(hosts.size() - tried);
    std::vector<const char*> names;
    std::vector<const char*> values;
    for (const auto& [name, value] : hosts[host]) {
      names.push_back(name.c_str());
      values.push_back(value.c_str());
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
    std::unique_ptr<Connection> made(
        new Connection(PQconnectStartParams(names.data(), values.data(), 0), target.shown));
    auto connected = made->connect(now + share);
    if (connected) {
      first = host;
      return made;
    }
    // A server that answers says more than one that does not.
    if (!failure || failure->code == unreachable_code) failure = connected.error();
  }
  return *std::move(failure);
}

Result<void> Connection::connect(Deadline deadline) {
  PGconn* link = link_.get();
  if (link == nullptr) return unreachable(shown_, "this machine has no memory left");
  PQsetNoticeProcessor(link, [](void*, const char*) {}, nullptr);  // a library writes nothing to standard error
  PQsetErrorVerbosity(link, PQERRORS_VERBOSE);                     // errors of a connection name their SQLSTATE only so
  for (PostgresPollingStatusType state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;) {
    if (state == PGRES_POLLING_FAILED || PQstatus(link) == CONNECTION_BAD)
      return connection_error(PQerrorMessage(link), shown_);
    if (!wait_for(PQsocket(link), state == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline))
      return unreachable(shown_, no_answer_in_time);
    state = PQconnectPoll(link);
  }
  PQsetErrorVerbosity(link, PQERRORS_DEFAULT);
  if (PQsetnonblocking(link, 1) != 0 || PQenterPipelineMode(link) != 1)
    return unreachable(shown_, PQerrorMessage(link));
  return {};
}

Error Connection::broken(std::string_view why) {
  is_broken_ = true;
  return unreachable(shown_, why);
}

bool Connection::is_idle() noexcept {
  if (is_broken_ || PQtransactionStatus(link_.get()) != PQTRANS_IDLE) return false;
  // A server that was stopped has closed the connection.
  pollfd file{PQsocket(link_.get()), POLLIN, 0};
  if (poll(&file, 1, 0) == 0) return true;
  if (PQconsumeInput(link_.get()) != 1 || PQstatus(link_.get()) != CONNECTION_OK) return false;
  // After the last byte of a closed connection, the next read fails.
  return poll(&file, 1, 0) == 0;
}

Result<void> Connection::wait(bool to_write, Deadline deadline) {
  const short events = static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN);
  if (!wait_for(PQsocket(link_.get()), events, deadline)) return broken(no_answer_in_time);
  if (PQconsumeInput(link_.get()) != 1) return broken(PQerrorMessage(link_.get()));
  return {};
}

Result<Answers> Connection::run(const Batch& batch, Deadline deadline) {
  PGconn* link = link_.get();
  if (is_broken_) return unreachable(shown_, "the connection was lost");
  constexpr int binary = 1;
  for (const Statement& statement : batch) {
    const auto& values = statement.parameters.values();
    std::vector<const char*> bytes;
    std::vector<int> lengths;
    for (const Bytes& value : values) {
      bytes.push_back(value ? value->data() : nullptr);
      lengths.push_back(value ? static_cast<int>(value->size()) : 0);
    }
    const std::vector<int> formats(values.size(), binary);
    if (PQsendQueryParams(link, statement.sql.c_str(), statement.parameters.count(), statement.parameters.types(),
                          bytes.data(), lengths.data(), formats.data(), binary) != 1) {
      return broken(PQerrorMessage(link));
    }
  }
  if (PQpipelineSync(link) != 1) return broken(PQerrorMessage(link));
  return receive(batch.size(), deadline);
}

Result<Answers> Connection::receive(std::size_t count, Deadline deadline) {
  PGconn* link = link_.get();
  for (int left = 1; left != 0;) {
    left = PQflush(link);
    if (left < 0) return broken(PQerrorMessage(link));
    if (left == 0) break;
    if (auto waited = wait(true, deadline); !waited) return waited.error();
  }
  Answers answers;
  answers.reserve(count);
  std::optional<Error> failure;
  while (true) {
    while (PQisBusy(link) != 0) {
      if (auto waited = wait(false, deadline); !waited) return failure ? *failure : waited.error();
    }
    PGresult* result = PQgetResult(link);
    if (result == nullptr) {  // after each statement
      if (PQstatus(link) == CONNECTION_OK) continue;
      Error lost = broken(PQerrorMessage(link));
      return failure ? *std::move(failure) : std::move(lost);
    }
    Rows rows(result);
    switch (PQresultStatus(result)) {
      case PGRES_PIPELINE_SYNC: return failure ? Result<Answers>(*std::move(failure)) : std::move(answers);
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK: answers.push_back(std::move(rows)); break;
      case PGRES_PIPELINE_ABORTED: break;  // a statement before this one has failed
      default: {
        const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        if (state == nullptr) return broken(PQresultErrorMessage(result));  // not from the server
        if (!failure) failure = statement_error(state, PQresultErrorMessage(result), shown_);
        // The session has ended. A server that accepts no changes any more has been replaced by another one.
        if (std::string_view(state).starts_with("57P") || std::string_view(state) == "25P03" ||
            std::string_view(state) == "25006") {
          is_broken_ = true;
        }
      }
    }
  }
}

}  // namespace robotrules::store::postgres
