#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"

namespace joseki {

// Needs of programs beside a game's search: how texts are read, and the options. Each game has one,
// with the same names, so that a template takes any of them.
struct ShogiKit {
  using Game = Shogi;
  using Options = shogi::EngineOptions;

  // Whether a side may win by a declaration, where the match lets it.
  static constexpr bool kDeclares = true;
  // That a position has, at most.
  static constexpr int kMostMoves = 593;
  // Of position texts, in headers of tables.
  static constexpr char kPositionColumn[] = "sfen";
  // For who wrote none.
  static constexpr char kMoveExample[] = "a USI move such as 7g7f, 8h2b+ or P*5e";

  static const Rules& rules() { return shogi::ShogiRules(); }
  // "startpos" too; what is read has a position and a ply.
  static absl::StatusOr<shogi::SfenPosition> Parse(std::string_view text) {
    return shogi::ParseSfen(text);
  }
  static absl::StatusOr<Move> ParseMove(const shogi::Position& position, std::string_view text) {
    return shogi::ParseMove(position, text);
  }
  static std::string Text(const shogi::Position& position, int ply) {
    return shogi::ToSfen(position, ply);
  }
  static PackedPosition Pack(const shogi::Position& position) { return shogi::Pack(position); }
  static std::string Text(Move move) { return shogi::ToUsi(move); }
};

}  // namespace joseki
