#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/problem.h"
#include "book/records/csa_words.h"
#include "book/records/encoding.h"
#include "book/records/opinion.h"
#include "book/records/record.h"
#include "book/records/relative_move.h"
#include "book/records/replay.h"
#include "engine/shogi/sfen.h"
#include "nlohmann/json.hpp"

// JKF, a record as one JSON object. The parser drops positions in the file, so problems name a move
// by its place in the object.

namespace joseki::book {
namespace {

using Json = nlohmann::json;
using shogi::PieceType;
using shogi::Square;

// Maximum nesting of variations.
constexpr int kDeepest = 64;

// The member `key` of an object; null if it is missing.
const Json* Member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

// The text of a member; empty if it is missing or not a string.
std::string Text(const Json* object, const char* key) {
  const Json* const member = object == nullptr ? nullptr : Member(*object, key);
  return member != nullptr && member->is_string() ? member->get<std::string>() : std::string();
}

bool IsTrue(const Json& object, const char* key) {
  const Json* const member = Member(object, key);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

// Square of {"x": 7, "y": 6}; kNoSquare if invalid.
Square SquareOf(const Json& place) {
  const Json* const x = Member(place, "x");
  const Json* const y = Member(place, "y");
  const auto digit = [](const Json* number) -> int64_t {
    return number != nullptr && number->is_number_integer() ? number->get<int64_t>() : 0;
  };
  const int64_t file = digit(x);
  const int64_t rank = digit(y);
  if (file < 1 || file > 9 || rank < 1 || rank > 9) return shogi::kNoSquare;
  return shogi::MakeSquare(static_cast<int>(file), static_cast<int>(rank));
}

class JkfReader {
 public:
  JkfReader(std::string_view file, const RecordSink& sink) : file_(file), sink_(sink) {
    replay_.Keep(sink.positions);
  }

  void Read(const Json& json) {
    const Json* const moves = Member(json, "moves");
    if (moves == nullptr || !moves->is_array()) {
      return Reject("bad_json", "no array \"moves\"", "an object with header, initial and moves");
    }
    const Json* const header = Member(json, "header");
    game_.players[0] = Text(header, "先手");
    game_.players[1] = Text(header, "後手");
    game_.event = Text(header, "棋戦");
    if (game_.event.empty()) game_.event = Text(header, "表題");
    game_.date = Text(header, "開始日時");
    if (game_.date.empty()) game_.date = Text(header, "対局日");
    if (!StartIsEven(Member(json, "initial"))) return;
    if (Line(*moves, 1, "moves", /*main=*/true)) Accept();
    if (!accepted_ || !sink_.variation) return;
    Forks(*moves, 0, 1, "moves", 1);
  }

 private:
  bool StartIsEven(const Json* initial) {
    if (initial == nullptr || initial->is_null()) return true;
    const std::string preset = Text(initial, "preset");
    if (preset == "HIRATE") return true;
    if (preset != "OTHER" && !preset.empty()) {
      Reject("handicap", QuoteText("preset " + preset), "the even start position");
      return false;
    }
    return BoardIsEven(Member(*initial, "data"));
  }

  // {"board": [[{color, kind}, 9 ranks], 9 files], "color": 0, "hands": [{}, {}]}.
  bool BoardIsEven(const Json* data) {
    const Json* const board = data == nullptr ? nullptr : Member(*data, "board");
    if (board == nullptr || !board->is_array() || board->size() != 9) {
      Reject("bad_position", "preset OTHER without a board", "nine files of nine squares");
      return false;
    }
    shogi::Piece pieces[shogi::kSquareCount] = {};
    for (int file = 1; file <= 9; ++file) {
      const Json& squares = (*board)[static_cast<size_t>(file - 1)];
      if (!squares.is_array() || squares.size() != 9) {
        Reject("bad_position", absl::StrCat("file ", file), "nine squares");
        return false;
      }
      for (int rank = 1; rank <= 9; ++rank) {
        const Json& square = squares[static_cast<size_t>(rank - 1)];
        const std::string kind = Text(&square, "kind");
        if (kind.empty()) continue;
        const PieceType type = PieceOfCsa(kind);
        const std::optional<Color> side = ColorOf(square);
        if (type == shogi::kNoPieceType || !side) {
          Reject("bad_position", QuoteText(kind), "a piece of CSA's with its color, 0 or 1");
          return false;
        }
        pieces[shogi::MakeSquare(file, rank)] = shogi::MakePiece(*side, type);
      }
    }
    const bool white = ColorOf(*data).value_or(shogi::kBlack) == shogi::kWhite;
    if (IsEvenBoard(pieces) && !white) return true;
    if (IsHandicapBoard(pieces)) {
      Reject("handicap", "a start without some of White's pieces", "the even start position");
    } else {
      Reject("not_even_start", "another start position", "the even start position");
    }
    return false;
  }

  static std::optional<Color> ColorOf(const Json& object) {
    const Json* const color = Member(object, "color");
    if (color == nullptr || !color->is_number_integer()) return std::nullopt;
    const auto number = color->get<int64_t>();
    if (number != 0 && number != 1) return std::nullopt;
    return number == 0 ? shogi::kBlack : shogi::kWhite;
  }

  // Plays the moves of a line from index `from`; false if it was rejected. Comments and end are
  // taken from a main line only.
  bool Line(const Json& line, size_t from, const std::string& name, bool main) {
    if (main && !line.empty()) Comments(line[0]);
    for (size_t i = from; i < line.size(); ++i) {
      const Json& entry = line[i];
      const std::string place = absl::StrCat(name, "[", i, "]");
      if (const std::string special = Text(&entry, "special"); !special.empty()) {
        if (main) SetEnd(special);
        return true;
      }
      const Json* const move = Member(entry, "move");
      if (move == nullptr) {
        // An entry without a move: comments after the last one.
        if (i + 1 == line.size()) return true;
        Reject("malformed_move", place + " without a move", "a move or a special end");
        return false;
      }
      const absl::StatusOr<Move> parsed = MoveOf(*move);
      if (!parsed.ok()) {
        const Problem problem = ProblemOf(parsed.status());
        if (main && problem.code == "illegal_move" && TellsOfFoul(line, i + 1)) {
          // The illegal move is not played, so the side that made it is still to move.
          game_.end = Text(&line[i + 1], "special");
          end_ = End::kSideToMoveLost;
          return true;
        }
        Reject(problem.code, absl::StrCat(place, ": ", problem.found), problem.expected);
        return false;
      }
      replay_.Play(*parsed);
      if (main) Comments(entry);
    }
    return true;
  }

  bool TellsOfFoul(const Json& line, size_t i) const {
    if (i >= line.size()) return false;
    const std::string word = Text(&line[i], "special");
    const bool black = replay_.position().side_to_move() == shogi::kBlack;
    return word == "ILLEGAL_MOVE" || word == (black ? "+ILLEGAL_ACTION" : "-ILLEGAL_ACTION");
  }

  void SetEnd(const std::string& special) {
    game_.end = special;
    end_ = EndOfCsaWord(special);
  }

  void Comments(const Json& entry) {
    const Json* const comments = Member(entry, "comments");
    if (comments == nullptr || !comments->is_array()) return;
    for (const Json& comment : *comments) {
      if (comment.is_string()) {
        TakeOpinion(comment.get_ref<const std::string&>(), replay_.plies(), game_.opinions);
      }
    }
  }

  // The legal move that {color, from, to, piece, same, promote, relative} names here.
  absl::StatusOr<Move> MoveOf(const Json& move) {
    const shogi::Position& position = replay_.position();
    const Color us = position.side_to_move();
    if (const auto side = ColorOf(move); side.has_value() && *side != us) {
      return Illegal(us == shogi::kBlack ? "a move of White's" : "a move of Black's",
                     us == shogi::kBlack ? "a move of Black's" : "a move of White's");
    }
    RelativeMove written;
    const Json* const to = Member(move, "to");
    if (to != nullptr) {
      written.to = SquareOf(*to);
    } else if (IsTrue(move, "same") && replay_.plies() > 0) {
      written.to = replay_.moves().back().to();
    }
    written.piece = PieceOfCsa(Text(&move, "piece"));
    written.promote = IsTrue(move, "promote");
    const Json* const from_place = Member(move, "from");
    const Square from = from_place == nullptr ? shogi::kNoSquare : SquareOf(*from_place);
    if (written.to == shogi::kNoSquare || written.piece == shogi::kNoPieceType ||
        (from_place != nullptr && from == shogi::kNoSquare)) {
      return Malformed("a move without its piece or square");
    }
    if (from_place != nullptr) {
      if (position.piece(from) != shogi::MakePiece(us, written.piece)) {
        return Illegal("another piece on the first square", "the piece that stands there");
      }
      const Move played = Move::Board(from, written.to, written.promote);
      if (position.IsLegal(played)) return played;
      return Illegal(shogi::ToUsi(played), shogi::WhyIllegal(position, played));
    }
    for (const char letter : Text(&move, "relative")) {
      if (!Relate(letter, written)) return Malformed("an unknown letter in \"relative\"");
    }
    return Resolve(position, written);
  }

  static bool Relate(char letter, RelativeMove& move) {
    switch (letter) {
      case 'L':
        move.side = RelativeMove::Side::kLeft;
        return true;
      case 'C':
        move.side = RelativeMove::Side::kStraight;
        return true;
      case 'R':
        move.side = RelativeMove::Side::kRight;
        return true;
      case 'U':
        move.way = RelativeMove::Way::kUp;
        return true;
      case 'M':
        move.way = RelativeMove::Way::kLevel;
        return true;
      case 'D':
        move.way = RelativeMove::Way::kDown;
        return true;
      case 'H':
        move.drop = true;
        return true;
      default:
        return false;
    }
  }

  static absl::Status Illegal(std::string found, std::string expected) {
    return MakeProblem(
        {.code = "illegal_move", .found = std::move(found), .expected = std::move(expected)});
  }
  static absl::Status Malformed(std::string found) {
    return MakeProblem({.code = "malformed_move",
                        .found = std::move(found),
                        .expected = "a piece of CSA's, a square \"to\" and perhaps \"from\""});
  }

  void Accept() {
    if (replay_.plies() == 0) {
      return Reject("no_moves", "a game without moves", "at least one move");
    }
    game_.moves = replay_.moves();
    game_.positions = replay_.positions();
    game_.result = replay_.ResultOf(end_);
    accepted_ = true;
    sink_.accept(std::move(game_));
  }

  // Reads the variations of a line whose entry i + 1 is at ply first_ply + i; entry `lead` is the
  // first move. REQUIRES: replay_ has played the line.
  void Forks(const Json& line, size_t lead, int first_ply, const std::string& name, int depth) {
    // Entry 0 of the main line is not a move; in a fork every entry is one.
    const size_t first = depth == 1 ? lead + 1 : 0;
    const std::vector<Move> played = replay_.moves();
    for (size_t i = first; i < line.size(); ++i) {
      const Json* const forks = Member(line[i], "forks");
      const int ply = first_ply + static_cast<int>(i - first);
      if (forks == nullptr || !forks->is_array() || ply > static_cast<int>(played.size()) + 1) {
        continue;
      }
      for (size_t k = 0; k < forks->size(); ++k) {
        const Json& fork = (*forks)[k];
        const std::string place = absl::StrCat(name, "[", i, "].forks[", k, "]");
        if (!fork.is_array() || depth == kDeepest) {
          Reject("bad_variation", place, "an array of moves, at most 64 deep in each other");
          continue;
        }
        ReplayTo(played, ply - 1);
        Line(fork, 0, place, /*main=*/false);
        if (replay_.plies() < ply) continue;
        sink_.variation({.line = 1, .first = ply, .moves = replay_.moves()});
        Forks(fork, 0, ply, place, depth + 1);
      }
    }
  }

  void ReplayTo(const std::vector<Move>& moves, int plies) {
    int same = 0;
    while (same < plies && same < replay_.plies() &&
           replay_.moves()[static_cast<size_t>(same)] == moves[static_cast<size_t>(same)]) {
      ++same;
    }
    replay_.BackTo(same);
    for (int i = same; i < plies; ++i) replay_.Play(moves[static_cast<size_t>(i)]);
  }

  void Reject(std::string code, std::string found, std::string expected) {
    sink_.reject(MakeProblem({.code = std::move(code),
                              .file = std::string(file_),
                              .line = 1,
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  const std::string_view file_;
  const RecordSink& sink_;
  Replay replay_;
  GameRecord game_;
  End end_ = End::kUnknown;
  bool accepted_ = false;
};

}  // namespace

void ReadJkf(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  bytes = WithoutBom(bytes);
  JsonFault fault;
  const Json json = ParseJson<Json>(bytes, &fault);
  if (!json.is_discarded()) return JkfReader(file, sink).Read(json);
  if (fault.too_deep) {
    return sink.reject(
        MakeProblem({.code = "bad_json",
                     .file = std::string(file),
                     .line = 1,
                     .found = "objects and arrays that are deeper in each other",
                     .expected = absl::StrCat("JSON, at most ", kDeepestJson, " deep")}));
  }
  const size_t at = std::min(fault.at, bytes.size());
  sink.reject(MakeProblem(
      {.code = "bad_json",
       .file = std::string(file),
       .line = 1 + static_cast<int>(
                       std::count(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(at), '\n')),
       .found = absl::StrCat("other text at byte ", at),
       .expected = "JSON in UTF-8"}));
}

}  // namespace joseki::book
