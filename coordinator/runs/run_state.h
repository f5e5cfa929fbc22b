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
#include "coordinator/model/rows.h"
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

namespace joseki::coordinator {

// A run in memory: chooses its next slots and holds the evidence of its games. Pure: no clock, no
// storage, no lock. Chance comes from the run's seed, the lease and the slot. The caller writes the
// changes and reports every commit.
//
// Stages. A stage asks for a fixed number of counted games (book::Counts). A rule without stages
// has one stage, the run's games. Slots are granted until counted + open equals that number. A slot
// is replaced if its game was a fault, was thrown away, or never came. The stage closes once no
// slot is open. The budget bounds all games of the run, those thrown away included. Lines are
// chosen by weights frozen at the start of the stage.
//
// Lost slots (expired, given back, fault) are played again first: same line, new lease, new seed. A
// line is withheld from a worker after `attempts_per_line` failures in a row with that worker.
// After failures with as many workers it is poisoned and leaves selection (LostLines). Giving back
// and interruption are no failures. With no line left the run waits and gives the reason. More
// workers, or an operator, may set it going again.
//
// Rest. A rule that ignores draws would choose a drawn line for ever. After `draws_to_rest`
// consecutive draws the line rests until the next stage, unless every line would. Draws are counted
// in memory alone: a restart begins the count again.
//
// Weights and priors. A run with re-entry has weights by which the book answers, from the start
// (WeightVersions). Further versions follow at each stage or, without stages, after every
// `re_entry_games` games. A run with evaluations also has priors from the start (PriorVersions).
// Advance refreshes those of a small book; the owner makes those of a large one.
//
// Ends. A run ends when its games or its time are used up, after its last stage, or by a rule of
// its specification (StopRules). `reason` names the rule (RunLimits).
//
// Everything follows from the rows: a RunState made of them equals the one that wrote them. Thread
// rule: guarded by the owner's mutex.
class RunState {
 public:
  struct Options {
    int attempts_per_line = 3;
    uint32_t draws_to_rest = 3;
    // Largest book, in moves, whose priors Advance computes itself.
    book::EdgeId small_book = 2'048;
  };

  // Makes a run from the result of LoadRun. `unfinished`: work in hand when an earlier coordinator
  // ended. Without it the run is new and makes its first priors and weights. REQUIRES: `start` is
  // StartNode's. Against an opponent slots name the run's own side, and only its moves are
  // credited.
  RunState(LoadedRun loaded, book::NodeId start, Options options,
           const std::optional<UnfinishedWork>& unfinished = std::nullopt);

  // Number of slots that can be granted now to a worker that accepts these kinds; 0 unless the
  // state is "running". If there is one for a worker that evaluates, there is one for every worker.
  uint64_t Available(SlotKinds kinds = {}) const;
  // Chooses up to `most` slots for the lease, numbered from 0, and opens them. Searches for priors
  // come first, then games and searches along lines by turns. Returns fewer only if there are
  // fewer, or no line is left for the worker. An empty name is a worker with which no line has
  // failed.
  std::vector<PlannedSlot> Plan(LeaseId lease, uint32_t most, SlotKinds kinds = {},
                                const std::string& worker = {});
  // Undoes Plan for slots that were never handed out.
  void Withdraw(std::vector<PlannedSlot> slots);

  // Credits a committed game of the slot. `open`: the slot was open until now. Otherwise it had
  // been given up, and its line no longer needs to be played again. Nullopt if the game is no
  // evidence or has no line. Slots that verify a game do not come here; results of searches go to
  // searches().
  std::optional<Expectation> Credit(const GameRow& game, const PlannedSlot& plan, bool open);
  // Closes the open slots of a lease that ended in `state`.
  void Lose(const LineFailure& lease, std::span<const PlannedSlot> slots, LeaseState state);

  // Goes on to the next stage, or ends the run, if the stage is complete and the run `may_end`.
  // `alone`: there is no second worker, so the failures of one may end a match. Returns whether
  // anything changed.
  bool Advance(bool may_end = true, bool alone = true);

  // Rebuilds the evidence after a change of trust: BeginRebuild, then RebuildRun from a connection
  // opened since, then Adopt until nothing is left. Meanwhile everything goes on. The stage counts
  // the remaining games; further slots replace those that were taken out.
  RebuildPoint BeginRebuild(Trust trust);
  // Performs one piece of the adoption. kVoid, without effect, if another stage has begun since
  // BeginRebuild. After kMore the caller must not touch `rebuilt`. After kDone all evidence counts
  // as changed, and `rebuilt` holds the former evidence. Destroy `rebuilt` outside the mutex, also
  // after kVoid. A match that ended with too many void pairs runs again if they no longer are too
  // many.
  Progress Adopt(RebuiltRun& rebuilt, const PieceSize& piece = {});
  // Whether enough evaluations or games have come for new priors, and no rebuild is under way.
  bool PriorsAreDue() const;

  // "paused" <-> "running", or "stopped"; refused (false) where the state does not allow it.
  bool SetState(const std::string& state, std::string reason);
  // Extends the budget (Extended in run_extension.h).
  absl::Status Extend(const MoreToPlay& more);
  // Releases poisoned and withheld lines: one, or all of them with all positions that searches
  // along lines failed at. Returns their number. Failures under leases before `next`, the next one
  // to be granted, no longer count.
  size_t FreeLines(const std::optional<std::vector<Move>>& line, LeaseId next);
  void SetShare(const Share& share) { row_.spec.share = share; }
  // Adds time spent in state "running". Once the time budget is used up no slot is granted, and the
  // run is done when none is open.
  void AddPlayedMs(int64_t ms) { row_.played_ms += ms; }

  // Rows that are new since the last call. Write them before the rows that follow from them.
  struct NewRows {
    std::vector<PoisonedLine> lines;  // poisoned or freed
    std::vector<PriorSet> priors;
    std::vector<NewWeights> weights;
  };
  NewRows TakeNewRows();

  // Parts with a protocol of their own. Their owners change them: evidence for checkpoints and
  // copies of weights, searches as results come, priors of a large book.
  const RunRow& row() const { return row_; }
  const RunBook& book() const { return book_; }
  // Evidence of the games so far; Adopt replaces the object.
  const RunEvidence& evidence() const { return *evidence_; }
  RunEvidence& evidence() { return *evidence_; }
  const RunSearches& searches() const { return searches_; }
  RunSearches& searches() { return searches_; }
  const PriorVersions& priors() const { return priors_; }
  PriorVersions& priors() { return priors_; }
  const RefusedLines& lines() const { return lines_; }
  // Open slots of games; searches count their own.
  uint64_t open_slots() const { return open_; }

 private:
  void Restore(const UnfinishedWork& unfinished);
  // Opens the worker's next game; nullopt if there is none.
  std::optional<PlannedSlot> PlanGame(const std::string& worker, std::optional<Color> own,
                                      Rng& rng);
  // Opens or closes the slot of a game, also in evidence that is being rebuilt.
  void SetOpen(const PlannedSlot& plan, bool open);
  // The slot has no counted game and will be replaced. `failed`: its line may be to blame.
  void PutBack(const LineFailure& lease, const PlannedSlot& plan, bool failed, std::string reason);

  const RunBook book_;
  RunRow row_;
  std::unique_ptr<RunEvidence> evidence_;
  RunSearches searches_;
  PriorVersions priors_;
  WeightVersions weights_;           // with re-entry only
  std::optional<MatchState> match_;  // a match's games, played instead of lines
  RefusedLines lines_;
  Rebuilding rebuilding_;
  uint64_t open_ = 0;
};

}  // namespace joseki::coordinator
