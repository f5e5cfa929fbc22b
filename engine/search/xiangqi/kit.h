#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/rules.h"
#include "engine/search/xiangqi/engine_options.h"
#include "engine/search/xiangqi/game.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/xiangqi_rules.h"

namespace joseki {

// The kit of xiangqi, like ShogiKit (engine/search/shogi/kit.h).
struct XiangqiKit {
  using Game = Xiangqi;
  using Options = xiangqi::EngineOptions;

  static constexpr bool kDeclares = false;
  static constexpr int kMostMoves = 116;
  static constexpr char kPositionColumn[] = "fen";
  static constexpr char kMoveExample[] = "a UCCI move such as h2e2";

  static const Rules& rules() { return xiangqi::XiangqiRules(); }
  static absl::StatusOr<xiangqi::FenPosition> Parse(std::string_view text) {
    return xiangqi::ParseFen(text);
  }
  static absl::StatusOr<Move> ParseMove(const xiangqi::Position& position, std::string_view text) {
    return xiangqi::ParseMove(position, text);
  }
  static std::string Text(const xiangqi::Position& position, int ply) {
    return xiangqi::ToFen(position, ply);
  }
  static bool Packs(const xiangqi::Position&) { return true; }
  static PackedPosition Pack(const xiangqi::Position& position) { return xiangqi::Pack(position); }
  static std::string Text(Move move) { return xiangqi::ToUcci(move); }
};

}  // namespace joseki
