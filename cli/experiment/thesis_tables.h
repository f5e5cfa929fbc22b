#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

// What J. Nagashima's thesis ("Towards master-level play of Shogi", JAIST 2007) printed of its
// opening-book experiments: what `joseki experiment` puts its own figures beside.
namespace joseki::cli {

// Points of a side in so many games; a draw is half a point.
struct ThesisScore {
  double points = 0;
  int games = 0;
};

// Section 4.1: the base book. Moves of the start position by how often they were played, those that
// the noise filter took out included where their count is known.
struct ThesisRootMove {
  std::string_view move;
  int games = 0;
  bool kept = false;
};
std::span<const ThesisRootMove> ThesisRootMoves();
inline constexpr int kThesisGames = 29'000;
inline constexpr int kThesisPositions = 670'000;
inline constexpr int kThesisMoves = 725'000;

// Tables 3.4 to 3.6: what stage 1 of columns 1, 3 and 5 said of the moves of the start position.
struct ThesisStageMove {
  std::string_view move;
  struct Column {
    int plays = 0;
    int wins = 0;
  };
  std::array<Column, 3> columns;  // of 1000, 3000 and 5000 games
};
std::span<const ThesisStageMove> ThesisStageMoves();
// Which of ThesisStageMove's columns is column `j`; nullopt for 2 and 4.
std::optional<int> ThesisColumn(int j);

// Tables 3.1 and 3.7: a book against Type-1. nullopt where there is none, or none by that name.
std::optional<ThesisScore> ThesisAgainstType1(std::string_view book);
std::optional<ThesisScore> ThesisAgainstType1Again(std::string_view book);

// Table 3.2: Type-2 against tuned books, with a random range of the book's gap and of 1.5 gaps; the
// points of Type-2.
struct ThesisRange {
  std::string_view tuned;
  ThesisScore gap;
  ThesisScore gap_and_half;
};
std::span<const ThesisRange> ThesisRanges();

// Table 3.3: a book, played by TACOS, against Todai Shogi 6.
std::optional<ThesisScore> ThesisAgainstTodai(std::string_view book);

}  // namespace joseki::cli
