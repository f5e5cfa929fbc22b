#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "book/records/spoken_move.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// The notations in which xiangqi records write a move:
//   ICCS     H2-E2: both squares, files A to I, ranks 0 to 9
//   WXF      C2=5: a letter (KABNRCP, also E and H); a file 1 to 9 or a place (+ front, . middle,
//            - rear, a to e numbers); + - = (or .); a number. A place may precede its letter.
//   Chinese  炮二平五, 前炮退１: traditional or simplified, digits of any script
enum class XiangqiNotation : uint8_t { kIccs, kWxf, kChinese };

// Parses "H2-E2" or "h2e2" by form alone; nullopt if malformed. UTF-8.
std::optional<Move> MoveOfSquares(std::string_view text);
std::optional<SpokenMove> SpokenOfWxf(std::string_view text);
std::optional<SpokenMove> SpokenOfChinese(std::string_view text);

// The legal move that `text` names, in any notation or as UCCI's h2e2. InvalidArgument
// "malformed_move", "illegal_move" or "ambiguous_move".
absl::StatusOr<Move> ParseNotation(const xiangqi::Position& position, std::string_view text);

// REQUIRES: the move is legal. Chinese is written as its side does: 炮二平五 for Red, 炮２平５ for
// Black.
std::string NotationOf(const xiangqi::Position& position, Move move, XiangqiNotation notation);

}  // namespace joseki::book
