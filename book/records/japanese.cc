#include "book/records/japanese.h"

#include <cstdint>

#include "book/records/lines.h"

namespace joseki::book {
namespace {

struct EndWord {
  std::string_view word;
  End end;
};

// 反則勝ち: the side not to move broke a rule. 反則負け: the side to move did.
constexpr EndWord kEndWords[] = {
    {"投了", End::kSideToMoveLost},    {"中断", End::kUnknown},
    {"千日手", End::kRepetition},      {"持将棋", End::kDraw},
    {"詰み", End::kSideToMoveLost},    {"詰", End::kSideToMoveLost},
    {"不詰", End::kUnknown},           {"切れ負け", End::kSideToMoveLost},
    {"反則勝ち", End::kSideToMoveWon}, {"反則負け", End::kSideToMoveLost},
    {"入玉勝ち", End::kSideToMoveWon}, {"不戦勝", End::kSideToMoveWon},
    {"不戦敗", End::kSideToMoveLost},  {"封じ手", End::kUnknown},
    {"引き分け", End::kDraw},          {"時間切れ", End::kSideToMoveLost},
};

constexpr EndWord kSummaryWords[] = {
    {"先手の勝ち", End::kFirstWon},      {"後手の勝ち", End::kSecondWon},
    {"先手の反則勝ち", End::kFirstWon},  {"後手の反則勝ち", End::kSecondWon},
    {"先手の反則負け", End::kSecondWon}, {"後手の反則負け", End::kFirstWon},
    {"先手の入玉勝ち", End::kFirstWon},  {"後手の入玉勝ち", End::kSecondWon},
    {"千日手", End::kRepetition},        {"持将棋", End::kDraw},
};

// The first character of `text` as one number if it has three bytes, as all kana, kanji and wide
// signs do. Otherwise a number that no character has.
constexpr uint32_t FirstOf(std::string_view text) {
  if (text.size() < 3) return 0;
  const auto byte = [text](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
  };
  return byte(0) << 16 | byte(1) << 8 | byte(2);
}

// The digit of a three-byte character; 0 if it is none.
int DigitOf(uint32_t character) {
  const uint32_t wide = character - FirstOf("１");  // the nine digits are contiguous
  if (wide < 9) return static_cast<int>(wide) + 1;
  switch (character) {
    case FirstOf("一"):
      return 1;
    case FirstOf("二"):
      return 2;
    case FirstOf("三"):
      return 3;
    case FirstOf("四"):
      return 4;
    case FirstOf("五"):
      return 5;
    case FirstOf("六"):
      return 6;
    case FirstOf("七"):
      return 7;
    case FirstOf("八"):
      return 8;
    case FirstOf("九"):
      return 9;
    default:
      return 0;
  }
}

// Piece types with one-character names.
shogi::PieceType PieceOf(uint32_t character) {
  switch (character) {
    case FirstOf("歩"):
      return shogi::kPawn;
    case FirstOf("香"):
      return shogi::kLance;
    case FirstOf("桂"):
      return shogi::kKnight;
    case FirstOf("銀"):
      return shogi::kSilver;
    case FirstOf("角"):
      return shogi::kBishop;
    case FirstOf("飛"):
      return shogi::kRook;
    case FirstOf("金"):
      return shogi::kGold;
    case FirstOf("玉"):
    case FirstOf("王"):
      return shogi::kKing;
    case FirstOf("と"):
      return shogi::kProPawn;
    case FirstOf("杏"):
      return shogi::kProLance;
    case FirstOf("圭"):
      return shogi::kProKnight;
    case FirstOf("全"):
      return shogi::kProSilver;
    case FirstOf("馬"):
      return shogi::kHorse;
    case FirstOf("龍"):
    case FirstOf("竜"):
      return shogi::kDragon;
    default:
      return shogi::kNoPieceType;
  }
}

// Piece types named 成 plus a character.
shogi::PieceType PromotedPieceOf(uint32_t character) {
  switch (character) {
    case FirstOf("香"):
      return shogi::kProLance;
    case FirstOf("桂"):
      return shogi::kProKnight;
    case FirstOf("銀"):
      return shogi::kProSilver;
    default:
      return shogi::kNoPieceType;
  }
}

}  // namespace

void SkipBlanks(std::string_view& text) {
  while (Take(text, " ") || Take(text, "\t") || Take(text, kWideBlank)) {
  }
}

std::string_view TrimmedWide(std::string_view text) {
  SkipBlanks(text);
  for (;;) {
    text = Trimmed(text);
    if (text.size() < kWideBlank.size() ||
        text.substr(text.size() - kWideBlank.size()) != kWideBlank) {
      return text;
    }
    text.remove_suffix(kWideBlank.size());
  }
}

int TakeDigit(std::string_view& text) {
  const char first = text.empty() ? '\0' : text.front();
  if (first >= '1' && first <= '9') {
    text.remove_prefix(1);
    return first - '0';
  }
  const int digit = DigitOf(FirstOf(text));
  if (digit > 0) text.remove_prefix(3);
  return digit;
}

shogi::Square TakeSquare(std::string_view& text, shogi::Square last_to) {
  if (Take(text, "同")) {
    SkipBlanks(text);
    return last_to;
  }
  const int file = TakeDigit(text);
  const int rank = TakeDigit(text);
  return file == 0 || rank == 0 ? shogi::kNoSquare : shogi::MakeSquare(file, rank);
}

shogi::PieceType TakePiece(std::string_view& text) {
  const uint32_t first = FirstOf(text);
  const bool two = first == FirstOf("成");
  const shogi::PieceType type = two ? PromotedPieceOf(FirstOf(text.substr(3))) : PieceOf(first);
  if (type != shogi::kNoPieceType) text.remove_prefix(two ? 6 : 3);
  return type;
}

std::optional<End> EndOfWord(std::string_view word) {
  for (const EndWord& known : kEndWords) {
    if (word == known.word) return known.end;
  }
  return std::nullopt;
}

End EndOfSummary(std::string_view sentence) {
  End end = End::kUnknown;
  for (const EndWord& known : kSummaryWords) {
    if (sentence.find(known.word) != std::string_view::npos) end = known.end;
  }
  return end;
}

bool DiagramBoard::AddRow(std::string_view row) {
  if (++rows_ > 9 || !Take(row, "|")) return false;
  for (int file = 9; file >= 1; --file) {
    Color side = shogi::kBlack;
    if (Take(row, "v")) {
      side = shogi::kWhite;
    } else if (!Take(row, " ")) {
      return false;
    }
    shogi::Piece& square = board_[shogi::MakeSquare(file, rows_)];
    if (Take(row, "・")) continue;
    const shogi::PieceType type = TakePiece(row);
    if (type == shogi::kNoPieceType) return false;
    square = shogi::MakePiece(side, type);
  }
  return Take(row, "|");
}

void DiagramBoard::SetHand(std::string_view pieces) {
  hands_ = hands_ || (!pieces.empty() && pieces != "なし");
}

void DiagramBoard::SetHandicap(std::string_view word) {
  handicap_ = word.find("落") != std::string_view::npos;
  other_ = word == "その他";
}

bool DiagramBoard::IsHandicap() const {
  return handicap_ || (rows_ > 0 && !hands_ && IsHandicapBoard(board_));
}

bool DiagramBoard::IsEven() const {
  if (handicap_ || hands_ || white_to_move_ || (rows_ == 0 && other_)) return false;
  return rows_ == 0 || IsEvenBoard(board_);
}

}  // namespace joseki::book
