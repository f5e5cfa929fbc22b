#include "book/records/csa_words.h"

#include <array>
#include <cstddef>

namespace joseki::book {
namespace {

struct CsaEndWord {
  std::string_view word;
  End end;
};

constexpr CsaEndWord kCsaEndWords[] = {
    {"TORYO", End::kSideToMoveLost},
    {"TIME_UP", End::kSideToMoveLost},
    {"TSUMI", End::kSideToMoveLost},
    {"ILLEGAL_MOVE", End::kSideToMoveLost},
    {"KACHI", End::kSideToMoveWon},
    {"+ILLEGAL_ACTION", End::kSecondWon},
    {"-ILLEGAL_ACTION", End::kFirstWon},
    {"SENNICHITE", End::kRepetition},
    {"OUTE_SENNICHITE", End::kUnknown},  // the moves say who gave the checks
    {"JISHOGI", End::kDraw},
    {"HIKIWAKE", End::kDraw},
    {"MAX_MOVES", End::kDraw},
};

struct PieceName {
  char letters[3];
  shogi::PieceType type;
};

constexpr PieceName kPieceNames[] = {
    {"FU", shogi::kPawn},     {"KY", shogi::kLance},     {"KE", shogi::kKnight},
    {"GI", shogi::kSilver},   {"KA", shogi::kBishop},    {"HI", shogi::kRook},
    {"KI", shogi::kGold},     {"OU", shogi::kKing},      {"TO", shogi::kProPawn},
    {"NY", shogi::kProLance}, {"NK", shogi::kProKnight}, {"NG", shogi::kProSilver},
    {"UM", shogi::kHorse},    {"RY", shogi::kDragon},
};

// Index by both letters, so that one access finds a piece.
constexpr size_t kAlphabet = 26;
constexpr size_t PlaceOf(char a, char b) {
  return static_cast<size_t>(a - 'A') * kAlphabet + static_cast<size_t>(b - 'A');
}
constexpr auto kPiecesByLetters = [] {
  std::array<shogi::PieceType, kAlphabet * kAlphabet> pieces{};
  for (const PieceName& name : kPieceNames) {
    pieces[PlaceOf(name.letters[0], name.letters[1])] = name.type;
  }
  return pieces;
}();

bool IsLetter(char c) { return c >= 'A' && c <= 'Z'; }

}  // namespace

shogi::PieceType PieceOfCsa(std::string_view letters) {
  if (letters.size() != 2 || !IsLetter(letters[0]) || !IsLetter(letters[1])) {
    return shogi::kNoPieceType;
  }
  return kPiecesByLetters[PlaceOf(letters[0], letters[1])];
}

End EndOfCsaWord(std::string_view word) {
  for (const CsaEndWord& known : kCsaEndWords) {
    if (word == known.word) return known.end;
  }
  return End::kUnknown;
}

}  // namespace joseki::book
