#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordinator/model/messages.h"
#include "engine/core/outcome.h"

namespace joseki::coordinator {

// The reason why games of the run cannot be compared move by move; empty if they can. They can if
// the run asks for it, and if its engine has a signature and searches by nodes. Then run and slot
// determine the game.
std::string_view WhyUnverified(const RunSpec& spec);

// The outcome of a slot's game, as far as a second worker must reproduce it: everything but time.
// For a search it includes the scores.
struct GameOutcome {
  uint64_t moves_hash = 0;
  uint64_t nodes = 0;
  Ending ending;
  bool operator==(const GameOutcome&) const = default;
};

// One worker's report on a slot's game.
struct Testimony {
  std::string worker;
  SessionId session = 0;
  GameOutcome outcome;
};

// The verdict on one slot, by its testimonies.
//
// An outcome reported by at least two workers, and by more than any other, is right; workers that
// reported another are wrong. Without such an outcome no worker is blamed: when two differ, either
// may be wrong, and a third has to play the slot. Testimonies of blocked workers are ignored; if
// the others agree, the dispute is over.
struct Judgement {
  bool decided = false;
  std::vector<std::string> wrong;  // ascending; empty if all agree
  bool operator==(const Judgement&) const = default;
};
Judgement Judge(std::span<const Testimony> testimonies, const std::set<std::string>& blocked = {});

// Selects the games of a run that a second worker repeats, and judges the results. Searches count
// as games here. Pure: no clock, no storage, no lock; guarded by the owner's mutex.
//
// The first games of every session are selected, so that a wrong build shows at once. Then one game
// follows in each window of 100 / percent, at a place derived from the run's seed, worker and
// window. No worker can predict it, and none goes unverified for two windows.
//
// A game waits until another worker can play it. At most a few games of each worker wait; newer
// ones replace older ones. If there is no other worker, another session of the same one may play.
// A dispute waits for a third worker, however long; as long as many do, no more games are selected.
class Verification {
 public:
  static constexpr uint64_t kFirstGames = 3;  // of a session
  static constexpr size_t kWaitingGames = 8;  // of a worker
  static constexpr size_t kMostDisputes = 64;
  static constexpr int kMostLost = 3;  // copies that failed to arrive before the game is given up

  // `percent` 0: no game is selected.
  Verification(double percent, uint64_t seed);

  // Notes a committed game that can be verified.
  void Played(const SlotRef& game, const Slot& slot, const Testimony& testimony);
  // Restores a dispute from the database; its first testimony is that of the game itself.
  void RestoreDispute(const SlotRef& game, const Slot& slot, std::vector<Testimony> testimonies);

  struct Copy {
    SlotRef of;
    Slot slot;
  };
  // Takes up to `most` games of these kinds for the session to play, disputed ones first. `alone`:
  // there is no other worker that could.
  std::vector<Copy> Take(const std::string& worker, SessionId session, bool alone, size_t most,
                         SlotKinds kinds = {});
  // Whether Take would return any game.
  bool HasWork(const std::string& worker, SessionId session, bool alone,
               SlotKinds kinds = {}) const;
  // Restores a copy that was granted before a restart and that its worker still holds.
  void RestoreTaken(const SlotRef& game, const Slot& slot, const Testimony& testimony);
  // Notes that a copy will not arrive, or ended by a fault: another one is needed.
  void Lost(const SlotRef& game);

  // The effect of a copy's result. `known` is false if the copy was no longer needed.
  struct Finding {
    bool known = false;
    bool same = false;      // equal to the committed game
    bool disputed = false;  // whether there is a dispute now
    Judgement judgement;
    std::vector<std::string> agreed;  // once it is decided: the workers that are right
  };
  Finding Returned(const SlotRef& game, const Testimony& testimony);

  // Forgets the waiting games of a blocked worker, and judges its disputes again. Returns the games
  // whose disputes that decides.
  std::vector<SlotRef> Block(const std::string& worker, const std::set<std::string>& blocked);

  // Number of games that wait for a repetition.
  size_t waiting() const { return waiting_.size(); }
  // Number of copies in play.
  size_t taken() const { return taken_; }
  bool idle() const { return items_.empty(); }
  // A worker in dispute with this one, or itself if its own sessions differ; empty: none.
  std::string DisputeOf(const std::string& worker) const;

 private:
  struct Item {
    Slot slot;
    std::vector<Testimony> testimonies;  // the first is that of the game itself
    std::optional<uint64_t> waits;       // its place in waiting_
    size_t taken = 0;
    int lost = 0;
    bool disputed() const { return testimonies.size() > 1; }
  };
  using Items = std::map<SlotRef, Item>;
  struct Count {
    SessionId session = 0;
    uint64_t games = 0;
    uint64_t window = 0;
    std::optional<uint64_t> place;  // selected game of the window
  };

  uint64_t WindowSize() const;
  // The number, within a window, of the selected game.
  uint64_t PlaceIn(const std::string& worker, uint64_t window) const;
  static bool MayPlay(const Item& item, const std::string& worker, SessionId session, bool alone,
                      SlotKinds kinds);
  void Wait(Items::iterator item);
  void StopWaiting(Item& item);
  void Forget(Items::iterator item);

  double percent_;
  uint64_t seed_;
  std::map<std::string, Count> counts_;
  Items items_;
  std::set<SlotRef> disputed_;
  std::map<uint64_t, SlotRef> waiting_;                    // in the order in which they are granted
  std::map<std::string, std::deque<SlotRef>> waiting_of_;  // undisputed ones, by the worker that
                                                           // played them
  uint64_t next_ = 0;
  size_t taken_ = 0;
};

// The verification that the run's specification asks for.
Verification VerificationOf(const RunSpec& spec);

}  // namespace joseki::coordinator
