#include "engine/shogi/mate/mate_solver.h"

#include <atomic>
#include <chrono>
#include <limits>
#include <optional>

#include "engine/shogi/mate/mate_search.h"

namespace joseki::shogi {
namespace {

// Node budget for each position of a proven line whose table entry was lost and which must be
// searched again.
constexpr uint64_t kNodesForLine = 10'000'000;
constexpr size_t kMostLine = 4000;

// True if the rules confirm a claimed mate. All moves must be legal, and all of the attacker's must
// give check; there is no fourth occurrence, and no legal move at the end.
bool Holds(Position position, const std::vector<Move>& line) {
  bool attacks = true;
  for (const Move move : line) {
    if (!position.IsLegal(move)) return false;
    Undo undo;
    position.Do(move, undo);
    if (attacks && !position.InCheck()) return false;
    if (position.CheckRepetition(4) != Repetition::kNone) return false;
    attacks = !attacks;
  }
  return !attacks && !position.HasLegalMove();
}

}  // namespace

class MateSolver::Impl {
 public:
  explicit Impl(size_t table_bytes) : search_(table_bytes) {}

  MateResult Run(const Position& root, const MateLimits& limits) {
    const auto start = std::chrono::steady_clock::now();
    deadline_ =
        limits.ms > 0 ? start + std::chrono::milliseconds(limits.ms) : MateSearch::Time::max();
    Position position = root;
    search_.Begin(root.side_to_move());
    search_.SetLimits(limits.nodes > 0 ? limits.nodes : std::numeric_limits<uint64_t>::max(),
                      deadline_, &stop_);
    MateResult result;
    MateKnowledge proof;
    result.verdict = search_.Prove(position, proof);
    if (result.verdict == MateVerdict::kMate) {
      result.line = LineFrom(position, proof);
      if (!Holds(root, result.line)) result = MateResult();
    }
    result.nodes = search_.nodes();
    result.ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::steady_clock::now() - start)
                    .count();
    return result;
  }

  void Stop() { stop_.store(true, std::memory_order_relaxed); }
  void ClearStop() { stop_.store(false, std::memory_order_relaxed); }

 private:
  // Knowledge of the mate from here; nullopt if it can no longer be proven.
  std::optional<MateKnowledge> ProofOf(Position& position) {
    MateKnowledge proof = search_.Look(position);
    if (proof.found && proof.proof == 0) return proof;
    search_.SetLimits(search_.nodes() + kNodesForLine, deadline_, &stop_);
    if (search_.Prove(position, proof) != MateVerdict::kMate) return std::nullopt;
    return proof;
  }

  // The attacker follows the proof; the defender plays the longest resistance in it. Empty if part
  // of the proof was lost.
  std::vector<Move> LineFrom(Position position, MateKnowledge proof) {
    std::vector<Move> line;
    Undo undo;
    while (line.size() < kMostLine) {
      if (!position.IsLegal(proof.move)) return {};
      position.Do(proof.move, undo);
      line.push_back(proof.move);
      MoveList replies;
      position.Generate<GenType::kAll>(replies);
      if (replies.empty()) return line;
      Move longest;
      for (const Move reply : replies) {
        position.Do(reply, undo);
        const std::optional<MateKnowledge> after = ProofOf(position);
        position.TakeBack(reply, undo);
        if (!after) return {};
        if (longest && after->plies <= proof.plies) continue;
        longest = reply;
        proof = *after;
      }
      position.Do(longest, undo);
      line.push_back(longest);
    }
    return {};
  }

  MateSearch search_;
  MateSearch::Time deadline_;
  std::atomic<bool> stop_{false};
};

MateSolver::MateSolver(size_t table_bytes) : impl_(std::make_unique<Impl>(table_bytes)) {}
MateSolver::~MateSolver() = default;

MateResult MateSolver::Run(const Position& position, const MateLimits& limits) {
  return impl_->Run(position, limits);
}
void MateSolver::Stop() { impl_->Stop(); }
void MateSolver::ClearStop() { impl_->ClearStop(); }

}  // namespace joseki::shogi
