#include <algorithm>
#include <optional>
#include <utility>

#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "book/records/record.h"
#include "book/records/replay.h"
#include "engine/shogi/sfen.h"

// USI move lists: one game a line, as a GUI sends it to an engine.

namespace joseki::book {
namespace {

class UsiReader {
 public:
  UsiReader(std::string_view bytes, std::string_view file, const RecordSink& sink)
      : file_(file), sink_(sink), lines_(WithoutBom(bytes)) {
    replay_.Keep(sink.positions);
  }

  void Read() {
    bool any = false;
    std::string_view line;
    while (lines_.Next(line)) {
      // What some book makers add after the moves: ", book_extend_ply=20".
      const std::string_view text = Trimmed(line.substr(0, line.find(',')));
      if (text.empty() || text[0] == '#') continue;
      any = true;
      if (const absl::Status read = Game(text); !read.ok()) {
        sink_.reject(At(read, file_, lines_.number()));
      }
    }
    if (!any) {
      sink_.reject(At(MakeProblem({.code = "no_moves",
                                   .found = "a file without a game",
                                   .expected = "moves such as startpos moves 7g7f"}),
                      file_, 1));
    }
  }

 private:
  absl::Status Game(std::string_view text) {
    if (const absl::Status start = Start(text); !start.ok()) return start;
    End end = End::kUnknown;
    std::string end_word;
    replay_.Restart();
    for (std::string_view word = NextWord(text); !word.empty(); word = NextWord(text)) {
      if (word == "resign" || word == "win") {
        end = word == "win" ? End::kSideToMoveWon : End::kSideToMoveLost;
        end_word = std::string(word);
        const std::string_view more = NextWord(text);
        if (more.empty()) break;
        return MakeProblem({.code = "malformed_move",
                            .found = Quote(more),
                            .expected = "nothing after " + end_word});
      }
      const std::optional<Move> move = shogi::MoveFromUsi(word);
      // ParseMove says what is wrong.
      if (!move || !replay_.Play(*move)) return shogi::ParseMove(replay_.position(), word).status();
    }
    if (replay_.plies() == 0) {
      return MakeProblem({.code = "no_moves",
                          .found = "a game without moves",
                          .expected = "moves such as startpos moves 7g7f"});
    }
    GameRecord game;
    game.line = lines_.number();
    game.moves = replay_.moves();
    game.positions = replay_.positions();
    game.result = replay_.ResultOf(end);
    game.end = std::move(end_word);
    sink_.accept(std::move(game));
    return absl::OkStatus();
  }

  // Takes "[position] [startpos | sfen ...] [moves]" off the front of `text`.
  absl::Status Start(std::string_view& text) {
    std::string_view rest = text;
    std::string_view word = NextWord(rest);
    if (word == "position") {
      text = rest;
      word = NextWord(rest);
    }
    if (word == "sfen") {
      // Board, side, hands and ply; the ply may be missing.
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
      size_t length = 0;
      for (int field = 0; field < 4; ++field) {
        std::string_view after = rest.substr(length);
        const std::string_view value = NextWord(after);
        if (value.empty() || value == "moves" || (field == 3 && value[0] > '9')) break;
        if (field == 3 && value.size() > 2 && shogi::MoveFromUsi(value)) break;
        length = rest.size() - after.size();
      }
      const auto sfen = shogi::ParseSfen(rest.substr(0, length));
      if (!sfen.ok()) return sfen.status();
      if (shogi::ToSfen(sfen->position, 1) != shogi::kStartSfen) {
        return MakeProblem({.code = "not_even_start",
                            .found = Quote(rest.substr(0, length), 120),
                            .expected = "the even start position"});
      }
      text = rest.substr(length);
    } else if (word == "startpos") {
      text = rest;
    }
    rest = text;
    if (NextWord(rest) == "moves") text = rest;
    return absl::OkStatus();
  }

  const std::string_view file_;
  const RecordSink& sink_;
  Lines lines_;
  Replay replay_;
};

}  // namespace

void ReadUsi(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  UsiReader(bytes, file, sink).Read();
}

}  // namespace joseki::book
