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
  int ply = 1;  // last field; 1 if missing
};

// Reads "startpos" or "<board> <b|w> <hands> [<ply>]". InvalidArgument with a problem whose code
// names the broken rule ("two_kings", "nifu", "too_many_pawns", "dead_piece", "opponent_in_check",
// "bad_board", "bad_hand", "bad_side", "bad_ply", ...).
absl::StatusOr<SfenPosition> ParseSfen(std::string_view text);

// The canonical SFEN: hands in the order R B G S N L P, Black first, counts only from 2.
std::string ToSfen(const Position& position, int ply);

// USI text of a move: "7g7f", "8h2b+", "P*5e".
std::string ToUsi(Move move);
// Parses by form alone; nullopt if malformed. "resign" and "win" are not moves.
std::optional<Move> MoveFromUsi(std::string_view text);
// Parses a legal move. InvalidArgument "malformed_move" or "illegal_move" with the broken rule.
absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
// The rule that an illegal move breaks, in words: "a piece that is in hand", ... REQUIRES: squares
// and piece types are in range, as from MoveFromUsi, and the move is illegal.
std::string WhyIllegal(const Position& position, Move move);

}  // namespace joseki::shogi
