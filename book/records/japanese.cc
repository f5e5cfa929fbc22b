#include "book/records/japanese.h"

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

struct PieceName {
  std::string_view name;
  shogi::PieceType type;
};

// Longer names first where one starts another.
constexpr PieceName kPieceNames[] = {
    {"歩", shogi::kPawn},        {"香", shogi::kLance},      {"桂", shogi::kKnight},
    {"銀", shogi::kSilver},      {"角", shogi::kBishop},     {"飛", shogi::kRook},
    {"金", shogi::kGold},        {"玉", shogi::kKing},       {"王", shogi::kKing},
    {"と", shogi::kProPawn},     {"成香", shogi::kProLance}, {"杏", shogi::kProLance},
    {"成桂", shogi::kProKnight}, {"圭", shogi::kProKnight},  {"成銀", shogi::kProSilver},
    {"全", shogi::kProSilver},   {"馬", shogi::kHorse},      {"龍", shogi::kDragon},
    {"竜", shogi::kDragon},
};

constexpr std::string_view kKanjiDigits[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr std::string_view kWideDigits[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};

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
  for (int digit = 1; digit <= 9; ++digit) {
    const char ascii = static_cast<char>('0' + digit);
    if (Take(text, std::string_view(&ascii, 1)) || Take(text, kWideDigits[digit - 1]) ||
        Take(text, kKanjiDigits[digit - 1])) {
      return digit;
    }
  }
  return 0;
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
  for (const PieceName& piece : kPieceNames) {
    if (Take(text, piece.name)) return piece.type;
  }
  return shogi::kNoPieceType;
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
