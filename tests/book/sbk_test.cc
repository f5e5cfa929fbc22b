#include "book/formats/sbk.h"

#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/formats/apery.h"
#include "book/formats/gikou.h"
#include "book/formats/protobuf_wire.h"
#include "book/formats/yaneuraou_db.h"
#include "book/records/record.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/book/read_book.h"
#include "tests/support/data.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::SharedData;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Read FromSbk(const std::string& bytes) {
  return ReadWith([&](const DbSink& sink) { return ReadSbk(bytes, "book", sink); });
}
Read FromYaneuraou(const std::string& text) {
  return ReadWith([&](const DbSink& sink) { return ReadYaneuraouDb(text, "book", sink); });
}
Read FromGikou(const std::string& bytes) {
  return ReadWith([&](const DbSink& sink) { return ReadGikou(bytes, "book", {}, sink); });
}

// "sfen: move count, ..." of each position, ascending; moves with less than `least` left out.
std::vector<std::string> Moves(std::vector<DbPosition> positions, uint64_t least) {
  Canonicalise(positions);
  std::vector<std::string> lines;
  for (const DbPosition& entry : positions) {
    std::string line;
    for (const DbMove& move : entry.moves) {
      if (move.count >= least) line += " " + shogi::ToUsi(move.move);
    }
    if (!line.empty()) lines.push_back(shogi::ToSfen(*shogi::Unpack(entry.packed), 1) + ":" + line);
  }
  return lines;
}

// A line with a capture, a promotion and a drop, and a second move at its start.
std::vector<DbPosition> Line() {
  std::vector<DbPosition> positions;
  shogi::Position position;
  int ply = 1;
  for (const char* text : {"7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"}) {
    DbPosition& entry = positions.emplace_back();
    entry.packed = shogi::Pack(position);
    entry.ply = ply++;
    DbMove& move = entry.moves.emplace_back();
    move.move = *shogi::ParseMove(position, text);
    move.count = static_cast<uint64_t>(10 - ply);
    shogi::Undo undo;
    position.Do(move.move, undo);
  }
  DbMove other;
  other.move = *shogi::ParseMove(shogi::Position(), "2g2f");
  other.count = 0;
  positions[0].moves.push_back(other);
  return positions;
}

TEST(Sbk, WhatIsWrittenIsReadAndWrittenAgain) {
  const std::string bytes = WriteSbk(Line());
  EXPECT_TRUE(IsSbk(bytes));
  EXPECT_FALSE(IsSbk(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(IsSbk(""));
  EXPECT_FALSE(IsSbk("startpos moves 7g7f\n"));
  const Read read = FromSbk(bytes);
  EXPECT_TRUE(read.status.ok()) << read.status;
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(Moves(read.positions, 0), Moves(Line(), 0));
  ASSERT_THAT(read.positions, SizeIs(5));
  EXPECT_EQ(read.positions[0].moves[0].count, 8u);
  EXPECT_EQ(read.positions[0].moves[1].count, 0u);
  EXPECT_EQ(read.positions[4].ply, 5);
  EXPECT_EQ(WriteSbk(read.positions), bytes);
}

TEST(Sbk, PositionsThatNothingLeadsToAreRoots) {
  std::vector<DbPosition> line = Line();
  line.erase(line.begin());
  line.erase(line.begin() + 1);
  const Read read = FromSbk(WriteSbk(line));
  EXPECT_THAT(read.problems, IsEmpty());
  EXPECT_EQ(Moves(read.positions, 0), Moves(line, 0));
  std::vector<int> plies;
  for (const DbPosition& position : read.positions) plies.push_back(position.ply);
  EXPECT_THAT(plies, ::testing::UnorderedElementsAre(2, 4, 5));
}

// The bits of moves that ShogiGUI wrote.
TEST(Sbk, MovesAreWrittenAsShogiGuiDoes) {
  const std::string bytes = WriteSbk(Line());
  std::vector<uint64_t> bits;
  WireReader book(bytes);
  WireField state;
  while (book.Next(state)) {
    WireReader parts(state.bytes);
    WireField part;
    while (state.number == 3 && parts.Next(part)) {
      WireReader move(part.bytes);
      WireField field;
      if (part.number == 9 && move.Next(field)) bits.push_back(field.value);
    }
  }
  EXPECT_THAT(bits, ElementsAre(0x1007677u, 0x1002627u, 0xffffffff91003433u, 0x6682288u,
                                0xffffffff94e02231u, 0x6004500u));
}

std::string State(int id, const std::string& moves, const std::string& position = "") {
  std::string state;
  AppendNumber(state, 1, static_cast<uint64_t>(id));
  if (!position.empty()) AppendBytes(state, 7, position);
  state += moves;
  std::string book;
  AppendBytes(book, 3, state);
  return book;
}
std::string MoveTo(uint32_t bits, int next) {
  std::string move;
  AppendNumber(move, 1, bits);
  AppendNumber(move, 3, 1);
  AppendNumber(move, 4, static_cast<uint64_t>(static_cast<int64_t>(next)));
  std::string field;
  AppendBytes(field, 9, move);
  return field;
}

TEST(Sbk, NamesWhatIsWrong) {
  const Read read = FromSbk(State(0, MoveTo(0x1007677, 1) + MoveTo(0x1007577, -1)) +
                            State(1, MoveTo(0x1003433, 7)) + State(2, MoveTo(0x1007677, -1)) +
                            State(3, "", "nonsense") + State(4, "", "9/9/9/9/9/9/9/9/9 b - 1"));
  EXPECT_TRUE(read.status.ok()) << read.status;
  EXPECT_THAT(Moves(read.positions, 0), SizeIs(2));
  ASSERT_THAT(read.problems, SizeIs(5));
  EXPECT_THAT(read.problems[0], HasSubstr("4 bad_board"));
  EXPECT_THAT(read.problems[1], HasSubstr("5 "));
  EXPECT_THAT(read.problems[2], HasSubstr("1 illegal_move 0x01007577 at byte"));
  EXPECT_THAT(read.problems[3], HasSubstr("2 bad_state a move that leads to state 7"));
  EXPECT_THAT(read.problems[4], HasSubstr("3 unreached_state state 2"));

  const std::string twice = State(0, "") + State(0, "");
  EXPECT_EQ(ProblemOf(FromSbk(twice).status).code, "bad_state");
  std::string torn = WriteSbk(Line());
  torn.resize(torn.size() - 3);
  EXPECT_EQ(ProblemOf(FromSbk(torn).status).code, "bad_wire");
  EXPECT_THAT(ProblemOf(FromSbk(torn).status).found, HasSubstr("at byte "));
}

// A number that does not end, one of 64 bits that goes on, lengths beyond the end.
TEST(Sbk, RefusesBytesThatAreNoFields) {
  for (const char* bytes : {"\x1a", "\x1a\xff", "\x1a\x7f", "\x1b",
                            "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"}) {
    EXPECT_EQ(ProblemOf(FromSbk(bytes).status).code, "bad_wire");
  }
}

TEST(Sbk, ReadsEveryFixtureAndItsCopies) {
  const std::filesystem::path folder = SharedData("books/importer_fixtures");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  const std::pair<const char*, size_t> positions[] = {{"shogigui01", 62}, {"shogigui02", 102}};
  for (const auto& [name, count] : positions) {
    const Read original = FromSbk(Bytes(folder / (std::string(name) + ".sbk")));
    EXPECT_TRUE(original.status.ok());
    EXPECT_THAT(original.problems, IsEmpty());
    EXPECT_EQ(original.positions.size(), count) << name;
    for (const char* copy : {"-copy.sbk", "-copy-otf.sbk"}) {
      const Read read = FromSbk(Bytes(folder / (std::string(name) + copy)));
      EXPECT_THAT(read.problems, IsEmpty());
      EXPECT_EQ(Moves(read.positions, 0), Moves(original.positions, 0)) << name << copy;
    }
    const Read again = FromSbk(WriteSbk(original.positions));
    EXPECT_THAT(again.problems, IsEmpty());
    EXPECT_EQ(Moves(again.positions, 0), Moves(original.positions, 0)) << name;
  }
}

TEST(Twins, FiveFormatsHoldTheSameBook) {
  const std::filesystem::path folder = SharedData("books/same_book_five_formats");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  const Read db = FromYaneuraou(Bytes(folder / "yaneuraou.db"));
  const auto book = Moves(db.positions, 0);
  EXPECT_THAT(book, SizeIs(73));

  const std::string apery_bytes = Bytes(folder / "apery.bin");
  const Read apery = ReadWith(
      [&](const DbSink& sink) { return ReadApery(apery_bytes, "book", {}, sink, nullptr); });
  EXPECT_THAT(apery.problems, IsEmpty());
  EXPECT_EQ(Moves(apery.positions, 0), book);

  const std::string gikou_bytes = Bytes(folder / "gikou.bin");
  EXPECT_TRUE(IsGikou(gikou_bytes));
  EXPECT_FALSE(IsGikou(apery_bytes));
  const Read gikou = FromGikou(gikou_bytes);
  EXPECT_TRUE(gikou.status.ok()) << gikou.status;
  EXPECT_THAT(gikou.problems, IsEmpty());
  EXPECT_EQ(Moves(gikou.positions, 0), book);

  // Moves without weight exist in this file only: they are not to be played.
  const std::string sbk_bytes = Bytes(folder / "shogigui.sbk");
  EXPECT_TRUE(IsSbk(sbk_bytes));
  const Read sbk = FromSbk(sbk_bytes);
  EXPECT_THAT(sbk.problems, IsEmpty());
  EXPECT_EQ(Moves(sbk.positions, 1), book);

  // The tree of variations has all the moves of the .sbk book, with and without weight.
  std::vector<DbPosition> tree;
  RecordSink sink;
  const auto add = [&](const std::vector<Move>& moves, size_t first) {
    shogi::Position position;
    for (size_t i = 0; i < moves.size(); ++i) {
      if (i + 1 >= first) {
        DbPosition& entry = tree.emplace_back();
        entry.packed = shogi::Pack(position);
        entry.moves.emplace_back().move = moves[i];
      }
      shogi::Undo undo;
      position.Do(moves[i], undo);
    }
  };
  sink.accept = [&](const GameRecord& game) { add(game.moves, 1); };
  sink.variation = [&](const Variation& v) { add(v.moves, static_cast<size_t>(v.first)); };
  sink.reject = [](const absl::Status& problem) { ADD_FAILURE() << problem; };
  ReadRecords(Bytes(folder / "shogigui.kif"), "kif", sink);
  std::vector<DbPosition> unweighted = sbk.positions;
  for (DbPosition& position : unweighted) {
    for (DbMove& move : position.moves) move.count = 1;
  }
  for (DbPosition& position : tree) position.moves[0].count = 1;
  std::vector<DbPosition> merged = tree;
  Canonicalise(merged);
  for (DbPosition& position : merged) {
    for (DbMove& move : position.moves) move.count = 1;
  }
  EXPECT_EQ(Moves(merged, 0), Moves(unweighted, 0));
}

TEST(Gikou, NamesWhatIsWrong) {
  EXPECT_EQ(ProblemOf(FromGikou("123").status).code, "bad_size");
  const std::filesystem::path folder = SharedData("books/same_book_five_formats");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  std::string bytes = Bytes(folder / "gikou.bin");
  bytes.resize(bytes.size() - 1);
  EXPECT_EQ(ProblemOf(FromGikou(bytes).status).code, "bad_size");
  bytes = Bytes(folder / "gikou.bin");
  bytes[20'992] = static_cast<char>(bytes[20'992] ^ 1);  // a key of no position
  const Read read = FromGikou(bytes);
  EXPECT_THAT(read.problems.at(0), HasSubstr("1 unreached_position key "));
  EXPECT_THAT(read.problems.at(0), HasSubstr(" at byte 20992"));
}

}  // namespace
}  // namespace joseki::book
