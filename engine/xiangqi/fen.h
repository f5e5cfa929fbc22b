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
  int ply = 1;  // counted from 1, as the number of the move in the text says; 1 where it is missing
};

// Reads "startpos" or "<board> <w|b> [- - [<plies without a capture> [<move number>]]]"; `r` is
// read as `w`, H as N, E as B. InvalidArgument with a problem whose code names the rule that is
// broken
// ("two_kings", "no_king", "facing_kings", "misplaced_pawn", "too_many_rooks", "opponent_in_check",
// "bad_board", "bad_side", "bad_field", "bad_ply", "trailing_text", ...).
absl::StatusOr<FenPosition> ParseFen(std::string_view text);

// The canonical FEN: RNBAKCP, upper case for Red, `w` for Red to move. `ply` counts from 1.
std::string ToFen(const Position& position, int ply);

// The text of a move in UCCI: "h2e2"; files a-i from Red's left, ranks 0-9 from Red's side.
std::string ToUcci(Move move);
// By form alone; nullopt if malformed.
std::optional<Move> MoveFromUcci(std::string_view text);
// Legal here, or InvalidArgument "malformed_move" / "illegal_move" with what the rule says.
absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text);
// The rule that an illegal move breaks, in words: "a square the piece can reach", ... REQUIRES:
// squares are in range (MoveFromUcci gives no others) and the move is not legal.
std::string WhyIllegal(const Position& position, Move move);

}  // namespace joseki::xiangqi
