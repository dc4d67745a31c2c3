// One round of calls at the servers of a store: each server gets its calls in one piece.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "servers/redis/redis_problems.hpp"
#include "servers/redis/servers.hpp"

namespace robotrules::store::redis {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds replica_wait{500};

// The server cannot be written any more, as it is a replica now.
bool is_demoted(const Reply& reply) {
  return reply.is_error("READONLY") || reply.is_error("MASTERDOWN") ||
         (reply.is_error() && reply.text.find("-READONLY") != std::string::npos);
}

}  // namespace

class Servers::Round {
 public:
  Round(Servers& servers, std::vector<Answer>& answers, Deadline deadline, bool is_probe)
      : servers_(servers), answers_(answers), deadline_(deadline), is_probe_(is_probe) {}

  void add(const Call& call, std::size_t place, const Target& target) {
    auto batch = std::ranges::find(batches_, target.node, &Batch::node);
    if (batch == batches_.end()) {
      batch = batches_.insert(batches_.end(), Batch());
      batch->node = target.node;
    }
    if (target.asks) {
      batch->commands.push_back(&asking_);
      batch->has_answer.push_back(false);
    }
    batch->places.push_back(place);
    batch->commands.push_back(&call.command);
    batch->has_answer.push_back(true);
    batch->waits = batch->waits || call.waits_for_replica;
  }

  void send_all() {
    // A node that needs a new connection may take all the time, so the others come first.
    std::vector<Batch*> unconnected;
    for (Batch& batch : batches_) {
      if (batch.waits && batch.node->has_replicas()) {
        batch.commands.push_back(&wait_);
        batch.has_answer.push_back(false);
      }
      if (!is_probe_ && batch.node->is_silent()) {
        fail(batch, 0, unreachable(batch.node->name(), "it has not answered in time"), false);
        continue;
      }
      batch.connection = batch.node->take_idle();
      if (batch.connection == nullptr) {
        unconnected.push_back(&batch);
      } else {
        send(batch);
      }
    }
    for (Batch* batch : unconnected) connect_and_send(*batch);
  }

  void receive_all() {
    for (Batch& batch : batches_) {
      receive(batch);
      // The server's name may already belong to another one, which only a new connection finds.
      if (batch.is_demoted) batch.node->drop_connections();
      if (batch.connection != nullptr) batch.node->put_back(std::move(batch.connection));
    }
  }

 private:
  // The calls for one node.
  struct Batch {
    std::shared_ptr<Node> node;
    std::vector<std::size_t> places;
    std::vector<bool> has_answer;  // of each command: false: its reply is of no use
    std::vector<const Command*> commands;
    std::unique_ptr<Connection> connection;
    bool waits = false;
    bool is_demoted = false;
    bool had_time = false;  // the server was asked before the deadline
  };

  void connect_and_send(Batch& batch) {
    batch.had_time = Clock::now() < deadline_;
    auto connection = batch.node->connect(deadline_);
    if (!connection) return fail(batch, 0, connection.error(), false);
    batch.connection = std::move(connection).value();
    send(batch);
  }

  void send(Batch& batch) {
    batch.had_time = true;
    if (auto sent = batch.connection->send(batch.commands, deadline_); !sent) fail(batch, 0, sent.error(), true);
  }

  void receive(Batch& batch) {
    std::size_t next = 0;
    for (const bool has_answer : batch.has_answer) {
      if (batch.connection == nullptr) return;
      auto reply = batch.connection->receive(deadline_);
      if (!reply) {
        fail(batch, next, reply.error(), true);
      } else if (!has_answer) {
        // A number is the answer of WAIT: how many replicas have the penalty.
        if (reply->kind == Reply::Kind::number && reply->number == 0) ++servers_.unreplicated_;
      } else {
        batch.is_demoted = batch.is_demoted || is_demoted(reply.value());
        const bool is_error = reply->is_error();
        answers_[batch.places[next++]] = {std::move(reply), batch.node, !is_error};
      }
    }
  }

  // Answers the calls from the place `first` of the batch on with the error.
  void fail(Batch& batch, std::size_t first, const Error& error, bool may_be_executed) {
    // A probe has less time than a call, so it only goes on with a silence.
    if (batch.had_time && Clock::now() >= deadline_ && (!is_probe_ || batch.node->is_silent())) batch.node->timed_out();
    if (servers_.is_cluster_) servers_.is_stale_ = true;
    for (std::size_t i = first; i < batch.places.size(); ++i) {
      answers_[batch.places[i]] = {error, batch.node, may_be_executed};
    }
    batch.connection = nullptr;
  }

  Servers& servers_;
  std::vector<Answer>& answers_;
  const Deadline deadline_;
  const bool is_probe_;
  const Command asking_{"ASKING"};
  const Command wait_{"WAIT", "1", std::to_string(replica_wait.count())};
  std::vector<Batch> batches_;
};

void Servers::run(const std::vector<Call>& calls, const std::vector<std::size_t>& places,
                  const std::vector<Target>& targets, std::vector<Answer>& answers, Deadline deadline, bool is_probe) {
  if (getpid() != process_) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      answers[places[i]] = {Error{"store-forked",
                                  "A child process cannot use the store that its parent has opened: open it "
                                  "again in the child"},
                            targets[i].node, false};
    }
    return;
  }
  Round round(*this, answers, deadline, is_probe);
  for (std::size_t i = 0; i < places.size(); ++i) round.add(calls[places[i]], places[i], targets[i]);
  round.send_all();
  round.receive_all();
}

}  // namespace robotrules::store::redis
