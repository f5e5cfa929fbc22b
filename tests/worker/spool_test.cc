#include "worker/spool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/file.h"
#include "base/problem.h"
#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

FinishedGame GameOf(uint32_t slot, size_t plies = 20) {
  FinishedGame game;
  game.epoch = "0123abcd";
  game.run = 3;
  game.lease = 0x1122334455667788;
  game.slot = slot;
  for (size_t ply = 0; ply < plies; ++ply)
    game.moves.push_back(Move(static_cast<uint16_t>(ply * 257)));
  game.ending = {Result::kSecondWins, Termination::kNoLegalMove};
  game.nodes = 123456789012;
  game.think_ms = 4321;
  return game;
}

std::vector<uint32_t> Slots(const Spool::Batch& batch) {
  std::vector<uint32_t> slots;
  for (const FinishedGame& game : batch.games) slots.push_back(game.slot);
  return slots;
}

class SpoolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = (std::filesystem::path(::testing::TempDir()) /
               ("spool-" + std::to_string(getpid()) + "-" +
                ::testing::UnitTest::GetInstance()->current_test_info()->name()))
                  .string();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Spool> Open(Spool::Options options = {}) {
    auto spool = Spool::Open(folder_, options);
    EXPECT_TRUE(spool.ok()) << spool.status();
    return spool.ok() ? *std::move(spool) : nullptr;
  }
  Spool::Batch All(const Spool& spool) { return spool.Oldest(1000, 1 << 30); }
  std::string File() { return *ReadFile(folder_ + "/games.spool"); }
  void Overwrite(const std::string& bytes) {
    ASSERT_TRUE(WriteFileAtomically(folder_ + "/games.spool", bytes).ok());
  }

  std::string folder_;
};

TEST(SpoolGame, SurvivesTheRoundTrip) {
  FinishedGame game = GameOf(9);
  EXPECT_EQ(DecodeGame(EncodeGame(game)), game);
  game.scores = {-300, 0, 32000, kNoScore};
  EXPECT_EQ(DecodeGame(EncodeGame(game)), game);
  game.depth = 17;
  EXPECT_EQ(DecodeGame(EncodeGame(game)), game);
  game.depth = 0;
  game.used = {{{1, 2, 3, 4}, {5, 0, uint64_t{1} << 50, 8}}};
  EXPECT_EQ(DecodeGame(EncodeGame(game)), game);
  game.scores.clear();
  EXPECT_EQ(DecodeGame(EncodeGame(game)), game);
  const std::string whole = EncodeGame(game);
  EXPECT_EQ(DecodeGame(whole + "x"), std::nullopt);
  EXPECT_EQ(DecodeGame(whole.substr(0, whole.size() - 1)), std::nullopt);
  game.used = {};
  game.scores.assign(game.moves.size() + 1, 7);
  EXPECT_EQ(DecodeGame(EncodeGame(game)), std::nullopt) << "more scores than moves";
  game.scores.clear();
  game.moves.clear();
  game.ending = {Result::kNone, Termination::kCrash};
  game.fault = "gone\0away";
  EXPECT_EQ(DecodeGame(EncodeGame(game)), game);
}

TEST_F(SpoolTest, HoldsTheLongestGame) {
  const auto spool = Open();
  FinishedGame game = GameOf(1, 2000);
  game.scores.assign(2000, -1);
  game.fault = std::string(500, 'x');
  EXPECT_TRUE(spool->Append(game).ok());
  const absl::StatusOr<SpoolContents> contents = ReadSpool(File());
  ASSERT_TRUE(contents.ok());
  EXPECT_EQ(contents->damaged_bytes, 0u);
  EXPECT_THAT(contents->games, ElementsAre(game));
}

TEST(SpoolGame, RefusesWhatIsNoGame) {
  const std::string good = EncodeGame(GameOf(1));
  EXPECT_EQ(DecodeGame(""), std::nullopt);
  EXPECT_EQ(DecodeGame(good + "x"), std::nullopt);
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(DecodeGame(good.substr(0, size)), std::nullopt) << size;
  }
  const size_t termination = 1 + 8 + 8 + 8 + 4;
  std::string bad = good;
  bad[termination] = 99;
  EXPECT_EQ(DecodeGame(bad), std::nullopt);
  bad = good;
  bad[termination + 1] = 4;
  EXPECT_EQ(DecodeGame(bad), std::nullopt);
}

TEST_F(SpoolTest, KeepsGamesUntilTheyAreAcknowledged) {
  const auto spool = Open();
  for (uint32_t slot = 0; slot < 3; ++slot) EXPECT_TRUE(spool->Append(GameOf(slot)).ok());
  const Spool::Batch batch = spool->Oldest(2, 1 << 20);
  EXPECT_THAT(Slots(batch), ElementsAre(0, 1));
  EXPECT_EQ(batch.games[1], GameOf(1));
  spool->Acknowledge(std::vector<Spool::Ticket>{batch.tickets[1]});
  EXPECT_THAT(Slots(All(*spool)), ElementsAre(0, 2));
  EXPECT_EQ(spool->pending(), 2u);
}

TEST_F(SpoolTest, ReplaysWhatAKilledWorkerLeft) {
  {
    const auto spool = Open();
    for (uint32_t slot = 0; slot < 3; ++slot) EXPECT_TRUE(spool->Append(GameOf(slot)).ok());
    spool->Acknowledge(std::vector<Spool::Ticket>{All(*spool).tickets[1]});
  }
  // The acknowledged one was not compacted away: it comes back, and is a duplicate for the
  // coordinator.
  {
    const auto spool = Open();
    EXPECT_EQ(spool->damaged_bytes(), 0u);
    EXPECT_THAT(Slots(All(*spool)), ElementsAre(0, 1, 2));
    EXPECT_EQ(All(*spool).games[2], GameOf(2));
    EXPECT_TRUE(spool->Append(GameOf(3)).ok());
  }
  EXPECT_THAT(Slots(All(*Open())), ElementsAre(0, 1, 2, 3));
}

TEST_F(SpoolTest, IsEmptiedWhenEverythingIsAcknowledged) {
  {
    const auto spool = Open();
    EXPECT_TRUE(spool->Append(GameOf(0)).ok());
    EXPECT_GT(File().size(), kSpoolHeader.size());
    spool->Acknowledge(std::vector<Spool::Ticket>{All(*spool).tickets[0]});
    EXPECT_EQ(File(), kSpoolHeader);
    EXPECT_TRUE(spool->Append(GameOf(1)).ok());
  }
  EXPECT_THAT(Slots(All(*Open())), ElementsAre(1));
}

TEST_F(SpoolTest, IsRewrittenWhenItIsLargeAndMostlyAcknowledged) {
  {
    const auto spool = Open({.compact_bytes = 2000});
    for (uint32_t slot = 0; slot < 40; ++slot) EXPECT_TRUE(spool->Append(GameOf(slot)).ok());
    const size_t before = File().size();
    spool->Acknowledge(spool->Oldest(30, 1 << 20).tickets);
    EXPECT_LT(File().size(), before / 3);
    EXPECT_TRUE(spool->Append(GameOf(40)).ok());
    EXPECT_EQ(spool->pending(), 11u);
  }
  const auto spool = Open();
  EXPECT_EQ(spool->damaged_bytes(), 0u);
  EXPECT_EQ(Slots(All(*spool)).front(), 30u);
  EXPECT_EQ(Slots(All(*spool)).back(), 40u);
  EXPECT_EQ(spool->pending(), 11u);
}

TEST_F(SpoolTest, CutsATornTailOffAtEveryByte) {
  size_t two = 0;
  {
    const auto spool = Open();
    for (uint32_t slot = 0; slot < 2; ++slot) EXPECT_TRUE(spool->Append(GameOf(slot, 4)).ok());
    two = File().size();
    EXPECT_TRUE(spool->Append(GameOf(2, 4)).ok());
  }
  const std::string whole = File();
  for (size_t size = two + 1; size < whole.size(); ++size) {
    Overwrite(whole.substr(0, size));
    {
      const auto spool = Open();
      EXPECT_EQ(spool->damaged_bytes(), size - two);
      EXPECT_THAT(Slots(All(*spool)), ElementsAre(0, 1));
      EXPECT_TRUE(spool->Append(GameOf(7)).ok());
    }
    EXPECT_THAT(Slots(All(*Open())), ElementsAre(0, 1, 7));
  }
}

TEST_F(SpoolTest, LeavesOutWhatWasChangedOnTheDisk) {
  {
    const auto spool = Open();
    for (uint32_t slot = 0; slot < 3; ++slot) EXPECT_TRUE(spool->Append(GameOf(slot, 4)).ok());
  }
  const std::string whole = File();
  for (size_t bit = kSpoolHeader.size() * 8; bit < whole.size() * 8; ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    const auto contents = ReadSpool(bytes);
    ASSERT_TRUE(contents.ok());
    EXPECT_GT(contents->damaged_bytes, 0u) << bit;
    EXPECT_LT(contents->games.size(), 3u) << bit;
    for (const FinishedGame& game : contents->games) EXPECT_EQ(game, GameOf(game.slot, 4)) << bit;
  }
  // A game whose own bytes are wrong costs that game alone.
  std::string bytes = whole;
  bytes[kSpoolHeader.size() + 12] ^= 1;
  EXPECT_EQ(ReadSpool(bytes)->games.size(), 2u);
}

TEST(ReadSpool, TakesAnyBytes) {
  Rng rng(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(round % 2 == 0 ? kSpoolHeader : "");
    const size_t size = rng.Below(200);
    for (size_t i = 0; i < size; ++i)
      bytes += static_cast<char>(rng.Next() & (round % 3 ? 0xff : 3));
    const auto contents = ReadSpool(bytes);
    if (contents.ok()) {
      EXPECT_THAT(contents->games, IsEmpty());
    }
  }
}

TEST_F(SpoolTest, RefusesAnotherFileAndLeavesItAlone) {
  std::filesystem::create_directories(folder_);
  Overwrite("joseki-spool 2\nsomething newer");
  const auto spool = Spool::Open(folder_, {});
  ASSERT_FALSE(spool.ok());
  EXPECT_EQ(ProblemOf(spool.status()).code, "not_a_spool");
  EXPECT_EQ(File(), "joseki-spool 2\nsomething newer");
}

TEST_F(SpoolTest, MendsATornHeader) {
  std::filesystem::create_directories(folder_);
  Overwrite("josek");
  EXPECT_EQ(Open()->damaged_bytes(), 5u);
  EXPECT_EQ(File(), kSpoolHeader);
}

TEST_F(SpoolTest, BelongsToOneWorker) {
  const auto spool = Open();
  const auto second = Spool::Open(folder_, {});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(ProblemOf(second.status()).code, "spool_in_use");
}

TEST_F(SpoolTest, SaysWhenItIsFull) {
  const auto spool = Open({.most_bytes = 300});
  EXPECT_TRUE(spool->Room().ok());
  while (spool->pending_bytes() < 300) EXPECT_TRUE(spool->Append(GameOf(1)).ok());
  EXPECT_EQ(ProblemOf(spool->Room()).code, "spool_full");
  spool->Acknowledge(std::vector<Spool::Ticket>{All(*spool).tickets[0]});
  EXPECT_TRUE(spool->Room().ok());
}

TEST_F(SpoolTest, BatchesGamesOfOneEpochUpToItsLimits) {
  const auto spool = Open();
  for (uint32_t slot = 0; slot < 4; ++slot) {
    FinishedGame game = GameOf(slot);
    if (slot == 3) game.epoch = "other";
    EXPECT_TRUE(spool->Append(game).ok());
  }
  EXPECT_THAT(Slots(All(*spool)), ElementsAre(0, 1, 2));
  EXPECT_THAT(Slots(spool->Oldest(2, 1 << 20)), ElementsAre(0, 1));
  EXPECT_THAT(Slots(spool->Oldest(10, 250)), ElementsAre(0, 1));
  EXPECT_THAT(Slots(spool->Oldest(10, 1)), ElementsAre(0));  // one at least, or nothing would move
}

// A full disk, played by the process's own limit on the size of files.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(SpoolTest, KeepsGamesInMemoryWhileTheDiskIsFull) {
  {
    const auto spool = Open();
    EXPECT_TRUE(spool->Append(GameOf(0)).ok());
    {
      // Room for half of the next record: it must not stay behind.
      const FullDisk full(File().size() + 50);
      EXPECT_FALSE(spool->Append(GameOf(1)).ok());
      EXPECT_EQ(ProblemOf(spool->Room()).code, "spool_error");
      EXPECT_EQ(ReadSpool(File())->damaged_bytes, 0u);
      EXPECT_FALSE(spool->Append(GameOf(2)).ok());
      EXPECT_FALSE(spool->Sync().ok());
      EXPECT_THAT(Slots(All(*spool)), ElementsAre(0, 1, 2));
    }
    EXPECT_TRUE(spool->Sync().ok());
    EXPECT_TRUE(spool->Room().ok());
  }
  EXPECT_THAT(Slots(All(*Open())), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace joseki::worker
