#include "servers/postgres/postgres_connection.hpp"

#include <netdb.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include "base/hex.hpp"
#include "base/store_name.hpp"
#include "servers/postgres/postgres_problems.hpp"
#include "store/packing.hpp"

namespace robotrules::store::postgres {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int min_server_version = 120'000;
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

// Another program may use the same session behind a pooler: then the same name must mean the same text.
std::string name_of(const std::string& sql) { return "robotrules_" + base::hex(content_hash(sql).substr(0, 16)); }

using Options = std::vector<std::pair<std::string, std::string>>;

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
std::vector<Options> hosts_of(const Target& target) {
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

// Returns the options of one host for each of its addresses: without waiting, libpq gives its time to the first one.
std::vector<Options> addresses_of(const Options& host) {
  std::string name;
  for (const auto& [option, value] : host) {
    if (option == "hostaddr" && !value.empty()) return {host};
    if (option == "host") name = value;
  }
  if (name.empty() || name.front() == '/' || name.front() == '@') return {host};
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  std::vector<Options> addresses;
  if (getaddrinfo(name.c_str(), nullptr, &wanted, &found) != 0) return {host};  // libpq says why
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> list(found, freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    char text[NI_MAXHOST];
    if (getnameinfo(address->ai_addr, address->ai_addrlen, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0)
      continue;
    addresses.push_back(host);
    addresses.back().emplace_back("hostaddr", text);
  }
  return addresses.empty() ? std::vector<Options>{host} : addresses;
}

}  // namespace

// A child of the process that made the connection shares it, and must not end it.
Connection::~Connection() {
  if (link_ == nullptr || getpid() == process_) return;
  ::close(PQsocket(link_.get()));
  static_cast<void>(link_.release());
}

Result<std::unique_ptr<Connection>> Connection::open(const Target& target, std::size_t& first, Deadline deadline) {
  const auto hosts = hosts_of(target);
  std::optional<Error> failure;
  for (std::size_t tried = 0; tried < hosts.size(); ++tried) {
    const std::size_t host = (first + tried) % hosts.size();
    const auto now = Clock::now();
    const Deadline host_deadline = now + (deadline - now) / static_cast<std::ptrdiff_t>(hosts.size() - tried);
    const auto addresses = addresses_of(hosts[host]);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const auto begun = Clock::now();
      std::vector<const char*> names;
      std::vector<const char*> values;
      for (const auto& [name, value] : addresses[i]) {
        names.push_back(name.c_str());
        values.push_back(value.c_str());
      }
      names.push_back(nullptr);
      values.push_back(nullptr);
      std::unique_ptr<Connection> made(new Connection(PQconnectStartParams(names.data(), values.data(), 0), target));
      auto connected =
          made->connect(begun + (host_deadline - begun) / static_cast<std::ptrdiff_t>(addresses.size() - i));
      if (connected) {
        first = host;
        return made;
      }
      // A server that answers says more than one that does not.
      if (!failure || failure->code == unreachable_code) failure = connected.error();
    }
  }
  return *std::move(failure);
}

std::string Connection::said() const { return base::without_hidden(PQerrorMessage(link_.get()), hidden_); }
std::string Connection::said(const PGresult* result) const {
  return base::without_hidden(PQresultErrorMessage(result), hidden_);
}

Result<void> Connection::connect(Deadline deadline) {
  PGconn* link = link_.get();
  if (link == nullptr) return unreachable(shown_, "this machine has no memory left");
  PQsetNoticeProcessor(link, [](void*, const char*) {}, nullptr);  // a library writes nothing to standard error
  PQsetErrorVerbosity(link, PQERRORS_VERBOSE);                     // errors of a connection name their SQLSTATE only so
  for (PostgresPollingStatusType state = PGRES_POLLING_WRITING; state != PGRES_POLLING_OK;) {
    if (state == PGRES_POLLING_FAILED || PQstatus(link) == CONNECTION_BAD) return connection_error(said(), shown_);
    if (!wait_for(PQsocket(link), state == PGRES_POLLING_READING ? POLLIN : POLLOUT, deadline))
      return unreachable(shown_, no_answer_in_time);
    state = PQconnectPoll(link);
  }
  PQsetErrorVerbosity(link, PQERRORS_DEFAULT);
  if (const int version = PQserverVersion(link); version < min_server_version) {
    return Error{"store-unsuitable", "The PostgreSQL server of the store " + shown_ + " has version " +
                                         std::to_string(version / 10'000) + ": use version 12 or later"};
  }
  if (PQsetnonblocking(link, 1) != 0 || PQenterPipelineMode(link) != 1) return unreachable(shown_, said());
  return learn_session(deadline);
}

// A pooler tells its clients process ids of its own.
Result<void> Connection::learn_session(Deadline deadline) {
  auto answers = run({{"SELECT pg_catalog.pg_backend_pid()"}}, deadline);
  if (!answers) return answers.error();
  has_own_session_ = answers.value().front().number(0, 0) == PQbackendPID(link_.get());
  return {};
}

Error Connection::broken(std::string_view why) {
  is_broken_ = true;
  return unreachable(shown_, why);
}

bool Connection::is_idle() noexcept {
  if (is_broken() || PQtransactionStatus(link_.get()) != PQTRANS_IDLE) return false;
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
  if (PQconsumeInput(link_.get()) != 1) return broken(said());
  return {};
}

Result<Answers> Connection::run(const Batch& batch, Deadline deadline) {
  if (is_broken()) return unreachable(shown_, "the connection was lost");
  is_running_ = true;
  auto answers = exchange(batch, deadline);
  is_running_ = false;
  return answers;
}

bool Connection::send(const Statement& statement, std::vector<Sent>& sent) {
  PGconn* link = link_.get();
  constexpr int binary = 1;
  const Parameters& parameters = statement.parameters;
  std::vector<const char*> bytes;
  std::vector<int> lengths;
  for (const auto& value : parameters.values()) {
    bytes.push_back(value ? value->data() : nullptr);
    lengths.push_back(value ? static_cast<int>(value->size()) : 0);
  }
  const std::vector<int> formats(bytes.size(), binary);
  if (!has_own_session_ || !statement.is_frequent) {
    sent.push_back({});
    return PQsendQueryParams(link, statement.sql.c_str(), parameters.count(), parameters.types(), bytes.data(),
                             lengths.data(), formats.data(), binary) == 1;
  }
  std::string& name = names_[statement.sql];
  if (name.empty()) name = name_of(statement.sql);
  if (!prepared_.contains(name) && std::ranges::find(sent, name, &Sent::prepared) == sent.end()) {
    if (PQsendPrepare(link, name.c_str(), statement.sql.c_str(), parameters.count(), parameters.types()) != 1)
      return false;
    sent.push_back({name});
  }
  sent.push_back({});
  return PQsendQueryPrepared(link, name.c_str(), parameters.count(), bytes.data(), lengths.data(), formats.data(),
                             binary) == 1;
}

Result<Answers> Connection::exchange(const Batch& batch, Deadline deadline) {
  std::vector<Sent> sent;
  sent.reserve(batch.size());
  for (const Statement& statement : batch) {
    if (!send(statement, sent)) return broken(said());
  }
  if (PQpipelineSync(link_.get()) != 1) return broken(said());
  return receive(sent, deadline);
}

Result<Answers> Connection::receive(const std::vector<Sent>& sent, Deadline deadline) {
  PGconn* link = link_.get();
  for (int left = 1; left != 0;) {
    left = PQflush(link);
    if (left < 0) return broken(said());
    if (left == 0) break;
    if (auto waited = wait(true, deadline); !waited) return waited.error();
  }
  Answers answers;
  answers.reserve(sent.size());
  std::optional<Error> failure;
  std::size_t received = 0;
  while (true) {
    while (PQisBusy(link) != 0) {
      if (auto waited = wait(false, deadline); !waited) return failure ? *failure : waited.error();
    }
    PGresult* result = PQgetResult(link);
    if (result == nullptr) {  // after each statement
      if (PQstatus(link) == CONNECTION_OK) continue;
      Error lost = broken(said());
      return failure ? *std::move(failure) : std::move(lost);
    }
    Rows rows(result);
    switch (PQresultStatus(result)) {
      case PGRES_PIPELINE_SYNC: return failure ? Result<Answers>(*std::move(failure)) : std::move(answers);
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
        if (const std::string& prepared = sent.at(received++).prepared; !prepared.empty()) {
          prepared_.insert(prepared);
        } else {
          answers.push_back(std::move(rows));
        }
        break;
      case PGRES_PIPELINE_ABORTED: break;  // a statement before this one has failed
      default: {
        const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
        if (state == nullptr) return broken(said(result));  // not from the server
        if (!failure) failure = statement_error(state, said(result), shown_);
        // The server ends the connection, or is a standby now: another host may be the primary.
        const std::string_view code(state);
        // The session does not know a prepared statement, or already knows it: there is a pooler after all.
        if (has_own_session_ && (code == "26000" || code == "42P05")) {
          has_own_session_ = false;
          session_limit_.reset();
          failure = Error{again_code, "The store " + shown_ + " has lost a prepared statement"};
        }
        if (code.starts_with("57P") || code == "25P03" || code == "25006") is_broken_ = true;
        // A table is gone, perhaps with its schema: a new connection finds out who owns the next one.
        if (code == "42P01") is_broken_ = true;
      }
    }
  }
}

}  // namespace robotrules::store::postgres
