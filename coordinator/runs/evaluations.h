#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/database/imported_values.h"
#include "book/graph.h"
#include "book/tuning/values.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/assessments.h"
#include "coordinator/runs/search_slots.h"
#include "coordinator/runs/searched_positions.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The result of a search of a position, as a run sees it.
struct Evaluation {
  uint64_t seq = 0;              // in the order in which evaluations were committed
  std::optional<int16_t> score;  // for the side to move; nullopt: the engine gave none
  bool older = false;            // by another profile of the run's engine
  std::string worker;
  LeaseId lease = 0;
};

// The searches of a run's positions (SearchedPositions), in their order, and what they said. The
// first result for a position stands, further ones change nothing. A position whose search failed
// `attempts` times is left without for now, and given to others when nothing else waits: never
// again to a worker with which alone it failed so often, and to nobody once it has failed with as
// many workers. Failures of workers that are not trusted are none.
//
// A pure state machine, a function of the rows: leases with evaluation slots, and evaluations.
// Thread rule: guarded by the owner's mutex.
class Evaluations : public SearchSlots {
 public:
  // `imported`: what the book was imported with; null: nothing. No position is searched where
  // `spec` does not want it. InvalidArgument where the rules refuse a position of the book.
  static absl::StatusOr<Evaluations> Make(
      const Rules& rules, std::shared_ptr<const book::Graph> graph, book::NodeId start,
      int most_plies, const PriorSpec& spec, int attempts,
      std::shared_ptr<const book::ImportedValues> imported = nullptr);

  // How many searches could be given out now.
  uint64_t Available() const { return waiting_.size(); }
  uint64_t open() const { return open_; }

  // The next search for the worker, which is then open; nullopt: none waits. Slot number, start and
  // seed are the caller's.
  std::optional<PlannedSlot> Next(const std::string& worker = {});
  void Withdraw(const PlannedSlot& plan) override;
  void Lose(const PlannedSlot& plan, bool open, const std::optional<LineFailure>& failed) override;
  void Reopen(const PlannedSlot& plan) override;
  // A result to a slot was committed; `open`: the slot was open until now.
  void Add(const PlannedSlot& plan, bool open, Evaluation evaluation);
  // Rows as they are read back, in the order of their seq: of this run, or of any before it.
  // Nothing happens where the position is none of the run's.
  void Load(const PackedPosition& position, Evaluation evaluation);
  void LoadFault(const PackedPosition& position, const LineFailure& failed);

  // Takes a change of trust over: positions that have lost their result are searched again.
  void SetTrust(const Trust& trust);
  // Does so for so many positions at most; true when all are done.
  bool SetTrust(const Trust& trust, uint32_t most);
  // Whether all are judged by the trust of that change.
  bool IsJudgedBy(uint64_t change) const {
    return renewed_ == targets_.size() && trust_.change() == change;
  }

  // What stands of the set; `trust` is that of the set's change. In proportion to the book.
  Assessments AssessmentsOf(const PriorSet& set, const Trust& trust) const;
  std::shared_ptr<const book::Priors> PriorsOf(const PriorSet& set, const Trust& trust) const {
    return AssessmentsOf(set, trust).PriorsBy(set);
  }
  // The same of all that there is now: four bytes a position are copied. REQUIRES: no SetTrust is
  // half done.
  const Assessments& assessments() const { return assessments_; }

  const SearchedPositions& positions() const { return positions_; }

  struct Count {
    uint32_t positions = 0;
    uint32_t done = 0;      // with a result of the run's own profile
    uint32_t unscored = 0;  // of these, without a score
    uint32_t failed = 0;    // without after so many faults
    uint32_t older = 0;     // with a result of another profile alone
    uint32_t scored = 0;    // with a score, of whichever profile
    uint32_t imported = 0;  // moves with an imported value
  };
  const Count& count() const { return count_; }
  // How many results there are, further ones for a position included; and how many of them the set
  // has.
  uint64_t results() const { return results_; }
  uint64_t ResultsIn(const PriorSet& set) const;
  uint64_t last_seq() const { return last_seq_; }
  // Knowledge of the position after a move; null if there is none.
  const Evaluation* Of(book::EdgeId edge) const;

 private:
  enum class State : uint8_t { kWaiting, kOpen, kDone, kFailed };
  struct Target {
    State state = State::kWaiting;
    std::vector<LineFailure> failed;  // of this run, no lease twice
    uint32_t opened = 0;              // slots that are open
    std::vector<Evaluation> results;  // in the order of their seq
  };

  Evaluations(SearchedPositions positions, uint64_t nodes, uint32_t attempts,
              std::shared_ptr<const book::ImportedValues> imported);
  // Changes a target, and what follows from it.
  template <typename Action>
  void Change(uint32_t index, Action action);
  void CountIn(uint32_t index, int sign);
  // The trust that the target is counted by.
  const Trust& TrustOf(uint32_t index) const { return index < renewed_ ? trust_ : former_; }
  void Close(Target& target);
  // Of the doubtful ones one that has not failed with the worker time after time.
  std::optional<uint32_t> DoubtfulFor(const std::string& worker) const;
  // The one that stands: own profile first, then the last of an older one; null: none.
  static const Evaluation* Standing(const Target& target, const PriorSet& set, const Trust& trust);
  static Assessment Assess(const Evaluation* standing);

  SearchedPositions positions_;
  uint64_t nodes_;
  uint32_t attempts_;
  std::vector<Target> targets_;  // by position
  Assessments assessments_;
  std::set<uint32_t> waiting_;
  std::set<uint32_t> doubtful_;  // failed, but not with enough workers
  uint64_t open_ = 0;
  uint64_t last_seq_ = 0;
  uint64_t results_ = 0;
  Count count_;
  Trust trust_;
  Trust former_;      // of the targets from renewed_ on
  uint32_t renewed_;  // all of them, but within SetTrust
};

}  // namespace joseki::coordinator
