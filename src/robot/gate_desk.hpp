// One desk for all calls to the gate of the store: it collects them and makes them once in each turn of the loop.
//
// A store on disk needs as much time for a hundred calls in one transaction as for three single calls: see
// Store::call_gate().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <robotrules/store.hpp>

#include "http/engine.hpp"

namespace robotrules::agent {

// Thread rule: all functions are called on the loop's thread.
// Lifetime: the engine must outlive the desk. An owner may drop its shared_ptr at any time.
class GateDesk : public std::enable_shared_from_this<GateDesk> {
 public:
  using Answer = std::function<void(Result<ReserveAnswer>)>;
  using Number = std::uint64_t;

  explicit GateDesk(Engine& engine) : engine_(engine) {}
  ~GateDesk() { close(); }
  GateDesk(const GateDesk&) = delete;
  GateDesk& operator=(const GateDesk&) = delete;

  Loop& loop() const noexcept { return engine_.loop(); }

  // Asks the gate. `request` must live until it is answered or forgotten. `answer` is never called inside ask(). The
  // gate is asked when an exchange could start at once: a dispatch that waits after the gate would come too close to
  // the next one.
  Number ask(std::shared_ptr<Store> store, const ReserveRequest& request, Answer answer);
  // Drops a question. Its answer is not called any more.
  void forget(Number number) noexcept;
  // Ends a dispatch; without an outcome, it did not happen. `recorded` is called when the store has it or cannot take
  // it.
  void end(std::shared_ptr<Store> store, Token token, std::optional<Outcome> outcome, std::function<void()> recorded);

  // Returns what changes() of this store would have returned when the gate was asked; null if that is not known. Has a
  // value only while an answer is given.
  std::optional<std::uint64_t> changes(const Store& store) const noexcept {
    return &store == asked_store_ ? changes_ : std::nullopt;
  }

  // Ends the dispatches that wait for it, at once, and asks the gate no more.
  void close() noexcept;

 private:
  struct Asked {
    std::shared_ptr<Store> store;
    const ReserveRequest* request = nullptr;
    Answer answer;  // empty: forgotten
  };
  struct Ended {
    std::shared_ptr<Store> store;
    GateCalls::Finish end;
    std::function<void()> recorded;
  };
  // One call of a store: its answers, the questions they are for, and the callers to tell that their end is recorded.
  struct Round {
    std::shared_ptr<Store> store;
    GateAnswers answers;
    std::map<Number, Asked> answered;
    std::vector<std::function<void()>> recorded;
  };
  void schedule();
  void turn();
  std::optional<Round> ask_store();  // null: there is no room for a request, and nothing has ended
  void tell(Round& round);
  void wait_for_room();

  Engine& engine_;
  std::map<Number, Asked> asked_;
  std::vector<Ended> ended_;
  Number last_ = 0;
  bool scheduled_ = false;
  bool waits_for_room_ = false;
  bool closed_ = false;
  std::map<Number, Asked>* answering_ = nullptr;  // questions with a known answer that is not given yet
  std::optional<std::uint64_t> changes_;
  const Store* asked_store_ = nullptr;  // the store that changes_ belongs to
};

}  // namespace robotrules::agent
