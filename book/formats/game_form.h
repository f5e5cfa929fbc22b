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

// One interface to the rules of each game, for formats that serve every game or that walk books. It
// saves the allocation for each position that the Rules port costs.

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
  // True if both sides have a king; problem positions may lack one.
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
  static bool HasKings(const Position&) { return true; }  // a position without kings does not parse
  static std::string Text(const Position& position, int ply) {
    return xiangqi::ToFen(position, ply);
  }
  static std::string Text(Move move) { return xiangqi::ToUcci(move); }
  static absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
    return xiangqi::ParseMove(position, text);
  }
};

// Calls `use` with the form of `game`; an unknown name gets shogi's. A new game needs a form and a
// line here.
template <typename Use>
auto WithForm(std::string_view game, Use use) {
  if (game == XiangqiForm::kGame) return use(XiangqiForm());
  return use(ShogiForm());
}

// True if `game` has a form.
inline bool HasForm(std::string_view game) {
  return game == ShogiForm::kGame || game == XiangqiForm::kGame;
}

// The game of this position; shogi if it is malformed. The last byte marks xiangqi; shogi's 40
// pieces leave no room for the zeros before it.
inline std::string_view GameOf(const PackedPosition& packed) {
  if (!shogi::Unpack(packed).ok() && xiangqi::Unpack(packed).ok()) return XiangqiForm::kGame;
  return ShogiForm::kGame;
}

}  // namespace joseki::book
