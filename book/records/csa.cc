#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/problem.h"
#include "book/records/csa_words.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "book/records/opinion.h"
#include "book/records/record.h"
#include "book/records/replay.h"
#include "engine/shogi/sfen.h"

// CSA, versions 1 to 3. All essential text is ASCII; names and events are decoded separately.

namespace joseki::book {
namespace {

using shogi::Piece;
using shogi::PieceType;
using shogi::Square;

struct ServerEndWord {
  std::string_view word;
  End end;
};

// Messages from a server to the players; a record may have them instead of the end word.
constexpr ServerEndWord kServerWords[] = {
    {"RESIGN", End::kSideToMoveLost},
    {"TIME_UP", End::kSideToMoveLost},
    {"ILLEGAL_MOVE", End::kSideToMoveLost},
    {"SENNICHITE", End::kRepetition},
    {"OUTE_SENNICHITE", End::kUnknown},  // the moves say who gave the checks
    {"MAX_MOVES", End::kDraw},
    {"CHUDAN", End::kUnknown},
};

// The square with these digits; kNoSquare if they are invalid.
Square SquareOf(char file, char rank) {
  if (file < '1' || file > '9' || rank < '1' || rank > '9') return shogi::kNoSquare;
  return shogi::MakeSquare(file - '0', rank - '0');
}

// A move as written; `from` is kNoSquare for a drop.
struct CsaMove {
  Square from = shogi::kNoSquare;
  Square to = shogi::kNoSquare;
  PieceType piece = shogi::kNoPieceType;  // piece type after the move
};

// Parses "+7776FU" or "-0055KA"; nullopt for any other form.
std::optional<CsaMove> FormOf(std::string_view text) {
  if (text.size() != 7) return std::nullopt;
  const CsaMove move{.from = SquareOf(text[1], text[2]),
                     .to = SquareOf(text[3], text[4]),
                     .piece = PieceOfCsa(text.substr(5))};
  const bool drop = text[1] == '0' && text[2] == '0';
  if (move.to == shogi::kNoSquare || move.piece == shogi::kNoPieceType) return std::nullopt;
  if (move.from == shogi::kNoSquare && !drop) return std::nullopt;
  return move;
}

// The start position, built from the P lines.
class StartBoard {
 public:
  void Clear() { *this = StartBoard(); }
  int line() const { return line_; }

  // Adds one P line; false if it is malformed.
  bool Add(std::string_view text, int line) {
    if (line_ == 0) line_ = line;
    if (text.size() < 2) return false;
    const char kind = text[1];
    text.remove_prefix(2);
    if (kind == 'I') return RemoveFromEven(text);
    if (kind >= '1' && kind <= '9') return SetRank(kind - '0', text);
    if (kind == '+' || kind == '-') return Place(kind == '+' ? shogi::kBlack : shogi::kWhite, text);
    return false;
  }

  bool IsEven(Color turn) const {
    return turn == shogi::kBlack && !hands_ && (line_ == 0 || IsEvenBoard(board_));
  }
  bool IsHandicap() const { return !hands_ && line_ > 0 && IsHandicapBoard(board_); }

 private:
  bool RemoveFromEven(std::string_view removed) {
    const shogi::Position even;
    for (Square s = 0; s < shogi::kSquareCount; ++s) board_[s] = even.piece(s);
    for (removed = Trimmed(removed); !removed.empty(); removed.remove_prefix(4)) {
      if (removed.size() < 4) return false;
      const Square s = SquareOf(removed[0], removed[1]);
      const PieceType type = PieceOfCsa(removed.substr(2, 2));
      if (s == shogi::kNoSquare || type == shogi::kNoPieceType ||
          shogi::TypeOf(board_[s]) != type) {
        return false;
      }
      board_[s] = shogi::kNoPiece;
    }
    return true;
  }

  // Nine squares, file 9 first: " * " or a sign and a piece. Blanks between them may be missing.
  bool SetRank(int rank, std::string_view text) {
    for (int file = 9; file >= 1; --file) {
      text = Trimmed(text);
      if (text.empty()) return false;
      const Square s = shogi::MakeSquare(file, rank);
      if (Take(text, "*")) {
        board_[s] = shogi::kNoPiece;
        continue;
      }
      if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return false;
      const PieceType type = PieceOfCsa(text.substr(1, 2));
      if (type == shogi::kNoPieceType) return false;
      board_[s] = shogi::MakePiece(text[0] == '+' ? shogi::kBlack : shogi::kWhite, type);
      text.remove_prefix(3);
    }
    return Trimmed(text).empty();
  }

  // Places pieces on squares; square 00 is the hand.
  bool Place(Color side, std::string_view text) {
    for (text = Trimmed(text); !text.empty(); text.remove_prefix(4)) {
      if (text.size() < 4) return false;
      // "00AL" puts all remaining pieces in hand; on the even board none remain.
      if (text.substr(0, 4) == "00AL") continue;
      const PieceType type = PieceOfCsa(text.substr(2, 2));
      if (type == shogi::kNoPieceType) return false;
      if (text[0] == '0' && text[1] == '0') {
        hands_ = true;
        continue;
      }
      const Square s = SquareOf(text[0], text[1]);
      if (s == shogi::kNoSquare) return false;
      board_[s] = shogi::MakePiece(side, type);
    }
    return true;
  }

  Piece board_[shogi::kSquareCount] = {};
  bool hands_ = false;
  int line_ = 0;  // of the first P line; 0: none
};

class CsaReader {
 public:
  CsaReader(std::string_view bytes, std::string_view file, const RecordSink& sink)
      : bytes_(bytes), file_(file), sink_(sink), lines_(WithoutBom(bytes)) {
    replay_.Keep(sink.positions);
  }

  void Read() {
    std::string_view line;
    while (lines_.Next(line)) Line(line);
    Finish();
    if (games_ == 0) Reject("no_moves", "a file without a game", "moves such as +7776FU");
  }

 private:
  enum class Phase {
    kHeader,
    kMoves,
    kIllegal,   // the last move is illegal; accepted if the record says so
    kEnded,     // ignores everything up to the next game
    kRejected,  // ignores everything up to the next game
  };

  void Line(std::string_view line) {
    if (line.empty()) return;
    switch (line[0]) {
      case '\'':
        return Comment(line);
      case 'V':
        if (line.size() > 1 && absl::ascii_isdigit(line[1])) return Telling(/*opens=*/true);
        break;
      case 'N':
        if (line.starts_with("N+") || line.starts_with("N-")) {
          Telling(/*opens=*/line[1] == '+');
          game_.players[line[1] == '+' ? 0 : 1] = Text(line.substr(2));
          return;
        }
        break;
      case '$':
        return Header(line);
      case '/':
        if (Trimmed(line) == "/") return Finish();
        break;
      case '#':
        return ServerWord(line.substr(1));
      case '+':
      case '-':
        // Fast path: most lines are a single move.
        if (const std::optional<CsaMove> move = FormOf(line)) return MoveText(line, move);
        return Statements(line);
      case 'P':
      case 'T':
      case '%':
        return Statements(line);
      default:
        break;
    }
    if (Trimmed(line).empty() || phase_ != Phase::kMoves) return;
    Reject("bad_line", Quote(line), "a move such as +7776FU, a time, a comment or a '%' word");
  }

  // A line may hold several statements, separated by commas.
  void Statements(std::string_view line) {
    while (!line.empty()) {
      const size_t end = std::min(line.find(','), line.size());
      const std::string_view statement = Trimmed(line.substr(0, end));
      line.remove_prefix(std::min(end + 1, line.size()));
      if (!statement.empty()) Statement(statement);
    }
  }

  void Statement(std::string_view text) {
    switch (text[0]) {
      case 'P':
        Telling(/*opens=*/text.starts_with("PI") || text.starts_with("P1"));
        if (phase_ == Phase::kHeader && !start_.Add(text, lines_.number())) {
          Reject("bad_position", Quote(text), "PI, P1 to P9, P+ or P- with squares and pieces");
        }
        return;
      case '+':
      case '-':
        if (text.size() == 1) {
          Telling(/*opens=*/false);
          turn_line_ = lines_.number();
          turn_ = text[0] == '+' ? shogi::kBlack : shogi::kWhite;
          return;
        }
        return MoveText(text, FormOf(text));
      case 'T':
        return;  // time used for the move
      case '%':
        return EndOfGame(text);
      default:
        if (phase_ == Phase::kMoves) {
          Reject("bad_line", Quote(text), "a move such as +7776FU, a time or a '%' word");
        }
    }
  }

  // Handles a statement of a game. A statement that opens a game ends the previous one if moves
  // have been read, since some files have no '/' between games.
  void Telling(bool opens) {
    if (opens && moved_) Finish();
    if (game_line_ == 0) game_line_ = lines_.number();
  }

  void Header(std::string_view line) {
    Telling(/*opens=*/false);
    if (Take(line, "$EVENT:")) game_.event = Text(line);
    if (Take(line, "$START_TIME:")) game_.date = Text(line);
  }

  void Comment(std::string_view line) {
    // Floodgate: 'black_rate:name:2775.0 and 'summary:toryo:name win:name lose, Black first.
    if (line.starts_with("'black_rate:")) return Rating(line, 0);
    if (line.starts_with("'white_rate:")) return Rating(line, 1);
    if (line.starts_with("'summary:")) Summary(line);
    if (line.starts_with("'**") && phase_ == Phase::kMoves) {
      TakeCsaOpinion(line.substr(1), replay_.plies(), game_.opinions);
    }
  }

  void Rating(std::string_view line, int side) {
    double rating = 0;
    line = Trimmed(line);
    line.remove_prefix(line.rfind(':') + 1);
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), rating);
    if (error != std::errc() || end != line.data() + line.size()) return;
    if (rating > -10'000 && rating < 10'000) {
      game_.ratings[side] = static_cast<int>(std::lround(rating));
    }
  }

  void Summary(std::string_view line) {
    line = Trimmed(line);
    const size_t last = line.rfind(':');
    const std::string_view black = line.substr(0, last);
    const std::string_view white = line.substr(last);
    auto ends = [](std::string_view text, std::string_view word) {
      return text.size() > word.size() && text.substr(text.size() - word.size()) == word;
    };
    if (ends(black, " win") && ends(white, " lose")) summary_ = Result::kFirstWins;
    if (ends(black, " lose") && ends(white, " win")) summary_ = Result::kSecondWins;
    if (ends(black, " draw") && ends(white, " draw")) summary_ = Result::kDraw;
    summary_word_ = line.substr(1, line.find(':', std::string_view("'summary:").size()) - 1);
  }

  // True if the moves start from the even position; rejects the game if not.
  bool StartIsEven() {
    if (start_.IsEven(turn_)) return true;
    const int line = start_.IsEven(shogi::kBlack) ? turn_line_ : start_.line();
    if (start_.IsHandicap()) {
      Reject("handicap", "a start without some of White's pieces", "the even start position", line);
    } else {
      Reject("not_even_start", "another start position", "the even start position", line);
    }
    return false;
  }

  void MoveText(std::string_view text, const std::optional<CsaMove>& written) {
    Telling(/*opens=*/false);
    moved_ = true;
    if (phase_ == Phase::kIllegal) return RejectIllegal();
    if (phase_ == Phase::kHeader) {
      if (!StartIsEven()) return;
      phase_ = Phase::kMoves;
    }
    if (phase_ != Phase::kMoves) return;
    if (!written) {
      return Reject("malformed_move", Quote(text),
                    "a sign, two squares and a piece, such as +7776FU or -0055KA");
    }
    const std::optional<Move> move = MoveOf(text, *written);
    if (!move || replay_.Play(*move)) return;
    Illegal(text, shogi::WhyIllegal(replay_.position(), *move));
  }

  // The move that is meant; it may be illegal. Other faults are handled by the caller.
  std::optional<Move> MoveOf(std::string_view text, const CsaMove& written) {
    const auto [from, to, type] = written;
    const Color us = replay_.position().side_to_move();
    if ((text[0] == '+') != (us == shogi::kBlack)) {
      Illegal(text, us == shogi::kBlack ? "a move of Black's" : "a move of White's");
      return std::nullopt;
    }
    if (from == shogi::kNoSquare) {
      if (type <= shogi::kGold) return Move::Drop(type, to);
      Illegal(text, "a piece that can be in hand");
      return std::nullopt;
    }
    // The record names the piece after the move, so promotion shows as a change of type.
    const Piece piece = replay_.position().piece(from);
    const PieceType before = shogi::TypeOf(piece);
    if (piece == shogi::kNoPiece || shogi::ColorOf(piece) != us) {
      Illegal(text, "a piece of the side to move on the first square");
      return std::nullopt;
    }
    if (type == before) return Move::Board(from, to);
    if (shogi::CanPromote(before) && shogi::Promoted(before) == type) {
      return Move::Board(from, to, /*promote=*/true);
    }
    Illegal(text, "the piece that stands on the first square");
    return std::nullopt;
  }

  void Illegal(std::string_view text, std::string expected) {
    illegal_ = {.code = "illegal_move",
                .file = std::string(file_),
                .line = lines_.number(),
                .found = Quote(text),
                .expected = std::move(expected)};
    phase_ = Phase::kIllegal;
  }

  void RejectIllegal() {
    ++games_;
    phase_ = Phase::kRejected;
    sink_.reject(MakeProblem(illegal_));
  }

  void EndOfGame(std::string_view text) {
    Telling(/*opens=*/false);
    moved_ = true;
    const std::string_view word = text.substr(1);
    if (phase_ == Phase::kHeader) {
      if (!StartIsEven()) return;
      return Reject("no_moves", Quote(text), "at least one move");
    }
    if (phase_ == Phase::kIllegal) {
      // The illegal move is not played, so the side that made it is still to move.
      const bool own_action =
          word == "+ILLEGAL_ACTION"
              ? replay_.position().side_to_move() == shogi::kBlack
              : word == "-ILLEGAL_ACTION" && replay_.position().side_to_move() == shogi::kWhite;
      if (word != "ILLEGAL_MOVE" && !own_action) return RejectIllegal();
      return SetEnd(text, End::kSideToMoveLost);
    }
    if (phase_ != Phase::kMoves) return;
    SetEnd(text, EndOfCsaWord(word));
  }

  void ServerWord(std::string_view word) {
    word = Trimmed(word);
    if (phase_ == Phase::kIllegal && word == "ILLEGAL_MOVE") {
      return SetEnd("#ILLEGAL_MOVE", End::kSideToMoveLost);
    }
    if (phase_ != Phase::kMoves) return;
    for (const ServerEndWord& known : kServerWords) {
      if (word == known.word) return SetEnd("#" + std::string(word), known.end);
    }
  }

  void SetEnd(std::string_view word, End end) {
    game_.end = std::string(word);
    end_ = end;
    phase_ = Phase::kEnded;
  }

  // Ends a game at a '/', at the start of another game, or at the end of the file.
  void Finish() {
    if (game_line_ > 0) {
      if (phase_ == Phase::kIllegal) {
        RejectIllegal();
      } else if (phase_ == Phase::kHeader) {
        if (StartIsEven()) {
          Reject("no_moves", "a game without moves", "at least one move", game_line_);
        }
      } else if (phase_ != Phase::kRejected) {
        Accept();
      }
    }
    phase_ = Phase::kHeader;
    game_ = GameRecord();
    replay_.Restart();
    start_.Clear();
    turn_ = shogi::kBlack;
    end_ = End::kUnknown;
    summary_ = Result::kNone;
    summary_word_ = {};
    game_line_ = 0;
    moved_ = false;
  }

  void Accept() {
    if (replay_.plies() == 0) {
      return Reject("no_moves", "a game whose first move is illegal", "at least one move",
                    illegal_.line);
    }
    game_.line = game_line_;
    game_.moves = replay_.moves();
    game_.positions = replay_.positions();
    game_.result = replay_.ResultOf(end_);
    // The server's own summary is used if the record has no result; it must not contradict the
    // record.
    if (game_.result == Result::kNone && game_.end.empty()) {
      game_.result = summary_;
      game_.end = std::string(summary_word_);
    } else if (summary_ != Result::kNone && summary_ != game_.result) {
      game_.result = Result::kNone;
    }
    ++games_;
    sink_.accept(std::move(game_));
  }

  void Reject(std::string_view code, std::string found, std::string expected, int line = 0) {
    ++games_;
    phase_ = Phase::kRejected;
    if (line == 0) line = lines_.number() > 0 ? lines_.number() : 1;
    sink_.reject(MakeProblem({.code = std::string(code),
                              .file = std::string(file_),
                              .line = line,
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  // Header text as UTF-8; empty if it cannot be decoded, as the moves do not depend on it.
  std::string Text(std::string_view text) {
    text = Trimmed(text);
    bool ascii = true;
    for (const char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    if (ascii) return std::string(text);
    // A short name is valid in either encoding; the whole file decides.
    if (!utf8_.has_value()) utf8_ = IsUtf8(bytes_);
    if (!*utf8_) {
      if (absl::StatusOr<std::string> decoded = ShiftJisToUtf8(text); decoded.ok()) return *decoded;
    }
    return IsUtf8(text) ? std::string(text) : std::string();
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const RecordSink& sink_;
  Lines lines_;
  std::optional<bool> utf8_;
  int games_ = 0;  // accepted or rejected

  // State of the game being read.
  Phase phase_ = Phase::kHeader;
  GameRecord game_;
  Replay replay_;
  StartBoard start_;
  Color turn_ = shogi::kBlack;
  int turn_line_ = 0;
  End end_ = End::kUnknown;
  Result summary_ = Result::kNone;
  std::string_view summary_word_;  // "summary:time up"
  Problem illegal_;
  int game_line_ = 0;   // 0: nothing of the game seen yet
  bool moved_ = false;  // a move or an end was seen, in any phase
};

}  // namespace

void ReadCsa(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  CsaReader(bytes, file, sink).Read();
}

}  // namespace joseki::book
