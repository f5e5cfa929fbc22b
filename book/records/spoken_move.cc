#include "book/records/spoken_move.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "base/problem.h"

namespace joseki::book {
namespace {

using Place = SpokenMove::Place;
using SpokenWay = SpokenMove::Way;

// Files and ranks as the side sees them, from its right and from its own back rank. Each map is its
// own inverse.
int SpokenFile(Color side, int file) {
  return side == xiangqi::kRed ? xiangqi::kFiles - file : file + 1;
}
int FileOfSpoken(Color side, int spoken) {
  return side == xiangqi::kRed ? xiangqi::kFiles - spoken : spoken - 1;
}
int ForwardOf(Color side) { return side == xiangqi::kRed ? 1 : -1; }

bool GoesStraight(xiangqi::PieceType piece) {
  return piece == xiangqi::kKing || piece == xiangqi::kRook || piece == xiangqi::kCannon ||
         piece == xiangqi::kPawn;
}

// Piece types that only move diagonally: of two on a file, the possible destinations tell which
// moves.
bool GoesAslantAlone(xiangqi::PieceType piece) {
  return piece == xiangqi::kAdviser || piece == xiangqi::kElephant;
}

// Up to five squares, as no side has more pieces of a kind.
class Standing {
 public:
  void Add(xiangqi::Square square) {
    if (size_ < squares_.size()) squares_[size_++] = square;
  }
  size_t size() const { return size_; }
  xiangqi::Square operator[](size_t i) const { return squares_[i]; }
  const xiangqi::Square* begin() const { return squares_.data(); }
  const xiangqi::Square* end() const { return squares_.data() + size_; }
  xiangqi::Square* begin() { return squares_.data(); }
  xiangqi::Square* end() { return squares_.data() + size_; }

 private:
  std::array<xiangqi::Square, 5> squares_{};
  size_t size_ = 0;
};

// The side's pieces of a kind on a file, foremost first.
Standing OnFile(const xiangqi::Position& position, xiangqi::PieceType piece, int file) {
  const Color side = position.side_to_move();
  Standing found;
  xiangqi::ForEach(position.pieces(side, piece), [&](xiangqi::Square square) {
    if (xiangqi::FileOf(square) == file) found.Add(square);
  });
  // The list ascends by rank so far.
  if (side == xiangqi::kRed) std::reverse(found.begin(), found.end());
  return found;
}

// Pieces that share a file with another of their kind, in the order of their numbers; and the
// number of such files.
struct Crowd {
  Standing squares;
  int files = 0;
};
Crowd CrowdOf(const xiangqi::Position& position, xiangqi::PieceType piece) {
  const Color side = position.side_to_move();
  Crowd crowd;
  for (int spoken = 1; spoken <= xiangqi::kFiles; ++spoken) {
    const Standing here = OnFile(position, piece, FileOfSpoken(side, spoken));
    if (here.size() < 2) continue;
    ++crowd.files;
    for (const xiangqi::Square square : here) crowd.squares.Add(square);
  }
  return crowd;
}

// True if `place` may name the piece at `index` of the `size` pieces on its file.
bool Fits(Place place, size_t index, size_t size) {
  switch (place) {
    case Place::kFront:
      return index == 0;
    case Place::kRear:
      return index + 1 == size;
    case Place::kMiddle:
      return index > 0 && index + 1 < size;
    default:
      return index + 1 == static_cast<size_t>(place);
  }
}

// The pieces that may be meant.
Standing Named(const xiangqi::Position& position, const SpokenMove& spoken) {
  const Color side = position.side_to_move();
  if (spoken.file > 0) {
    const Standing here = OnFile(position, spoken.piece, FileOfSpoken(side, spoken.file));
    if (spoken.place == Place::kNone) return here;
    Standing placed;
    for (size_t i = 0; i < here.size(); ++i) {
      if (Fits(spoken.place, i, here.size())) placed.Add(here[i]);
    }
    return placed;
  }
  const Crowd crowd = CrowdOf(position, spoken.piece);
  Standing placed;
  const bool numbered = spoken.place <= Place::kFifth;
  for (size_t i = 0; i < crowd.squares.size(); ++i) {
    const Standing here = OnFile(position, spoken.piece, xiangqi::FileOf(crowd.squares[i]));
    const auto index =
        static_cast<size_t>(std::find(here.begin(), here.end(), crowd.squares[i]) - here.begin());
    if (numbered ? Fits(spoken.place, i, crowd.squares.size())
                 : Fits(spoken.place, index, here.size())) {
      placed.Add(crowd.squares[i]);
    }
  }
  return placed;
}

// Destination of a piece on `from` under this move.
std::optional<xiangqi::Square> Target(Color side, const SpokenMove& spoken, xiangqi::Square from) {
  const int file = xiangqi::FileOf(from);
  const int to_file = FileOfSpoken(side, spoken.number);
  const int sign = spoken.way == SpokenWay::kAdvance ? ForwardOf(side) : -ForwardOf(side);
  int rank = xiangqi::RankOf(from);
  if (GoesStraight(spoken.piece)) {
    if (spoken.way == SpokenWay::kTraverse) return xiangqi::MakeSquare(to_file, rank);
    rank += sign * spoken.number;
    if (!xiangqi::OnBoard(file, rank)) return std::nullopt;
    return xiangqi::MakeSquare(file, rank);
  }
  const int across = std::abs(to_file - file);
  if (spoken.way == SpokenWay::kTraverse) return std::nullopt;
  // A knight goes two ranks for one file, or one for two; the others as many ranks as files.
  rank += sign * (spoken.piece == xiangqi::kKnight ? 3 - across : across);
  if (across == 0 || across > 2 || !xiangqi::OnBoard(to_file, rank)) return std::nullopt;
  return xiangqi::MakeSquare(to_file, rank);
}

}  // namespace

absl::StatusOr<Move> Resolve(const xiangqi::Position& position, const SpokenMove& spoken) {
  Move found;
  for (const xiangqi::Square from : Named(position, spoken)) {
    const std::optional<xiangqi::Square> to = Target(position.side_to_move(), spoken, from);
    if (!to) continue;
    const Move move = Move::Board(from, *to);
    if (!position.IsLegal(move)) continue;
    if (found) {
      return MakeProblem({.code = "ambiguous_move",
                          .found = "a move that several pieces could make",
                          .expected = "one that names its piece"});
    }
    found = move;
  }
  if (found) return found;
  return MakeProblem({.code = "illegal_move",
                      .found = "a move that no such piece may make",
                      .expected = "a legal move"});
}

SpokenMove Spoken(const xiangqi::Position& position, Move move) {
  const Color side = position.side_to_move();
  const xiangqi::Square from = move.from();
  const xiangqi::Square to = move.to();
  SpokenMove spoken;
  spoken.piece = xiangqi::TypeOf(position.piece(from));
  const int ranks = (xiangqi::RankOf(to) - xiangqi::RankOf(from)) * ForwardOf(side);
  spoken.way = ranks == 0  ? SpokenWay::kTraverse
               : ranks > 0 ? SpokenWay::kAdvance
                           : SpokenWay::kRetreat;
  const bool by_ranks = GoesStraight(spoken.piece) && ranks != 0;
  spoken.number = by_ranks ? std::abs(ranks) : SpokenFile(side, xiangqi::FileOf(to));

  const Standing here = OnFile(position, spoken.piece, xiangqi::FileOf(from));
  if (here.size() < 2 || GoesAslantAlone(spoken.piece)) {
    spoken.file = SpokenFile(side, xiangqi::FileOf(from));
    return spoken;
  }
  const Crowd crowd = CrowdOf(position, spoken.piece);
  const auto index_in = [&](const Standing& squares) {
    return static_cast<size_t>(std::find(squares.begin(), squares.end(), from) - squares.begin());
  };
  if (crowd.files > 1 || here.size() > 3) {
    spoken.place = static_cast<Place>(index_in(crowd.squares) + 1);
  } else if (index_in(here) == 0) {
    spoken.place = Place::kFront;
  } else {
    spoken.place = index_in(here) + 1 == here.size() ? Place::kRear : Place::kMiddle;
  }
  return spoken;
}

}  // namespace joseki::book
