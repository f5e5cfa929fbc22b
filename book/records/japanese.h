#pragma once

#include <optional>
#include <string_view>

#include "book/records/replay.h"
#include "engine/shogi/types.h"

namespace joseki::book {

// The words and signs of Japanese records (KIF, KI2), in UTF-8.

inline constexpr std::string_view kWideBlank = "　";

// Removes leading blanks, including wide ones.
void SkipBlanks(std::string_view& text);
// `text` without leading and trailing blanks, including wide ones.
std::string_view TrimmedWide(std::string_view text);

// Consumes a digit 1 to 9 in any of the three scripts; 0 if there is none.
int TakeDigit(std::string_view& text);
// Consumes a square ("７六"), or 同 with the following blanks (which gives `last_to`); kNoSquare if
// there is none.
shogi::Square TakeSquare(std::string_view& text, shogi::Square last_to);
// Consumes the name of a piece; kNoPieceType if there is none.
shogi::PieceType TakePiece(std::string_view& text);

// Meaning of a word for the end of a game; nullopt for another word.
std::optional<End> EndOfWord(std::string_view word);
// Meaning of a sentence such as まで96手で後手の勝ち; kUnknown if it names no end.
End EndOfSummary(std::string_view sentence);

// The start position from headers and a board diagram.
class DiagramBoard {
 public:
  // Adds a row "|v香v桂 ・ ...|一"; false if it is malformed.
  bool AddRow(std::string_view row);
  void SetHand(std::string_view pieces);
  void SetWhiteToMove() { white_to_move_ = true; }
  // 手合割: a word such as 平手 or 香落ち; unknown words are ignored.
  void SetHandicap(std::string_view word);

  bool IsHandicap() const;
  bool IsEven() const;

 private:
  shogi::Piece board_[shogi::kSquareCount] = {};
  int rows_ = 0;
  bool hands_ = false;
  bool white_to_move_ = false;
  bool handicap_ = false;
  bool other_ = false;
};

}  // namespace joseki::book
