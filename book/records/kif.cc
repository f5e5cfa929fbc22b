#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/japanese.h"
#include "book/records/kif_games.h"
#include "book/records/lines.h"
#include "book/records/opinion.h"
#include "book/records/record.h"
#include "book/records/relative_move.h"
#include "book/records/replay.h"
#include "engine/shogi/sfen.h"

// KIF and KI2, which differ only in how moves are written. The reader works on UTF-8; a Shift_JIS
// file is decoded first. In a file with variations the main line is the game.

namespace joseki::book {
namespace {

using shogi::PieceType;
using shogi::Square;

// A move as written; `from` is kNoSquare for a drop.
struct KifMove {
  Square to = shogi::kNoSquare;
  Square from = shogi::kNoSquare;
  PieceType piece = shogi::kNoPieceType;
  bool promotes = false;
};

// Nullopt if malformed; end words are no moves. `last_to` is the square of 同.
std::optional<KifMove> ParseWritten(std::string_view text, Square last_to) {
  KifMove move;
  move.to = TakeSquare(text, last_to);
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

// KI2's marks for the moving side, Black's first.
constexpr std::string_view kBlackMarks[] = {"▲", "☗"};
constexpr std::string_view kWhiteMarks[] = {"△", "☖", "▽"};

// Consumes such a mark; nullopt if there is none.
std::optional<Color> TakeMark(std::string_view& text) {
  for (const std::string_view mark : kBlackMarks) {
    if (Take(text, mark)) return shogi::kBlack;
  }
  for (const std::string_view mark : kWhiteMarks) {
    if (Take(text, mark)) return shogi::kWhite;
  }
  return std::nullopt;
}

class KifReader {
 public:
  // `relative`: moves are written as in KI2.
  KifReader(std::string_view utf8, bool relative, std::string_view file, const RecordSink& sink)
      : file_(file), relative_(relative), sink_(sink), lines_(utf8) {
    replay_.Keep(sink.positions);
  }

  void Read() {
    std::string_view line;
    while (lines_.Next(line)) Line(line);
    Finish();
    if (games_ == 0) {
      Reject("no_moves", "a file without a game",
             relative_ ? "moves such as ▲７六歩" : "numbered moves", 1);
    }
  }

 private:
  enum class Phase {
    kHeader,
    kMoves,
    kIllegal,  // the last move is illegal; accepted if the record says so
    kEnded,    // only variations may follow
    // The game has been given; inside a variation, or after one that ended or was rejected.
    kVaried,
    kRejected,  // ignores everything up to the next game
  };

  void Line(std::string_view line) {
    if (line.empty()) return;
    // Fast path: most lines are moves of KIF, and no other line begins like one.
    if (!relative_ && (line[0] == ' ' || absl::ascii_isdigit(line[0])) && Number(line)) return;
    if (moved_ && OpensKifGame(line)) Finish();
    if (line[0] == '&' || line[0] == '#') return;
    if (line[0] == '*') {
      if (phase_ == Phase::kMoves) TakeOpinion(line.substr(1), replay_.plies(), game_.opinions);
      return;
    }
    if (line[0] == '|') {
      Telling();
      if (phase_ == Phase::kHeader && !start_.AddRow(line)) {
        Reject("bad_position", QuoteText(line), "nine squares in each of nine rows");
      }
      return;
    }
    if (line.starts_with("手数")) return Telling();
    std::string_view text = line;
    if (Take(text, "変化：")) return Variation(line, text);
    if (line.starts_with("まで")) return Summary(line);
    SkipBlanks(text);
    if (relative_) {
      std::string_view rest = text;
      if (TakeMark(rest).has_value()) return Marked(text);
    } else if (Number(line)) {
      return;
    }
    if (phase_ == Phase::kHeader) return Header(line);
    if (Plays() && !text.empty() && line.find("：") == std::string_view::npos) {
      Reject("bad_line", QuoteText(line), "a move, a comment or an end");
    }
  }

  // Reads a KIF line of a number and a move or an end; false for any other line.
  bool Number(std::string_view line) {
    std::string_view text = line;
    SkipBlanks(text);
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    SkipBlanks(text);
    Numbered(line, number, text);
    return true;
  }

  // True while moves of a game or a variation are read.
  bool Plays() const {
    return phase_ == Phase::kMoves || (phase_ == Phase::kVaried && varied_.has_value());
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

  // Begins the moves on the first call; false if the game is rejected.
  bool BeginMoves() {
    Telling();
    moved_ = true;
    if (phase_ == Phase::kHeader) {
      if (!StartIsEven()) return false;
      phase_ = Phase::kMoves;
    }
    return true;
  }

  Square LastTo() const {
    return replay_.moves().empty() ? shogi::kNoSquare : replay_.moves().back().to();
  }

  // "12 ８二飛(86) ( 0:01/00:00:10)" or "13 投了"; `text` is the part after the number.
  void Numbered(std::string_view line, int number, std::string_view text) {
    if (!BeginMoves()) return;
    const std::optional<KifMove> written = ParseWritten(text, LastTo());
    if (!written) {
      const std::string_view word =
          TrimmedWide(text.substr(0, std::min(text.find(' '), text.find('('))));
      if (const auto end = EndOfWord(word)) return EndOfGame(word, *end);
    }
    if (phase_ == Phase::kIllegal) return RejectIllegal();
    if (!Plays()) return;
    if (number != replay_.plies() + 1) {
      return Reject("bad_move_number", std::to_string(number), std::to_string(replay_.plies() + 1));
    }
    if (!written) {
      return Reject("malformed_move", QuoteText(Trimmed(line)),
                    "a move such as ７六歩(77), 同　銀(31) or ５五角打, or an end such as 投了");
    }
    Play(*written, line);
  }

  // KI2's "▲７六歩 △３四歩", any number of moves.
  void Marked(std::string_view text) {
    if (!BeginMoves()) return;
    for (SkipBlanks(text); !text.empty(); SkipBlanks(text)) {
      if (phase_ == Phase::kIllegal) return RejectIllegal();
      if (!Plays()) return;
      std::string_view rest = text;
      const std::optional<Color> side = TakeMark(rest);
      SkipBlanks(rest);
      const auto end_of = [&] { return text.substr(0, text.size() - rest.size()); };
      if (const auto end = EndOfWord(TrimmedWide(rest))) return EndOfGame(TrimmedWide(rest), *end);
      const std::optional<RelativeMove> written =
          side.has_value() ? TakeRelativeMove(rest, LastTo()) : std::nullopt;
      if (!written) {
        return Reject("malformed_move", QuoteText(text),
                      "a move such as ▲７六歩, △同　銀左 or ▲５五角打");
      }
      const Color us = replay_.position().side_to_move();
      if (*side != us) {
        Illegal(end_of(), us == shogi::kBlack ? "a move of Black's" : "a move of White's");
      } else if (const absl::StatusOr<Move> move = Resolve(replay_.position(), *written);
                 !move.ok()) {
        const Problem problem = ProblemOf(move.status());
        if (problem.code == "ambiguous_move") {
          return Reject(problem.code, QuoteText(end_of()), "a move that one piece alone can make");
        }
        Illegal(end_of(), problem.expected);
      } else {
        replay_.Play(*move);
      }
      text = rest;
    }
  }

  void Play(const KifMove& written, std::string_view line) {
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
    Illegal(Trimmed(line), std::move(expected));
  }

  void Illegal(std::string_view text, std::string expected) {
    if (phase_ == Phase::kVaried) {
      return Reject("illegal_move", QuoteText(text), std::move(expected));
    }
    illegal_ = {.code = "illegal_move",
                .file = std::string(file_),
                .line = lines_.number(),
                .found = QuoteText(text),
                .expected = std::move(expected)};
    phase_ = Phase::kIllegal;
  }

  void RejectIllegal() {
    ++games_;
    phase_ = Phase::kRejected;
    sink_.reject(MakeProblem(illegal_));
  }

  void EndOfGame(std::string_view word, End end) {
    if (phase_ == Phase::kVaried) return GiveVariation();
    if (phase_ == Phase::kIllegal) {
      // The illegal move is not played, so the side that made it is still to move. Both words
      // report it.
      if (word != "反則勝ち" && word != "反則負け") return RejectIllegal();
      return SetEnd(word, End::kSideToMoveLost);
    }
    if (phase_ == Phase::kMoves) SetEnd(word, end);
  }

  // "まで96手で後手の勝ち", which some files have instead of an end word.
  void Summary(std::string_view line) {
    if (phase_ == Phase::kVaried) return GiveVariation();
    if (phase_ == Phase::kIllegal) {
      if (line.find("反則") == std::string_view::npos) return RejectIllegal();
      return SetEnd(TrimmedWide(line), End::kSideToMoveLost);
    }
    if (phase_ == Phase::kMoves) SetEnd(TrimmedWide(line), EndOfSummary(line));
  }

  // "変化：8手": the following moves leave the preceding line at its eighth ply.
  void Variation(std::string_view line, std::string_view text) {
    if (phase_ == Phase::kIllegal) RejectIllegal();
    if (phase_ == Phase::kMoves || phase_ == Phase::kEnded) {
      Accept();
      if (phase_ == Phase::kRejected) return;
      phase_ = Phase::kVaried;
    }
    if (phase_ != Phase::kVaried || !sink_.variation) return;
    GiveVariation();
    SkipBlanks(text);
    int ply = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ply);
    if (error != std::errc() || ply < 1 || ply > replay_.plies() + 1) {
      return Reject("bad_variation", QuoteText(line),
                    "a ply of the line before it, 1 to " + std::to_string(replay_.plies() + 1));
    }
    replay_.BackTo(ply - 1);
    varied_ = {.line = lines_.number(), .first = ply, .moves = {}};
  }

  // Ends the current variation and gives it to the sink.
  void GiveVariation() {
    if (!varied_.has_value()) return;
    varied_->moves = replay_.moves();
    if (replay_.plies() >= varied_->first) sink_.variation(*std::move(varied_));
    varied_.reset();
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
      } else if (phase_ == Phase::kVaried) {
        GiveVariation();
      } else if (phase_ != Phase::kRejected) {
        Accept();
      }
    }
    phase_ = Phase::kHeader;
    game_ = GameRecord();
    replay_.Restart();
    start_ = DiagramBoard();
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
    game_.positions = replay_.positions();
    game_.result = replay_.ResultOf(end_);
    ++games_;
    sink_.accept(std::move(game_));
  }

  // Rejects the game or, inside a variation, the rest of the variation.
  void Reject(std::string_view code, std::string found, std::string expected, int line = 0) {
    if (phase_ == Phase::kVaried) {
      GiveVariation();
    } else {
      ++games_;
      phase_ = Phase::kRejected;
    }
    sink_.reject(MakeProblem({.code = std::string(code),
                              .file = std::string(file_),
                              .line = line > 0 ? line : lines_.number(),
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  const std::string_view file_;
  const bool relative_;
  const RecordSink& sink_;
  Lines lines_;
  int games_ = 0;  // accepted or rejected

  // State of the game being read.
  Phase phase_ = Phase::kHeader;
  GameRecord game_;
  Replay replay_;
  DiagramBoard start_;
  int start_line_ = 0;  // line that says that the start is not the even position
  End end_ = End::kUnknown;
  Problem illegal_;
  std::optional<book::Variation> varied_;  // the current variation
  int game_line_ = 0;                      // 0: nothing of the game seen yet
  bool moved_ = false;                     // a move or an end was seen, in any phase
};

void Read(std::string_view bytes, bool relative, std::string_view file, const RecordSink& sink) {
  if (IsUtf8(bytes)) return KifReader(WithoutBom(bytes), relative, file, sink).Read();
  const absl::StatusOr<std::string> decoded = ShiftJisToUtf8(bytes);
  if (!decoded.ok()) return sink.reject(At(decoded.status(), file, 1));
  KifReader(*decoded, relative, file, sink).Read();
}

}  // namespace

void ReadKif(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  Read(bytes, /*relative=*/false, file, sink);
}

void ReadKi2(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  Read(bytes, /*relative=*/true, file, sink);
}

}  // namespace joseki::book
