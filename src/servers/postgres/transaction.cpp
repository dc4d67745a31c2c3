#include "servers/postgres/transaction.hpp"

#include <algorithm>
#include <iterator>
#include <random>

#include "servers/postgres/trusted_schema.hpp"

namespace robotrules::store::postgres {
namespace {

using std::chrono::milliseconds;

// How long a transaction may be undone for, when its answer is of no use.
constexpr milliseconds rollback_limit{1'000};

// A transaction waits for the rows and tables that another one holds, so a process that was stopped between two round
// trips may hold them only for this long.
constexpr milliseconds max_idle_time{2'000};

// The server's limits are shorter than the client's deadline, so that the client learns what was wrong, and the server
// does not go on waiting for a lock without a client. A commit is answered when it is on disk: a process of the server
// that crashes takes the others' unwritten commits with it, and the server then goes on with the same start time.
//
// `is_local`: for one transaction; otherwise for the session. Until it is run, the path is that of the server, on which
// others may have functions, so all names are full ones.
Statement limits_for(const std::string& schema, milliseconds limit, bool is_local) {
  const auto most = [](milliseconds time) { return std::max<std::int64_t>(time.count(), 1); };
  const std::string local = is_local ? ", true)" : ", false)";
  const std::string set = "pg_catalog.set_config(";
  const std::string number = "::bigint::pg_catalog.text";
  return {"SELECT " + set + "'search_path', $1" + local + ", " + set + "'lock_timeout', $2" + number + local + ", " +
              set + "'statement_timeout', $3" + number + local + ", " + set +
              "'idle_in_transaction_session_timeout', $4" + number + local + ", " + set +
              "'synchronous_commit', CASE WHEN pg_catalog.current_setting('synchronous_commit')"
              " OPERATOR(pg_catalog.=) 'off' THEN 'local' ELSE pg_catalog.current_setting('synchronous_commit') END" +
              local,
          Parameters()
              .text(path_of(schema))
              .number(most(limit / 3))
              .number(most(limit * 3 / 5))
              .number(most(std::min(limit, max_idle_time)))};
}

// A plan that is kept would be the best one for the first, small tables, which is to read them whole. Planning a batch
// of the gate each time costs a fifth of the server's time. The server adds a high cost to a plan that has a disabled
// part, and would then compile it (JIT).
Statement planning_of(Plans plans) {
  const auto set = [](const std::string& name, const std::string& value) {
    return "pg_catalog.set_config('" + name + "', '" + value + "', false)";
  };
  if (plans == Plans::fresh) return {"SELECT " + set("plan_cache_mode", "force_custom_plan")};
  return {"SELECT " + set("plan_cache_mode", "auto") + ", " + set("enable_seqscan", "off") + ", " +
          set("enable_hashjoin", "off") + ", " + set("enable_mergejoin", "off") + ", " + set("jit", "off")};
}

}  // namespace

Transaction::~Transaction() {
  if (!is_open_ || connection_.is_broken()) return;
  try {
    static_cast<void>(connection_.run({{"ROLLBACK"}}, std::chrono::steady_clock::now() + rollback_limit));
  } catch (...) {
    return;  // the connection is in a transaction, so it is not used again
  }
}

Result<Answers> Transaction::run(Batch batch) { return send(std::move(batch), End::none); }
Result<Answers> Transaction::commit(Batch batch) { return send(std::move(batch), End::commit); }
Result<Answers> Transaction::run_alone(Batch batch) { return send(std::move(batch), End::alone); }

Result<Answers> Transaction::send(Batch batch, End end) {
  const auto wanted = static_cast<std::ptrdiff_t>(batch.size());
  std::ptrdiff_t before = 0;
  if (!is_open_) {
    Batch first;
    // Every statement must see what was committed before it, whatever the default of the database is.
    if (end != End::alone) first.push_back({"BEGIN ISOLATION LEVEL READ COMMITTED"});
    if (connection_.session_limit() != limit_) first.push_back(limits_for(schema_, limit_, true));
    before = static_cast<std::ptrdiff_t>(first.size());
    batch.insert(batch.begin(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
  }
  if (end == End::commit) {
    batch.push_back({"COMMIT"});
    has_sent_commit_ = true;
  }
  is_open_ = end != End::alone;
  auto answers = connection_.run(batch, deadline_);
  if (!answers) return answers.error();
  if (end == End::commit) is_open_ = false;
  Answers asked;
  asked.reserve(static_cast<std::size_t>(wanted));
  const auto first = answers.value().begin() + before;
  std::move(first, first + wanted, std::back_inserter(asked));
  return asked;
}

Result<Answers> Pool::read(Batch batch) {
  return transact([&](Transaction& transaction) { return transaction.run_alone(batch); });
}

Result<Answers> Pool::change(Batch batch, std::chrono::milliseconds limit, Use use) {
  return transact(limit, [&](Transaction& transaction) { return transaction.commit(batch); }, use);
}

Pool::Borrowed::~Borrowed() {
  if (pool != nullptr) pool->give_back(std::move(connection));
}

Result<Pool::Borrowed> Pool::borrow(Deadline deadline, Use use) {
  Borrowed borrowed;
  std::vector<std::unique_ptr<Connection>> closed;  // without the lock
  std::unique_lock lock(mutex_);
  // The reports of an owner wait for no other call: they keep its holds alive.
  if (use == Use::by_calls && !returned_.wait_until(lock, deadline, [this] { return borrowed_ < max_connections; })) {
    return unreachable(shown(), "all connections of this process are in use");
  }
  ++borrowed_;
  borrowed.pool = this;
  while (!idle_.empty() && borrowed.connection == nullptr) {
    auto last = std::move(idle_.back());
    idle_.pop_back();
    if (last->is_idle()) {
      borrowed.connection = std::move(last);
    } else {
      closed.push_back(std::move(last));
    }
  }
  if (borrowed.connection != nullptr) return borrowed;
  std::size_t host = host_;
  lock.unlock();
  // A call for many rows may take long, but a server that does not answer is not waited for any longer.
  auto opened =
      Connection::open(settings_.target, host, std::min(deadline, std::chrono::steady_clock::now() + timeout_));
  if (!opened) return opened.error();
  if (auto prepared = prepare(*opened.value(), deadline); !prepared) return prepared.error();
  borrowed.is_new = true;
  borrowed.connection = std::move(opened).value();
  lock.lock();
  host_ = host;
  lock.unlock();
  return borrowed;
}

Result<void> Pool::prepare(Connection& connection, Deadline deadline) {
  const bool has_own_session = connection.has_own_session();
  Batch batch{use_catalog(), find_foreign(settings_)};
  if (has_own_session) {
    batch.push_back(limits_for(settings_.schema, timeout_, false));
    batch.push_back(planning_of(plans_));
  }
  const auto done = connection.run(batch, deadline);
  if (!done) return done.error();
  if (auto foreign = foreign_in(done.value()[1], settings_)) return *std::move(foreign);
  if (has_own_session) connection.set_session_limit(timeout_);
  return {};
}

void Pool::give_back(std::unique_ptr<Connection> connection) noexcept {
  const bool is_good = connection != nullptr && connection->is_idle();
  const bool is_lost = connection != nullptr && connection->is_broken();
  const std::lock_guard lock(mutex_);
  --borrowed_;
  returned_.notify_one();
  if (is_good && idle_.size() < idle_.capacity()) idle_.push_back(std::move(connection));
  // The others were made to the same server, which may be gone without a word.
  if (is_lost) idle_.clear();
}

bool Pool::must_repeat(const Error& error, bool is_new, bool has_sent_commit, int attempt, Deadline deadline) {
  if (std::chrono::steady_clock::now() >= deadline) return false;
  if (error.code == unreachable_code) return !is_new && !has_sent_commit;
  if (error.code != again_code) return false;
  // Two transactions that are in each other's way must not begin again at the same moment.
  thread_local std::minstd_rand random(std::random_device{}());
  std::this_thread::sleep_for(milliseconds(random() % (std::uint32_t{2} << std::min(attempt, 5))));
  return true;
}

Error Pool::outcome(Error error) {
  if (error.code == again_code || error.code == locked_code) {
    health_.answered();
    error.code = unreachable_code;
    return error;
  }
  if (error.code == unreachable_code || error.code == "store-read-only") {
    health_.failed(clock_.now(), error.message);
  } else {
    health_.answered();
  }
  return error;
}

}  // namespace robotrules::store::postgres
