#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// A game as formats see it that are of every game, or that walk: one name for what each game's
// rules call their own way. What goes through the Rules port costs an allocation a position.

// A position with its ply.
template <typename Position>
struct Placed {
  Position position;
  int ply = 1;
};

struct ShogiForm {
  using Position = shogi::Position;
  using Undo = shogi::Undo;
  using MoveList = shogi::MoveList;
  static constexpr std::string_view kGame = "shogi";

  static PackedPosition Pack(const Position& position) { return shogi::Pack(position); }
  static absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
    return shogi::Unpack(packed);
  }
  static absl::StatusOr<Placed<Position>> Parse(std::string_view text) {
    auto parsed = shogi::ParseSfen(text);
    if (!parsed.ok()) return parsed.status();
    return Placed<Position>{std::move(parsed->position), parsed->ply};
  }
  // True if there is a king of each side, as in a game: problems have fewer.
  static bool HasKings(const Position& position) {
    return position.king(shogi::kBlack) != shogi::kNoSquare &&
           position.king(shogi::kWhite) != shogi::kNoSquare;
  }
  static std::string Text(const Position& position, int ply) {
    return shogi::ToSfen(position, ply);
  }
  static std::string Text(Move move) { return shogi::ToUsi(move); }
  static absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
    return shogi::ParseMove(position, text);
  }
};

struct XiangqiForm {
  using Position = xiangqi::Position;
  using Undo = xiangqi::Undo;
  using MoveList = xiangqi::MoveList;
  static constexpr std::string_view kGame = "xiangqi";

  static PackedPosition Pack(const Position& position) { return xiangqi::Pack(position); }
  static absl::StatusOr<Position> Unpack(const PackedPosition& packed) {
    return xiangqi::Unpack(packed);
  }
  static absl::StatusOr<Placed<Position>> Parse(std::string_view text) {
    auto parsed = xiangqi::ParseFen(text);
    if (!parsed.ok()) return parsed.status();
    return Placed<Position>{std::move(parsed->position), parsed->ply};
  }
  static bool HasKings(const Position&) { return true; }  // or it is none
  static std::string Text(const Position& position, int ply) {
    return xiangqi::ToFen(position, ply);
  }
  static std::string Text(Move move) { return xiangqi::ToUcci(move); }
  static absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
    return xiangqi::ParseMove(position, text);
  }
};

// Calls `use` with the form of that game; a new game is a form and a line here. Another name:
// shogi.
template <typename Use>
auto WithForm(std::string_view game, Use use) {
  if (game == XiangqiForm::kGame) return use(XiangqiForm());
  return use(ShogiForm());
}

// True if books of that game have a form.
inline bool HasForm(std::string_view game) {
  return game == ShogiForm::kGame || game == XiangqiForm::kGame;
}

// The game of this position; shogi if it is none at all. The last byte of xiangqi's is a mark, and
// 40 pieces of shogi leave no room for the zeros before it.
inline std::string_view GameOf(const PackedPosition& packed) {
  if (!shogi::Unpack(packed).ok() && xiangqi::Unpack(packed).ok()) return XiangqiForm::kGame;
  return ShogiForm::kGame;
}

}  // namespace joseki::book
