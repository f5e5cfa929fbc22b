#include "engine/search/move_picker.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "engine/search/reductions.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/game.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki {
namespace {

using Scope = MovePicker<Shogi>::Scope;

constexpr SearchOptions kOptions;

template <GenType type>
std::vector<Move> Sorted(const shogi::Position& position) {
  shogi::MoveList list;
  position.Generate<type>(list);
  std::vector<Move> moves(list.begin(), list.end());
  std::sort(moves.begin(), moves.end());
  return moves;
}

std::vector<Move> Drain(MovePicker<Shogi>& picker) {
  std::vector<Move> moves;
  for (Move move = picker.Next(); move; move = picker.Next()) moves.push_back(move);
  EXPECT_FALSE(picker.Next()) << "it stays at its end";
  return moves;
}

// A history with something in it, so that sorting has work to do.
std::unique_ptr<History<Shogi>> SomeHistory(const shogi::Position& position) {
  auto history = std::make_unique<History<Shogi>>();
  history->Clear();
  Rng rng(7);
  for (const Move move : Sorted<GenType::kAll>(position)) {
    history->Update(History<Shogi>::CodeOf(Shogi::MovedPiece(position, move), move),
                    static_cast<int>(rng.Below(4000)) - 2000);
  }
  return history;
}

TEST(MovePicker, GivesEveryMoveOnceWhateverTheHints) {
  for (const char* text : BenchPositions()) {
    const shogi::Position position = shogi::At(text);
    const auto history = SomeHistory(position);
    const std::vector<Move> all = Sorted<GenType::kSearch>(position);
    Rng rng(11);
    for (int i = 0; i < 20; ++i) {
      // Any 16 bits may come from the table or the killers.
      const Move table = i == 0   ? Move()
                         : i < 10 ? all[rng.Below(all.size())]
                                  : Move(static_cast<uint16_t>(rng.Next()));
      const Move killer = all[rng.Below(all.size())];
      MovePicker<Shogi> picker(position, *history, kOptions, Scope::kSearch, table,
                               {.killers = {killer, table}, .counter = all[0]});
      std::vector<Move> given = Drain(picker);
      if (table && std::binary_search(all.begin(), all.end(), table)) {
        EXPECT_EQ(given[0], table);
      }
      std::sort(given.begin(), given.end());
      // A pointless but legal move from the table is searched as well.
      if (!std::binary_search(all.begin(), all.end(), table)) {
        given.erase(std::remove(given.begin(), given.end(), table), given.end());
      }
      EXPECT_EQ(given, all) << text;
    }
  }
}

TEST(MovePicker, LeavesOutWhatGivesNoCheckOnceItIsToldTo) {
  for (const char* text : BenchPositions()) {
    const shogi::Position position = shogi::At(text);
    const auto history = SomeHistory(position);
    const std::vector<Move> all = Sorted<GenType::kSearch>(position);
    for (size_t stop = 0; stop < all.size(); stop += 3) {
      MovePicker<Shogi> picker(position, *history, kOptions, Scope::kSearch, Move(), {});
      std::vector<Move> given;
      bool only_checks = false;
      for (Move move = picker.Next(); move; move = picker.Next()) {
        const bool quiet = !MovePicker<Shogi>::IsTactical(position, move);
        EXPECT_TRUE(!only_checks || !quiet || position.GivesCheck(move)) << text << " " << stop;
        given.push_back(move);
        if (quiet && given.size() > stop) {
          picker.KeepOnlyChecks();
          only_checks = true;
        }
      }
      std::sort(given.begin(), given.end());
      std::vector<Move> left_out;
      std::set_difference(all.begin(), all.end(), given.begin(), given.end(),
                          std::back_inserter(left_out));
      EXPECT_EQ(given.size() + left_out.size(), all.size()) << text << " " << stop;
      EXPECT_EQ(static_cast<size_t>(picker.skipped()), left_out.size()) << text << " " << stop;
      for (const Move move : left_out) {
        EXPECT_FALSE(position.GivesCheck(move) || MovePicker<Shogi>::IsTactical(position, move));
      }
    }
  }
}

TEST(MovePicker, InQuiescenceGivesTheTacticalMoves) {
  for (const char* text : BenchPositions()) {
    const shogi::Position position = shogi::At(text);
    const auto history = SomeHistory(position);
    MovePicker<Shogi> picker(position, *history, kOptions, Scope::kCaptures, Move(), {});
    std::vector<Move> given = Drain(picker);
    std::sort(given.begin(), given.end());
    EXPECT_EQ(given, Sorted<GenType::kCaptures>(position)) << text;
  }
}

TEST(MovePicker, GoodCapturesThenQuietMovesThenLosingCaptures) {
  // The rook on 5e can take a loose bishop on 5b, or a pawn on 3e that a gold guards.
  const shogi::Position position = shogi::At("4k4/4b4/9/6g2/4R1p2/9/9/9/4K4 b - 1");
  const auto history = SomeHistory(position);
  const Move killer = Move::Board(shogi::MakeSquare(5, 9), shogi::MakeSquare(4, 8));
  MovePicker<Shogi> picker(position, *history, kOptions, Scope::kSearch, Move(),
                           {.killers = {killer, Move()}});
  std::vector<std::string> given;
  for (const Move move : Drain(picker)) given.push_back(shogi::ToUsi(move));
  ASSERT_GE(given.size(), 4u);
  EXPECT_EQ(given.back(), "5e3e");
  const auto quiet = std::find(given.begin(), given.end(), "5i4h");
  const auto capture = std::find(given.begin(), given.end(), "5e5b+");
  EXPECT_NE(capture, given.end());
  for (auto it = given.begin(); it < quiet; ++it) {
    EXPECT_TRUE(*it == "5e5b+" || it->back() == '+') << *it << " before the killer";
  }
}

TEST(MovePicker, EarlyMovesComeAfterTheTablesOrBeforeIt) {
  const shogi::Position position;
  const auto history = SomeHistory(position);
  const std::vector<Move> all = Sorted<GenType::kSearch>(position);
  MoveHints hints = {.early = {all[3], all[1]}, .early_count = 2};
  auto first_three = [&] {
    MovePicker<Shogi> picker(position, *history, kOptions, Scope::kSearch, all[5], hints);
    const std::vector<Move> given = Drain(picker);
    EXPECT_EQ(given.size(), all.size());
    return std::vector<Move>(given.begin(), given.begin() + 3);
  };
  EXPECT_EQ(first_three(), (std::vector<Move>{all[5], all[3], all[1]}));
  hints.table_waits = true;
  EXPECT_EQ(first_three(), (std::vector<Move>{all[3], all[1], all[5]}));
}

TEST(MovePicker, QuietMovesComeByTheHintsThenByTheSumOfWhatCounts) {
  using Sums = History<Shogi>;
  const Sums::Code earlier[2] = {1000, 2000};
  for (const char* text : BenchPositions()) {
    const shogi::Position position = shogi::At(text);
    std::vector<Move> quiets;
    const auto code = [&](Move move) {
      return Sums::CodeOf(Shogi::MovedPiece(position, move), move);
    };
    const auto history = SomeHistory(position);
    Rng rng(13);
    for (const Move move : Sorted<GenType::kSearch>(position)) {
      if (MovePicker<Shogi>::IsTactical(position, move)) continue;
      quiets.push_back(move);
      for (int distance = 0; distance < 2; ++distance) {
        history->UpdateContinuation(distance, earlier[distance], code(move),
                                    static_cast<int>(rng.Below(4000)) - 2000);
      }
    }
    if (quiets.size() < 5) continue;
    const MoveHints hints = {.killers = {quiets[4], quiets[3]},
                             .counter = quiets[2],
                             .late = {quiets[1], quiets[0]},
                             .late_count = 2,
                             .earlier = {earlier[0], earlier[1]}};
    for (int counted = 0; counted < 8; ++counted) {
      SearchOptions options = kOptions;
      options.order_history = counted & 1;
      options.continuation_history = counted >> 1;
      const auto sum = [&](Move move) {
        int value = (counted & 1) != 0 ? history->Quiet(code(move)) : 0;
        for (int distance = 0; distance < 2; ++distance) {
          if ((counted >> (1 + distance) & 1) == 0) continue;
          value += history->Continuation(distance, earlier[distance], code(move));
        }
        return std::max(value, 0);  // what has nothing in its favour is not ordered
      };
      MovePicker<Shogi> picker(position, *history, options, Scope::kSearch, Move(), hints);
      std::vector<Move> given = Drain(picker);
      std::erase_if(given,
                    [&](Move move) { return MovePicker<Shogi>::IsTactical(position, move); });
      ASSERT_EQ(given.size(), quiets.size()) << text;
      const std::vector<Move> first(given.begin(), given.begin() + 5);
      EXPECT_EQ(first, std::vector<Move>(quiets.rend() - 5, quiets.rend())) << text;
      EXPECT_TRUE(std::is_sorted(given.begin() + 5, given.end(),
                                 [&](Move a, Move b) { return sum(a) > sum(b); }))
          << text << " " << counted;
    }
  }
}

// By groups every move comes once, in the order of its group, and of generation within one; what
// the hints name joins the fourth.
TEST(MovePicker, ByGroupsGivesOneGroupAfterTheOther) {
  constexpr int kHinted = 4;
  SearchOptions options = kOptions;
  options.order_groups = 1;
  for (const char* text : BenchPositions()) {
    const shogi::Position position = shogi::At(text);
    const auto history = SomeHistory(position);
    shogi::MoveList list;
    position.Generate<GenType::kSearch>(list);
    if (list.size() < 4) continue;
    const Move table = list[1];
    const Move hinted = list[list.size() - 1];
    const Move last = Move::Board(0, list[2].to());
    std::vector<std::pair<int, Move>> expected;
    for (const Move move : list) {
      const int group = shogi::YssGroupOf(position, move, last);
      if (move != table)
        expected.emplace_back(move == hinted ? std::min(group, kHinted) : group, move);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    MovePicker<Shogi> picker(position, *history, options, Scope::kSearch, table,
                             {.late = {hinted}, .late_count = 1, .last = last});
    EXPECT_EQ(picker.Next(), table);
    EXPECT_EQ(picker.group(), 0);
    for (const auto& [group, move] : expected) {
      EXPECT_EQ(picker.Next(), move) << text;
      EXPECT_EQ(picker.group(), group) << text << " " << shogi::ToUsi(move);
    }
    EXPECT_FALSE(picker.Next());
    EXPECT_FALSE(picker.Next()) << "it stays at its end";
  }
}

TEST(Reductions, GrowWithDepthAndNumber) {
  constexpr Reductions reductions;
  EXPECT_EQ(reductions(1, 60), 0);
  EXPECT_GE(reductions(3, 3), 0);
  for (int depth = 2; depth < 70; ++depth) {
    for (int index = 2; index < 70; ++index) {
      EXPECT_GE(reductions(depth, index), reductions(depth - 1, index));
      EXPECT_GE(reductions(depth, index), reductions(depth, index - 1));
    }
  }
  EXPECT_GE(reductions(10, 30), 3);
}

}  // namespace
}  // namespace joseki
