#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/papers/extensions.h"
#include "engine/search/tree.h"

namespace joseki {

template <Game G>
bool Search<G>::Papers::Extensions::InUse() const {
  const SearchOptions& o = tree_.options_;
  return o.check_extension == 2 || o.recapture > 0 || o.king_threat > 0 || o.piece_escape > 0 ||
         o.forced_move > 0 || o.half_ply > 0 || o.half_ply_perfect != 0 ||
         o.horizon_sacrifice != 0 || o.realization != 0 || o.killer_unreduced != 0 ||
         o.quiescence_checks > 0;
}

template <Game G>
void Search<G>::Papers::Extensions::Prepare(const Node& node) {
  const Position& pos = tree_.pos_;
  Ply& frame = plies_[node.ply];
  frame.only_move = false;
  if (tree_.options_.forced_move > 0 && node.in_check) {
    typename G::MoveList answers;
    G::template Generate<GenType::kAll>(pos, answers);
    frame.only_move = answers.size() == 1;
  }
  frame.stage = tree_.options_.realization != 0 ? G::StageOf(pos) : 0;
  frame.pressure = tree_.options_.king_threat > 0 ? G::KingPressure(pos, G::SideToMove(pos)) : 0;
}

template <Game G>
void Search<G>::Papers::Extensions::OnPlay(int ply, Move move) {
  Ply& frame = plies_[ply];
  frame.captures = G::IsCapture(tree_.pos_, move);
  if (tree_.options_.horizon_sacrifice != 0 && ply < 2) {
    frame.gives_up = !G::SeeAtLeast(tree_.pos_, move, 0);
  }
}

template <Game G>
void Search<G>::Papers::Extensions::OnPass(int ply) {
  Ply& frame = plies_[ply];
  frame.captures = frame.gives_up = false;
}

template <Game G>
void Search<G>::Papers::Extensions::ExtendBefore(const Node& node, Candidate& candidate) {
  if (tree_.options_.realization != 0) {
    const int category = G::CategoryOf(tree_.pos_, candidate.move, tree_.stack_[node.ply - 1].move);
    candidate.cost = G::TransitionCost(plies_[node.ply].stage, category);
    // J. Hashimoto's killers have a high probability, whatever their category.
    if (tree_.options_.killer_unreduced != 0 && candidate.cost > kPly &&
        tree_.papers_.killers.Has(node.ply, candidate.move)) {
      candidate.cost = kPly;
    }
  }
  if (node.ply == 0 || !tree_.MayExtend(node.ply)) return;
  candidate.extension = KnownExtension(node, candidate);
  if (candidate.extension == 0 && tree_.papers_.singular.StoodAlone(node, candidate.move))
    candidate.extension = kPly;
}

template <Game G>
int Search<G>::Papers::Extensions::KnownExtension(const Node& node, const Candidate& candidate) {
  const int extension = ByPosition(node, candidate);
  if (extension > 0 || tree_.options_.check_extension != 2) return extension;
  if (!G::GivesCheck(tree_.pos_, candidate.move) || !G::SeeAtLeast(tree_.pos_, candidate.move, 0)) {
    return 0;
  }
  tree_.Fire(Technique::kCheckExtension);
  return kPly;
}

template <Game G>
int Search<G>::Papers::Extensions::ByPosition(const Node& node, const Candidate& candidate) {
  const SearchOptions& o = tree_.options_;
  const Position& pos = tree_.pos_;
  int extension = 0;
  if (plies_[node.ply].only_move) {
    tree_.Fire(Technique::kForcedMove);
    extension += o.forced_move * (kPly / 2);
  }
  const bool remembered =
      candidate.index == 0 ? candidate.move == node.known.move : static_cast<bool>(node.known.move);
  if (o.half_ply > 0 && candidate.index < o.half_ply_moves && remembered) {
    tree_.Fire(Technique::kHalfPly);
    extension += o.half_ply;
  }
  if (o.piece_escape > 0 &&
      G::EscapesAttack(pos, candidate.move,
                       o.piece_escape == 1 ? tree_.stack_[node.ply - 1].move : Move())) {
    tree_.Fire(Technique::kPieceEscape);
    extension += kPly;
  }
  return extension + tree_.papers_.edge_attack.ExtensionOf(node, candidate.move);
}

template <Game G>
int Search<G>::Papers::Extensions::ExtendAfter(const Node& node, const Candidate& candidate,
                                               int extension) {
  const SearchOptions& o = tree_.options_;
  const Position& pos = tree_.pos_;
  const bool two_plies = o.king_threat > 0 && o.king_threat % 2 == 0;
  const int most = candidate.unreduced || candidate.extension > kPly || two_plies ? 2 * kPly : kPly;
  extension += candidate.extension;
  if (!tree_.MayExtend(node.ply)) return std::min(extension, most);
  const Ply& frame = plies_[node.ply];
  if (o.recapture > 0 && node.ply > 0 && frame.captures && plies_[node.ply - 1].captures &&
      tree_.stack_[node.ply - 1].move.to() == candidate.move.to()) {
    // Material balance from the root side's view.
    const Value now = G::SideToMove(pos) == tree_.root_.side ? G::Material(pos) : -G::Material(pos);
    if (std::abs(now - tree_.root_.material) <= o.recapture_window) {
      tree_.Fire(Technique::kRecapture);
      extension += o.recapture * (kPly / 2);
    }
  }
  if (o.king_threat > 0) {
    const int squares = G::KingPressure(pos, ~G::SideToMove(pos));
    const bool newly = o.king_threat <= 2;
    if (squares >= o.king_threat_squares && !(newly && frame.pressure >= o.king_threat_squares)) {
      tree_.Fire(Technique::kKingThreat);
      extension += two_plies ? 2 * kPly : kPly;
    }
  }
  return std::min(extension, most);
}

// TACOS: a likely move costs less than a ply, an unlikely one more. An unlikely move that beats
// alpha is searched again as if it were ordinary.
template <Game G>
void Search<G>::Papers::Extensions::ChangeDepth(const Node& node, const Candidate& candidate,
                                                int extension, int& child_depth, int& reduction) {
  if (tree_.options_.realization != 0 && extension == 0) {
    tree_.Fire(Technique::kRealization);
    child_depth = node.depth - std::min(candidate.cost, kPly);
  }
  if (tree_.options_.realization != 0 && node.ply > 0 && !candidate.unreduced) {
    const int most = std::max(child_depth - kPly, 0);
    reduction = candidate.index == 0 ? 0 : std::clamp(candidate.cost - kPly, 0, most);
  } else if (candidate.unreduced || (tree_.options_.killer_unreduced != 0 && reduction > 0 &&
                                     tree_.papers_.killers.Has(node.ply, candidate.move))) {
    reduction = 0;
  }
}

template <Game G>
template <bool kPv>
Value Search<G>::Papers::Extensions::SearchAgain(const Node& node, Candidate& candidate,
                                                 Value value, Value alpha, Value beta,
                                                 bool& others_known) {
  if (const int more = SearchedAgainBy(node, candidate); more > 0) {
    candidate.extension += more;
    candidate.unreduced = true;
    value = tree_.papers_.bonuses.template SearchMove<kPv>(node, candidate, alpha, beta);
  }
  if (tree_.papers_.singular.TestsNodes() && value > alpha && !tree_.budget_.over()) {
    value = tree_.papers_.singular.template Deepen<kPv>(node, candidate, value, alpha, beta,
                                                        others_known);
  }
  return value;
}

// Additional depth of a re-search.
template <Game G>
int Search<G>::Papers::Extensions::SearchedAgainBy(const Node& node, const Candidate& candidate) {
  int more = 0;
  // YSS's perfect half-ply extension: the former best move had the same extension.
  if (tree_.options_.half_ply_perfect != 0 && candidate.index >= tree_.options_.half_ply_moves &&
      tree_.options_.half_ply > 0) {
    tree_.Fire(Technique::kHalfPlyPerfect);
    more += tree_.options_.half_ply;
  }
  // YSS's second remedy for the horizon effect: a sacrifice in one of the first two plies was
  // accepted, and seems to pay. It may only have pushed something beyond the horizon.
  if (tree_.options_.horizon_sacrifice != 0 && (node.ply == 2 || node.ply == 3)) {
    const Move taken = tree_.stack_[node.ply - 1].move;
    const Move given = tree_.stack_[node.ply - 2].move;
    if (plies_[node.ply - 2].gives_up && plies_[node.ply - 1].captures &&
        taken.to() == given.to()) {
      tree_.Fire(Technique::kHorizonSacrifice);
      more += 2 * kPly;
    }
  }
  return more;
}

// Bonuses of first moves hide how far a move is above the others, so they exclude a singular test.
template <Game G>
Value Search<G>::Papers::Extensions::SearchRootAgain(const Node& node, Candidate& candidate,
                                                     Value value, Value alpha, Value beta,
                                                     Value bonus, bool& others_known) {
  if (tree_.options_.half_ply_perfect != 0 && candidate.index >= tree_.options_.half_ply_moves) {
    candidate.extension = tree_.options_.half_ply;
    candidate.unreduced = true;
    value = tree_.papers_.bonuses.template SearchMove<true>(node, candidate, alpha, beta, bonus);
  }
  if (tree_.papers_.singular.TestsRoot() && !tree_.hooks_.value && value > alpha &&
      !tree_.budget_.over()) {
    value = tree_.papers_.singular.template Deepen<true>(node, candidate, value, alpha, beta,
                                                         others_known);
  }
  return value;
}

template <Game G>
template <typename Refutes>
void Search<G>::Papers::Extensions::TryChecks(int qply, Refutes&& refutes) {
  if (qply >= tree_.options_.quiescence_checks) return;
  const Position& pos = tree_.pos_;
  typename G::MoveList checks;
  G::template Generate<GenType::kChecks>(pos, checks);
  for (const Move move : checks) {
    if (MovePicker<G>::IsTactical(pos, move) || !G::SeeAtLeast(pos, move, 0)) continue;
    tree_.Fire(Technique::kQuiescenceCheck);
    if (refutes(move)) return;
  }
}

}  // namespace joseki
