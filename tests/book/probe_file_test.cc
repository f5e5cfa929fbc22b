#include "book/formats/probe_file.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "base/rng.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::testing::SizeIs;

// Positions of random games with a few moves each.
std::vector<DbPosition> RandomBook(size_t size, uint64_t seed) {
  Rng rng(seed);
  std::vector<DbPosition> positions;
  shogi::Position position;
  for (int ply = 1; positions.size() < size; ++ply) {
    shogi::MoveList legal;
    position.Generate<GenType::kAll>(legal);
    if (legal.size() == 0 || ply > 60) {
      position = shogi::Position();
      ply = 0;
      continue;
    }
    DbPosition entry;
    entry.packed = shogi::Pack(position);
    entry.ply = ply;
    for (uint64_t i = 1 + rng.Below(3); i > 0; --i) {
      DbMove move;
      move.move = legal[rng.Below(legal.size())];
      move.value = static_cast<int>(rng.Below(2000)) - 1000;
      move.has_value = rng.Below(4) > 0;
      move.depth = static_cast<int>(rng.Below(40));
      move.has_depth = rng.Below(2) > 0;
      if (!move.has_value) move.value = 0;
      if (!move.has_depth) move.depth = 0;
      move.count = rng.Below(1000);
      AddMove(entry.moves, move);
    }
    positions.push_back(entry);
    shogi::Undo undo;
    position.Do(entry.moves[0].move, undo);
  }
  Canonicalise(positions);
  return positions;
}

void ExpectSame(const DbPosition& a, const DbPosition& b) {
  EXPECT_EQ(a.packed, b.packed);
  EXPECT_EQ(a.ply, b.ply);
  ASSERT_EQ(a.moves.size(), b.moves.size());
  for (size_t i = 0; i < a.moves.size(); ++i) {
    EXPECT_EQ(a.moves[i].move, b.moves[i].move);
    EXPECT_EQ(a.moves[i].ponder, b.moves[i].ponder);
    EXPECT_EQ(a.moves[i].value, b.moves[i].value);
    EXPECT_EQ(a.moves[i].depth, b.moves[i].depth);
    EXPECT_EQ(a.moves[i].count, b.moves[i].count);
    EXPECT_EQ(a.moves[i].has_value, b.moves[i].has_value);
    EXPECT_EQ(a.moves[i].has_depth, b.moves[i].has_depth);
  }
}

class ProbeFileTest : public ::testing::TestWithParam<size_t> {};

TEST_P(ProbeFileTest, AnswersForEveryPositionAndForNoOther) {
  const std::vector<DbPosition> book = RandomBook(GetParam(), 1);
  const std::string bytes = WriteProbeFile(book);
  const auto view = ProbeView::Of(bytes, "f");
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_TRUE(view->Check("f").ok()) << view->Check("f");
  EXPECT_EQ(view->positions(), book.size());
  for (const DbPosition& position : book) {
    const auto found = view->Ask(position.packed);
    ASSERT_TRUE(found.has_value());
    ExpectSame(*found, position);
    PackedPosition other = position.packed;
    other.bytes[31] ^= 0x80;
    if (std::none_of(book.begin(), book.end(),
                     [&](const DbPosition& p) { return p.packed == other; })) {
      EXPECT_FALSE(view->Ask(other).has_value());
    }
  }
}

TEST_P(ProbeFileTest, IsTheSameBytesForTheSameBook) {
  std::vector<DbPosition> book = RandomBook(GetParam(), 2);
  const std::string bytes = WriteProbeFile(book);
  std::reverse(book.begin(), book.end());
  EXPECT_EQ(WriteProbeFile(book), bytes);
  std::vector<DbPosition> read;
  DbSink sink;
  sink.accept = [&](DbPosition position) { read.push_back(std::move(position)); };
  sink.reject = [](const absl::Status& problem) { ADD_FAILURE() << problem; };
  ASSERT_TRUE(ReadProbeFile(bytes, "f", sink).ok());
  EXPECT_EQ(WriteProbeFile(read), bytes);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ProbeFileTest, ::testing::Values(0, 1, 3, 4, 100, 3000));

TEST(ProbeFile, IsMappedFromTheDisk) {
  const testing::TempFolder folder;
  const std::vector<DbPosition> book = RandomBook(50, 3);
  ASSERT_TRUE(WriteFileAtomically(folder / "book.probe", WriteProbeFile(book)).ok());
  const auto file = ProbeFile::Open(folder / "book.probe");
  ASSERT_TRUE(file.ok()) << file.status();
  ExpectSame(*file->view().Ask(book[7].packed), book[7]);
  EXPECT_EQ(ProbeFile::Open(folder / "none").status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(WriteFileAtomically(folder / "empty", "").ok());
  EXPECT_EQ(ProblemOf(ProbeFile::Open(folder / "empty").status()).code, "unknown_version");
  EXPECT_FALSE(ProbeView().Ask(book[0].packed).has_value());
}

// The header or Check detects every changed byte, except in the content of positions and moves.
// Lookups in damaged files are safe.
TEST(ProbeFile, NoticesDamage) {
  const std::vector<DbPosition> book = RandomBook(6, 4);
  const std::string bytes = WriteProbeFile(book);
  const auto whole = ProbeView::Of(bytes, "f");
  const size_t moves_at = bytes.size() - whole->moves() * 16;
  const size_t entries_at = moves_at - whole->positions() * 40;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const auto view = ProbeView::Of(changed, "f");
    const size_t in_entry = at < entries_at || at >= moves_at ? 32 : (at - entries_at) % 40;
    const size_t in_move = at < moves_at ? 12 : (at - moves_at) % 16;
    if (in_entry >= 32 && in_entry < 38 && in_move >= 12) {
      EXPECT_FALSE(view.ok() && view->Check("f").ok()) << "byte " << at;
    }
    if (!view.ok()) continue;
    for (uint64_t i = 0; i < view->positions(); ++i) (void)view->At(i);
    for (const DbPosition& position : book) (void)view->Ask(position.packed);
  }
  for (const size_t size : {size_t{7}, size_t{63}, bytes.size() - 1}) {
    EXPECT_FALSE(ProbeView::Of(std::string_view(bytes).substr(0, size), "f").ok());
  }
}

TEST(ProbeFile, RejectsMovesThatAreNotLegal) {
  std::vector<DbPosition> book = RandomBook(2, 5);
  ASSERT_THAT(book, SizeIs(2));
  book[0].moves = {DbMove{.move = Move::Board(0, 40)}};
  std::vector<std::string> problems;
  size_t accepted = 0;
  DbSink sink;
  sink.accept = [&](const DbPosition&) { ++accepted; };
  sink.reject = [&](const absl::Status& problem) { problems.push_back(ProblemOf(problem).code); };
  ASSERT_TRUE(ReadProbeFile(WriteProbeFile(book), "f", sink).ok());
  EXPECT_THAT(problems, ::testing::ElementsAre("illegal_move"));
  EXPECT_EQ(accepted, 1u);
}

}  // namespace
}  // namespace joseki::book
