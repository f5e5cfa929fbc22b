#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "book/records/spoken_move.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// The notations in which records of xiangqi write a move:
//   ICCS     H2-E2: both squares, files A to I, ranks 0 to 9
//   WXF      C2=5: a letter (KABNRCP, also E and H), a file 1 to 9 or a place (+ front, . middle,
//            - rear, a to e numbers), + - = (or .), a number. A place may stand before its letter.
//   Chinese  炮二平五, 前炮退１: traditional or simplified, digits of any script
enum class XiangqiNotation : uint8_t { kIccs, kWxf, kChinese };

// By form alone; nullopt if malformed. UTF-8. The first reads "H2-E2" and "h2e2".
std::optional<Move> MoveOfSquares(std::string_view text);
std::optional<SpokenMove> SpokenOfWxf(std::string_view text);
std::optional<SpokenMove> SpokenOfChinese(std::string_view text);

// The move that `text` names, in whichever notation, UCCI's h2e2 too, if it is legal; otherwise an
// InvalidArgument problem "malformed_move", "illegal_move" or "ambiguous_move".
absl::StatusOr<Move> ParseNotation(const xiangqi::Position& position, std::string_view text);

// REQUIRES: the move is legal. Chinese as its side writes it: 炮二平五 of Red, 炮２平５ of Black.
std::string NotationOf(const xiangqi::Position& position, Move move, XiangqiNotation notation);

}  // namespace joseki::book
