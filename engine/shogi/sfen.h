#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

inline constexpr char kStartSfen[] =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

struct SfenPosition {
  Position position;
  int ply = 1;  // the last field; 1 where it is missing
};

// Reads "startpos" or "<board> <b|w> <hands> [<ply>]". InvalidArgument with a problem whose code
// names the rule that is broken ("two_kings", "nifu", "too_many_pawns", "dead_piece",
// "opponent_in_check", "bad_board", "bad_hand", "bad_side", "bad_ply", ...).
absl::StatusOr<SfenPosition> ParseSfen(std::string_view text);

// The canonical SFEN: hands in the order R B G S N L P, Black first, counts only from 2.
std::string ToSfen(const Position& position, int ply);

// USI move text: "7g7f", "8h2b+", "P*5e".
std::string ToUsi(Move move);
// By form alone; nullopt if malformed. "resign" and "win" are not moves.
std::optional<Move> MoveFromUsi(std::string_view text);
// Legal here, or InvalidArgument "malformed_move" / "illegal_move" with what the rule says.
absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
// The rule that an illegal move breaks, in words: "a piece that is in hand", ... REQUIRES: squares
// and kinds are in range (MoveFromUsi gives no others) and the move is not legal.
std::string WhyIllegal(const Position& position, Move move);

}  // namespace joseki::shogi
