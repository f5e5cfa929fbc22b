#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/status_macros.h"
#include "engine/search/search.h"
#include "engine/search/table_memory.h"
#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"

namespace joseki::usi {

// What the engines of all games have in common: the search of a game and its options. Kit says how
// it is played and read (engine/search/shogi/kit.h).
template <typename Kit>
class SearchEngine : public GameEngine {
 public:
  SearchEngine(const Protocol& protocol, const CommonOptions& options)
      : protocol_(protocol), common_(options), search_(TableBytes()) {
    Apply();
  }

  const Rules& rules() const final { return Kit::rules(); }

  std::string DeclareOptions() const override {
    return DeclareCommonOptions(protocol_, Kit::kMostMoves);
  }

  absl::Status SetOption(std::string_view name, std::string_view value,
                         std::string& /*remark*/) override {
    CommonOptions common = common_;
    typename Kit::Options engine = engine_;
    if (CommonOptions::Has(protocol_, name)) {
      RETURN_IF_ERROR(common.Set(protocol_, name, value, Kit::kMostMoves));
    } else {
      RETURN_IF_ERROR(engine.Set(name, value));
    }
    // Or the table stays as it is.
    RETURN_IF_ERROR(CheckMemory(protocol_.hash_option, TableMemory(common.hash_mb, engine.search),
                                TableMemory(common_.hash_mb, engine_.search)));
    const bool resized = common.hash_mb != common_.hash_mb;
    common_ = common;
    engine_ = std::move(engine);
    Apply();
    if (resized) ResizeTables();
    return absl::OkStatus();
  }

  bool ponders() const final { return common_.ponder; }
  int lines() const final { return common_.lines; }

  absl::Status SetPosition(std::string_view start, const std::vector<std::string>& moves) final {
    ASSIGN_OR_RETURN(auto parsed, Kit::Parse(start));
    for (const std::string& text : moves) {
      ASSIGN_OR_RETURN(const Move move, Kit::ParseMove(parsed.position, text));
      typename Game::Undo undo;
      parsed.position.Do(move, undo);
    }
    position_ = std::move(parsed.position);
    ply_ = parsed.ply + static_cast<int>(moves.size());
    return absl::OkStatus();
  }
  Color side_to_move() const final { return position_.side_to_move(); }
  absl::StatusOr<Move> ParseMove(std::string_view text) const final {
    return Kit::ParseMove(position_, text);
  }
  std::vector<Move> LegalMoves() const final {
    typename Game::MoveList moves;
    position_.template Generate<GenType::kAll>(moves);
    return {moves.begin(), moves.end()};
  }

  void NewGame() final { search_.NewGame(); }

  std::string TakeRoot(bool /*for_mate*/) override {
    root_ = position_;
    root_ply_ = ply_;
    return "";
  }
  std::optional<BookReply> AskBook() override { return std::nullopt; }
  SearchResult Search(const SearchLimits& limits, const SearchObserver& observer) final {
    return search_.Run(root_, limits, observer);
  }
  MateResult FindMate(int64_t /*ms*/) override { return {}; }
  void Stop() override { search_.Stop(); }
  void ClearStop() override { search_.ClearStop(); }

 protected:
  using Game = typename Kit::Game;
  using Position = typename Game::Position;

  size_t TableBytes() const { return static_cast<size_t>(common_.hash_mb) << 20; }
  virtual void ResizeTables() { search_.ResizeTable(TableBytes()); }

  const Protocol& protocol_;
  // A "position" line may change position_ while root_ is searched.
  Position position_;
  int ply_ = 1;
  Position root_;
  int root_ply_ = 1;
  CommonOptions common_;
  typename Kit::Options engine_;
  joseki::Search<Game> search_;

 private:
  void Apply() {
    engine_.ApplyTo(search_);
    search_.SetThreads(common_.threads);
  }
};

}  // namespace joseki::usi
