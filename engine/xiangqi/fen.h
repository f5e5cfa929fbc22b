#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

inline constexpr char kStartFen[] =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

struct FenPosition {
  Position position;
  int ply = 1;  // from 1, computed from the move number in the text; 1 if missing
};

// Reads "startpos" or "<board> <w|b> [- - [<plies without a capture> [<move number>]]]"; also
// accepts `r` for `w`, H for N and E for B. InvalidArgument with a problem whose code names the
// broken rule ("two_kings", "no_king", "facing_kings", "misplaced_pawn", "too_many_rooks",
// "opponent_in_check", "bad_board", "bad_side", "bad_field", "bad_ply", "trailing_text", ...).
absl::StatusOr<FenPosition> ParseFen(std::string_view text);

// The canonical FEN: RNBAKCP, upper case for Red, `w` for Red to move. `ply` counts from 1.
std::string ToFen(const Position& position, int ply);

// UCCI text of a move: "h2e2"; files a-i from Red's left, ranks 0-9 from Red's side.
std::string ToUcci(Move move);
// Parses by form alone; nullopt if malformed.
std::optional<Move> MoveFromUcci(std::string_view text);
// Parses a legal move. InvalidArgument "malformed_move" or "illegal_move" with the broken rule.
absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
// The rule that an illegal move breaks, in words: "a square the piece can reach", ... REQUIRES:
// squares are in range, as from MoveFromUcci, and the move is illegal.
std::string WhyIllegal(const Position& position, Move move);

}  // namespace joseki::xiangqi
