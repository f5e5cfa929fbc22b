// A slot determines its game bit for bit, whichever compiler and processor paths play it. The hash
// below is of whole games; tests/identical_games builds this test with every compiler we support,
// with and without AVX2. It changes only with the engine's behaviour, as the bench signature does.
#include <fstream>
#include <iostream>
#include <string>

#include "base/hash.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "worker/embedded_player.h"
#include "worker/referee.h"

namespace joseki::worker {
namespace {

std::string PlayAll() {
  const Rules& rules = shogi::ShogiRules();
  PlaySpec spec;
  spec.nodes = 400;
  spec.jitter_percent = 20;
  auto player = EmbeddedPlayer::Create({});
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
    EXPECT_TRUE((*player)->NewGame(slot.seed).ok());
    const GameRecord game = PlayGame(rules, spec, slot, **player, [](int) { return true; });
    EXPECT_FALSE(IsFault(game.ending.termination)) << game.fault;
    for (const Move move : game.moves) bytes += rules.Text(move) + " ";
    bytes += std::string(Name(game.ending.termination)) + " " + std::to_string(game.nodes) + "\n";
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
