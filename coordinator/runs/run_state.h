#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "book/graph.h"
#include "book/tuning/line.h"
#include "book/tuning/tuner.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/book_answer.h"
#include "coordinator/runs/evaluations.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/runs/lost_lines.h"
#include "coordinator/runs/match_state.h"
#include "coordinator/runs/prior_making.h"
#include "coordinator/runs/prior_versions.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/resting_lines.h"
#include "coordinator/runs/run_evidence.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/weight_versions.h"
#include "coordinator/scheduling/lease_table.h"
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
// Ends. A run ends when its games or its time are used up, after its last stage, or by a rule of
// its specification (StopRules); `reason` says by which.
//
// All of this is a function of the rows: a RunState restored from them equals the one that wrote
// them (Restore). Thread rule: guarded by the owner's mutex.
class RunState {
 public:
  struct Options {
    int attempts_per_line = 3;
    uint32_t draws_to_rest = 3;
    // Moves and games that one Adopt takes over: some hundred microseconds.
    book::EdgeId edges_at_once = 16'384;
    size_t games_at_once = 64;
    // Positions whose evaluations one step judges anew, and moves in which values have changed
    // meanwhile.
    book::NodeId positions_at_once = 4'096;
    size_t late_at_once = 512;
    // A book of so many moves is done as a whole.
    book::EdgeId small_book = 2'048;
  };

  enum class Adoption : uint8_t { kMore, kDone, kVoid };

  // From what LoadRun read; a new run is one without games. REQUIRES: `start` is StartNode's.
  // Against an opponent, slots say which side is the run's own, and its moves alone are credited.
  RunState(LoadedRun loaded, book::NodeId start, Options options);

  // Part of a restart: poisoned lines first, then every lease with empty slots in ascending order,
  // then the faults of the stage, then the slots that were given out again are struck out.
  void RestorePoisoned(const std::vector<PoisonedLine>& lines);
  void RestoreLease(const LeaseGrant& grant, LeaseState state, const std::set<uint32_t>& filled);
  void RestoreFault(const GameRow& game, const PlannedSlot& plan);
  void RestoreReplaced(std::span<const SlotRef> replaced);

  // With re-entry, a run has weights by which the book answers: version 1 at its beginning
  // (BeginWeights), and a further one at each stage, or, without stages, after every
  // `re_entry_games` games. A restart restores the newest. `weights` has one number an edge.
  void BeginWeights();
  void RestoreWeights(uint32_t version, uint64_t games,
                      std::shared_ptr<const book::Weights> weights);
  // Versions that are new since the last call, to be written before slots that name them.
  std::vector<NewWeights> TakeNewWeights() { return weights_.TakeNew(); }
  const WeightVersions& weights() const { return weights_; }
  // A run that asks for evaluations has priors from its beginning (BeginPriors): version 1, of what
  // other runs have left. Further versions follow as evaluations and games come in: of a small
  // book within Advance; of a larger one its owner makes them where they are due (WantsPriors):
  // CopyForPriors until there is no more to do, PriorMaking::Work without the mutex, AdoptPriors
  // until there is no more to do. kVoid: evidence has been computed anew meanwhile, or is to be.
  void BeginPriors();
  bool WantsPriors() const { return !AtOnce() && PriorsAreDue(); }
  PriorMaking MakePriors() const;
  Adoption CopyForPriors(PriorMaking& making);
  Adoption AdoptPriors(PriorMaking& making);
  // Versions that are new since the last call, to be written before what follows from them.
  std::vector<PriorSet> TakeNewPriors() { return priors_.TakeNew(); }
  // Null for a run that asks for none; else the newest version of the priors, and what they are of.
  const Evaluations* evaluations() const { return evaluations_.get(); }
  const PriorSet& priors() const { return priors_.newest(); }
  // Null for a run without.
  const LineSearches* line_searches() const { return line_searches_.get(); }
  // Games that the budget was spent on: those that count, and searches along lines in games' worth.
  uint64_t games_spent() const;

  // How many further slots could be given out now to a worker that takes these kinds; 0 unless the
  // state is "running". Where there is any for one that evaluates, there is one for every worker.
  uint64_t Available(SlotKinds kinds = {}) const;
  // Chooses up to `most` slots for the lease, numbered from 0, and opens them: searches for priors
  // first, then games and searches along lines by turns. Fewer than wanted only if there are fewer,
  // or no line is left for the worker. Without a worker's name, for one with whom no line has
  // failed.
  std::vector<PlannedSlot> Plan(LeaseId lease, uint32_t most, SlotKinds kinds = {},
                                const std::string& worker = {});
  // Every line was withheld from the worker when it last asked.
  bool HasNothingFor(const std::string& worker) const { return idle_.count(worker) != 0; }
  // The slots were never handed out: everything is as before Plan.
  void Withdraw(std::vector<PlannedSlot> slots);

  // A game of the slot was committed. `open`: the slot was open until now; otherwise it had been
  // given up, and if its line still waits to be played again, that is no longer needed. Nullopt
  // where the game is no evidence or has no line. Slots that verify a game are none of this
  // class's.
  std::optional<Expectation> Credit(const GameRow& game, const PlannedSlot& plan, bool open);
  // An evaluation of the slot was committed, or a fault in its place; `open` as above, `failed`:
  // whose it is, where the position may be to blame. Of a run with line searches it is one of
  // these: AddLineSearch.
  void AddEvaluation(const PlannedSlot& plan, bool open, Evaluation evaluation);
  void AddLineSearch(const PlannedSlot& plan, bool open, const LineSearch& found);
  void AddEvaluationFault(const PlannedSlot& plan, bool open,
                          const std::optional<LineFailure>& failed);
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
  // Does a little of it. kVoid, and nothing happens, if another stage has begun since BeginRebuild.
  // After kDone all evidence counts as changed, and `rebuilt` holds what was there before: to be
  // destroyed without the mutex, as after kVoid. A match that was over because too many of its
  // pairs were void runs again if they no longer are. After kMore it is this object's to change.
  Adoption Adopt(RebuiltRun& rebuilt);
  // "paused" <-> "running", or "stopped"; refused (false) where the state does not allow it.
  bool SetState(const std::string& state, std::string reason);
  // Gives it more to play, as Extended says.
  absl::Status Extend(const MoreToPlay& more);
  // Time went by in state "running". When the time budget is used up, nothing more is given out,
  // and the run is done when no slot is open.
  void AddPlayedMs(int64_t ms) { row_.played_ms += ms; }

  const RunRow& row() const { return row_; }
  RunId id() const { return row_.run; }
  const RunSpec& spec() const { return row_.spec; }
  bool running() const { return row_.running(); }
  const book::Graph& graph() const { return *graph_; }
  std::shared_ptr<const book::Graph> shared_graph() const { return graph_; }
  const book::Policy& policy() const { return *policy_; }
  // The answers of its book; valid as long as this is.
  BookAnswer answer() const { return {*graph_, *policy_, *imported_, evaluations_.get()}; }
  uint64_t open_slots() const { return open_; }
  // The pairs of a match; null for another run.
  const book::Series* series() const { return match_ ? &match_->series() : nullptr; }
  // Gives out again what is poisoned or withheld: the line, or all of them; how many there were.
  // `next` is the next lease to be granted: what failed before it counts no more.
  size_t FreeLines(const std::optional<std::vector<Move>>& line, LeaseId next);
  const LostLines& lost_lines() const { return lost_; }
  bool staged() const { return stages() > 0; }
  const RestingLines& resting_lines() const { return resting_; }
  // Evidence of the games so far; Adopt puts another in its place.
  const RunEvidence& evidence() const { return *evidence_; }
  RunEvidence& evidence() { return *evidence_; }
  void SetShare(const Share& share) { row_.spec.share = share; }
  int stages() const { return static_cast<int>(policy_->stages().size()); }
  // Lines poisoned or freed since the last call, to be written.
  std::vector<PoisonedLine> TakePoisoned() { return lost_.TakePoisoned(); }

 private:
  // Along lines, or for priors; null where the run asks for none.
  SearchSlots* searches() const;
  uint64_t AvailableGames() const;
  bool PriorsAreDue() const;
  // The book is small enough for what takes time in proportion to it.
  bool AtOnce() const { return graph_->edge_count() <= options_.small_book; }
  // Makes what is known now the next version of the priors.
  void RefreshPriors();
  bool budget_used() const;
  // No position is left worth a game; the second: and the run ends for it.
  bool NoGainLeft() const;
  bool nothing_left() const;
  // Nothing is given out any more, for whatever reason.
  bool used_up() const { return row_.time_over() || budget_used() || nothing_left(); }
  // Why a run that is used up, or has no stage left, is done.
  std::string EndReason() const;
  // Whether the next stage would find much the same as the one that is over. Sets the reason.
  bool AnswersAreStable();
  // A line for the worker, chosen anew; nullopt if every one is refused.
  std::optional<book::Line> ChooseLine(std::optional<Color> own, const std::string& worker,
                                       Rng& rng);
  // No line is left for the worker, or none at all.
  void NoteExhausted(std::optional<Color> own, const std::string& worker, Rng rng);
  // Lines may be left again.
  void ForgetExhausted();
  // Counted games that the stage still needs, those that earlier ones lack included. REQUIRES: the
  // policy has stages, and this is one.
  uint64_t StageLeft() const;
  std::vector<book::EdgeId> EdgesOf(std::span<const Move> line) const;
  void Open(const PlannedSlot& plan);
  void Close(const PlannedSlot& plan);
  // The slot has no game that counts and will be replaced; `failed`: perhaps by fault of its line.
  void PutBack(const LineFailure& lease, const PlannedSlot& plan, bool failed,
               const std::string& reason);
  // Judges the line that waits in place of the slot, if one does.
  void PoisonIfBad(SlotRef slot);
  // The next search along a line, if one is due; nullopt: a game comes next.
  std::optional<PlannedSlot> NextLineSearch(SlotKinds kinds, const std::string& worker, Rng& rng);
  // Whether games were played whose line ended where this one does, as far as the evidence of its
  // last move and of the moves after it tells.
  bool EndedThere(const LostLines::Lost& lost) const;
  // Makes what is known now the next version of the weights.
  void RefreshWeights();
  // In the evidence, and in what is being adopted as far as that has it.
  void ChangeInFlight(const PlannedSlot& plan, bool open);

  // Constant after construction.
  const Options options_;
  const book::NodeId start_;
  const std::shared_ptr<const book::Graph> graph_;
  const std::shared_ptr<const book::Policy> policy_;
  const std::shared_ptr<const book::PlayBook> opponent_;  // null: none, or one without a book

  RunRow row_;
  std::unique_ptr<RunEvidence> evidence_;
  uint64_t open_ = 0;
  bool exhausted_ = false;           // every line was poisoned at the last Plan
  std::set<std::string> idle_;       // workers from whom every line was withheld when they asked
  std::optional<MatchState> match_;  // of a match: what is played, instead of lines
  LostLines lost_;
  RestingLines resting_;  // if the policy does not learn from draws

  WeightVersions weights_;  // with re-entry only

  std::optional<std::deque<GameRow>> tail_;  // games credited since BeginRebuild, not adopted yet
  RebuiltRun* incoming_ = nullptr;           // the caller's, between two calls of Adopt
  uint64_t rebuilt_seq_ = 0;  // games up to here are in the evidence that was adopted

  // Null or empty where the run asks for no evaluations.
  std::shared_ptr<const book::ImportedValues> imported_;
  std::shared_ptr<Evaluations> evaluations_;
  PriorVersions priors_;

  std::shared_ptr<LineSearches> line_searches_;  // null: none are asked for
};

}  // namespace joseki::coordinator
