#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "book/tuning/line_task.h"
#include "coordinator/model/run_spec.h"

namespace joseki::coordinator {

// Nodes that a run's searches along lines have spent, by their kind, and which share of all nodes
// is theirs. A game counts as LineSearchSpec says. Searches of sources that are not trusted cost
// nothing: others make them again. Sources have the numbers of book::LineFinding. Guarded by the
// owner's mutex.
class SearchBudget {
 public:
  // REQUIRES: spec.line_searches.wanted(), here and in MostAnswers.
  explicit SearchBudget(const RunSpec& spec);

  // Bound of the positions that are searched within the run's budget of games.
  static uint64_t MostAnswers(const RunSpec& spec);

  // Whether a search comes before a further game, after `games` played or open ones. Searches get
  // their share of all nodes. Without `trials` games get the share of these too.
  bool AreDue(uint64_t games, bool trials) const;
  // Whether the next search is a trial, where trials are made.
  bool IsTrialDue() const;

  // Cost of finished and open searches, in games; and the cost of finished ones of a kind.
  uint64_t games_spent() const { return AllNodes() / game_nodes_; }
  uint64_t games_spent(book::TaskKind kind) const {
    return spent_[static_cast<size_t>(kind)] / game_nodes_;
  }

  // Adds an open search, and removes it. REQUIRES: Close follows an Open of the same.
  void Open(book::TaskKind kind, uint64_t nodes) { open_[static_cast<size_t>(kind)] += nodes; }
  void Close(book::TaskKind kind, uint64_t nodes) { open_[static_cast<size_t>(kind)] -= nodes; }
  // Adds a finished search of a trusted source.
  void Spend(uint32_t source, book::TaskKind kind, uint64_t nodes);
  // Forgets all finished searches: earlier runs paid for them.
  void Begin();
  // Ignores searches of these sources; replaces the set of the previous call.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

 private:
  using NodesByKind = std::array<uint64_t, book::kTaskKinds>;

  // Nodes of finished and open searches of the kind, and of all kinds.
  uint64_t NodesIn(book::TaskKind kind) const;
  uint64_t AllNodes() const;

  uint64_t game_nodes_;
  uint32_t share_;  // percent
  NodesByKind open_ = {};
  NodesByKind spent_ = {};  // by trusted sources
  std::vector<NodesByKind> spent_by_;
};

}  // namespace joseki::coordinator
