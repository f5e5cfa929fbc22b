#include "book/records/csa_words.h"

namespace joseki::book {
namespace {

struct EndWord {
  std::string_view word;
  End end;
};

constexpr EndWord kEndWords[] = {
    {"TORYO", End::kSideToMoveLost},
    {"TIME_UP", End::kSideToMoveLost},
    {"TSUMI", End::kSideToMoveLost},
    {"ILLEGAL_MOVE", End::kSideToMoveLost},
    {"KACHI", End::kSideToMoveWon},
    {"+ILLEGAL_ACTION", End::kSecondWon},
    {"-ILLEGAL_ACTION", End::kFirstWon},
    {"SENNICHITE", End::kRepetition},
    {"OUTE_SENNICHITE", End::kRepetition},
    {"JISHOGI", End::kDraw},
    {"HIKIWAKE", End::kDraw},
    {"MAX_MOVES", End::kDraw},
};

// Two letters as one number, so that a piece's name is told by one switch.
constexpr int Code(char a, char b) { return a << 8 | b; }

}  // namespace

shogi::PieceType PieceOfCsa(std::string_view letters) {
  if (letters.size() != 2) return shogi::kNoPieceType;
  switch (Code(letters[0], letters[1])) {
    case Code('F', 'U'):
      return shogi::kPawn;
    case Code('K', 'Y'):
      return shogi::kLance;
    case Code('K', 'E'):
      return shogi::kKnight;
    case Code('G', 'I'):
      return shogi::kSilver;
    case Code('K', 'A'):
      return shogi::kBishop;
    case Code('H', 'I'):
      return shogi::kRook;
    case Code('K', 'I'):
      return shogi::kGold;
    case Code('O', 'U'):
      return shogi::kKing;
    case Code('T', 'O'):
      return shogi::kProPawn;
    case Code('N', 'Y'):
      return shogi::kProLance;
    case Code('N', 'K'):
      return shogi::kProKnight;
    case Code('N', 'G'):
      return shogi::kProSilver;
    case Code('U', 'M'):
      return shogi::kHorse;
    case Code('R', 'Y'):
      return shogi::kDragon;
    default:
      return shogi::kNoPieceType;
  }
}

End EndOfCsaWord(std::string_view word) {
  for (const EndWord& known : kEndWords) {
    if (word == known.word) return known.end;
  }
  return End::kUnknown;
}

}  // namespace joseki::book
