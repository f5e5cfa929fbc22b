#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/pieces.h"
#include "coordinator/runs/prior_versions.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/rebuilding.h"
#include "coordinator/runs/refused_lines.h"
#include "coordinator/runs/run_book.h"
#include "coordinator/runs/run_evidence.h"
#include "coordinator/runs/run_limits.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/run_searches.h"
#include "coordinator/runs/unfinished_work.h"
#include "coordinator/runs/weight_versions.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// One run in memory: what to play next, and what the games have said so far. Pure: no clock, no
// storage, no lock; chance comes from the run's seed, the lease and the slot. The caller writes
// what changes and tells what was committed.
//
// Stages. A stage asks for a fixed number of counted games (book::Counts; a rule without stages has
// one stage, the run's games). Slots are given out until counted + open reaches that number; a slot
// whose game was a fault, was thrown away or never came is replaced, so the stage ends with its
// number whoever was fast, and it closes only when none of its slots is open. The games a run may
// play in all, thrown-away ones included, are bounded by its budget. Lines are chosen by weights
// frozen at the start of the stage.
//
// Lost slots (expired, given back, fault) are played again first: same line, new lease, new seed.
// A line that failed `attempts_per_line` times in a row of such slots with one worker is withheld
// from that one; with as many workers, it is poisoned and leaves selection (LostLines). Giving back
// and interruption are no failures. Where no line is left the run waits and says why: more workers,
// or an operator, may set it going again.
//
// Rest. Under a rule that learns nothing from draws, a line that is drawn time after time would be
// chosen for ever: after `draws_to_rest` draws in a row it rests until the next stage begins,
// unless there is no other line. Only the coordinator that saw the draws knows: after a restart a
// line has to be drawn as often again.
//
// Weights and priors. With re-entry, a run has weights by which the book answers from its beginning
// (WeightVersions), and further ones at each stage, or, without stages, after every
// `re_entry_games` games. One that asks for evaluations has priors from its beginning too
// (PriorVersions): further ones follow within Advance for a small book, of a larger one its owner
// makes them.
//
// Ends. A run ends when its games or its time are used up, after its last stage, or by a rule of
// its specification (StopRules); `reason` says by which (RunLimits).
//
// All of this is a function of the rows: a RunState made of them equals the one that wrote them.
// Thread rule: guarded by the owner's mutex.
class RunState {
 public:
  struct Options {
    int attempts_per_line = 3;
    uint32_t draws_to_rest = 3;
    // Advance makes the priors of a book of so many moves itself.
    book::EdgeId small_book = 2'048;
  };

  // Of what LoadRun read. `unfinished`: what a run that has been here before had in hand; a new one
  // begins with its first priors and weights. REQUIRES: `start` is StartNode's. Against an
  // opponent, slots say which side is the run's own, and its moves alone are credited.
  RunState(LoadedRun loaded, book::NodeId start, Options options,
           const std::optional<UnfinishedWork>& unfinished = std::nullopt);

  // How many further slots could be given out now to a worker that takes these kinds; 0 unless the
  // state is "running". Where there is any for one that evaluates, there is one for every worker.
  uint64_t Available(SlotKinds kinds = {}) const;
  // Chooses up to `most` slots for the lease, numbered from 0, and opens them: searches for priors
  // first, then games and searches along lines by turns. Fewer than wanted only if there are fewer,
  // or no line is left for the worker. Without a worker's name, for one with whom no line has
  // failed.
  std::vector<PlannedSlot> Plan(LeaseId lease, uint32_t most, SlotKinds kinds = {},
                                const std::string& worker = {});
  // The slots were never handed out: everything is as before Plan.
  void Withdraw(std::vector<PlannedSlot> slots);

  // A game of the slot was committed. `open`: the slot was open until now; otherwise it had been
  // given up, and if its line still waits to be played again, that is no longer needed. Nullopt
  // where the game is no evidence or has no line. Slots that verify a game are none of this
  // class's; results of searches go to searches().
  std::optional<Expectation> Credit(const GameRow& game, const PlannedSlot& plan, bool open);
  // The slots of a worker's lease that ended, `state` says how.
  void Lose(const LineFailure& lease, std::span<const PlannedSlot> slots, LeaseState state);

  // Goes on to the next stage, or ends the run, if the stage is complete and the run `may_end`.
  // `alone`: no second worker is there, so a match ends by what one of them broke.
  // Returns whether anything changed.
  bool Advance(bool may_end = true, bool alone = true);

  // Evidence without the games of workers that are not trusted, or with them again: BeginRebuild,
  // then RebuildRun from a connection opened since, then Adopt until there is no more to do;
  // meanwhile everything goes on. The stage's number of games is what is left of them: further
  // slots take the place of games that went.
  RebuildPoint BeginRebuild(Trust trust);
  // Does a piece of it. kVoid, and nothing happens, if another stage has begun since BeginRebuild.
  // After kDone all evidence counts as changed, and `rebuilt` holds what was there before: to be
  // destroyed without the mutex, as after kVoid. A match that was over because too many of its
  // pairs were void runs again if they no longer are. After kMore it is this object's to change.
  Progress Adopt(RebuiltRun& rebuilt, const PieceSize& piece = {});
  // Whether enough has come for further priors, and evidence is not about to be replaced.
  bool PriorsAreDue() const;

  // "paused" <-> "running", or "stopped"; refused (false) where the state does not allow it.
  bool SetState(const std::string& state, std::string reason);
  // Gives it more to play, as Extended says.
  absl::Status Extend(const MoreToPlay& more);
  // Gives out again what is poisoned or withheld: the line, or all of them; how many there were.
  // `next` is the next lease to be granted: what failed before it counts no more.
  size_t FreeLines(const std::optional<std::vector<Move>>& line, LeaseId next);
  void SetShare(const Share& share) { row_.spec.share = share; }
  // Time went by in state "running". When the time budget is used up, nothing more is given out,
  // and the run is done when no slot is open.
  void AddPlayedMs(int64_t ms) { row_.played_ms += ms; }

  // Rows that are new since the last call: to be written before what follows from them.
  struct NewRows {
    std::vector<PoisonedLine> lines;  // poisoned or freed
    std::vector<PriorSet> priors;
    std::vector<NewWeights> weights;
  };
  NewRows TakeNewRows();

  // Parts with a protocol of their own. Their owners change: evidence, as checkpoints and copies of
  // weights need it; searches, as results come; priors, of a large book.
  const RunRow& row() const { return row_; }
  const RunBook& book() const { return book_; }
  // Of the games so far; Adopt puts another one in its place.
  const RunEvidence& evidence() const { return *evidence_; }
  RunEvidence& evidence() { return *evidence_; }
  const RunSearches& searches() const { return searches_; }
  RunSearches& searches() { return searches_; }
  const PriorVersions& priors() const { return priors_; }
  PriorVersions& priors() { return priors_; }
  const RefusedLines& lines() const { return lines_; }
  // Slots of games; searches count their own.
  uint64_t open_slots() const { return open_; }

 private:
  void Restore(const UnfinishedWork& unfinished);
  // The next game for the worker, opened; nullopt: there is none.
  std::optional<PlannedSlot> PlanGame(const std::string& worker, std::optional<Color> own,
                                      Rng& rng);
  // Opens or closes the slot of a game, also in evidence that is on its way.
  void SetOpen(const PlannedSlot& plan, bool open);
  // The slot has no game that counts and will be replaced; `failed`: perhaps by fault of its line.
  void PutBack(const LineFailure& lease, const PlannedSlot& plan, bool failed, std::string reason);

  const RunBook book_;
  RunRow row_;
  std::unique_ptr<RunEvidence> evidence_;
  RunSearches searches_;
  PriorVersions priors_;
  WeightVersions weights_;           // with re-entry only
  std::optional<MatchState> match_;  // of a match: what is played, instead of lines
  RefusedLines lines_;
  Rebuilding rebuilding_;
  uint64_t open_ = 0;
};

}  // namespace joseki::coordinator
