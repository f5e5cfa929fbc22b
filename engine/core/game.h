#pragma once

#include <array>
#include <atomic>
#include <concepts>
#include <cstdint>

#include "engine/core/move_list.h"
#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki {

// The rules' verdict on a position that repeats earlier ones of its game, for the side to move.
enum class Repetition : uint8_t { kNone, kDraw, kWin, kLoss };

// The latest earlier occurrence, in the game, of the present placement with the same side to move
// but other hands. kWin if the side to move now holds more (and nothing less), kLoss if it holds
// less. kNone if neither holds or there is no such occurrence. No game has this as a rule.
struct HandRepetition {
  Repetition outcome = Repetition::kNone;
  int plies_back = 0;
};

// Result of a mate search with few nodes.
struct MateProbe {
  Move move;      // mating move of the side to move; Move() if none was found
  int plies = 0;  // with a move: upper bound of the plies to the mate
  uint64_t nodes = 0;
};

// The moves that a generator gives. All are legal; drops come last.
enum class GenType : uint8_t {
  kAll,        // every legal move under the rules
  kSearch,     // kAll without moves that are never better than another (pointless non-promotions)
  kCaptures,   // captures and promotions worth a quiescence search; in check, every evasion
  kQuiets,     // the moves of kSearch that are not in kCaptures
  kDrops,      // the drops of kQuiets
  kChecks,     // the checks of kSearch
  kAllChecks,  // the checks of kAll
};

// A game is a stateless description with static functions. The search is a template over it and
// knows nothing else of any game. The concept Game lists what the search needs; Knowledge lists
// what single techniques of engine/search/papers/ need in addition. GameDefaults
// (engine/search/game_defaults.h) provides defaults for all of Knowledge and part of Game. Each
// game has a room in engine/search/ that instantiates the search.

// The types of a game. The capacity of a move list covers every position.
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
  // REQUIRES: the move is legal. TakeBack undoes the last Do. A side without a legal move has lost.
  { G::Do(pos, move, undo) } -> std::same_as<void>;
  { G::TakeBack(pos, move, undo) } -> std::same_as<void>;
  { G::DoNull(pos, undo) } -> std::same_as<void>;      // REQUIRES: not in check
  { G::TakeBackNull(pos, undo) } -> std::same_as<void>;
  { G::SideToMove(cpos) } -> std::same_as<Color>;
  { G::InCheck(cpos) } -> std::same_as<bool>;
  { G::KeyOf(cpos) } -> std::same_as<Key>;
  { G::KeyAfter(cpos, move) } -> std::same_as<Key>;
  // The verdict on the first repetition inside the tree; `ply` is the distance from the root. The
  // evaluator holds the rule that applies.
  { G::CheckRepetition(cevaluator, cpos, 0) } -> std::same_as<Repetition>;
  { G::CanDeclareWin(cpos) } -> std::same_as<bool>;
  { G::template Generate<GenType::kAll>(cpos, moves) } -> std::same_as<void>;
  { G::template Generate<GenType::kSearch>(cpos, moves) } -> std::same_as<void>;
  { G::template Generate<GenType::kCaptures>(cpos, moves) } -> std::same_as<void>;
  { G::IsLegal(cpos, move) } -> std::same_as<bool>;    // any 16 bits, any position
  { G::IsCapture(cpos, move) } -> std::same_as<bool>;
  { G::GivesCheck(cpos, move) } -> std::same_as<bool>;
  // GivesCheck, prepared for many moves of one position.
  { typename G::Checks(cpos).Given(cpos, move) } -> std::same_as<bool>;
  { G::MovedPiece(cpos, move) } -> std::convertible_to<int>;  // index below kPieceCount

  // Values, for the side to move. Each search has one evaluator, whose settings its user chooses.
  { evaluator.Evaluate(cpos) } -> std::same_as<Value>;
  { G::Material(cpos) } -> std::same_as<Value>;          // balance
  { G::OrderValue(cpos, move) } -> std::same_as<Value>;  // gain of a capture or promotion
  // True if the exchanges that `move` starts on its target square gain at least the last argument.
  { G::SeeAtLeast(cpos, move, Value{}) } -> std::same_as<bool>;
  // Hashes of parts of the position that many positions of a tree share, 32 bits each.
  { G::PartsOf(cpos) } -> std::same_as<std::array<uint32_t, 4>>;
  // Bonus of a legal root move, added to the value of lines that begin with it.
  { G::FirstMoveBonus(cevaluator, cpos, move) } -> std::same_as<Value>;

  // Searches for a mate by the side to move within a number of nodes, or until the flag is set. A
  // mate found is certain. Leaves the position as it was.
  { mates.Prove(pos, uint64_t{}, &stop) } -> std::same_as<MateProbe>;
  { G::Meets(cpos, move, move) } -> std::same_as<bool>;  // whether a quiet move meets a threat
  // Whether passing is a lower bound here: false where zugzwang is likely.
  { G::MayPass(cpos) } -> std::same_as<bool>;
};

template <typename G>
concept Knowledge = GameTypes<G> &&
                    requires(typename G::Position& pos, const typename G::Position& cpos,
                             typename G::MoveList& moves, typename G::MateFinder& mates,
                             const std::atomic<bool>& stop, Move move) {
  // Quiet moves to be tried at the leaves.
  { G::template Generate<GenType::kChecks>(cpos, moves) } -> std::same_as<void>;
  // Repetition of the placement with other hands.
  { G::CheckHands(cpos) } -> std::same_as<HandRepetition>;
  // A move that mates at once; Move() if none is found. Leaves the position as it was.
  { G::MateInOne(pos) } -> std::same_as<Move>;
  // Find searches like Prove, but as Use configures it: by depth, up to a number of plies, without
  // the moves of a set of cuts. 0 plies: the default search, without cuts.
  { mates.Find(pos, uint64_t{}, &stop) } -> std::same_as<MateProbe>;
  { mates.Use(0, 0U) } -> std::same_as<void>;
  // GainOf: material won at once, captures and promotion. Next come the margin by which a legal
  // move hardly ever changes the evaluation beyond that, and whether a move is the king's.
  { G::GainOf(cpos, move) } -> std::same_as<Value>;
  { G::SwingAtMost(cpos, move) } -> std::same_as<Value>;
  { G::IsKingMove(cpos, move) } -> std::same_as<bool>;
  // KingPressure: squares beside the other king that a side attacks. EscapesAttack: whether a move
  // takes a major piece out of an attack (by the last move's piece, if one is given).
  { G::KingPressure(cpos, Color{}) } -> std::convertible_to<int>;
  { G::EscapesAttack(cpos, move, move) } -> std::same_as<bool>;
  // Whether a quiet move defends against a move that the other side would play now: more than
  // Meets, and dearer.
  { G::Defends(cpos, move, move) } -> std::same_as<bool>;
  // For the realisation probability: the stage of the game, and the category of a move given the
  // one before it. The cost of such a move is in fractions of a ply (engine/search/depth.h).
  // Stages, categories and purposes stay below the sizes of KillerRates
  // (engine/search/papers/context_killers.h).
  { G::StageOf(cpos) } -> std::convertible_to<int>;
  { G::CategoryOf(cpos, move, move) } -> std::convertible_to<int>;
  { G::TransitionCost(0, 0) } -> std::convertible_to<int>;
  // For ordering by groups, in a position after a move, at the root or not. Of gives the group of a
  // move if it is below a bound, else the bound. Groups 0 and 1 are tried first. The bounds are
  // passed in the order of kRounds; the last is above all groups. ImportanceOf orders the moves of a
  // group, the highest first, from 0 below 2^20. MostOf is how many of a group are tried with so
  // many plies left, 1 at least. The function after kRounds says whether a group is used in a node
  // at this distance from the root and with this remaining depth.
  { typename G::Groups(cpos, move, true).Of(move, 0) } -> std::same_as<int>;
  { typename G::Groups(cpos, move).ImportanceOf(move, 0) } -> std::same_as<int>;
  { typename G::Groups(cpos, move).MostOf(0, 0) } -> std::same_as<int>;
  { G::Groups::kRounds.back() } -> std::convertible_to<int>;
  { G::OrderGroupBelongs(cpos, 0, 0, 0) } -> std::same_as<bool>;
  // The purpose of a move, one of a few; for statistics.
  { G::PurposeOf(cpos, move, move) } -> std::convertible_to<int>;
  // Attacks that begin with a sacrifice of material. IsRipeForEdgeAttack: whether the side to move
  // might begin one. EdgeAttackStart: its first move, possibly illegal. BelongsToEdgeAttack:
  // whether a move belongs to such an attack by a side.
  { G::IsRipeForEdgeAttack(cpos) } -> std::same_as<bool>;
  { G::EdgeAttackStart(cpos) } -> std::same_as<Move>;
  { G::BelongsToEdgeAttack(cpos, move, Color{}) } -> std::same_as<bool>;
};
// clang-format on

}  // namespace joseki
