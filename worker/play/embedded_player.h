#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/search/shogi/kit.h"
#include "engine/search/xiangqi/kit.h"
#include "worker/play/player.h"

namespace joseki::worker {

// Four megabytes hold a game of 2,000 nodes a move many times over. Clearing them takes well under
// a millisecond, which is little even for a game of 300 nodes a move.
inline constexpr int kDefaultHashMb = 4;
inline constexpr int kMaxHashMb = 65536;

// This project's engine behind the Player port: one search for both sides, cleared for each game.
// Equal options, start, moves, limits and exclusions give equal choices.
template <typename Kit>
class EmbeddedPlayer final : public Player {
 public:
  // InvalidArgument "unknown_option" or "bad_option". The options:
  //   hash_mb      transposition table, 1 .. kMaxHashMb; default kDefaultHashMb
  //   declaration  where the game has one, "27" (the 27-point declaration wins) or "none";
  //                default "27". Under any other rule of the match give "none": the referee ends
  //                such games by itself.
  //   and every one of Kit::Options, with the names and values that GUIs give them.
  // ResourceExhausted "no_memory" of hash_mb if this machine has too little free. Players that are
  // made concurrently may be promised the same memory, so make several one after another.
  static absl::StatusOr<std::unique_ptr<EmbeddedPlayer>> Create(
      const std::map<std::string, std::string>& options);
  // Checks that such options exist, for callers that only pass them on.
  static absl::Status CheckOptions(const std::map<std::string, std::string>& options);

  // Also undoes Stop.
  absl::Status NewGame(uint64_t seed) override;
  // InvalidArgument if there is no limit, or the game's line is malformed or illegal.
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override;
  void Stop() override;

 private:
  using Position = typename Kit::Game::Position;

  struct Settings {
    int hash_mb = kDefaultHashMb;
    bool declaration = Kit::kDeclares;
    typename Kit::Options engine;
  };

  explicit EmbeddedPlayer(const Settings& settings);

  static absl::StatusOr<Settings> Read(const std::map<std::string, std::string>& options);

  // Brings position_ to the end of `game`, replaying only the new moves. InvalidArgument if a move
  // is illegal.
  absl::Status Follow(const GameLine& game);

  const bool declaration_;
  std::atomic<bool> stopped_{false};
  Search<typename Kit::Game> search_;
  // The moves that led to position_.
  std::string start_;
  std::vector<Move> moves_;
  Position position_;
};

using ShogiPlayer = EmbeddedPlayer<ShogiKit>;
using XiangqiPlayer = EmbeddedPlayer<XiangqiKit>;
extern template class EmbeddedPlayer<ShogiKit>;
extern template class EmbeddedPlayer<XiangqiKit>;

}  // namespace joseki::worker
