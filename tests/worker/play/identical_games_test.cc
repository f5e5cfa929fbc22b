// A slot determines its game bit for bit, whichever compiler and processor paths play it. The hash
// below covers whole games. tests/identical_games builds this test with every supported compiler,
// with and without AVX2. The hash changes only with the engine's behaviour, as the bench signature
// does.
#include <fstream>
#include <iostream>
#include <string>

#include "base/hash.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/tsv.h"
#include "worker/play/embedded_player.h"
#include "worker/play/referee.h"

namespace joseki::worker {
namespace {

// The moves of the slot's game, how it ended and its nodes, as a line.
std::string PlayOne(const PlaySpec& spec, const Slot& slot, Player& player) {
  const Rules& rules = shogi::ShogiRules();
  EXPECT_TRUE(player.NewGame(slot.seed).ok());
  const RefereedGame game = PlayGame(rules, spec, slot, player, [](int) { return true; });
  EXPECT_FALSE(IsFault(game.ending.termination)) << game.fault;
  std::string line;
  for (const Move move : game.moves) line += rules.Text(move) + " ";
  return line + std::string(Name(game.ending.termination)) + " " + std::to_string(game.nodes) +
         "\n";
}

std::string PlayAll() {
  const Rules& rules = shogi::ShogiRules();
  PlaySpec spec;
  spec.nodes = 400;
  spec.jitter_percent = 20;
  auto player = ShogiPlayer::Create({});
  EXPECT_TRUE(player.ok()) << player.status();
  std::string bytes;
  const char* const lines[] = {"", "7g7f 3c3d", "2g2f 8c8d 2f2e 8d8e", "7g7f 8c8d 2h6h",
                               "5g5f 3c3d"};
  for (uint32_t i = 0; i < 10; ++i) {
    Slot slot;
    slot.slot = i;
    slot.start = "startpos";
    slot.seed = 1000 + i;
    auto state = rules.Start(slot.start, spec.match);
    std::string_view rest = lines[i % 5];
    while (!rest.empty()) {
      const size_t end = std::min(rest.find(' '), rest.size());
      auto move = (*state)->ParseMove(rest.substr(0, end));
      EXPECT_TRUE(move.ok()) << move.status();
      (*state)->Play(*move);
      slot.line.push_back(*move);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    // Two of the slots leave the book on purpose.
    if (i >= 8) slot.excluded = {*rules.MoveOf("2g2f"), *rules.MoveOf("7g7f")};
    bytes += PlayOne(spec, slot, **player);
  }
  // With more nodes the root looks for mates too; near the end of a game it finds some.
  spec.nodes = 12'000;
  for (const auto& row : testing::ReadTsv(testing::TestData("answered_by_mate.tsv"))) {
    Slot slot;
    slot.start = row[0];
    slot.seed = 2000;
    bytes += PlayOne(spec, slot, **player);
  }
  return bytes;
}

TEST(IdenticalGames, HaveTheKnownHash) {
  const std::string games = PlayAll();
  EXPECT_EQ(games, PlayAll()) << "the same slots twice";
  std::string known;
  std::ifstream(testing::TestData("identical_games.sha256")) >> known;
  const std::string hash = Hex(Sha256Of(games));
  std::cout << hash << "\n";
  EXPECT_EQ(hash, known) << games;
}

}  // namespace
}  // namespace joseki::worker
