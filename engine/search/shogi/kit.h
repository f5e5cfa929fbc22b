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

// Requirements of programs around a game's search: parsing, and the options. Each game has a kit
// with the same names, so that templates accept any of them.
struct ShogiKit {
  using Game = Shogi;
  using Options = shogi::EngineOptions;

  // Whether the game has wins by declaration, where the match allows them.
  static constexpr bool kDeclares = true;
  // Largest number of moves of any position.
  static constexpr int kMostMoves = 593;
  // Column name of position texts in tables.
  static constexpr char kPositionColumn[] = "sfen";
  // Example for error messages about moves.
  static constexpr char kMoveExample[] = "a USI move such as 7g7f, 8h2b+ or P*5e";

  static const Rules& rules() { return shogi::ShogiRules(); }
  // Parses position text, including "startpos", into a position and a ply.
  static absl::StatusOr<shogi::SfenPosition> Parse(std::string_view text) {
    return shogi::ParseSfen(text);
  }
  static absl::StatusOr<Move> ParseMove(const shogi::Position& position, std::string_view text) {
    return shogi::ParseMove(position, text);
  }
  static std::string Text(const shogi::Position& position, int ply) {
    return shogi::ToSfen(position, ply);
  }
  // Whether Pack takes the position: problems may lack a king.
  static bool Packs(const shogi::Position& position) { return shogi::Packs(position); }
  static PackedPosition Pack(const shogi::Position& position) { return shogi::Pack(position); }
  static std::string Text(Move move) { return shogi::ToUsi(move); }
};

}  // namespace joseki
