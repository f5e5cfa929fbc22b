// The search plays a game other than shogi and knows only its rules. Its claims must agree with an
// exhaustive search.
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/search/search_inl.h"
#include "gtest/gtest.h"
#include "tests/engine/search/hexapawn.h"

namespace joseki {

template class Search<Hexapawn>;

namespace {

// Plies in which every game is over and seen to be: each pawn has two moves before one arrives.
constexpr int kLongest = 2 * Hexapawn::kFiles * (Hexapawn::kFiles - 2) + 2;

// Values by trying every line, kept by the key's half that tells all positions apart.
class EveryLine {
 public:
  Value ValueOf(const Hexapawn::Position& position) {
    const uint64_t code = Hexapawn::KeyOf(position).hi;
    if (const auto known = values_.find(code); known != values_.end()) return known->second;
    Value best = MatedIn(0);
    for (const Move move : MovesOf(position)) best = std::max(best, After(position, move));
    return values_[code] = best;
  }
  // The value of a move for the side that plays it: a mate is a ply further off than after it.
  Value After(const Hexapawn::Position& position, Move move) {
    const Value value = -ValueOf(Played(position, move));
    return value > 0 ? value - 1 : value + 1;
  }

  static Hexapawn::MoveList MovesOf(const Hexapawn::Position& position) {
    Hexapawn::MoveList moves;
    Hexapawn::Generate<GenType::kAll>(position, moves);
    return moves;
  }
  static Hexapawn::Position Played(Hexapawn::Position position, Move move) {
    Hexapawn::Undo undo;
    Hexapawn::Do(position, move, undo);
    return position;
  }

 private:
  std::unordered_map<uint64_t, Value> values_;
};

// Every position up to `plies` plies from the start.
std::vector<Hexapawn::Position> Opening(int plies) {
  std::vector<Hexapawn::Position> all = {Hexapawn::Position()};
  size_t begin = 0;
  for (int ply = 0; ply < plies; ++ply) {
    const size_t end = all.size();
    for (; begin < end; ++begin) {
      for (const Move move : EveryLine::MovesOf(all[begin])) {
        all.push_back(EveryLine::Played(all[begin], move));
      }
    }
  }
  return all;
}

// Options without the cuts and reductions that guess.
constexpr SearchOptions kNothingGuessed = {.iir = 0,
                                           .null_move = 0,
                                           .reverse_futility = 0,
                                           .futility = 0,
                                           .late_move_pruning = 0,
                                           .late_move_reduction = 0,
                                           .check_pruning = 0,
                                           .see_pruning = 0};

TEST(SecondGame, IsSearchedToTheValuesOfEveryLine) {
  EveryLine truth;
  Search<Hexapawn> search(size_t{1} << 20);
  search.SetOptions(kNothingGuessed);
  SearchLimits limits;
  limits.depth = kLongest;
  for (const Hexapawn::Position& position : Opening(5)) {
    const SearchResult result = search.Run(position, limits);
    ASSERT_EQ(result.value, truth.ValueOf(position)) << Hexapawn::KeyOf(position).hi;
    if (!result.best) continue;  // over
    EXPECT_EQ(truth.After(position, result.best), result.value) << "a move as good as any";
  }
}

// By its default options the search guesses, and may find a longer way than the shortest.
TEST(SecondGame, IsWonByTheDefaultSearchWhereverItIsWon) {
  EveryLine truth;
  Search<Hexapawn> search(size_t{1} << 20);
  SearchLimits limits;
  limits.depth = kLongest;
  for (const Hexapawn::Position& position : Opening(4)) {
    search.NewGame();
    const SearchResult result = search.Run(position, limits);
    if (!result.best) continue;
    const bool won = truth.ValueOf(position) > 0;
    EXPECT_TRUE(IsMate(result.value)) << "the game has no other end";
    EXPECT_EQ(result.value > 0, won) << Hexapawn::KeyOf(position).hi;
    EXPECT_EQ(truth.After(position, result.best) > 0, won) << Hexapawn::KeyOf(position).hi;
  }
}

// Each technique asks for what the game does not know, and the limit stays exact.
TEST(SecondGame, BearsEveryTechniqueAtOnce) {
  SearchOptions options;
  for (const SearchOption& option : SearchOptionTable()) {
    options.*option.field = option.is_switch() ? 1 : std::min(option.most, option.least + 3);
  }
  Search<Hexapawn> search(size_t{1} << 20);
  search.SetOptions(options);
  search.CountKillers(true);
  SearchLimits limits;
  limits.nodes = 1000;
  for (const Hexapawn::Position& position : Opening(3)) {
    const SearchResult result = search.Run(position, limits);
    EXPECT_LE(result.nodes, limits.nodes);
    EXPECT_TRUE(Hexapawn::IsLegal(position, result.best));
  }
  EXPECT_GT(search.killer_rates().Total(ContextKillers::kPremove).legal, 0u);
}

}  // namespace
}  // namespace joseki
