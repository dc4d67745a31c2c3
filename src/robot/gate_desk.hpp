// One desk for all calls to the gate of the store: it collects them and makes them together, in a batch. A question is
// asked until the gate grants a dispatch.
//
// A store on disk needs as much time for a hundred calls in one transaction as for three single calls: see
// Store::call_gate(). While a session works on a batch, the desk collects the next one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>

#include <robotrules/seams/store_session.hpp>
#include <robotrules/store.hpp>

#include "http/http_engine.hpp"
#include "robot/network_watch.hpp"

namespace robotrules::agent {

// How a question waits for the gate.
struct GatePatience {
  bool waits = true;                           // false: the first answer is final
  bool waits_while_away = true;                // false: a pause of a site that gave no answer is the answer
  std::chrono::microseconds max_wait{0};       // a longer wait is the answer, unless requests in flight cause it
  std::function<void(const Wait&)> on_wait{};  // called when a wait begins; it must not forget the question
};

// Thread rule: all functions are called on the loop's thread.
// Lifetime: the engine must outlive the desk. An owner may drop its shared_ptr at any time.
class GateDesk : public std::enable_shared_from_this<GateDesk> {
 public:
  using Answer = std::function<void(Result<ReserveAnswer>)>;
  using Number = std::uint64_t;
  using Session = std::shared_ptr<StoreSession>;

  explicit GateDesk(Engine& engine) : engine_(engine) {}
  ~GateDesk() { close(); }
  GateDesk(const GateDesk&) = delete;
  GateDesk& operator=(const GateDesk&) = delete;

  // Asks the gate, and again when the time of the last answer has come. `answer` is called once, and never inside
  // ask(). If it gets a Wait, the patience does not permit that wait. The gate is asked when an exchange could start at
  // once: a dispatch that waits after the gate would come too close to the next one.
  Number ask(Session session, ReserveRequest request, GatePatience patience, Answer answer);
  // Drops a question; its answer is not called any more. Does nothing if there is no question of that number.
  void forget(Number number) noexcept;
  // Ends a dispatch; without an outcome, it did not happen. A failure of the robot's own network does not count against
  // the site. `recorded` is called when the store has it or cannot take it.
  void end(Session session, Token token, std::optional<Outcome> outcome, std::function<void()> recorded);

  // Returns what changes() of this session's store would have returned when the gate was asked; null if that is not
  // known. Has a value only while an answer is given.
  std::optional<std::uint64_t> changes(const StoreSession& session) const noexcept {
    return answering_ != nullptr && answering_->session.get() == &session ? changes_ : std::nullopt;
  }

  NetworkWatch& network() noexcept { return network_; }

  // Asks the gate no more. Returns when the stores have all dispatches that have ended.
  void close() noexcept;

 private:
  struct Question {
    Number number;
    Session session;
    std::shared_ptr<const ReserveRequest> request;
    GatePatience patience;
    Answer answer;
    bool is_under_way = false;  // it is in a batch
    Loop::TimerId timer = 0;    // it waits to be asked again
    std::chrono::microseconds poll{0};
  };
  using Questions = std::list<Question>;
  struct Ended {
    Session session;
    GateCalls::Finish end;
    std::function<void()> recorded;
  };
  // One batch: the calls, the questions and the ends that they are for. Lists, so that they can be put back without new
  // memory.
  struct Batch {
    Session session;
    std::shared_ptr<GateCalls> calls = std::make_shared<GateCalls>();
    Questions asked;
    std::list<Ended> ended;
    bool is_answered = false;
  };
  void schedule();
  void turn();
  bool is_busy(const Session& session) const noexcept;
  Session next_session() const noexcept;
  std::shared_ptr<Batch> next_batch(const Session& session);
  void make_calls(const std::shared_ptr<Batch>& batch);
  void take_ends(Batch& batch);
  void no_longer_under_way(const Batch& batch) noexcept;
  void put_back_ends(Batch& batch) noexcept;
  void put_back_questions(Batch& batch) noexcept;
  void pause();
  void answered(Batch& batch, Result<GateAnswers> answers);
  void tell(Batch& batch, Result<GateAnswers> answers);
  void tell(Batch& batch, Questions::iterator question, Result<ReserveAnswer> answer);
  static bool may_wait(const Question& question, const Wait& wait);
  void wait_until_asked(Question& question, const Wait& wait);
  void ask_again(Number number);
  void wait_for_room();
  void end_all();

  Engine& engine_;
  NetworkWatch network_;
  Questions asked_;
  Questions waiting_;                                      // until they are asked again
  std::unordered_map<Number, Questions::iterator> known_;  // also those under way
  std::list<Ended> ended_;
  std::list<std::shared_ptr<Batch>> under_way_;  // one a session
  Number last_ = 0;
  bool scheduled_ = false;
  bool waits_for_room_ = false;
  bool is_pausing_ = false;  // the last call failed as a whole
  bool closed_ = false;
  Batch* answering_ = nullptr;  // its answers are being given
  std::optional<std::uint64_t> changes_;
};

}  // namespace robotrules::agent
