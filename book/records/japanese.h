#pragma once

#include <optional>
#include <string_view>

#include "book/records/replay.h"
#include "engine/shogi/types.h"

namespace joseki::book {

// The words and signs of Japanese records (KIF, KI2), all in UTF-8.

inline constexpr std::string_view kWideBlank = "　";

// Takes blanks, wide ones too, off the front.
void SkipBlanks(std::string_view& text);
// `text` without blanks, wide ones too, on both sides.
std::string_view TrimmedWide(std::string_view text);

// Takes a digit 1 to 9 in any of the three scripts; 0 if there is none.
int TakeDigit(std::string_view& text);
// Takes a square ("７六"), or 同 (then `last_to`, and the blanks behind it); kNoSquare if there is
// none.
shogi::Square TakeSquare(std::string_view& text, shogi::Square last_to);
// Takes the name of a piece; kNoPieceType if there is none.
shogi::PieceType TakePiece(std::string_view& text);

// The meaning of the word for a game's end; nullopt if `word` is none.
std::optional<End> EndOfWord(std::string_view word);
// The meaning of a sentence such as まで96手で後手の勝ち; kUnknown if it names no end.
End EndOfSummary(std::string_view sentence);

// The start position as headers and a board diagram give it.
class DiagramBoard {
 public:
  // A row "|v香v桂 ・ ...|一"; false if it is malformed.
  bool AddRow(std::string_view row);
  void SetHand(std::string_view pieces);
  void SetWhiteToMove() { white_to_move_ = true; }
  // 手合割: a word such as 平手 or 香落ち; unknown ones say nothing.
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
