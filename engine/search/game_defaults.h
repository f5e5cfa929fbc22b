#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <limits>

#include "engine/core/game.h"
#include "engine/search/depth.h"

namespace joseki {

// Default answers for a game: all of Knowledge, and the part of Game that a game may lack. `struct
// G : GameDefaults<G>` declares the rest. By default no move is special, all are of one kind, and
// only the rules end a game. A game's own declaration with the same name and arguments hides the
// default. The search calls G, so nothing is decided at run time.
template <typename G>
struct GameDefaults {
  struct MateFinder {
    MateProbe Find(auto& /*pos*/, uint64_t /*nodes*/, const std::atomic<bool>* /*stop*/) {
      return {};
    }
    MateProbe Prove(auto& /*pos*/, uint64_t /*nodes*/, const std::atomic<bool>* /*stop*/) {
      return {};
    }
    void Use(int /*plies*/, unsigned /*cuts*/) {}
  };
  struct Checks {
    explicit Checks(const auto& /*pos*/) {}
    bool Given(const auto& pos, Move move) const { return G::GivesCheck(pos, move); }
  };
  struct Groups {
    static constexpr std::array<int, 1> kRounds = {1};
    Groups(const auto& /*pos*/, Move /*last*/, bool /*at_root*/ = false) {}
    int Of(Move /*move*/, int /*below*/) { return 0; }
    int ImportanceOf(Move /*move*/, int /*group*/) { return 0; }
    int MostOf(int /*group*/, int /*plies_left*/) { return std::numeric_limits<int>::max(); }
  };

  static HandRepetition CheckHands(const auto& /*pos*/) { return {}; }
  static bool CanDeclareWin(const auto& /*pos*/) { return false; }
  static Move MateInOne(auto& /*pos*/) { return Move(); }
  static bool Meets(const auto& /*pos*/, Move /*move*/, Move /*threat*/) { return false; }
  static bool Defends(const auto& pos, Move move, Move threat) {
    return G::Meets(pos, move, threat);
  }
  static bool MayPass(const auto& /*pos*/) { return true; }
  static Value SwingAtMost(const auto& pos, Move move) {
    return G::IsKingMove(pos, move) ? 250 : 180;
  }
  static int KingPressure(const auto& /*pos*/, Color /*by*/) { return 0; }
  static bool EscapesAttack(const auto& /*pos*/, Move /*move*/, Move /*last*/) { return false; }
  static int StageOf(const auto& /*pos*/) { return 0; }
  static int CategoryOf(const auto& /*pos*/, Move /*move*/, Move /*last*/) { return 0; }
  static int TransitionCost(int /*stage*/, int /*category*/) { return kPly; }
  static bool OrderGroupBelongs(const auto& /*pos*/, int /*group*/, int /*distance*/,
                                int /*plies_left*/) {
    return true;
  }
  static int PurposeOf(const auto& /*pos*/, Move /*move*/, Move /*last*/) { return 0; }
  static bool IsRipeForEdgeAttack(const auto& /*pos*/) { return false; }
  static Move EdgeAttackStart(const auto& /*pos*/) { return Move(); }
  static bool BelongsToEdgeAttack(const auto& /*pos*/, Move /*move*/, Color /*attacker*/) {
    return false;
  }
  // Equal parts for all positions: corrections then follow the overall error of the evaluation.
  static std::array<uint32_t, 4> PartsOf(const auto& /*pos*/) { return {}; }
  static Value FirstMoveBonus(const auto& /*evaluator*/, const auto& /*pos*/, Move /*move*/) {
    return 0;
  }
};

}  // namespace joseki
