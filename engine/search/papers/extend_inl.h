#pragma once

#include <algorithm>
#include <cstdlib>

#include "engine/search/papers/edge_attack_inl.h"
#include "engine/search/papers/singular_inl.h"
#include "engine/search/search_impl.h"

// Depth that moves gain or lose: C. Ye's extensions, YSS's half plies and its remedy for the
// horizon, the realisation probability (TACOS).
namespace joseki {

// Finds what the extensions want to know of a node before its moves.
template <Game G>
void Search<G>::Papers::Prepare(const Node& node) {
  const Position& pos = search_.pos_;
  PaperFrame& frame = FrameAt(node.ply);
  frame.only_move = false;
  if (options().forced_move > 0 && node.in_check) {
    typename G::MoveList answers;
    G::template Generate<GenType::kAll>(pos, answers);
    frame.only_move = answers.size() == 1;
  }
  frame.stage = options().realization != 0 ? G::StageOf(pos) : 0;
  frame.pressure = options().king_threat > 0 ? G::KingPressure(pos, G::SideToMove(pos)) : 0;
}

// Notes what the nodes below want to know of the move, which is about to be played.
template <Game G>
void Search<G>::Papers::OnPlay(int ply, Move move) {
  PaperFrame& frame = FrameAt(ply);
  frame.captures = G::IsCapture(search_.pos_, move);
  if (options().horizon_sacrifice != 0 && ply < 2) {
    frame.gives_up = !G::SeeAtLeast(search_.pos_, move, 0);
  }
  if (edge_attack_) FollowEdgeAttack(ply, move);
  FrameAt(ply + 1).passes = frame.passes;
}

template <Game G>
void Search<G>::Papers::OnPass(int ply) {
  PaperFrame& frame = FrameAt(ply);
  frame.captures = frame.gives_up = false;
  FrameAt(ply + 1).passes = frame.passes + 1;
  FrameAt(ply + 1).attacks = frame.attacks;
}

// Sets the candidate's extension and cost from what is known before the move is played.
template <Game G>
void Search<G>::Papers::ExtendBefore(const Node& node, Candidate& candidate) {
  if (options().realization != 0) {
    const int category =
        G::CategoryOf(search_.pos_, candidate.move, search_.FrameAt(node.ply - 1).move);
    candidate.cost = G::TransitionCost(FrameAt(node.ply).stage, category);
    // J. Hashimoto's killers have a high probability, whatever their category.
    if (options().killer_unreduced != 0 && candidate.cost > kPly &&
        IsKiller(node.ply, candidate.move)) {
      candidate.cost = kPly;
    }
  }
  if (node.ply == 0 || !search_.MayExtend(node.ply)) return;
  candidate.extension = KnownExtension(node, candidate);
  if (candidate.extension == 0 && StoodAlone(node, candidate.move)) candidate.extension = kPly;
}

// The extension that needs no search.
template <Game G>
int Search<G>::Papers::KnownExtension(const Node& node, const Candidate& candidate) {
  const int extension = ExtensionByPosition(node, candidate);
  if (extension > 0 || options().check_extension != 2) return extension;
  if (!G::GivesCheck(search_.pos_, candidate.move) ||
      !G::SeeAtLeast(search_.pos_, candidate.move, 0)) {
    return 0;
  }
  search_.Fire(Technique::kCheckExtension);
  return kPly;
}

template <Game G>
int Search<G>::Papers::ExtensionByPosition(const Node& node, const Candidate& candidate) {
  const SearchOptions& o = options();
  const Position& pos = search_.pos_;
  int extension = 0;
  if (FrameAt(node.ply).only_move) {
    search_.Fire(Technique::kForcedMove);
    extension += o.forced_move * (kPly / 2);
  }
  const bool remembered =
      candidate.index == 0 ? candidate.move == node.known.move : static_cast<bool>(node.known.move);
  if (o.half_ply > 0 && candidate.index < o.half_ply_moves && remembered) {
    search_.Fire(Technique::kHalfPly);
    extension += o.half_ply;
  }
  if (o.piece_escape > 0 &&
      G::EscapesAttack(pos, candidate.move,
                       o.piece_escape == 1 ? search_.FrameAt(node.ply - 1).move : Move())) {
    search_.Fire(Technique::kPieceEscape);
    extension += kPly;
  }
  if (edge_attack_ && FrameAt(node.ply).attacks &&
      G::BelongsToEdgeAttack(pos, candidate.move, search_.root_side_)) {
    search_.Fire(Technique::kEdgeAttackExtension);
    extension += o.edge_attack_extension;
  }
  return extension;
}

// The extension of a move that has been played, of which `extension` is the search's own. All
// together are a ply at most, or two where a move is searched once more or a king is threatened.
template <Game G>
int Search<G>::Papers::ExtendAfter(const Node& node, const Candidate& candidate, int extension) {
  const SearchOptions& o = options();
  const Position& pos = search_.pos_;
  const bool two_plies = o.king_threat > 0 && o.king_threat % 2 == 0;
  const int most = candidate.unreduced || candidate.extension > kPly || two_plies ? 2 * kPly : kPly;
  extension += candidate.extension;
  if (!search_.MayExtend(node.ply)) return std::min(extension, most);
  const PaperFrame& frame = FrameAt(node.ply);
  if (o.recapture > 0 && node.ply > 0 && frame.captures && FrameAt(node.ply - 1).captures &&
      search_.FrameAt(node.ply - 1).move.to() == candidate.move.to()) {
    // Balance of the root's side, whoever has moved.
    const Value now =
        G::SideToMove(pos) == search_.root_side_ ? G::Material(pos) : -G::Material(pos);
    if (std::abs(now - search_.root_material_) <= o.recapture_window) {
      search_.Fire(Technique::kRecapture);
      extension += o.recapture * (kPly / 2);
    }
  }
  if (o.king_threat > 0) {
    const int squares = G::KingPressure(pos, ~G::SideToMove(pos));
    const bool newly = o.king_threat <= 2;
    if (squares >= o.king_threat_squares && !(newly && frame.pressure >= o.king_threat_squares)) {
      search_.Fire(Technique::kKingThreat);
      extension += two_plies ? 2 * kPly : kPly;
    }
  }
  return std::min(extension, most);
}

// Changes the cost of a move and how much less deep it is searched first. TACOS: a likely move
// costs less than a ply, an unlikely one more. An unlikely move that beats alpha is searched again
// as if it were ordinary.
template <Game G>
void Search<G>::Papers::ChangeDepth(const Node& node, const Candidate& candidate, int extension,
                                    int& child_depth, int& reduction) {
  if (options().realization != 0 && extension == 0) {
    search_.Fire(Technique::kRealization);
    child_depth = node.depth - std::min(candidate.cost, kPly);
  }
  if (options().realization != 0 && node.ply > 0 && !candidate.unreduced) {
    const int most = std::max(child_depth - kPly, 0);
    reduction = candidate.index == 0 ? 0 : std::clamp(candidate.cost - kPly, 0, most);
  } else if (candidate.unreduced || (options().killer_unreduced != 0 && reduction > 0 &&
                                     IsKiller(node.ply, candidate.move))) {
    reduction = 0;
  }
}

// The value of a move that has beaten alpha, from a deeper search of it where a technique asks for
// one. `others_known` becomes true if a test has shown all other moves to be worse.
template <Game G>
template <bool kPv>
Value Search<G>::Papers::SearchAgain(const Node& node, Candidate& candidate, Value value,
                                     Value alpha, Value beta, bool& others_known) {
  if (const int more = SearchedAgainBy(node, candidate); more > 0) {
    candidate.extension += more;
    candidate.unreduced = true;
    value = SearchFavoured<kPv>(node, candidate, alpha, beta);
  }
  if ((options().singular_classic & ~kSingularAtRoot) != 0 && value > alpha && !search_.stopped_) {
    value = DeepenSingular<kPv>(node, candidate, value, alpha, beta, others_known);
  }
  return value;
}

// Depth by which a move is searched once more.
template <Game G>
int Search<G>::Papers::SearchedAgainBy(const Node& node, const Candidate& candidate) {
  int more = 0;
  // YSS, perfect half-ply extension: the old best move had as much.
  if (options().half_ply_perfect != 0 && candidate.index >= options().half_ply_moves &&
      options().half_ply > 0) {
    search_.Fire(Technique::kHalfPlyPerfect);
    more += options().half_ply;
  }
  // YSS, the second remedy for the horizon: a sacrifice of one of the first two plies was taken,
  // and it looks well. It may only have pushed something out of sight.
  if (options().horizon_sacrifice != 0 && (node.ply == 2 || node.ply == 3)) {
    const Move taken = search_.FrameAt(node.ply - 1).move;
    const Move given = search_.FrameAt(node.ply - 2).move;
    if (FrameAt(node.ply - 2).gives_up && FrameAt(node.ply - 1).captures &&
        taken.to() == given.to()) {
      search_.Fire(Technique::kHorizonSacrifice);
      more += 2 * kPly;
    }
  }
  return more;
}

// SearchAgain for a move of the root. Bonuses of first moves say nothing of how far a move stands
// above the others, so there is no singular test where there are any.
template <Game G>
Value Search<G>::Papers::SearchRootAgain(const Node& node, Candidate& candidate, Value value,
                                         Value alpha, Value beta, Value bonus, bool& others_known) {
  if (options().half_ply_perfect != 0 && candidate.index >= options().half_ply_moves) {
    candidate.extension = options().half_ply;
    candidate.unreduced = true;
    value = SearchFavoured<true>(node, candidate, alpha, beta, bonus);
  }
  if ((options().singular_classic & kSingularAtRoot) != 0 && !search_.hooks_.value &&
      value > alpha && !search_.stopped_) {
    value = DeepenSingular<true>(node, candidate, value, alpha, beta, others_known);
  }
  return value;
}

// Tries the quiet checks of a leaf that do not lose material, until `refutes` is true of one.
template <Game G>
template <typename Refutes>
void Search<G>::Papers::TryChecks(int qply, Refutes&& refutes) {
  if (qply >= options().quiescence_checks) return;
  const Position& pos = search_.pos_;
  typename G::MoveList checks;
  G::template Generate<GenType::kChecks>(pos, checks);
  for (const Move move : checks) {
    if (MovePicker<G>::IsTactical(pos, move) || !G::SeeAtLeast(pos, move, 0)) continue;
    search_.Fire(Technique::kQuiescenceCheck);
    if (refutes(move)) return;
  }
}

}  // namespace joseki
