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

// A run's view of a position's search.
struct Evaluation {
  uint64_t seq = 0;              // in commit order of evaluations
  std::optional<int16_t> score;  // for the side to move; nullopt: the engine gave none
  bool older = false;            // by another profile of the run's engine
  std::string worker;
  LeaseId lease = 0;
};

// Searches of a run's positions (SearchedPositions), in their order, and their results. The first
// result for a position stands; further ones change nothing. After `attempts` failures a position
// is searched only when nothing else waits. A worker with `attempts` failures of its own never gets
// it; after failures of as many workers nobody does. Failures of workers that are not trusted do
// not count.
//
// A pure state machine, a function of the rows: leases with evaluation slots, and evaluations.
// Thread rule: guarded by the owner's mutex.
class Evaluations : public SearchSlots {
 public:
  // `imported`: values that the book was imported with; null: none. Only positions that `spec`
  // wants are searched. InvalidArgument if the rules refuse a position of the book.
  static absl::StatusOr<Evaluations> Make(
      const Rules& rules, std::shared_ptr<const book::Graph> graph, book::NodeId start,
      int most_plies, const PriorSpec& spec, int attempts,
      std::shared_ptr<const book::ImportedValues> imported = nullptr);

  // Number of searches that can be granted now.
  uint64_t Available() const { return waiting_.size(); }
  uint64_t open() const { return open_; }

  // Opens the worker's next search; nullopt if none waits. The caller sets slot number, start and
  // seed.
  std::optional<PlannedSlot> Next(const std::string& worker = {});
  void Withdraw(const PlannedSlot& plan) override;
  void Lose(const PlannedSlot& plan, bool open, const std::optional<LineFailure>& failed) override;
  void Reopen(const PlannedSlot& plan) override;
  // Adds a slot's committed result; `open`: the slot was open until now.
  void Add(const PlannedSlot& plan, bool open, Evaluation evaluation);
  // Loads a row, of this run or an earlier one. Rows come in the order of their seq. Ignored if the
  // position is none of the run's.
  void Load(const PackedPosition& position, Evaluation evaluation);
  void LoadFault(const PackedPosition& position, const LineFailure& failed);

  // Applies a change of trust: positions that have lost their result are searched again.
  void SetTrust(const Trust& trust);
  // Does so for at most `most` positions; true when all are done.
  bool SetTrust(const Trust& trust, uint32_t most);
  // Whether the trust of that change has been applied to all positions.
  bool IsJudgedBy(uint64_t change) const {
    return renewed_ == targets_.size() && trust_.change() == change;
  }

  // Assessments by the results of the set; `trust` is that of the set's change. Takes time in
  // proportion to the book.
  Assessments AssessmentsOf(const PriorSet& set, const Trust& trust) const;
  std::shared_ptr<const book::Priors> PriorsOf(const PriorSet& set, const Trust& trust) const {
    return AssessmentsOf(set, trust).PriorsBy(set);
  }
  // Assessments by all results so far; a copy takes four bytes a position. REQUIRES: no SetTrust is
  // half done.
  const Assessments& assessments() const { return assessments_; }

  const SearchedPositions& positions() const { return positions_; }

  struct Count {
    uint32_t positions = 0;
    uint32_t done = 0;      // with a result of the run's own profile
    uint32_t unscored = 0;  // done, but without a score
    uint32_t failed = 0;    // failed too often, and without a result
    uint32_t older = 0;     // with a result of another profile alone
    uint32_t scored = 0;    // with a score, of either profile
    uint32_t imported = 0;  // moves with an imported value
  };
  const Count& count() const { return count_; }
  // Number of results, further ones for a position included; and of those that the set contains.
  uint64_t results() const { return results_; }
  uint64_t ResultsIn(const PriorSet& set) const;
  uint64_t last_seq() const { return last_seq_; }
  // Standing result for the position after a move; null if there is none.
  const Evaluation* Of(book::EdgeId edge) const;

 private:
  enum class State : uint8_t { kWaiting, kOpen, kDone, kFailed };
  struct Target {
    State state = State::kWaiting;
    std::vector<LineFailure> failed;  // of this run, each lease once
    uint32_t opened = 0;              // open slots
    std::vector<Evaluation> results;  // in the order of their seq
  };

  Evaluations(SearchedPositions positions, uint64_t nodes, uint32_t attempts,
              std::shared_ptr<const book::ImportedValues> imported);
  // Changes a target and all that follows from it.
  template <typename Action>
  void Change(uint32_t index, Action action);
  void CountIn(uint32_t index, int sign);
  // Trust by which the target is counted.
  const Trust& TrustOf(uint32_t index) const { return index < renewed_ ? trust_ : former_; }
  void Close(Target& target);
  // A doubtful position that has failed fewer than `attempts` times with the worker.
  std::optional<uint32_t> DoubtfulFor(const std::string& worker) const;
  // The result that stands: the first of the own profile, else the last of an older one; null:
  // none.
  static const Evaluation* Standing(const Target& target, const PriorSet& set, const Trust& trust);
  static Assessment Assess(const Evaluation* standing);

  SearchedPositions positions_;
  uint64_t nodes_;
  uint32_t attempts_;
  std::vector<Target> targets_;  // by position
  Assessments assessments_;
  std::set<uint32_t> waiting_;
  std::set<uint32_t> doubtful_;  // failed too often, but with too few workers
  uint64_t open_ = 0;
  uint64_t last_seq_ = 0;
  uint64_t results_ = 0;
  Count count_;
  Trust trust_;
  Trust former_;      // applies to the targets from renewed_ on
  uint32_t renewed_;  // all targets, except within SetTrust
};

}  // namespace joseki::coordinator
