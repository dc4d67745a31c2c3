#include "store/postgres/transaction.hpp"

#include <algorithm>
#include <iterator>
#include <random>

namespace robotrules::store::postgres {
namespace {

using std::chrono::milliseconds;

// How long a transaction may be undone for, when its answer is of no use.
constexpr milliseconds rollback_limit{1'000};

Statement session_settings(const std::string& schema, milliseconds limit) {
  const std::int64_t most = std::max<std::int64_t>(limit.count(), 1);
  return {
      "SELECT set_config('search_path', $1, true), set_config('lock_timeout', $2::bigint::text, true),"
      " set_config('statement_timeout', $2::bigint::text, true),"
      " set_config('idle_in_transaction_session_timeout', $2::bigint::text, true)",
      Parameters().text(quoted(schema)).number(most)};
}

}  // namespace

Transaction::~Transaction() {
  if (!is_open_ || connection_.is_broken()) return;
  // If this fails, the connection is not used again.
  static_cast<void>(connection_.run({{"ROLLBACK"}}, std::chrono::steady_clock::now() + rollback_limit));
}

Result<Answers> Transaction::run(Batch batch) { return send(std::move(batch), End::none); }
Result<Answers> Transaction::commit(Batch batch) { return send(std::move(batch), End::commit); }
Result<Answers> Transaction::run_alone(Batch batch) { return send(std::move(batch), End::alone); }

Result<Answers> Transaction::send(Batch batch, End end) {
  const auto wanted = static_cast<std::ptrdiff_t>(batch.size());
  std::ptrdiff_t before = 0;
  if (!is_open_) {
    batch.insert(batch.begin(), session_settings(schema_, limit_));
    if (end != End::alone) batch.insert(batch.begin(), Statement{"BEGIN"});
    before = end == End::alone ? 1 : 2;
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

Result<Pool::Borrowed> Pool::borrow(Deadline deadline) {
  std::size_t host = 0;
  {
    std::unique_lock lock(mutex_);
    if (!returned_.wait_until(lock, deadline, [this] { return borrowed_ < max_connections; })) {
      return unreachable(shown(), "all connections of this process are in use");
    }
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (!connection->is_idle()) continue;
      ++borrowed_;
      return Borrowed{std::move(connection), false};
    }
    ++borrowed_;
    host = host_;
  }
  // A call for many rows may take long, but a server that does not answer is not waited for any longer.
  auto opened =
      Connection::open(settings_.target, host, std::min(deadline, std::chrono::steady_clock::now() + timeout_));
  const std::lock_guard lock(mutex_);
  if (!opened) {
    --borrowed_;
    returned_.notify_one();
    return opened.error();
  }
  host_ = host;
  return Borrowed{std::move(opened).value(), true};
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
  const bool is_good = connection->is_idle();
  std::vector<std::unique_ptr<Connection>> dropped;  // closed without the lock
  const std::lock_guard lock(mutex_);
  --borrowed_;
  returned_.notify_one();
  if (is_good) {
    idle_.push_back(std::move(connection));
  } else {
    // The others were made to the same server, which may be gone without a word.
    dropped.swap(idle_);
    dropped.push_back(std::move(connection));
  }
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
  if (error.code == again_code) error.code = unreachable_code;
  if (error.code == unreachable_code || error.code == "store-read-only") {
    health_.failed(clock_.now(), error.message);
  } else {
    health_.answered();
  }
  return error;
}

}  // namespace robotrules::store::postgres
