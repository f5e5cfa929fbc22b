#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

// Figures of the opening-book experiments in J. Nagashima's thesis ("Towards master-level play of
// Shogi", JAIST 2007); `joseki experiment` puts its own beside them.
namespace joseki::cli {

// The points of a side in `games` games; a draw is half a point.
struct ThesisScore {
  double points = 0;
  int games = 0;
};

// Section 4.1: the base book. Moves of the start position with their counts, including moves that
// the noise filter removed where their count is known.
struct ThesisRootMove {
  std::string_view move;
  int games = 0;
  bool kept = false;
};
std::span<const ThesisRootMove> ThesisRootMoves();
inline constexpr int kThesisGames = 29'000;
inline constexpr int kThesisPositions = 670'000;
inline constexpr int kThesisMoves = 725'000;

// Tables 3.4 to 3.6: the results of stage 1 in columns 1, 3 and 5 for the moves of the start
// position.
struct ThesisStageMove {
  std::string_view move;
  struct Column {
    int plays = 0;
    int wins = 0;
  };
  std::array<Column, 3> columns;  // of 1000, 3000 and 5000 games
};
std::span<const ThesisStageMove> ThesisStageMoves();
// The index in ThesisStageMove::columns of column `j`; nullopt for 2 and 4.
std::optional<int> ThesisColumn(int j);

// Tables 3.1 and 3.7: the score of a book against Type-1; nullopt where the tables have none.
std::optional<ThesisScore> ThesisAgainstType1(std::string_view book);
std::optional<ThesisScore> ThesisAgainstType1Again(std::string_view book);

// Table 3.2: Type-2 against tuned books with a random range of the book's gap, and of 1.5 gaps. The
// points are those of Type-2.
struct ThesisRange {
  std::string_view tuned;
  ThesisScore gap;
  ThesisScore gap_and_half;
};
std::span<const ThesisRange> ThesisRanges();

// Table 3.3: the score of a book, played by TACOS, against Todai Shogi 6.
std::optional<ThesisScore> ThesisAgainstTodai(std::string_view book);

}  // namespace joseki::cli
