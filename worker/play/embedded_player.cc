#include "worker/play/embedded_player.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "base/memory.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/search/table_memory.h"

namespace joseki::worker {

template <typename Kit>
absl::StatusOr<typename EmbeddedPlayer<Kit>::Settings> EmbeddedPlayer<Kit>::Read(
    const std::map<std::string, std::string>& options) {
  Settings settings;
  for (const auto& [name, value] : options) {
    if (name == "hash_mb") {
      if (!absl::SimpleAtoi(value, &settings.hash_mb) || settings.hash_mb < 1 ||
          settings.hash_mb > kMaxHashMb) {
        return MakeProblem({.code = "bad_option",
                            .file = name,
                            .found = Quote(value),
                            .expected = "a number of megabytes, 1 to 65536"});
      }
    } else if (Kit::kDeclares && name == "declaration") {
      if (value != "27" && value != "none") {
        return MakeProblem(
            {.code = "bad_option", .file = name, .found = Quote(value), .expected = "27 or none"});
      }
      settings.declaration = value == "27";
    } else if (Kit::Options::Has(name)) {
      RETURN_IF_ERROR(settings.engine.Set(name, value));
    } else {
      return MakeProblem({.code = "unknown_option",
                          .found = Quote(name),
                          .expected = Kit::kDeclares
                                          ? "hash_mb, declaration or an option of the search"
                                          : "hash_mb or an option of the search"});
    }
  }
  return settings;
}

template <typename Kit>
absl::Status EmbeddedPlayer<Kit>::CheckOptions(const std::map<std::string, std::string>& options) {
  return Read(options).status();
}

template <typename Kit>
absl::StatusOr<std::unique_ptr<EmbeddedPlayer<Kit>>> EmbeddedPlayer<Kit>::Create(
    const std::map<std::string, std::string>& options) {
  ASSIGN_OR_RETURN(const Settings settings, Read(options));
  RETURN_IF_ERROR(CheckMemory("hash_mb", TableMemory(settings.hash_mb, settings.engine.search)));
  return std::unique_ptr<EmbeddedPlayer>(new EmbeddedPlayer(settings));
}

template <typename Kit>
EmbeddedPlayer<Kit>::EmbeddedPlayer(const Settings& settings)
    : declaration_(settings.declaration), search_(static_cast<size_t>(settings.hash_mb) << 20) {
  settings.engine.ApplyTo(search_);
}

// The seed is unused: games vary by the node limits that the caller draws.
template <typename Kit>
absl::Status EmbeddedPlayer<Kit>::NewGame(uint64_t /*seed*/) {
  stopped_ = false;
  search_.ClearStop();
  search_.NewGame();
  start_.clear();
  moves_.clear();
  return absl::OkStatus();
}

template <typename Kit>
absl::StatusOr<Choice> EmbeddedPlayer<Kit>::Choose(const GameLine& game, const Limits& limits) {
  if (limits.nodes == 0 && limits.move_ms == 0) {
    return MakeProblem({.code = "bad_limit",
                        .file = "nodes",
                        .found = "0",
                        .expected = "a limit, or the search would never end"});
  }
  if (absl::Status status = Follow(game); !status.ok()) {
    start_.clear();
    return status;
  }
  const SearchResult result = search_.Run(position_, {.nodes = limits.nodes,
                                                      .depth = 0,
                                                      .soft_ms = 0,
                                                      .hard_ms = limits.move_ms,
                                                      .excluded = limits.excluded,
                                                      .declaration = declaration_});
  if (stopped_) return absl::CancelledError("stopped");
  Choice choice{.kind = Choice::Kind::kMove,
                .move = result.best,
                .score = result.value,
                .nodes = result.nodes,
                .depth = static_cast<uint32_t>(std::max(result.depth, 0))};
  if (result.declare) {
    choice.kind = Choice::Kind::kDeclareWin;
  } else if (!result.best) {
    choice.kind = Choice::Kind::kResign;
  }
  return choice;
}

template <typename Kit>
void EmbeddedPlayer<Kit>::Stop() {
  stopped_ = true;
  search_.Stop();
}

template <typename Kit>
absl::Status EmbeddedPlayer<Kit>::Follow(const GameLine& game) {
  const bool continues = !start_.empty() && start_ == game.start &&
                         moves_.size() <= game.moves.size() &&
                         std::equal(moves_.begin(), moves_.end(), game.moves.begin());
  if (!continues) {
    ASSIGN_OR_RETURN(auto start, Kit::Parse(game.start));
    position_ = std::move(start.position);
    start_ = std::string(game.start);
    moves_.clear();
  }
  for (size_t i = moves_.size(); i < game.moves.size(); ++i) {
    const Move move = game.moves[i];
    if (!position_.IsLegal(move)) {
      return MakeProblem({.code = "illegal_move",
                          .found = Kit::Text(move),
                          .expected = "a legal move in " + Kit::Text(position_, 1)});
    }
    typename Kit::Game::Undo undo;
    position_.Do(move, undo);
    moves_.push_back(move);
  }
  return absl::OkStatus();
}

template class EmbeddedPlayer<ShogiKit>;
template class EmbeddedPlayer<XiangqiKit>;

}  // namespace joseki::worker
