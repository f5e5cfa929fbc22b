#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/formats/apery.h"
#include "book/formats/yaneuraou_db.h"
#include "book/formats/ybb.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/book/read_book.h"
#include "tests/support/data.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::SharedData;
using ::joseki::testing::TestData;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Read FromYbb(const std::string& bytes) {
  return ReadWith([&](const DbSink& sink) { return ReadYbb(bytes, "book", sink); });
}

struct AperyRead : Read {
  std::vector<AperyRecord> unreached;
};

AperyRead FromApery(const std::string& bytes, const HashedWalk& walk = {}) {
  AperyRead read;
  static_cast<Read&>(read) = ReadWith(
      [&](const DbSink& sink) { return ReadApery(bytes, "book", walk, sink, &read.unreached); });
  return read;
}

Read FromText(const std::string& text) {
  return ReadWith([&](const DbSink& sink) { return ReadYaneuraouDb(text, "book", sink); });
}

// Positions and their moves alone, in one order.
std::vector<std::string> Structure(std::vector<DbPosition> positions) {
  Canonicalise(positions);
  std::vector<std::string> lines;
  for (const DbPosition& position : positions) {
    std::vector<std::string> moves;
    for (const DbMove& move : position.moves) moves.push_back(shogi::ToUsi(move.move));
    std::sort(moves.begin(), moves.end());
    std::string line = shogi::ToSfen(*shogi::Unpack(position.packed), 1);
    for (const std::string& move : moves) line += " " + move;
    lines.push_back(line);
  }
  return lines;
}

std::vector<DbPosition> Canonical() {
  return FromText(Bytes(TestData("books/canonical.db"))).positions;
}

uint64_t KeyOf(const char* sfen) { return AperyKey(shogi::ParseSfen(sfen)->position); }

TEST(Ybb, WhatIsWrittenIsReadAndWrittenAgain) {
  const std::string bytes = WriteYbb(Canonical());
  EXPECT_TRUE(IsYbb(bytes));
  const Read read = FromYbb(bytes);
  ASSERT_TRUE(read.status.ok()) << read.status;
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(Structure(read.positions), Structure(Canonical()));
  EXPECT_EQ(WriteYbb(read.positions), bytes);
  std::vector<DbPosition> before = Canonical();
  Canonicalise(before);
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(read.positions[i].ply, before[i].ply);
    for (size_t m = 0; m < before[i].moves.size(); ++m) {
      EXPECT_EQ(read.positions[i].moves[m].value, before[i].moves[m].value);
      EXPECT_EQ(read.positions[i].moves[m].depth, before[i].moves[m].depth);
    }
  }
}

TEST(Ybb, WithoutDepthsAMoveTakesFourBytes) {
  std::vector<DbPosition> positions = Canonical();
  size_t moves = 0;
  for (DbPosition& position : positions) {
    for (DbMove& move : position.moves) move.has_depth = false;
    moves += position.moves.size();
  }
  const std::string bytes = WriteYbb(positions);
  EXPECT_EQ(bytes.size(), 32 + 44 * positions.size() + 4 * moves);
  const Read read = FromYbb(bytes);
  EXPECT_EQ(Structure(read.positions), Structure(positions));
  EXPECT_FALSE(read.positions[0].moves[0].has_depth);
}

TEST(Ybb, HoldsValuesAndDepthsInTheirRange) {
  std::vector<DbPosition> positions = Canonical();
  positions[0].moves[0].value = 1'000'000;
  positions[0].moves[0].depth = 1'000'000;
  positions[0].moves[0].has_depth = true;
  const Read read = FromYbb(WriteYbb({positions[0]}));
  ASSERT_EQ(read.positions.size(), 1u);
  EXPECT_EQ(read.positions[0].moves[0].value, 32000);
  EXPECT_EQ(read.positions[0].moves[0].depth, 65535);
}

TEST(Ybb, OrdersMovesByNothingThatItDoesNotHold) {
  DbPosition start;
  start.packed = shogi::Pack(shogi::Position());
  // Cases found by damaged books: two values that merge into one, and a count that the format
  // cannot hold.
  for (const auto& [text, value, count] : std::vector<std::tuple<const char*, int, uint64_t>>{
           {"7g7f", 32700, 1}, {"2g2f", 32500, 1}, {"1g1f", 5, 1}, {"9g9f", 5, 2}}) {
    start.moves.push_back({.move = *shogi::ShogiRules().MoveOf(text),
                           .value = value,
                           .depth = 3,
                           .count = count,
                           .has_value = true,
                           .has_depth = true});
  }
  for (const bool reversed : {false, true}) {
    if (reversed) std::reverse(start.moves.begin(), start.moves.end());
    const std::string bytes = WriteYbb({start});
    EXPECT_EQ(WriteYbb(FromYbb(bytes).positions), bytes);
  }
}

// Every invalid header and index is refused as a whole, naming the byte.
TEST(Ybb, RefusesWhatDoesNotHold) {
  const std::string good = WriteYbb(Canonical());
  const auto problem = [&](size_t at, char byte, size_t size = std::string::npos) {
    std::string bytes = good.substr(0, size);
    if (at < bytes.size()) bytes[at] = byte;
    const Read read = FromYbb(bytes);
    EXPECT_FALSE(read.status.ok());
    EXPECT_THAT(read.positions, IsEmpty());
    const Problem found = ProblemOf(read.status);
    return found.code + " " + found.found;
  };
  EXPECT_THAT(problem(14, '2'), HasSubstr("unknown_version"));
  EXPECT_THAT(problem(24, 3), HasSubstr("unknown_version flags 3 at byte 24"));
  EXPECT_THAT(problem(23, 1), HasSubstr("bad_size"));
  EXPECT_THAT(problem(99999, 0, 20), HasSubstr("bad_size 20 bytes"));
  EXPECT_THAT(problem(99999, 0, 60), HasSubstr("bad_size"));
  EXPECT_THAT(problem(99999, 0, good.size() - 1), HasSubstr("bad_index moves at"));
  EXPECT_THAT(problem(32 + 32 + 7, 0x7f), HasSubstr("bad_index moves at"));
  EXPECT_THAT(problem(32, '\xff'), HasSubstr("bad_index a position out of order at byte 76"));
}

// If positions could share moves, a file of some kilobytes would ask for hours.
TEST(Ybb, RefusesMovesThatPositionsShare) {
  std::string bytes = WriteYbb(Canonical());
  const auto count = static_cast<size_t>(static_cast<unsigned char>(bytes[16]));
  const size_t moves = (bytes.size() - 32 - 44 * count) / 6;
  for (size_t i = 0; i < count; ++i) {
    char* const entry = &bytes[32 + 44 * i];
    std::fill(entry + 32, entry + 40, '\0');  // offset of its moves
    entry[42] = static_cast<char>(moves);
  }
  const Read read = FromYbb(bytes);
  EXPECT_THAT(read.positions, IsEmpty());
  EXPECT_EQ(ProblemOf(read.status).code, "bad_index");
}

TEST(Ybb, LeavesOutWhatIsNoPositionAndWhatIsNoMove) {
  std::string bytes = WriteYbb(Canonical());
  const std::string last(bytes.data() + bytes.size() - 6, 6);
  bytes[bytes.size() - 6] = '\x7f';  // to a square that is none
  Read read = FromYbb(bytes);
  EXPECT_TRUE(read.status.ok());
  ASSERT_EQ(read.problems.size(), 1u);
  EXPECT_THAT(read.problems[0], HasSubstr("illegal_move 0x"));
  for (int i = 0; i < 32; ++i) bytes[32 + i] = 0;
  read = FromYbb(bytes);
  EXPECT_TRUE(read.status.ok());
  ASSERT_EQ(read.problems.size(), 2u);
  EXPECT_EQ(read.problems[0], "1 bad_position at byte 32");
}

TEST(Ybb, AgreesWithItsTwinInText) {
  const std::filesystem::path folder = SharedData("books/importer_fixtures");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  const std::string bytes = Bytes(folder / "yaneuraou.ybb");
  const Read binary = FromYbb(bytes);
  const Read text = FromText(Bytes(folder / "yaneuraou.db"));
  ASSERT_TRUE(binary.status.ok()) << binary.status;
  EXPECT_THAT(binary.problems, IsEmpty());
  EXPECT_EQ(Structure(binary.positions), Structure(text.positions));
  EXPECT_EQ(binary.positions.size(), 5u);
  EXPECT_EQ(FromYbb(WriteYbb(binary.positions)).positions.size(), 5u);
}

TEST(Apery, KeysAreThoseOfOtherPrograms) {
  EXPECT_EQ(KeyOf("startpos"), 0xeebe8ee7e1ad7e15);
  EXPECT_EQ(KeyOf("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"),
            0x3e7b1f82567220d5);
  EXPECT_EQ(KeyOf("lnsgk1snl/1r4g2/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL w Bb 12"),
            0xe783dab6ffe859ac);
  EXPECT_EQ(KeyOf("ln1gk1snl/6gb1/2sppppp1/p7p/2R6/Pr4P2/2PPPPN1P/1BGK2S2/LNS2G2L w 3Pp 26"),
            0x7020a21ad03aa7ff);
}

// A line of the start position, drops and promotions among its moves.
std::vector<DbPosition> PlayedLine() {
  std::vector<DbPosition> positions;
  shogi::Position position;
  int ply = 1;
  for (const char* text : {"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"}) {
    DbPosition& entry = positions.emplace_back();
    entry.packed = shogi::Pack(position);
    entry.ply = ply++;
    DbMove& move = entry.moves.emplace_back();
    move.move = *shogi::ParseMove(position, text);
    move.value = 10 * ply;
    move.count = static_cast<uint64_t>(ply);
    shogi::Undo undo;
    position.Do(move.move, undo);
  }
  return positions;
}

TEST(Apery, WhatIsWrittenIsReadAndWrittenAgain) {
  const std::string bytes = WriteApery(PlayedLine(), {});
  EXPECT_TRUE(IsApery(bytes));
  EXPECT_EQ(bytes.size(), 16 * PlayedLine().size());
  const AperyRead read = FromApery(bytes);
  ASSERT_TRUE(read.status.ok());
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_THAT(read.unreached, IsEmpty());
  EXPECT_EQ(Structure(read.positions), Structure(PlayedLine()));
  EXPECT_EQ(read.positions[4].ply, 5);
  EXPECT_EQ(read.positions[4].moves[0].value, 60);
  EXPECT_EQ(read.positions[4].moves[0].count, 6u);
  EXPECT_EQ(WriteApery(read.positions, {}), bytes);
}

TEST(Apery, AMoveThatIsRepeatedIsOne) {
  const std::string bytes = WriteApery(PlayedLine(), {});
  const AperyRead read = FromApery(bytes + bytes);
  ASSERT_TRUE(read.status.ok());
  EXPECT_EQ(Structure(read.positions), Structure(PlayedLine()));
}

// A one-sided book has every second position; a longer gap hides the rest, and no record is lost.
TEST(Apery, WalksOverGapsAndKeepsWhatItDoesNotReach) {
  std::vector<DbPosition> line = PlayedLine();
  line.erase(line.begin() + 1);
  const std::string one_side = WriteApery(line, {});
  EXPECT_EQ(FromApery(one_side).positions.size(), 4u);
  const AperyRead blind = FromApery(one_side, {.roots = {}, .gap = 0});
  EXPECT_EQ(blind.positions.size(), 1u);
  ASSERT_EQ(blind.unreached.size(), 3u);
  EXPECT_EQ(WriteApery(blind.positions, blind.unreached), one_side);

  line.erase(line.begin() + 1);
  const std::string gap = WriteApery(line, {});
  EXPECT_EQ(FromApery(gap).positions.size(), 1u);
  EXPECT_EQ(FromApery(gap, {.roots = {}, .gap = 2}).positions.size(), 3u);
  const shogi::Position root = *shogi::Unpack(PlayedLine()[3].packed);
  EXPECT_EQ(FromApery(gap, {.roots = {root}, .gap = 0}).positions.size(), 3u);
}

TEST(Apery, ScalesLargeCountsTogether) {
  DbPosition start = PlayedLine()[0];
  start.moves[0].count = 655'350'000;
  DbMove other = start.moves[0];
  other.move = *shogi::ParseMove(shogi::Position(), "2g2f");
  other.count = 327'675'000;
  DbMove rare = start.moves[0];
  rare.move = *shogi::ParseMove(shogi::Position(), "9g9f");
  rare.count = 1;
  start.moves.push_back(other);
  start.moves.push_back(rare);
  const AperyRead read = FromApery(WriteApery({start}, {}));
  ASSERT_EQ(read.positions.size(), 1u);
  std::vector<uint64_t> counts;
  for (const DbMove& move : read.positions[0].moves) counts.push_back(move.count);
  EXPECT_THAT(counts, ElementsAre(65535u, 32767u, 1u));
}

TEST(Apery, TellsAnIllegalMoveFromAnotherPosition) {
  std::vector<AperyRecord> records = {{KeyOf("startpos"), 60 | 59 << 7, 1, 0},
                                      {KeyOf("startpos"), 59 | 60 << 7, 1, 0}};
  const AperyRead read = FromApery(WriteApery({}, records));
  ASSERT_EQ(read.positions.size(), 1u);
  EXPECT_THAT(read.problems, ElementsAre("1 illegal_move 0x1dbc at byte 8"));
  // No move is legal: the records belong to another position with this hash.
  const AperyRead other = FromApery(WriteApery({}, {records[0]}));
  EXPECT_THAT(other.problems, IsEmpty());
  EXPECT_THAT(other.unreached, ElementsAre(records[0]));
  EXPECT_EQ(ProblemOf(FromApery("123").status).code, "bad_size");
}

TEST(Apery, TwinsInOtherFormatsAreTheSameBook) {
  const std::filesystem::path folder = SharedData("books/same_book_five_formats");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  const std::string bytes = Bytes(folder / "apery.bin");
  EXPECT_TRUE(IsApery(bytes));
  const AperyRead binary = FromApery(bytes);
  EXPECT_THAT(binary.problems, IsEmpty());
  EXPECT_THAT(binary.unreached, IsEmpty());
  const Read text = FromText(Bytes(folder / "yaneuraou.db"));
  EXPECT_EQ(Structure(binary.positions), Structure(text.positions));
  EXPECT_EQ(binary.positions.size(), 73u);
  EXPECT_EQ(WriteApery(binary.positions, {}), bytes);
}

TEST(Apery, ReadsAForeignBookAndKeepsTheRest) {
  const std::filesystem::path folder = SharedData("books/importer_fixtures");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  for (const char* name : {"apery.bin", "apery-merge.bin"}) {
    const std::string bytes = Bytes(folder / name);
    const AperyRead read = FromApery(bytes);
    EXPECT_TRUE(read.status.ok());
    EXPECT_EQ(FromApery(WriteApery(read.positions, read.unreached)).positions.size(),
              read.positions.size());
    EXPECT_EQ(WriteApery(read.positions, read.unreached).size(), bytes.size());
    std::cout << name << ": " << read.positions.size() << " positions, " << read.unreached.size()
              << " records not reached" << std::endl;
  }
}

}  // namespace
}  // namespace joseki::book
