#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>

#include "engine/core/move_list.h"
#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// What the rules say of a position because of the game that led to it, from the side to move.
enum class Repetition : uint8_t { kNone, kDraw, kWin, kLoss };

// The latest earlier occurrence, in the game, of the present placement with the same side to move
// but with other hands: kWin if the side to move holds more now (and nothing less), kLoss if it
// holds less, kNone if neither or if there is no such occurrence. Not a rule of any game.
struct HandRepetition {
  Repetition outcome = Repetition::kNone;
  int plies_back = 0;
};

// What a mate search of few nodes has found.
struct MateProbe {
  Move move;      // the side to move mates with it; Move() if none was found
  int plies = 0;  // then at most so many
  uint64_t nodes = 0;
};

// Which moves a generator gives. All are legal, drops behind all others.
enum class GenType : uint8_t {
  kAll,        // every legal move, as the rules have it
  kSearch,     // kAll less moves that are never better than another (pointless non-promotions)
  kCaptures,   // captures, and promotions worth a quiescence search; when in check, every evasion
  kQuiets,     // the rest of kSearch: kCaptures and kQuiets together are kSearch, and share nothing
  kDrops,      // those of kQuiets that drop a piece
  kChecks,     // those of kSearch that give check
  kAllChecks,  // those of kAll that give check
};

// A game is a stateless description with static functions. The search is a template over it and
// knows nothing else of any game. The concept Game lists what the search needs, Knowledge what
// single techniques of engine/search/papers/ ask for besides. GameDefaults
// (engine/search/game_defaults.h) answers all of Knowledge, and part of Game, for a game that knows
// nothing of the kind. Each game has a room in engine/search/ that instantiates the search.

// The types of a game. A move list holds as many moves as any position has.
template <typename G>
concept GameTypes = std::default_initializable<typename G::Position> &&
    std::copyable<typename G::Position> && std::default_initializable<typename G::Undo> &&
    std::same_as<typename G::MoveList, FixedMoveList<G::MoveList::kCapacity>> &&
    std::default_initializable<typename G::Evaluator> && std::copyable<typename G::Evaluator> &&
    std::default_initializable<typename G::MateFinder>;

// clang-format off
template <typename G>
concept Game = GameTypes<G> &&
               requires(typename G::Position& pos, const typename G::Position& cpos,
                        typename G::Undo& undo, typename G::MoveList& moves,
                        typename G::Evaluator& evaluator, const typename G::Evaluator& cevaluator,
                        typename G::MateFinder& mates, const std::atomic<bool>& stop, Move move) {
  // Rules.
  { G::kSquareCount } -> std::convertible_to<int>;  // squares are 0 .. kSquareCount-1
  { G::kPieceCount } -> std::convertible_to<int>;   // coloured pieces; MovedPiece is below it
  // The move is legal. TakeBack(...) takes back the last Do. A side without a legal move has lost.
  { G::Do(pos, move, undo) } -> std::same_as<void>;
  { G::TakeBack(pos, move, undo) } -> std::same_as<void>;
  { G::DoNull(pos, undo) } -> std::same_as<void>;      // REQUIRES: not in check
  { G::TakeBackNull(pos, undo) } -> std::same_as<void>;
  { G::SideToMove(cpos) } -> std::same_as<Color>;
  { G::InCheck(cpos) } -> std::same_as<bool>;
  { G::KeyOf(cpos) } -> std::same_as<Key>;
  { G::KeyAfter(cpos, move) } -> std::same_as<Key>;
  // First repetition counts inside the tree; `ply` is the distance from the root. The evaluator knows
  // by which rule.
  { G::CheckRepetition(cevaluator, cpos, 0) } -> std::same_as<Repetition>;
  { G::CanDeclareWin(cpos) } -> std::same_as<bool>;
  { G::template Generate<GenType::kAll>(cpos, moves) } -> std::same_as<void>;
  { G::template Generate<GenType::kSearch>(cpos, moves) } -> std::same_as<void>;
  { G::template Generate<GenType::kCaptures>(cpos, moves) } -> std::same_as<void>;
  { G::IsLegal(cpos, move) } -> std::same_as<bool>;    // any 16 bits, any position
  { G::IsCapture(cpos, move) } -> std::same_as<bool>;
  { G::GivesCheck(cpos, move) } -> std::same_as<bool>;
  // GivesCheck for many moves of one position.
  { typename G::Checks(cpos).Given(cpos, move) } -> std::same_as<bool>;
  { G::MovedPiece(cpos, move) } -> std::convertible_to<int>;  // index below kPieceCount

  // Values, from the side to move. One evaluator a search; its settings are between it and its user.
  { evaluator.Evaluate(cpos) } -> std::same_as<Value>;
  { G::Material(cpos) } -> std::same_as<Value>;          // balance
  { G::OrderValue(cpos, move) } -> std::same_as<Value>;  // gain of a capture or promotion, for ordering
  // The exchanges that `move` starts on its target square gain at least the last argument.
  { G::SeeAtLeast(cpos, move, Value{}) } -> std::same_as<bool>;
  // Parts of the position that many others of a tree share, as 32 bits each.
  { G::PartsOf(cpos) } -> std::same_as<std::array<uint32_t, 4>>;
  // The bonus of a legal move of the root, added to the value of lines that begin with it.
  { G::FirstMoveBonus(cevaluator, cpos, move) } -> std::same_as<Value>;

  // Threats. Looks for a mate by the side to move with at most so many nodes, or until the flag is
  // set, and claims none that is not so; leaves the position as it was.
  { mates.Prove(pos, uint64_t{}, &stop) } -> std::same_as<MateProbe>;
  { G::Meets(cpos, move, move) } -> std::same_as<bool>;  // whether a quiet move meets a threat
  // Whether a pass says something of the position: no, where having to move may be a burden.
  { G::MayPass(cpos) } -> std::same_as<bool>;
};

template <typename G>
concept Knowledge = GameTypes<G> &&
                    requires(typename G::Position& pos, const typename G::Position& cpos,
                             typename G::MoveList& moves, typename G::MateFinder& mates,
                             const std::atomic<bool>& stop, Move move) {
  // Quiet moves to be tried at the leaves.
  { G::template Generate<GenType::kChecks>(cpos, moves) } -> std::same_as<void>;
  // A placement that comes back with other hands.
  { G::CheckHands(cpos) } -> std::same_as<HandRepetition>;
  // A move that mates at once; Move() if none is found. Leaves the position as it was.
  { G::MateInOne(pos) } -> std::same_as<Move>;
  // As Prove, but by what Use says: from then on by depth, to so many plies and without the moves of a
  // set of cuts; 0 plies: as it likes, without cuts.
  { mates.Find(pos, uint64_t{}, &stop) } -> std::same_as<MateProbe>;
  { mates.Use(0, 0U) } -> std::same_as<void>;
  // Material won at once: prize and promotion. By how much a legal move hardly ever changes the
  // evaluation more than that; whether it is the king's, which GameDefaults asks for that.
  { G::GainOf(cpos, move) } -> std::same_as<Value>;
  { G::SwingAtMost(cpos, move) } -> std::same_as<Value>;
  { G::IsKingMove(cpos, move) } -> std::same_as<bool>;
  // Squares beside the other king that a side attacks; whether a move takes a major piece out of an
  // attack (by the last move's piece, if one is given).
  { G::KingPressure(cpos, Color{}) } -> std::convertible_to<int>;
  { G::EscapesAttack(cpos, move, move) } -> std::same_as<bool>;
  // For the realisation probability: the stage of the game, the category of a move after the one
  // before it, and the cost of such a move then, in parts of a ply (engine/search/depth.h). Below the
  // numbers that KillerRates has room for (engine/search/papers/context_killers.h), as purposes are.
  { G::StageOf(cpos) } -> std::convertible_to<int>;
  { G::CategoryOf(cpos, move, move) } -> std::convertible_to<int>;
  { G::TransitionCost(0, 0) } -> std::convertible_to<int>;
  // For an order by groups, of a position after a move: the group of a move where it is less than a
  // bound, else the bound. Group 0 or 1 is tried first; the bounds are asked in the order of
  // kRounds, of which the last is above all groups. And whether a group belongs in a node so far
  // from the root with so many plies left.
  { typename G::Groups(cpos, move).Of(move, 0) } -> std::same_as<int>;
  { G::Groups::kRounds.back() } -> std::convertible_to<int>;
  { G::OrderGroupBelongs(cpos, 0, 0, 0) } -> std::same_as<bool>;
  // The purpose of a move, of few; for statistics.
  { G::PurposeOf(cpos, move, move) } -> std::convertible_to<int>;
  // An attack that gives up material first: whether the side to move might begin it, the move that
  // would (perhaps not legal), and whether a move belongs to such an attack by a side.
  { G::IsRipeForEdgeAttack(cpos) } -> std::same_as<bool>;
  { G::EdgeAttackStart(cpos) } -> std::same_as<Move>;
  { G::BelongsToEdgeAttack(cpos, move, Color{}) } -> std::same_as<bool>;
};
// clang-format on

}  // namespace joseki
