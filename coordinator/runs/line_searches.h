#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "book/tuning/repertoire.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/failed_searches.h"
#include "coordinator/runs/search_slots.h"
#include "coordinator/scheduling/trust.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The result of the work at a line's end.
struct LineSearch {
  std::vector<Move> line;        // as far as it was followed
  std::optional<Move> best;      // none: the game is over there, or the engine resigns
  std::optional<int16_t> score;  // for the side to move there; nullopt: the engine gave none
  std::string worker;
  LeaseId lease = 0;
};

// The searches of a run along the lines that its book will be played by (book/tuning/repertoire.h),
// as leased slots whose kind IsSearch. Lines end at a position whose searches failed or found
// nothing, for whom FailedSearches says.
//
// A state machine that follows from the rows: leases with such slots, and what was committed.
// Thread rule: guarded by the owner's mutex.
class LineSearches : public SearchSlots {
 public:
  // REQUIRES: spec.line_searches.wanted(). InvalidArgument where the rules refuse the run's start.
  static absl::StatusOr<LineSearches> Make(const Rules& rules,
                                           std::shared_ptr<const book::Graph> graph,
                                           const RunSpec& spec, int attempts);

  // Whether answers have come, by an engine that gives scores: of one without, or that says 0 of
  // whatever it is asked, kWithoutScores searches are made, and no more.
  bool say_something() const { return scored_ > 0; }
  static constexpr uint64_t kWithoutScores = 16;

  // Whether a search comes before a further game, when `games` were played or are open: searches
  // get their share of all nodes, a game counted as kGameMoves moves at the run's limit.
  bool AreDue(uint64_t games) const;
  static constexpr uint64_t kGameMoves = 90;
  // What the searches have cost so far and what is open, in such games; and, of what has come, what
  // those of one kind have cost.
  uint64_t games_spent() const { return AllNodes() / game_nodes_; }
  uint64_t games_spent(book::TaskKind kind) const {
    return spent_[static_cast<size_t>(kind)] / game_nodes_;
  }

  // The next search for the worker, which is then open; nullopt: every line leads to one that is.
  // Slot number, start and seed are the caller's.
  std::optional<PlannedSlot> Next(const std::string& worker, Rng& rng);
  void Withdraw(const PlannedSlot& plan) override;
  void Lose(const PlannedSlot& plan, bool open, const std::optional<LineFailure>& failed) override;
  void Reopen(const PlannedSlot& plan) override;
  // The search was committed; `open`: the slot was open until now. REQUIRES: the rules allow line
  // and move, as intake has seen.
  void Add(const PlannedSlot& plan, bool open, const LineSearch& found);
  // Rows as they are read back, in the order in which they were committed. InvalidArgument where
  // the rules refuse them.
  absl::Status Load(const Slot& slot, const LineSearch& found);
  void LoadFault(const std::vector<Move>& line, const LineFailure& failed) { Fail(line, failed); }

  // Keeps the results of those who are trusted now. In proportion to the searches.
  void SetTrust(const Trust& trust);

  uint64_t open() const { return open_; }
  const book::Repertoire& repertoire() const { return repertoire_; }

 private:
  struct Source {
    std::string worker;
    LeaseId lease = 0;
  };

  LineSearches(const Rules& rules, book::Repertoire repertoire, const RunSpec& spec, int attempts);

  book::LineTask TaskOf(const Slot& slot) const;
  uint64_t NodesOf(const Slot& slot) const;
  // Committed and open.
  uint64_t NodesIn(book::TaskKind kind) const;
  uint64_t AllNodes() const;
  void Open(const Slot& slot);
  void Close(const Slot& slot);
  absl::Status Take(const Slot& slot, bool planned, const LineSearch& found);
  uint32_t SourceOf(const LineSearch& found);
  // Where the line leads; nullopt where the rules refuse it.
  std::optional<Key> EndOf(const std::vector<Move>& line) const;
  void Fail(const std::vector<Move>& line, const LineFailure& failed);

  const Rules* rules_;
  std::string start_;
  book::Repertoire repertoire_;
  uint64_t move_nodes_;
  uint64_t game_nodes_;
  uint32_t share_;  // percent
  uint64_t open_ = 0;
  std::array<uint64_t, book::kTaskKinds> open_nodes_ = {};  // by kind
  std::array<uint64_t, book::kTaskKinds> spent_ = {};       // nodes of what was committed, by kind
  uint64_t scored_ = 0;                                     // searches that gave a score, and not 0
  uint64_t unscored_ = 0;                                   // the others
  FailedSearches failed_;
  std::vector<Source> sources_;
  std::map<LeaseId, uint32_t> source_of_;
};

}  // namespace joseki::coordinator
