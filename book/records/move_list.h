#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/records/encoding.h"
#include "book/records/game_replay.h"
#include "book/records/lines.h"
#include "book/records/record.h"

namespace joseki::book {

// Reads lists of moves as a GUI sends them to an engine, one game a line:
//   [position] [startpos | <word> <position>] [moves] <move>... [<end>]
// `Game` supplies the differences between USI and UCCI:
//   Replay                             of the game (GameReplay)
//   kPositionWord                      "sfen" or "fen"
//   kExample                           of a line, for problems
//   ListOf(line)                       the part of a line that is such a list
//   TakePosition(rest)                 consumes the position's text, or returns its problem
//   EndOf(word)                        meaning of a word that ends the game; nullopt for others
//   MoveOf(word)                       a move by form alone
//   Parse(position, word)              as the rules' ParseMove: its problem
template <typename Game>
class MoveListReader {
 public:
  MoveListReader(std::string_view bytes, std::string_view file, const RecordSink& sink)
      : file_(file), sink_(sink), lines_(WithoutBom(bytes)) {
    replay_.Keep(sink.positions);
  }

  void Read() {
    bool any = false;
    std::string_view line;
    while (lines_.Next(line)) {
      const std::string_view text = Trimmed(Game::ListOf(line));
      if (text.empty() || text[0] == '#') continue;
      any = true;
      if (const absl::Status read = ReadGame(text); !read.ok()) {
        sink_.reject(At(read, file_, lines_.number()));
      }
    }
    if (!any) sink_.reject(At(NoMoves("a file without a game"), file_, 1));
  }

 private:
  static absl::Status NoMoves(std::string found) {
    return MakeProblem({.code = "no_moves",
                        .found = std::move(found),
                        .expected = std::string("moves such as ") + Game::kExample});
  }

  absl::Status ReadGame(std::string_view text) {
    RETURN_IF_ERROR(TakeStart(text));
    End end = End::kUnknown;
    std::string_view end_word;
    replay_.Restart();
    for (std::string_view word = NextWord(text); !word.empty(); word = NextWord(text)) {
      const std::optional<Move> move = Game::MoveOf(word);
      if (move && replay_.Play(*move)) continue;
      const std::optional<End> told = Game::EndOf(word);
      if (!told) return Game::Parse(replay_.position(), word).status();
      end = *told;
      end_word = word;
      if (const std::string_view more = NextWord(text); !more.empty()) {
        return MakeProblem({.code = "malformed_move",
                            .found = Quote(more),
                            .expected = "nothing after " + std::string(word)});
      }
    }
    if (replay_.plies() == 0) return NoMoves("a game without moves");
    GameRecord game;
    game.line = lines_.number();
    game.moves = replay_.moves();
    game.positions = replay_.positions();
    game.result = replay_.ResultOf(end);
    game.end = std::string(end_word);
    sink_.accept(std::move(game));
    return absl::OkStatus();
  }

  // Consumes the part of `text` before the first move.
  static absl::Status TakeStart(std::string_view& text) {
    std::string_view rest = text;
    std::string_view word = NextWord(rest);
    if (word == "position") {
      text = rest;
      word = NextWord(rest);
    }
    if (word == Game::kPositionWord) {
      RETURN_IF_ERROR(Game::TakePosition(rest));
      text = rest;
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
  typename Game::Replay replay_;
};

}  // namespace joseki::book
