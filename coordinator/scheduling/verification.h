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

// Why games of the run cannot be compared move by move; empty if they can: its engine has a
// signature and searches by nodes, so that run and slot determine the game, and the run wants it.
std::string_view WhyUnverified(const RunSpec& spec);

// What a slot's game was, as far as a second worker must find the same: everything but time. Of a
// search the scores are part of it.
struct GameOutcome {
  uint64_t moves_hash = 0;
  uint64_t nodes = 0;
  Ending ending;
  bool operator==(const GameOutcome&) const = default;
};

// One worker's word on a slot's game.
struct Testimony {
  std::string worker;
  SessionId session = 0;
  GameOutcome outcome;
};

// The verdict on one slot, by its testimonies.
//
// An outcome that at least two workers give, and more than give any other, is right; who gave
// another is wrong. Until there is one, nobody is: of two workers that differ, either may be the
// wrong one, and a third has to play the slot. Blocked workers have no say; if the others agree,
// there is nothing left to decide.
struct Judgement {
  bool decided = false;
  std::vector<std::string> wrong;  // ascending; none where all agree
  bool operator==(const Judgement&) const = default;
};
Judgement Judge(std::span<const Testimony> testimonies, const std::set<std::string>& blocked = {});

// Which games and searches of a run a second worker makes again, who, and what comes of it; a
// search is a game here. Pure: no clock, no storage, no lock; guarded by the owner's mutex.
//
// Picked are the first games of every session, so that a wrong build shows at once, and then one
// game in each window of 100 / percent, at a place that follows from the run's seed, worker and
// window: no worker can tell which, and none goes unverified for two windows.
//
// A game waits until another worker can play it; at most a few of each worker wait, and newer ones
// take the place of older ones. Where there is no other worker, another session of the same one
// may.
class Verification {
 public:
  static constexpr uint64_t kFirstGames = 3;  // of a session
  static constexpr size_t kWaitingGames = 8;  // of a worker
  static constexpr int kMostLost = 3;  // times that nobody finished a copy; then it is let be

  // `percent` 0: nothing is picked.
  Verification(double percent, uint64_t seed);

  // A game that can be verified was committed.
  void Played(const SlotRef& game, const Slot& slot, const Testimony& testimony);
  // A dispute as the database has it: its first testimony is the game's own.
  void RestoreDispute(const SlotRef& game, const Slot& slot, std::vector<Testimony> testimonies);

  struct Copy {
    SlotRef of;
    Slot slot;
  };
  // Takes up to `most` games of these kinds for the session to play, those in dispute first.
  // `alone`: no other worker could.
  std::vector<Copy> Take(const std::string& worker, SessionId session, bool alone, size_t most,
                         SlotKinds kinds = {});
  // Whether Take would give anything.
  bool HasWork(const std::string& worker, SessionId session, bool alone,
               SlotKinds kinds = {}) const;
  // A copy was given out before a restart, and its worker still holds it.
  void RestoreTaken(const SlotRef& game, const Slot& slot, const Testimony& testimony);
  // A copy will not come, or ended by a fault: another one is needed.
  void Lost(const SlotRef& game);

  // A copy came back. `known` false: nothing depended on it any more.
  struct Finding {
    bool known = false;
    bool same = false;      // as the game that was committed
    bool disputed = false;  // a dispute began, or goes on
    Judgement judgement;
    std::vector<std::string> agreed;  // once it is decided: those who are right
  };
  Finding Returned(const SlotRef& game, const Testimony& testimony);

  // The worker was blocked: forgets what of it waits, and judges the disputes that it is part of
  // anew. The games whose disputes are decided by that.
  std::vector<SlotRef> Block(const std::string& worker, const std::set<std::string>& blocked);

  // Games that wait to be played again.
  size_t waiting() const { return waiting_.size(); }
  // Copies that are being played.
  size_t taken() const { return taken_; }
  bool idle() const { return items_.empty(); }
  // With whom the worker is in dispute; empty: with nobody.
  std::string DisputeOf(const std::string& worker) const;

 private:
  struct Item {
    Slot slot;
    std::vector<Testimony> testimonies;  // the first is the game's own
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
    std::optional<uint64_t> place;  // that is picked in the window
  };

  uint64_t WindowSize() const;
  // Which game of a window is picked.
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
  std::map<uint64_t, SlotRef> waiting_;  // in the order in which they are given out
  std::map<std::string, std::deque<SlotRef>> waiting_of_;  // undisputed ones, by who played them
  uint64_t next_ = 0;
  size_t taken_ = 0;
};

// As the run's specification wants it.
Verification VerificationOf(const RunSpec& spec);

}  // namespace joseki::coordinator
