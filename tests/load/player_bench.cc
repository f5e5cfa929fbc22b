// Measures the cost of playing through a USI process rather than inside the worker.
//
//   player_bench [--games N] [--nodes N] [--engine PATH]
//
// Plays the same slots in turn with the embedded player and with joseki-engine behind the USI
// player, a few at a time. For each prints the cost of a game: processor time of this process and
// of the engine, its part within Player::Choose, and wall time. Exit status 1 if the two play
// different games.

#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "engine/shogi/shogi_rules.h"
#include "worker/play/cost.h"
#include "worker/play/embedded_player.h"
#include "worker/play/referee.h"
#include "worker/play/usi/usi_player.h"

namespace joseki::worker {
namespace {

constexpr int kHashMb = 4;

struct Sums {
  absl::Duration processor;  // engine included
  absl::Duration search;
  absl::Duration clock;
};

class Side {
 public:
  Side(const PlaySpec& spec, std::unique_ptr<Player> player)
      : spec_(spec), player_(std::move(player)) {}

  RefereedGame Play(const Slot& slot) {
    using Steady = std::chrono::steady_clock;
    const absl::Duration before = Used();
    const Steady::time_point began = Steady::now();
    RefereedGame game =
        PlayGame(shogi::ShogiRules(), spec_, slot, *player_, [](int) { return true; });
    sums_.clock += absl::FromChrono(Steady::now() - began);
    sums_.processor += Used() - before;
    sums_.search += game.search;
    return game;
  }
  const Sums& sums() const { return sums_; }

 private:
  absl::Duration Used() const {
    return ProcessorTimeOfThread() + player_->EngineTime().value_or(absl::ZeroDuration());
  }

  const PlaySpec spec_;
  const std::unique_ptr<Player> player_;
  Sums sums_;
};

int Main(int argc, char** argv) {
  int games = 20;
  uint64_t nodes = 1000;
  std::string engine = JOSEKI_BINARY_DIR "/joseki-engine";
  CLI::App app("Measures what a game costs through USI and without it.", "player_bench");
  app.add_option("--games", games)->check(CLI::Range(1, 100'000));
  app.add_option("--nodes", nodes, "a move")->check(CLI::Range(1, 10'000'000));
  app.add_option("--engine", engine, "the program");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  PlaySpec spec;
  spec.nodes = nodes;
  spec.jitter_percent = 20;
  auto own = ShogiPlayer::Create({{"hash_mb", std::to_string(kHashMb)}});
  EngineEntry entry;
  entry.id = "joseki";
  entry.arguments = {engine};
  entry.dialect = *BuiltInDialect("joseki");
  entry.hash_mb = kHashMb;
  auto other = std::make_unique<UsiPlayer>(entry, UsiPlayer::Options(), shogi::ShogiRules());
  if (!own.ok() || !other->Start().ok()) {
    std::cerr << "player_bench: no engine at " << engine << "\n";
    return 1;
  }
  Side embedded(spec, *std::move(own));
  Side usi(spec, std::move(other));
  size_t moves = 0;
  int different = 0;
  for (int i = 0; i < games; ++i) {
    Slot slot;
    slot.start = "startpos";
    slot.seed = static_cast<uint64_t>(i);
    const RefereedGame one = embedded.Play(slot);
    const RefereedGame same = usi.Play(slot);
    different += static_cast<int>(one.moves != same.moves || !(one.ending == same.ending));
    moves += one.moves.size();
  }
  const auto print = [&](const char* name, const Sums& sums) {
    std::cout << absl::StreamFormat(
        "%-9s a game: processor %9.3f ms, inside Choose %6.2f %%, clock %9.3f ms\n", name,
        absl::ToDoubleMilliseconds(sums.processor) / games,
        100 * absl::FDivDuration(sums.search, sums.processor),
        absl::ToDoubleMilliseconds(sums.clock) / games);
  };
  print("embedded", embedded.sums());
  print("USI", usi.sums());
  const absl::Duration processor = usi.sums().processor - embedded.sums().processor;
  const absl::Duration clock = usi.sums().clock - embedded.sums().clock;
  std::cout << absl::StreamFormat(
      "overhead  a game: processor %9.3f ms (%.2f %%), clock %9.3f ms; a move: %.1f us, %.1f us\n",
      absl::ToDoubleMilliseconds(processor) / games,
      100 * absl::FDivDuration(processor, embedded.sums().processor),
      absl::ToDoubleMilliseconds(clock) / games,
      absl::ToDoubleMicroseconds(processor) / static_cast<double>(moves),
      absl::ToDoubleMicroseconds(clock) / static_cast<double>(moves));
  std::cout << absl::StreamFormat("%d games of %.0f plies, %d nodes a move; different: %d\n", games,
                                  static_cast<double>(moves) / games, nodes, different);
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace joseki::worker

int main(int argc, char** argv) { return joseki::worker::Main(argc, argv); }
