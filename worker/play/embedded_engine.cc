#include "worker/play/embedded_engine.h"

#include <cstdlib>

#include "engine/search/shogi/bench.h"
#include "engine/search/xiangqi/bench.h"
#include "engine/shogi/eval/network.h"
#include "worker/play/embedded_player.h"

namespace joseki::worker {
namespace {

constexpr char kShogi[] = "shogi";

template <typename PlayerOf>
absl::StatusOr<std::unique_ptr<Player>> Make(const std::map<std::string, std::string>& options) {
  return PlayerOf::Create(options);
}

constexpr EmbeddedEngine kEngines[] = {
    {.game = kShogi,
     .signature = [] { return BenchSignature(); },
     .weights_sha256 = [] { return shogi::BuiltInNetwork().sha256(); },
     .bench = [] { return BenchPositions(); },
     .make = Make<ShogiPlayer>,
     .check_options = ShogiPlayer::CheckOptions},
    {.game = "xiangqi",
     .signature = [] { return xiangqi::BenchSignature(); },
     .weights_sha256 = [] { return std::string(); },
     .bench = [] { return xiangqi::BenchPositions(); },
     .make = Make<XiangqiPlayer>,
     .check_options = XiangqiPlayer::CheckOptions},
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
  // What wins is the match's rule and no option of the run; the engine knows one declaration.
  if (play.game == kShogi) {
    options["declaration"] = play.match.declaration == Declaration::k27 ? "27" : "none";
  }
  return EmbeddedEngineOf(play.game).make(options);
}

}  // namespace joseki::worker
