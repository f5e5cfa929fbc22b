#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "book/tuning/repertoire.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/failed_searches.h"
#include "coordinator/runs/run_calibration.h"
#include "coordinator/runs/search_budget.h"
#include "coordinator/runs/search_slots.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Result of the work at a line's end.
struct LineSearch {
  std::vector<Move> line;        // as far as it was followed
  std::optional<Move> best;      // nullopt: the game is over there, or the engine resigns
  std::optional<int16_t> score;  // for the side to move there; nullopt: the engine gave none
  bool over = false;             // the game ended, so that the score is its result and no opinion
  std::string worker;
  LeaseId lease = 0;
};

// Searches of a run along the lines that its book will be played through
// (book/tuning/repertoire.h), as leased slots whose kind IsSearch. A line ends before a position
// that FailedSearches has closed.
//
// A state machine that follows from the rows: leases with such slots, and committed results. Thread
// rule: guarded by the owner's mutex.
class LineSearches : public SearchSlots {
 public:
  // REQUIRES: spec.line_searches.wanted(). InvalidArgument where the rules refuse the run's start.
  static absl::StatusOr<LineSearches> Make(const Rules& rules,
                                           std::shared_ptr<const book::Graph> graph,
                                           const RunSpec& spec, int attempts);

  // Whether answers have come, by an engine that gives scores.
  bool say_something() const { return opinions_.other > 0; }
  // Reason why no more searches are made; empty: they are. An engine that gives no scores, or
  // always 0, is asked kWithoutScores times. Without the start there is no line.
  std::string_view WhyOff() const;
  static constexpr uint64_t kWithoutScores = 16;

  // Shares nodes out as suits a run of so many games' worth in all; a run for its own limit does
  // without.
  void PlanFor(uint64_t games) {
    if (!own_limit_) repertoire_.PlanFor(games);
  }
  // Whether a search comes before a further game: as SearchBudget::AreDue, if any are made.
  bool AreDue(uint64_t games, bool trials) const {
    return WhyOff().empty() && budget_.AreDue(games, trials);
  }
  // Cost of the searches.
  const SearchBudget& budget() const { return budget_; }

  // Opens the worker's next search, or a trial if these are wanted; nullopt if every line leads to
  // one that is open. The caller sets slot number, start and seed.
  std::optional<PlannedSlot> Next(bool trials, const std::string& worker, Rng& rng);
  void Withdraw(const PlannedSlot& plan) override;
  void Lose(const PlannedSlot& plan, bool open, const std::optional<LineFailure>& failed) override;
  void Reopen(const PlannedSlot& plan) override;
  // Adds a committed search; `open`: the slot was open until now. REQUIRES: the rules allow line
  // and move, as intake has checked.
  void Add(const PlannedSlot& plan, bool open, const LineSearch& found);
  // Notes that a second worker made the search again and found the same; it counts once both are
  // trusted. REQUIRES: the search was added.
  void Confirm(const PlannedSlot& copy, const LineSearch& again);
  // Loads a row; rows come in commit order. InvalidArgument if the rules refuse it.
  absl::Status Load(const Slot& slot, const LineSearch& found);
  // Loads a confirmation of the search that `found` came from.
  void LoadConfirmed(const Slot& slot, const LineSearch& found, const LineSearch& again);
  // Notes that a search of the line failed.
  void NoteFailure(const std::vector<Move>& line, const LineFailure& failed);
  // Counts a search that ended by a fault, whether or not its line may be to blame.
  void CountFault() { ++faults_; }
  // Frees positions that failures under leases before `next` closed; returns their number.
  size_t Free(LeaseId next) { return failed_.Free(next); }
  // Ends the rows of earlier runs: what was loaded until now is theirs to pay for.
  void BeginBudget() {
    budget_.Begin();
    faults_ = 0;
  }

  // Keeps the results of workers that are trusted now, and of later ones those of workers that are
  // trusted by then.
  void SetTrust(const Trust& trust);
  // Does so for some `most` results; true when all are done.
  bool SetTrust(const Trust& trust, size_t most);

  LineSearchStatus status(const RunCalibration& calibration) const;
  uint64_t open() const { return open_; }
  uint64_t faults() const { return faults_; }
  const book::Repertoire& repertoire() const { return repertoire_; }

 private:
  // The engine's scores, counted by what they are worth.
  struct Opinions {
    uint64_t none = 0;
    uint64_t zero = 0;
    uint64_t other = 0;

    void Add(std::optional<int16_t> score);
    void Add(const Opinions& more);
  };
  struct Source {
    std::string worker;
    LeaseId lease = 0;
    Opinions opinions;
  };

  LineSearches(const Rules& rules, book::Repertoire repertoire, const RunSpec& spec, int attempts);

  book::LineTask TaskOf(const Slot& slot) const;
  // Nodes of the slot's searches if they follow its line for so many plies.
  uint64_t NodesOf(const Slot& slot, size_t plies) const;
  void Open(const Slot& slot);
  void Close(const Slot& slot);
  absl::Status Take(const Slot& slot, bool planned, const LineSearch& found);
  void NoteSuccess(const LineSearch& found);
  // Finding of the task, with the numbers of its worker.
  book::LineFinding FindingOf(const book::LineTask& task, const LineSearch& found);
  uint32_t NumberOf(const std::string& worker);
  uint32_t SourceOf(const LineSearch& found);
  // Distrusts what trust_ excludes. Positions follow by Repertoire::Renew.
  void BeginDistrust();
  // Position at the end of the line; nullopt if the rules refuse it.
  std::optional<Key> EndOf(const std::vector<Move>& line) const;

  const Rules* rules_;
  std::string start_;
  book::Repertoire repertoire_;
  uint64_t move_nodes_;
  bool own_limit_;
  SearchBudget budget_;
  uint64_t open_ = 0;
  uint64_t faults_ = 0;
  Opinions opinions_;  // of trusted sources
  FailedSearches failed_;
  Key start_key_;
  Trust trust_;
  // Results that came from workers that were not trusted then.
  std::vector<std::pair<Slot, LineSearch>> withheld_;
  std::vector<std::pair<PlannedSlot, LineSearch>> withheld_copies_;  // likewise, of either worker
  std::vector<Source> sources_;
  // By lease and number of the worker: runs of several databases may be read together.
  std::map<std::pair<LeaseId, uint32_t>, uint32_t> source_of_;
  std::map<std::string, uint32_t> number_of_;  // of workers
};

}  // namespace joseki::coordinator
