#include "book/database/played_block.h"

#include <SQLiteCpp/Database.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "book/database/book_import.h"
#include "book/database/book_merge.h"
#include "book/database/book_prune.h"
#include "book/database/book_sources.h"
#include "book/database/book_store.h"
#include "book/database/played_table.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Some ascending positions, as bytes go: blocks do not look at what they mean.
std::vector<PlayedPosition> Some(uint64_t seed, int count) {
  Rng rng(seed);
  std::vector<PlayedPosition> positions;
  PackedPosition packed{};
  for (int i = 0; i < count; ++i) {
    // Mostly what is shared is long.
    packed.bytes[rng.Below(4)] = static_cast<uint8_t>(i / 8);
    packed.bytes[4] = static_cast<uint8_t>(i % 8);
    packed.bytes[0] = static_cast<uint8_t>(i / 8);
    for (size_t byte = 5; byte < 32; ++byte)
      packed.bytes[byte] = static_cast<uint8_t>(rng.Below(256));
    PlayedPosition& position = positions.emplace_back();
    position.packed = packed;
    position.ply = 1 + static_cast<int>(rng.Below(300));
    uint16_t raw = 0;
    for (uint64_t moves = 1 + rng.Below(3); moves > 0; --moves) {
      raw = static_cast<uint16_t>(raw + 1 + rng.Below(9000));
      PlayedMove& move = position.moves.emplace_back();
      move.move = Move(raw);
      const auto one = static_cast<int64_t>(rng.Below(4));
      move.counts = {1, one == 0, one == 1, one == 2};
      if (rng.Below(2) == 0) move.counts = {1000 + one, 300, 40 * one, 500};
      if (rng.Below(3) == 0) move.base_weight = static_cast<int64_t>(rng.Below(100'000)) - 50'000;
      move.left_out = rng.Below(5) == 0;
    }
  }
  std::sort(positions.begin(), positions.end(),
            [](const PlayedPosition& a, const PlayedPosition& b) { return a.packed < b.packed; });
  return positions;
}

TEST(PlayedBlock, GivesBackWhatWasPutIn) {
  const std::vector<PlayedPosition> positions = Some(1, 200);
  PlayedBlockWriter writer;
  for (const PlayedPosition& position : positions) writer.Add(position);
  const PlayedBlock block = writer.Finish();
  EXPECT_EQ(block.positions, 200);
  EXPECT_TRUE(writer.empty());
  PlayedBlockReader reader(block.first, block.bytes);
  PlayedPosition position;
  for (const PlayedPosition& expected : positions) {
    ASSERT_TRUE(reader.Next(position).value());
    EXPECT_EQ(position, expected);
  }
  EXPECT_FALSE(reader.Next(position).value());
}

// Whatever bytes there are, reading ends, with positions in order or an error.
TEST(PlayedBlock, NoticesOtherBytes) {
  PlayedBlockWriter writer;
  for (const PlayedPosition& position : Some(2, 20)) writer.Add(position);
  const PlayedBlock block = writer.Finish();
  Rng rng(5);
  int errors = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = block.bytes.substr(0, rng.Below(block.bytes.size() + 1));
    for (uint64_t changes = rng.Below(3); changes > 0 && !bytes.empty(); --changes) {
      bytes[rng.Below(bytes.size())] = static_cast<char>(rng.Below(256));
    }
    PlayedBlockReader reader(block.first, bytes);
    PlayedPosition position;
    PackedPosition last{};
    for (;;) {
      const absl::StatusOr<bool> more = reader.Next(position);
      if (!more.ok()) {
        ++errors;
        EXPECT_EQ(ProblemOf(more.status()).code, "database_corrupt");
        break;
      }
      if (!*more) break;
      EXPECT_LE(last, position.packed);
      last = position.packed;
      for (const PlayedMove& move : position.moves) {
        EXPECT_LE(move.counts.wins + move.counts.draws + move.counts.losses, move.counts.games);
      }
    }
  }
  EXPECT_GT(errors, 1000);
}

TEST(PlayedBlock, BeginsNowAndThen) {
  Rng rng(7);
  int begins = 0;
  for (int i = 0; i < 20'000; ++i) {
    PackedPosition packed;
    for (uint8_t& byte : packed.bytes) byte = static_cast<uint8_t>(rng.Below(256));
    begins += BeginsBlock(packed);
  }
  EXPECT_GT(begins, 40);
  EXPECT_LT(begins, 120);
}

// A book whose games stand in blocks says the same as one whose games stand in rows.
class PlayedBookTest : public ::testing::Test {
 protected:
  static const Rules& Shogi() { return shogi::ShogiRules(); }

  PlayedBookTest()
      : blocks_(*Store::Open(folder_ / "blocks.sqlite", OpenMode::kCreate)),
        rows_(*Store::Open(folder_ / "rows.sqlite", OpenMode::kCreate)) {
    Grow("startpos", 1);
    std::sort(all_.begin(), all_.end(),
              [](const PlayedPosition& a, const PlayedPosition& b) { return a.packed < b.packed; });
    all_.erase(std::unique(all_.begin(), all_.end(),
                           [](const PlayedPosition& a, const PlayedPosition& b) {
                             return a.packed == b.packed;
                           }),
               all_.end());
  }

  // Some positions near the start, with moves.
  void Grow(const std::string& text, int ply) {
    auto state = *Shogi().Start(text, MatchRules{});
    PlayedPosition& position = all_.emplace_back();
    position.packed = state->packed();
    position.ply = ply;
    std::vector<Move> legal = state->LegalMoves();
    std::sort(legal.begin(), legal.end());
    std::vector<std::string> next;
    for (size_t i = 0; i < legal.size(); i += 7) {
      PlayedMove& move = position.moves.emplace_back();
      move.move = legal[i];
      move.counts = {1 + static_cast<int64_t>(i), static_cast<int64_t>(i) / 2, 1, 0};
      auto after = *Shogi().Start(position.packed, MatchRules{});
      after->Play(legal[i]);
      next.push_back(after->text());
    }
    if (ply < 5) {
      for (const std::string& child : next) Grow(child, ply + 1);
    }
  }

  // The positions `from`, `from` + `step`, ... as a source, in either book.
  void Import(size_t from, size_t step, bool professional) {
    ImportInto(*blocks_, *rows_, from, step, professional);
  }
  void ImportInto(Store& blocks, Store& rows, size_t from, size_t step, bool professional) {
    std::vector<PlayedPosition> some;
    for (size_t i = from; i < all_.size(); i += step) some.push_back(all_[i]);
    BookImport packed(blocks, "games", "g", "{}");
    PlayedBlockWriter writer;
    const auto flush = [&] {
      if (writer.empty()) return;
      ASSERT_TRUE(packed.AddBlock(writer.Finish(), professional).ok());
    };
    for (const PlayedPosition& position : some) {
      if (BeginsBlock(position.packed)) flush();
      writer.Add(position);
    }
    flush();
    BookImport plain(rows, "games", "g", "{}");
    for (const PlayedPosition& position : some) {
      for (const PlayedMove& move : position.moves) {
        ASSERT_TRUE(
            plain.AddPlayed(position.packed, position.ply, move.move, professional, move.counts)
                .ok());
      }
    }
    const auto a = packed.Commit(5, 0);
    const auto b = plain.Commit(5, 0);
    ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    EXPECT_EQ(a->new_positions, b->new_positions);
    EXPECT_EQ(a->new_moves, b->new_moves);
  }

  static std::string Text(const BookPosition& position) {
    std::string text = Shogi().Text(position.packed, position.ply);
    for (const BookMove& move : position.moves) {
      text += " | " + Shogi().Text(move.move);
      for (const MoveCounts& counts : move.counts) {
        for (const int64_t number : {counts.games, counts.wins, counts.draws, counts.losses}) {
          text += " " + std::to_string(number);
        }
      }
      text += " w" + std::to_string(move.base_weight) + " m" + std::to_string(move.mark) + " " +
              move.note + " v" + std::to_string(move.value.value_or(-99'999)) + " d" +
              std::to_string(move.depth) + " c" + std::to_string(move.book_count);
    }
    return text;
  }
  static std::vector<std::string> All(Store& store) {
    std::vector<std::string> texts;
    const absl::Status read = BookStore(store).ForEach([&](const BookPosition& position) {
      texts.push_back(Text(position));
      EXPECT_EQ(Text(**BookStore(store).Find(position.packed)), texts.back());
      return absl::OkStatus();
    });
    EXPECT_TRUE(read.ok()) << read;
    return texts;
  }

  static absl::StatusOr<BookStore::Weighed> Weigh(Store& store, int64_t factor) {
    return BookStore(store).Weigh([factor](const BookMove& move) -> std::optional<int64_t> {
      if (move.counts[0].games + move.counts[1].games < 3) return std::nullopt;
      return move.counts[0].games * factor - move.counts[1].wins;
    });
  }
  // Positions that have rows.
  static int64_t Rows(Store& store) {
    return store.db().execAndGet("SELECT count(*) FROM positions").getInt64();
  }

  void WeighBoth() {
    const auto a = Weigh(*blocks_, 3);
    const auto b = Weigh(*rows_, 3);
    ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    EXPECT_EQ(a->kept, b->kept);
    EXPECT_EQ(a->left_out, b->left_out);
  }

  void ExpectTheSame() {
    EXPECT_EQ(All(*blocks_), All(*rows_));
    const BookTotals a = *BookStore(*blocks_).Totals();
    const BookTotals b = *BookStore(*rows_).Totals();
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.moves, b.moves);
    EXPECT_EQ(a.games, b.games);
    EXPECT_EQ(a.sources, b.sources);
    EXPECT_THAT(*BookStore(*blocks_).Check(), IsEmpty());
    EXPECT_EQ(BookStore(*blocks_).LoadGraph(Shogi())->Serialize(),
              BookStore(*rows_).LoadGraph(Shogi())->Serialize());
  }

  template <typename Do>
  void Both(const Do& act) {
    act(*blocks_);
    act(*rows_);
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<Store> blocks_;
  std::unique_ptr<Store> rows_;
  std::vector<PlayedPosition> all_;
};

void AddValue(Store& store, const PlayedPosition& position, Move move, int value) {
  BookImport import(store, "book", "b", "{}");
  book::DbPosition entry;
  entry.packed = position.packed;
  entry.ply = 2;
  book::DbMove& added = entry.moves.emplace_back();
  added.move = move;
  added.value = value;
  added.has_value = true;
  ASSERT_TRUE(import.AddBook(entry).ok());
  ASSERT_TRUE(import.Commit(0, 0).ok());
}

TEST_F(PlayedBookTest, SaysTheSameAsRows) {
  ASSERT_GT(all_.size(), 200u);
  Import(0, 1, false);
  ExpectTheSame();
}

TEST_F(PlayedBookTest, SaysTheSameOfSeveralSourcesAndValues) {
  Import(0, 2, false);
  Import(0, 3, true);
  Both([&](Store& store) {
    AddValue(store, all_[0], all_[0].moves[1].move, 77);
    AddValue(store, all_[1], all_[1].moves[0].move, -5);
  });
  ExpectTheSame();
  for (const size_t at : {0, 1, 2, 6}) {
    const auto a = *SourcesOfPosition(*blocks_, all_[at].packed);
    const auto b = *SourcesOfPosition(*rows_, all_[at].packed);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].move, b[i].move);
      EXPECT_EQ(a[i].source, b[i].source);
      EXPECT_EQ(a[i].name, b[i].name);
      EXPECT_EQ(a[i].counts, b[i].counts);
      EXPECT_EQ(a[i].value, b[i].value);
    }
  }
}

TEST_F(PlayedBookTest, IsWeighedMarkedAndPrunedAsRowsAre) {
  Import(0, 2, false);
  Import(1, 3, true);
  WeighBoth();
  ExpectTheSame();
  Both([&](Store& store) {
    ASSERT_TRUE(BookStore(store).Mark(all_[2].packed, all_[2].moves[0].move, 2, "never").ok());
    AddValue(store, all_[4], all_[4].moves[0].move, 12);
    EXPECT_EQ(ProblemOf(BookStore(store).Mark(all_[0].packed, Move(77), 1, "")).code,
              "not_in_book");
  });
  ExpectTheSame();
  EXPECT_THAT(*BookStore(*blocks_).Marks(), SizeIs(1));
  WeighBoth();
  ExpectTheSame();
  std::vector<MoveOfPosition> unwanted;
  for (size_t i = 0; i < all_.size(); i += 4) {
    for (const PlayedMove& move : all_[i].moves) unwanted.emplace_back(all_[i].packed, move.move);
  }
  for (size_t i = 1; i < all_.size(); i += 5) {
    unwanted.emplace_back(all_[i].packed, all_[i].moves[0].move);
  }
  EXPECT_EQ(*DeleteMoves(*blocks_, unwanted), *DeleteMoves(*rows_, unwanted));
  ExpectTheSame();
}

TEST_F(PlayedBookTest, IsMergedAsRowsAre) {
  Import(0, 2, false);
  WeighBoth();
  const auto out_blocks = *Store::Open(folder_ / "a.sqlite", OpenMode::kCreate);
  const auto out_rows = *Store::Open(folder_ / "b.sqlite", OpenMode::kCreate);
  const auto a = MergeBook(*out_blocks, blocks_->path(), {.over = true});
  const auto b = MergeBook(*out_rows, rows_->path(), {.over = true});
  ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
  EXPECT_EQ(a->positions, b->positions);
  EXPECT_EQ(a->moves, b->moves);
  EXPECT_EQ(All(*out_blocks), All(*out_rows));
  EXPECT_EQ(Rows(*out_blocks), 0) << "blocks are taken over as they are";
  // And into one that has blocks of its own.
  Import(1, 3, true);
  ASSERT_TRUE(MergeBook(*blocks_, out_rows->path(), {}).ok());
  ASSERT_TRUE(MergeBook(*rows_, out_blocks->path(), {}).ok());
  ExpectTheSame();
}

TEST_F(PlayedBookTest, StaysInBlocksWhenAnotherBookDecides) {
  Import(0, 2, false);
  WeighBoth();
  Both([&](Store& store) {
    AddValue(store, all_[6], all_[6].moves[0].move, 31);
    EXPECT_TRUE(BookStore(store).Mark(all_[8].packed, all_[8].moves[0].move, 1, "bad").ok());
  });
  const int64_t rows_before = Rows(*blocks_);
  ASSERT_GT(rows_before, 0);
  // The other book shares some positions and has new ones, with weights, values and marks of its
  // own. Rows exist in both books, in one of them, or in neither.
  const std::string paths[2] = {folder_ / "over_blocks.sqlite", folder_ / "over_rows.sqlite"};
  {
    const auto over_blocks = *Store::Open(paths[0], OpenMode::kCreate);
    const auto over_rows = *Store::Open(paths[1], OpenMode::kCreate);
    ImportInto(*over_blocks, *over_rows, 0, 3, true);
    for (Store* store : {over_blocks.get(), over_rows.get()}) {
      EXPECT_TRUE(Weigh(*store, 7).ok());
      AddValue(*store, all_[6], all_[6].moves[1].move, -3);
      AddValue(*store, all_[12], all_[12].moves[0].move, 5);
      AddValue(*store, all_[1], all_[1].moves[0].move, 9);
      EXPECT_TRUE(BookStore(*store).Mark(all_[18].packed, all_[18].moves[1].move, 2, "no").ok());
    }
  }
  for (const bool over : {false, true}) {
    const auto a = MergeBook(*blocks_, paths[0], {.over = over, .again = true});
    const auto b = MergeBook(*rows_, paths[1], {.over = over, .again = true});
    ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    EXPECT_EQ(a->sources, b->sources);
    EXPECT_EQ(a->known_sources, b->known_sources);
    EXPECT_EQ(a->positions, b->positions);
    EXPECT_EQ(a->moves, b->moves);
    ExpectTheSame();
  }
  EXPECT_LT(Rows(*blocks_), rows_before + 10) << "only what is more than games say";
}

TEST_F(PlayedBookTest, LooksPositionsUpInAnyOrder) {
  Import(0, 2, false);
  Import(0, 3, true);
  PlayedLookup lookup(blocks_->db());
  Rng rng(3);
  size_t found = 0;
  size_t at = 0;
  for (int i = 0; i < 2000; ++i) {
    // Mostly forward, sometimes to another place.
    at = rng.Below(10) == 0 ? rng.Below(all_.size()) : (at + rng.Below(3)) % all_.size();
    std::vector<std::pair<bool, PlayedPosition>> seen;
    ASSERT_TRUE(lookup
                    .Find(all_[at].packed,
                          [&](int64_t, bool professional, const PlayedPosition& position) {
                            seen.emplace_back(professional, position);
                          })
                    .ok());
    ASSERT_EQ(seen.size(), (at % 2 == 0 ? 1u : 0u) + (at % 3 == 0 ? 1u : 0u)) << at;
    for (const auto& [professional, position] : seen) EXPECT_EQ(position, all_[at]);
    found += seen.size();
  }
  EXPECT_GT(found, 1000u);
}

TEST_F(PlayedBookTest, TellsOfBlocksThatAreBroken) {
  Import(0, 1, false);
  blocks_->db().exec("UPDATE played SET positions = positions + 1 WHERE block = 1");
  EXPECT_THAT(*BookStore(*blocks_).Check(), SizeIs(1));
  blocks_->db().exec("UPDATE played SET entries = x'40' WHERE block = 1");
  EXPECT_THAT(*BookStore(*blocks_).Check(), Not(IsEmpty()));
  EXPECT_EQ(ProblemOf(BookStore(*blocks_).ForEach([](const BookPosition&) {
              return absl::OkStatus();
            })).code,
            "database_corrupt");
}

}  // namespace
}  // namespace joseki::book
