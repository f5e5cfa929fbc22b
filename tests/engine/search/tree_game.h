#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/core/game.h"
#include "engine/search/game_defaults.h"

namespace joseki {

// A game whose tree a test specifies: nodes with values and children, named by text. A test can
// thus show a technique of the search a tree whose answer is known. The i-th child of a node is
// reached by Move::Board(1, i + 1), which promotes where the node says so. No move is a capture. A
// node without children continues for ever by a single move that changes nothing.
struct TreeGame : GameDefaults<TreeGame> {
  static constexpr int kSquareCount = 128;
  static constexpr int kPieceCount = 1;

  struct Node {
    Value value = 0;  // for the side that moves first at the root
    std::vector<std::string> children;
    std::string after_pass;  // node after a pass; empty: this node
    bool may_pass = true;
    int slow_ms = 0;           // a move to this node takes so long
    bool mated = false;        // no move exists: the side to move has lost
    std::set<int> promotions;  // moves that promote
    std::map<int, int> meets;  // threat number to the number of the move here that meets it
    std::map<int, int> costs;  // Realization: cost of the i-th move, in fractions of a ply
    // FirstPlyBonus of the i-th move, where this node is the root.
    std::map<int, Value> first_bonuses;
    std::map<int, int> groups;       // OrderGroups: group of the i-th move, 1 to 3; else 3
    std::map<int, int> root_groups;  // the same where this node is the root
    std::map<int, int> importance;   // of the i-th move within its group; else 0
    int most = 64;                   // moves of a group with two plies left or more
  };
  struct Tree {
    std::map<std::string, Node> nodes;
    mutable std::vector<std::string> visits;  // nodes visited by moves and passes

    const Node& At(const std::string& name) const { return nodes.at(name); }
  };
  // A node, and how often its move to itself was made.
  struct Position {
    const Tree* tree = nullptr;
    std::string node;
    int further = 0;
    Color side = Color::kFirst;

    const Node& here() const { return tree->At(node); }
  };
  struct Undo {
    std::string node;
    int further = 0;
  };
  using MoveList = FixedMoveList<64>;
  struct Evaluator {
    Value Evaluate(const Position& pos) {
      return pos.side == Color::kFirst ? pos.here().value : -pos.here().value;
    }
  };

  class Groups {
   public:
    static constexpr std::array<int, 2> kRounds = {2, 4};

    Groups(const Position& pos, Move /*last*/, bool at_root = false)
        : node_(pos.here()), groups_(at_root ? node_.root_groups : node_.groups) {}
    int Of(Move move, int below) { return std::min(Find(groups_, move, 3), below); }
    int ImportanceOf(Move move, int /*group*/) { return Find(node_.importance, move, 0); }
    int MostOf(int /*group*/, int plies_left) { return plies_left > 1 ? node_.most : 64; }

   private:
    static int Find(const std::map<int, int>& of, Move move, int otherwise) {
      const auto found = of.find(NumberOf(move));
      return found == of.end() ? otherwise : found->second;
    }

    const Node& node_;
    const std::map<int, int>& groups_;
  };

  // Finds nothing, and uses all its nodes.
  struct MateFinder : GameDefaults<TreeGame>::MateFinder {
    MateProbe Find(Position& /*pos*/, uint64_t nodes, const std::atomic<bool>* /*stop*/) {
      return {.move = Move(), .plies = 0, .nodes = nodes};
    }
  };

  static constexpr Move Nth(int i) { return Move::Board(1, i + 1); }
  static int NumberOf(Move move) { return move.to() - 1; }

  static void Do(Position& pos, Move move, Undo& undo) {
    undo = {.node = pos.node, .further = pos.further};
    Step(pos, move);
    pos.tree->visits.push_back(pos.node);
    if (const int ms = pos.here().slow_ms; ms > 0) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
      while (std::chrono::steady_clock::now() < end) {
      }
    }
  }
  static void TakeBack(Position& pos, Move /*move*/, const Undo& undo) { TakeBackNull(pos, undo); }
  static void DoNull(Position& pos, Undo& undo) {
    undo = {.node = pos.node, .further = pos.further};
    if (!pos.here().after_pass.empty()) pos.node = pos.here().after_pass;
    pos.side = ~pos.side;
    pos.tree->visits.push_back(pos.node);
  }
  static void TakeBackNull(Position& pos, const Undo& undo) {
    pos.node = undo.node;
    pos.further = undo.further;
    pos.side = ~pos.side;
  }
  static Color SideToMove(const Position& pos) { return pos.side; }
  static Key KeyOf(const Position& pos) {
    uint64_t code = static_cast<uint64_t>(pos.further * 2 + Index(pos.side));
    for (const char c : pos.node) code = Rng(Rng(code).Next() ^ static_cast<uint8_t>(c)).Next();
    return {.hi = code, .lo = Rng(code).Next()};
  }
  static Key KeyAfter(Position pos, Move move) {
    Step(pos, move);
    return KeyOf(pos);
  }

  template <GenType type>
  static void Generate(const Position& pos, MoveList& moves) {
    if (type == GenType::kCaptures || type == GenType::kChecks || pos.here().mated) return;
    const int count = std::max(static_cast<int>(pos.here().children.size()), 1);
    for (int i = 0; i < count; ++i) {
      moves.Add(Move::Board(1, i + 1, pos.here().promotions.contains(i)));
    }
  }
  static bool IsLegal(const Position& pos, Move move) {
    MoveList moves;
    Generate<GenType::kAll>(pos, moves);
    return std::find(moves.begin(), moves.end(), move) != moves.end();
  }
  static bool IsCapture(const Position& /*pos*/, Move /*move*/) { return false; }
  static int MovedPiece(const Position& /*pos*/, Move /*move*/) { return 0; }
  static Value GainOf(const Position& /*pos*/, Move /*move*/) { return 0; }
  static Value OrderValue(const Position& /*pos*/, Move /*move*/) { return 0; }
  static bool SeeAtLeast(const Position& /*pos*/, Move /*move*/, Value least) { return least <= 0; }
  static Value Material(const Position& /*pos*/) { return 0; }
  static Repetition CheckRepetition(const Evaluator& /*evaluator*/, const Position& /*pos*/,
                                    int /*ply*/) {
    return Repetition::kNone;
  }
  static bool InCheck(const Position& /*pos*/) { return false; }
  static bool GivesCheck(const Position& /*pos*/, Move /*move*/) { return false; }
  static bool IsKingMove(const Position& /*pos*/, Move /*move*/) { return false; }

  static bool MayPass(const Position& pos) { return pos.here().may_pass; }
  static bool Meets(const Position& pos, Move move, Move threat) {
    const auto& meets = pos.here().meets;
    const auto found = meets.find(NumberOf(threat));
    return found != meets.end() && found->second == NumberOf(move);
  }
  static int CategoryOf(const Position& pos, Move move, Move /*last*/) {
    const auto& costs = pos.here().costs;
    const auto found = costs.find(NumberOf(move));
    return found == costs.end() ? kPly : found->second;
  }
  static int TransitionCost(int /*stage*/, int category) { return category; }
  static Value FirstMoveBonus(const Evaluator& /*evaluator*/, const Position& pos, Move move) {
    const auto& bonuses = pos.here().first_bonuses;
    const auto found = bonuses.find(NumberOf(move));
    return found == bonuses.end() ? 0 : found->second;
  }

 private:
  static void Step(Position& pos, Move move) {
    if (pos.here().children.empty()) {
      ++pos.further;
    } else {
      pos.node = pos.here().children[static_cast<size_t>(NumberOf(move))];
      pos.further = 0;
    }
    pos.side = ~pos.side;
  }
};

static_assert(Game<TreeGame>);

}  // namespace joseki
