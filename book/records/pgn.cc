#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "book/records/pgn_games.h"
#include "book/records/record.h"
#include "book/records/xiangqi_notation.h"
#include "book/records/xiangqi_replay.h"
#include "book/records/xiangqi_words.h"

// PGN for xiangqi: tags, then numbered moves in any of three notations, then the result.

namespace joseki::book {
namespace {

constexpr std::string_view kIdeographicBlank = "　";
constexpr std::string_view kEllipsis = "…";

struct Tag {
  std::string_view name;
  std::string_view value;
};

// REQUIRES: `line` is a tag (IsPgnTag) as PgnLine gives it.
Tag TagOf(std::string_view line) {
  line.remove_prefix(1);
  line = line.substr(0, line.rfind(']'));
  Tag tag{.name = line.substr(0, line.find_first_of(" \t\"")), .value = {}};
  const size_t open = line.find('"');
  const size_t close = line.rfind('"');
  if (close > open) tag.value = Trimmed(line.substr(open + 1, close - open - 1));
  return tag;
}

// True if the value of a tag "Game" names xiangqi.
bool NamesXiangqi(std::string_view value) {
  std::string lower(value);
  absl::AsciiStrToLower(&lower);
  return lower == "chinese chess" || lower == "xiangqi" || lower == "中国象棋" || lower == "象棋";
}

bool EndsWord(char c) {
  switch (c) {
    case ' ':
    case '\t':
    case '{':
    case '}':
    case '(':
    case ')':
    case ';':
      return true;
    default:
      return false;
  }
}

// Length of the word at the front of `line`. REQUIRES: no leading blank.
size_t WordLength(std::string_view line) {
  size_t length = 0;
  while (length < line.size() && !EndsWord(line[length]) &&
         (line[length] != kIdeographicBlank[0] ||
          !line.substr(length).starts_with(kIdeographicBlank))) {
    ++length;
  }
  return length;
}

class PgnReader {
 public:
  PgnReader(std::string_view utf8, std::string_view file, const RecordSink& sink)
      : file_(file), sink_(sink), lines_(utf8) {
    replay_.Keep(sink.positions);
  }

  void Read() {
    std::string_view line;
    while (lines_.Next(line)) {
      line = PgnLine(line);
      if (IsPgnTag(line)) {
        if (state_ != State::kTags) Begin();
        TakeTag(TagOf(line));
      } else if (state_ != State::kNone && !line.empty()) {
        if (state_ == State::kTags) state_ = State::kMoves;
        TakeText(line);
      }
    }
    Finish();
    if (!any_) {
      sink_.reject(At(MakeProblem({.code = "no_moves",
                                   .found = "a file without a game",
                                   .expected = "tags and moves of PGN"}),
                      file_, 1));
    }
  }

 private:
  enum class State {
    kNone,   // no game has begun
    kTags,   // reading its tags
    kMoves,  // reading its moves
    kOver    // after its result; text is ignored
  };

  void Begin() {
    Finish();
    any_ = true;
    state_ = State::kTags;
    game_ = {};
    game_.line = lines_.number();
    end_ = End::kUnknown;
    depth_ = 0;
    comment_ = false;
    replay_.Restart();
  }

  // Gives the current game, if there is one that was not rejected.
  void Finish() {
    if (state_ == State::kNone || rejected_) {
      rejected_ = false;
      return;
    }
    if (replay_.plies() == 0) {
      Reject(MakeProblem({.code = "no_moves",
                          .found = "a game without moves",
                          .expected = "moves such as 1. H2-E2"}),
             game_.line);
      rejected_ = false;
      return;
    }
    game_.moves = replay_.moves();
    game_.positions = replay_.positions();
    game_.result = replay_.ResultOf(end_);
    sink_.accept(std::move(game_));
  }

  void Reject(const absl::Status& problem, int line) {
    sink_.reject(At(problem, file_, line));
    rejected_ = true;
  }

  void TakeTag(const Tag& tag) {
    if (rejected_) return;
    if (tag.name == "Game") {
      if (NamesXiangqi(tag.value)) return;
      Reject(
          MakeProblem(
              {.code = "other_game", .found = QuoteText(tag.value), .expected = "Chinese Chess"}),
          lines_.number());
    } else if (tag.name == "FEN") {
      const absl::Status even = CheckEvenStart(tag.value);
      if (!even.ok()) Reject(even, lines_.number());
    } else if (tag.name == "Result") {
      TakeEnd(tag.value);
    } else if (tag.name == "Event") {
      game_.event = std::string(tag.value);
    } else if (tag.name == "Date") {
      game_.date = std::string(tag.value);
    } else if (tag.name == "Red" || tag.name == "White") {
      game_.players[0] = std::string(tag.value);
    } else if (tag.name == "Black") {
      game_.players[1] = std::string(tag.value);
    } else if (tag.name == "RedElo" || tag.name == "WhiteElo") {
      TakeRating(tag.value, 0);
    } else if (tag.name == "BlackElo") {
      TakeRating(tag.value, 1);
    }
  }

  void TakeRating(std::string_view value, size_t side) {
    int rating = 0;
    if (absl::SimpleAtoi(std::string(value), &rating) && rating > 0) game_.ratings[side] = rating;
  }

  // A result after the moves overrides the tag's, unless it is "*".
  bool TakeEnd(std::string_view word) {
    const std::optional<End> end = EndOfResult(word);
    if (!end) return false;
    if (*end != End::kUnknown || game_.end.empty()) {
      end_ = *end;
      game_.end = std::string(word);
    }
    return true;
  }

  void TakeText(std::string_view line) {
    while (!line.empty()) {
      if (comment_) {
        const size_t close = line.find('}');
        if (close == std::string_view::npos) return;
        line.remove_prefix(close + 1);
        comment_ = false;
        continue;
      }
      const char c = line[0];
      if (c == ';') return;
      if (c == '{' || c == '}' || c == '(' || c == ')' || c == ' ' || c == '\t') {
        if (c == '{') comment_ = true;
        if (c == '(') ++depth_;
        if (c == ')') depth_ = std::max(0, depth_ - 1);
        line.remove_prefix(1);
        continue;
      }
      if (Take(line, kIdeographicBlank)) continue;
      const std::string_view word = line.substr(0, WordLength(line));
      line.remove_prefix(word.size());
      if (depth_ == 0 && state_ == State::kMoves && !rejected_) TakeWord(word);
    }
  }

  void TakeWord(std::string_view word) {
    if (word[0] == '$') return;  // annotation of the move
    if (TakeEnd(word)) {
      state_ = State::kOver;
      return;
    }
    TakeNumber(word);
    while (!word.empty() && (word.back() == '!' || word.back() == '?')) word.remove_suffix(1);
    if (word.empty()) return;
    // Fast path: ICCS needs a single legality test.
    const std::optional<Move> move = MoveOfSquares(word);
    if (move && replay_.Play(*move)) return;
    const absl::StatusOr<Move> parsed = ParseNotation(replay_.position(), word);
    if (!parsed.ok()) {
      Reject(parsed.status(), lines_.number());
      return;
    }
    replay_.Play(*parsed);
  }

  // Consumes "12.", "12...", a bare "12", and signs for an omitted move.
  static void TakeNumber(std::string_view& word) {
    const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    if (digits == word.size() || word[digits] == '.') word.remove_prefix(digits);
    while (Take(word, ".") || Take(word, kEllipsis)) continue;
  }

  const std::string_view file_;
  const RecordSink& sink_;
  Lines lines_;
  XiangqiReplay replay_;
  State state_ = State::kNone;
  bool any_ = false;       // a game has begun
  bool rejected_ = false;  // the current game is
  bool comment_ = false;   // inside a comment
  int depth_ = 0;          // nesting of variations, which are skipped
  End end_ = End::kUnknown;
  GameRecord game_;
};

}  // namespace

void ReadPgn(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  bytes = WithoutBom(bytes);
  if (IsUtf8(bytes)) return PgnReader(bytes, file, sink).Read();
  const absl::StatusOr<std::string> text = Gb18030ToUtf8(bytes);
  if (!text.ok()) return sink.reject(At(text.status(), file, 1));
  PgnReader(*text, file, sink).Read();
}

}  // namespace joseki::book
