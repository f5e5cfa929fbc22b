#include "worker/play/embedded_engine.h"

#include <cstdlib>

#include "engine/search/shogi/bench.h"
#include "engine/search/xiangqi/bench.h"
#include "engine/search/xiangqi/engine_options.h"
#include "engine/shogi/eval/network.h"
#include "worker/play/embedded_player.h"

namespace joseki::worker {
namespace {

template <typename PlayerOf>
absl::StatusOr<std::unique_ptr<Player>> Make(const std::map<std::string, std::string>& options) {
  return PlayerOf::Create(options);
}

constexpr EmbeddedEngine kEngines[] = {
    {.game = "shogi",
     .signature = [] { return BenchSignature(); },
     .weights_sha256 = [] { return shogi::BuiltInNetwork().sha256(); },
     .bench = [] { return BenchPositions(); },
     .make = Make<ShogiPlayer>,
     .check_options = ShogiPlayer::CheckOptions,
     // The engine supports one kind of declaration.
     .rule =
         [](const MatchRules& match) {
           return EngineOption("declaration",
                               match.declaration == Declaration::k27 ? "27" : "none");
         }},
    {.game = "xiangqi",
     .signature = [] { return xiangqi::BenchSignature(); },
     .weights_sha256 = [] { return std::string(); },
     .bench = [] { return xiangqi::BenchPositions(); },
     .make = Make<XiangqiPlayer>,
     .check_options = XiangqiPlayer::CheckOptions,
     .rule =
         [](const MatchRules& match) {
           return EngineOption(xiangqi::kRepetitionOption, Name(match.repetition));
         }},
};

}  // namespace

std::span<const EmbeddedEngine> EmbeddedEngines() { return kEngines; }

const EmbeddedEngine& EmbeddedEngineOf(std::string_view game) {
  for (const EmbeddedEngine& engine : kEngines) {
    if (engine.game == game) return engine;
  }
  std::abort();
}

absl::StatusOr<std::unique_ptr<Player>> MakeEmbedded(const PlaySpec& play) {
  std::map<std::string, std::string> options = play.engine_options;
  const EmbeddedEngine& engine = EmbeddedEngineOf(play.game);
  // The match's rules override the run's options: they decide how a game ends.
  const EngineOption rule = engine.rule(play.match);
  options[rule.first] = rule.second;
  return engine.make(options);
}

}  // namespace joseki::worker
