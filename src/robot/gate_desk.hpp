// The gate of the store, asked once in each turn of the loop for all who want something of it then.
//
// A store on disk takes as long for a hundred calls in one transaction as for three alone: see Store::call_gate().
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

// On the loop's thread. The engine must outlive it; who holds it by a shared_ptr may let go at any time.
class GateDesk : public std::enable_shared_from_this<GateDesk> {
 public:
  using Answer = std::function<void(Result<ReserveAnswer>)>;
  using Number = std::uint64_t;

  explicit GateDesk(Engine& engine) : engine_(engine) {}
  ~GateDesk() { close(); }
  GateDesk(const GateDesk&) = delete;
  GateDesk& operator=(const GateDesk&) = delete;

  Loop& loop() const noexcept { return engine_.loop(); }

  // The request must live until it was answered or is forgotten; the answer never comes within this call. It is asked
  // when an exchange would start at once: a dispatch that waits behind the gate would come too close to the next.
  Number ask(std::shared_ptr<Store> store, const ReserveRequest& request, Answer answer);
  void forget(Number number) noexcept;
  // No outcome: it did not happen. `recorded` is called when the store has it, or could not take it.
  void end(std::shared_ptr<Store> store, Token token, std::optional<Outcome> outcome, std::function<void()> recorded);

  // While an answer is given: what this store's changes() would have said when the gate was asked, where that is known.
  std::optional<std::uint64_t> changes(const Store& store) const noexcept {
    return &store == asked_store_ ? changes_ : std::nullopt;
  }

  // Ends what is to be ended, now, and asks nothing any more.
  void close() noexcept;

 private:
  struct Asked {
    std::shared_ptr<Store> store;
    const ReserveRequest* request = nullptr;
    Answer answer;  // empty: forgotten
  };
  struct Ended {
    std::shared_ptr<Store> store;
    GateCalls::End end;
    std::function<void()> recorded;
  };
  void schedule();
  void turn();
  void wait_for_room();

  Engine& engine_;
  std::map<Number, Asked> asked_;
  std::vector<Ended> ended_;
  Number last_ = 0;
  bool scheduled_ = false;
  bool waits_for_room_ = false;
  bool closed_ = false;
  std::map<Number, Asked>* answering_ = nullptr;  // those whose answers are known and not given yet
  std::optional<std::uint64_t> changes_;
  const Store* asked_store_ = nullptr;  // whose they are
};

}  // namespace robotrules::agent
