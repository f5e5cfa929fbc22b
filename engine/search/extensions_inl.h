#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/search_impl.h"

// Moves that are searched deeper than their depth says. A line that has
// outgrown its iteration by the cap is extended no more: without one, lines of
// forcing moves never end.
namespace joseki {
namespace search_internal {

inline constexpr Value kSingularMargin = 4;  // a ply of depth

}  // namespace search_internal

// Parts of a ply, from what is known before the move is played. `cut` becomes a
// value to return at once where a test shows that the node fails high whatever
// its first move.
template <Game G>
int Search<G>::Impl::ExtensionBefore(const Node& node, const Candidate& candidate, Value beta,
                                     Value& cut) {
  using namespace search_internal;
  Frame& frame = FrameAt(node.ply);
  if (!extends_before_ || node.ply == 0 || node.ply >= options_.extension_cap * root_depth_) {
    return 0;
  }
  if (const int extension = KnownExtension(node, candidate); extension > 0) return extension;

  // Singular extension by the table's move: all others, searched half as deep,
  // stay below its value.
  if (options_.singular == 0 || node.plies() < options_.singular || frame.excluded ||
      candidate.move != node.known.move || node.known.depth < node.plies() - 3 ||
      !Has(node.known.bound, Bound::kLower)) {
    return 0;
  }
  const Value known = FromTable(node.known.value, node.ply);
  if (std::abs(known) >= kValueHandGain) return 0;
  const Value low = known - kSingularMargin * node.plies();
  Fire(Technique::kSingularTest);
  frame.excluded = candidate.move;
  const Value rest = SearchNode<false>(node.ply, (node.depth - kPly) / 2, low - 1, low);
  frame.excluded = Move();
  if (stopped_) return 0;
  if (rest < low) {
    frame.depends = kIndependent;
    Fire(Technique::kSingularExtension);
    return kPly;
  }
  if (options_.multi_cut != 0 && !node.pv && low >= beta) {
    Fire(Technique::kMultiCut);
    cut = low;
    return 0;
  }
  frame.depends = kIndependent;
  return 0;
}

// The part of it that needs no search.
template <Game G>
int Search<G>::Impl::KnownExtension(const Node& node, const Candidate& candidate) {
  int extension = 0;
  if (node.only_move) {
    Fire(Technique::kForcedMove);
    extension += options_.forced_move * (kPly / 2);
  }
  if (options_.half_ply > 0 && candidate.index == 0 && candidate.move == node.known.move) {
    Fire(Technique::kHalfPly);
    extension += options_.half_ply;
  }
  if (options_.piece_escape > 0 &&
      G::EscapesAttack(pos_, candidate.move,
                       options_.piece_escape == 1 ? FrameAt(node.ply - 1).move : Move())) {
    Fire(Technique::kPieceEscape);
    extension += kPly;
  }
  if (edge_attack_ && FrameAt(node.ply).attacks &&
      G::BelongsToEdgeAttack(pos_, candidate.move, root_side_)) {
    Fire(Technique::kEdgeAttackExtension);
    extension += options_.edge_attack_extension;
  }
  if (extension > 0) return extension;
  if (options_.check_extension == 2 && G::GivesCheck(pos_, candidate.move) &&
      G::SeeAtLeast(pos_, candidate.move, 0)) {
    Fire(Technique::kCheckExtension);
    return kPly;
  }
  return 0;
}

// Parts of a ply, of a move that has been played.
template <Game G>
int Search<G>::Impl::ExtensionAfter(const Node& node, const Candidate& candidate,
                                    bool gives_check) {
  if (node.ply >= options_.extension_cap * root_depth_) return 0;
  int extension = 0;
  if (gives_check && options_.check_extension == 1) {
    Fire(Technique::kCheckExtension);
    extension = options_.check_extension_parts;
  }
  const Frame& parent = FrameAt(node.ply - 1);
  const Frame& frame = FrameAt(node.ply);
  if (options_.recapture > 0 && node.ply > 0 && frame.captures && parent.captures &&
      parent.move.to() == candidate.move.to()) {
    // From the root's side, whoever has moved.
    const Value now = G::SideToMove(pos_) == root_side_ ? G::Material(pos_) : -G::Material(pos_);
    if (std::abs(now - root_material_) <= options_.recapture_window) {
      Fire(Technique::kRecapture);
      extension += options_.recapture * (kPly / 2);
    }
  }
  if (options_.king_threat > 0 && node.pressure >= 0) {
    const int squares = G::KingPressure(pos_, ~G::SideToMove(pos_));
    const bool newly = options_.king_threat <= 2;
    if (squares >= options_.king_threat_squares &&
        !(newly && node.pressure >= options_.king_threat_squares)) {
      Fire(Technique::kKingThreat);
      extension += options_.king_threat % 2 == 1 ? kPly : 2 * kPly;
    }
  }
  return extension;
}

// What the extensions want to know of a node before its moves.
template <Game G>
void Search<G>::Impl::Prepare(Node& node) {
  if (options_.forced_move > 0 && node.in_check) {
    typename G::MoveList answers;
    G::template Generate<GenType::kAll>(pos_, answers);
    node.only_move = answers.size() == 1;
  }
  if (options_.realization != 0) node.stage = G::StageOf(pos_);
  if (options_.king_threat > 0) node.pressure = G::KingPressure(pos_, G::SideToMove(pos_));
}

// How much deeper a move that has beaten alpha is to be searched once more;
// parts of a ply.
template <Game G>
int Search<G>::Impl::SearchAgain(const Node& node, const Candidate& candidate) {
  int more = 0;
  // YSS, perfect half-ply extension: the old best move had as much.
  if (options_.half_ply_perfect != 0 && candidate.index > 0 && options_.half_ply > 0) {
    Fire(Technique::kHalfPlyPerfect);
    more += options_.half_ply;
  }
  // YSS, the second remedy for the horizon: a sacrifice of one of the first two
  // plies was taken, and it looks well. It may only have pushed something out
  // of sight.
  if (options_.horizon_sacrifice != 0 && (node.ply == 2 || node.ply == 3)) {
    const Frame& taken = FrameAt(node.ply - 1);
    const Frame& given = FrameAt(node.ply - 2);
    if (given.gives_up && taken.captures && taken.move.to() == given.move.to()) {
      Fire(Technique::kHorizonSacrifice);
      more += 2 * kPly;
    }
  }
  return more;
}

}  // namespace joseki
