#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "book/records/record.h"
#include "book/records/replay.h"
#include "engine/shogi/sfen.h"

// KIF. The reader works on UTF-8; a Shift_JIS file is decoded first. Of a file with variations, the
// main line is the game.

namespace joseki::book {
namespace {

using shogi::Piece;
using shogi::PieceType;
using shogi::Square;

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

struct PieceName {
  std::string_view name;
  PieceType type;
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

constexpr std::string_view kWideBlank = "　";

// Takes blanks, wide ones too.
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

// Takes a digit 1 to 9 in any of the three scripts; 0 if there is none.
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

PieceType TakePiece(std::string_view& text) {
  for (const PieceName& piece : kPieceNames) {
    if (Take(text, piece.name)) return piece.type;
  }
  return shogi::kNoPieceType;
}

// A move as it is written; `from` is kNoSquare for a drop.
struct WrittenMove {
  Square to = shogi::kNoSquare;
  Square from = shogi::kNoSquare;
  PieceType piece = shogi::kNoPieceType;
  bool promotes = false;
};

// nullopt if malformed. `last_to` is where 同 points.
std::optional<WrittenMove> ParseWritten(std::string_view text, Square last_to) {
  WrittenMove move;
  if (Take(text, "同")) {
    move.to = last_to;
    SkipBlanks(text);
  } else {
    const int file = TakeDigit(text);
    const int rank = TakeDigit(text);
    if (file == 0 || rank == 0) return std::nullopt;
    move.to = shogi::MakeSquare(file, rank);
  }
  if (move.to == shogi::kNoSquare) return std::nullopt;
  move.piece = TakePiece(text);
  if (move.piece == shogi::kNoPieceType) return std::nullopt;
  const bool declines = Take(text, "不成");
  move.promotes = !declines && Take(text, "成");
  const bool drops = !declines && !move.promotes && Take(text, "打");
  SkipBlanks(text);
  if (drops) return move;
  if (text.size() < 4 || text[0] != '(' || text[3] != ')') return std::nullopt;
  if (text[1] < '1' || text[1] > '9' || text[2] < '1' || text[2] > '9') return std::nullopt;
  move.from = shogi::MakeSquare(text[1] - '0', text[2] - '0');
  return move;
}

// The start position as headers and a board diagram give it.
class StartBoard {
 public:
  // A row "|v香v桂 ・ ...|一"; false if it is malformed.
  bool AddRow(std::string_view row) {
    if (++rows_ > 9 || !Take(row, "|")) return false;
    for (int file = 9; file >= 1; --file) {
      Color side = shogi::kBlack;
      if (Take(row, "v")) {
        side = shogi::kWhite;
      } else if (!Take(row, " ")) {
        return false;
      }
      Piece& square = board_[shogi::MakeSquare(file, rows_)];
      if (Take(row, "・")) continue;
      const PieceType type = TakePiece(row);
      if (type == shogi::kNoPieceType) return false;
      square = shogi::MakePiece(side, type);
    }
    return Take(row, "|");
  }
  void SetHand(std::string_view pieces) {
    hands_ = hands_ || (!pieces.empty() && pieces != "なし");
  }
  void SetWhiteToMove() { white_to_move_ = true; }
  // 手合割: a word such as 平手 or 香落ち; unknown ones say nothing.
  void SetHandicap(std::string_view word) {
    handicap_ = word.find("落") != std::string_view::npos;
    other_ = word == "その他";
  }

  bool IsHandicap() const { return handicap_ || (rows_ > 0 && !hands_ && IsHandicapBoard(board_)); }
  bool IsEven() const {
    if (handicap_ || hands_ || white_to_move_ || (rows_ == 0 && other_)) return false;
    return rows_ == 0 || IsEvenBoard(board_);
  }

 private:
  Piece board_[shogi::kSquareCount] = {};
  int rows_ = 0;
  bool hands_ = false;
  bool white_to_move_ = false;
  bool handicap_ = false;
  bool other_ = false;
};

class KifReader {
 public:
  KifReader(std::string_view utf8, std::string_view file, const RecordSink& sink)
      : file_(file), sink_(sink), lines_(utf8) {}

  void Read() {
    std::string_view line;
    while (lines_.Next(line)) Line(line);
    Finish();
    if (games_ == 0) Reject("no_moves", "a file without a game", "numbered moves", 1);
  }

 private:
  enum class Phase {
    kHeader,
    kMoves,
    kIllegal,   // the last move is illegal; all is well if the record says so itself
    kEnded,     // only variations may follow, and they do not matter
    kRejected,  // neither here
  };

  void Line(std::string_view line) {
    if (OpensGame(line) && moved_) Finish();
    if (line.empty() || line[0] == '*' || line[0] == '&' || line[0] == '#') return;
    if (line[0] == '|') {
      Telling();
      if (phase_ == Phase::kHeader && !start_.AddRow(line)) {
        Reject("bad_position", QuoteText(line), "nine squares in each of nine rows");
      }
      return;
    }
    if (StartsWith(line, "手数")) return Telling();
    if (StartsWith(line, "変化：")) {
      if (phase_ == Phase::kIllegal) RejectIllegal();
      if (phase_ == Phase::kMoves) phase_ = Phase::kEnded;
      return;
    }
    if (StartsWith(line, "まで")) return Summary(line);
    std::string_view text = line;
    SkipBlanks(text);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc()) {
      text.remove_prefix(static_cast<size_t>(end - text.data()));
      SkipBlanks(text);
      return Numbered(line, number, text);
    }
    if (phase_ == Phase::kHeader) return Header(line);
    if (phase_ == Phase::kMoves && !text.empty() && line.find("：") == std::string_view::npos) {
      Reject("bad_line", QuoteText(line), "a numbered move, a comment or an end");
    }
  }

  // Lines that stand only before the moves: after moves they start another game.
  static bool OpensGame(std::string_view line) {
    return StartsWith(line, "#KIF") || StartsWith(line, "手合割：") ||
           StartsWith(line, "開始日時：") || StartsWith(line, "先手：");
  }

  void Telling() {
    if (game_line_ == 0) game_line_ = lines_.number();
  }

  void Header(std::string_view line) {
    if (line == "後手番" || line == "上手番") {
      start_line_ = lines_.number();
      return start_.SetWhiteToMove();
    }
    constexpr std::string_view kColon = "：";
    const size_t colon = line.find(kColon);
    if (colon == std::string_view::npos) return;
    Telling();
    const std::string_view key = line.substr(0, colon);
    const std::string_view value = TrimmedWide(line.substr(colon + kColon.size()));
    if (key == "手合割") {
      start_line_ = lines_.number();
      start_.SetHandicap(value);
    } else if (key == "先手の持駒" || key == "後手の持駒" || key == "下手の持駒" ||
               key == "上手の持駒") {
      start_.SetHand(value);
    } else if (key == "先手" || key == "下手") {
      game_.players[0] = std::string(value);
    } else if (key == "後手" || key == "上手") {
      game_.players[1] = std::string(value);
    } else if (key == "棋戦" || (key == "表題" && game_.event.empty())) {
      game_.event = std::string(value);
    } else if (key == "開始日時" || (key == "対局日" && game_.date.empty())) {
      game_.date = std::string(value);
    }
  }

  bool StartIsEven() {
    if (start_.IsEven()) return true;
    const int line = start_line_ > 0 ? start_line_ : game_line_;
    if (start_.IsHandicap()) {
      Reject("handicap", "a handicap start", "the even start position", line);
    } else {
      Reject("not_even_start", "another start position", "the even start position", line);
    }
    return false;
  }

  // "12 ８二飛(86) ( 0:01/00:00:10)" or "13 投了"; `text` is what follows the number.
  void Numbered(std::string_view line, int number, std::string_view text) {
    Telling();
    moved_ = true;
    if (phase_ == Phase::kHeader) {
      if (!StartIsEven()) return;
      phase_ = Phase::kMoves;
    }
    if (const EndWord* end = EndWordOf(text)) return EndOfGame(*end);
    if (phase_ == Phase::kIllegal) return RejectIllegal();
    if (phase_ != Phase::kMoves) return;
    if (number != replay_.plies() + 1) {
      return Reject("bad_move_number", std::to_string(number), std::to_string(replay_.plies() + 1));
    }
    const Square last_to = replay_.moves().empty() ? shogi::kNoSquare : replay_.moves().back().to();
    const std::optional<WrittenMove> written = ParseWritten(text, last_to);
    if (!written) {
      return Reject("malformed_move", QuoteText(Trimmed(line)),
                    "a move such as ７六歩(77), 同　銀(31) or ５五角打, or an end such as 投了");
    }
    Play(*written, line);
  }

  // The end that `text` names, up to a blank; null if it names none.
  static const EndWord* EndWordOf(std::string_view text) {
    const std::string_view word =
        TrimmedWide(text.substr(0, std::min(text.find(' '), text.find('('))));
    for (const EndWord& known : kEndWords) {
      if (word == known.word) return &known;
    }
    return nullptr;
  }

  void Play(const WrittenMove& written, std::string_view line) {
    const shogi::Position& position = replay_.position();
    const bool drops = written.from == shogi::kNoSquare;
    std::string expected;
    if (drops && written.piece > shogi::kGold) {
      expected = "a piece that can be in hand";
    } else if (!drops && shogi::TypeOf(position.piece(written.from)) != written.piece) {
      expected = "the piece that stands on the first square";
    } else {
      const Move move = drops ? Move::Drop(written.piece, written.to)
                              : Move::Board(written.from, written.to, written.promotes);
      if (replay_.Play(move)) return;
      expected = shogi::WhyIllegal(position, move);
    }
    illegal_ = {.code = "illegal_move",
                .file = std::string(file_),
                .line = lines_.number(),
                .found = QuoteText(Trimmed(line)),
                .expected = std::move(expected)};
    phase_ = Phase::kIllegal;
  }

  void RejectIllegal() {
    ++games_;
    phase_ = Phase::kRejected;
    sink_.reject(MakeProblem(illegal_));
  }

  void EndOfGame(const EndWord& end) {
    if (phase_ == Phase::kIllegal) {
      // The illegal move is not played, so its maker is still to move; both words tell of it.
      if (end.word != "反則勝ち" && end.word != "反則負け") return RejectIllegal();
      return SetEnd(end.word, End::kSideToMoveLost);
    }
    if (phase_ == Phase::kMoves) SetEnd(end.word, end.end);
  }

  // "まで96手で後手の勝ち": what some files have in place of an end word.
  void Summary(std::string_view line) {
    if (phase_ == Phase::kIllegal) return RejectIllegal();
    if (phase_ != Phase::kMoves) return;
    auto says = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
    End end = End::kUnknown;
    if (says("先手の勝ち")) end = End::kFirstWon;
    if (says("後手の勝ち")) end = End::kSecondWon;
    if (says("千日手")) end = End::kRepetition;
    if (says("持将棋")) end = End::kDraw;
    SetEnd(TrimmedWide(line), end);
  }

  void SetEnd(std::string_view word, End end) {
    game_.end = std::string(word);
    end_ = end;
    phase_ = Phase::kEnded;
  }

  void Finish() {
    if (game_line_ > 0) {
      if (phase_ == Phase::kIllegal) {
        RejectIllegal();
      } else if (phase_ != Phase::kRejected) {
        Accept();
      }
    }
    phase_ = Phase::kHeader;
    game_ = GameRecord();
    replay_.Restart();
    start_ = StartBoard();
    start_line_ = 0;
    end_ = End::kUnknown;
    game_line_ = 0;
    moved_ = false;
  }

  void Accept() {
    if (replay_.plies() == 0) {
      if (StartIsEven()) {
        Reject("no_moves", "a game without moves", "at least one move", game_line_);
      }
      return;
    }
    game_.line = game_line_;
    game_.moves = replay_.moves();
    game_.result = replay_.ResultOf(end_);
    ++games_;
    sink_.accept(std::move(game_));
  }

  void Reject(std::string_view code, std::string found, std::string expected, int line = 0) {
    ++games_;
    phase_ = Phase::kRejected;
    sink_.reject(MakeProblem({.code = std::string(code),
                              .file = std::string(file_),
                              .line = line > 0 ? line : lines_.number(),
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  const std::string_view file_;
  const RecordSink& sink_;
  Lines lines_;
  int games_ = 0;  // accepted or rejected

  // Of the game being read.
  Phase phase_ = Phase::kHeader;
  GameRecord game_;
  Replay replay_;
  StartBoard start_;
  int start_line_ = 0;  // what says that the start is not the even one
  End end_ = End::kUnknown;
  Problem illegal_;
  int game_line_ = 0;   // 0: nothing of it seen yet
  bool moved_ = false;  // a numbered line was seen, in whichever phase
};

}  // namespace

void ReadKif(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  if (IsUtf8(bytes)) return KifReader(WithoutBom(bytes), file, sink).Read();
  const absl::StatusOr<std::string> decoded = ShiftJisToUtf8(bytes);
  if (!decoded.ok()) return sink.reject(At(decoded.status(), file, 1));
  KifReader(*decoded, file, sink).Read();
}

}  // namespace joseki::book
