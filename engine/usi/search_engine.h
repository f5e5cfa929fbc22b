#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "base/rng.h"
#include "base/status_macros.h"
#include "engine/search/search.h"
#include "engine/search/table_memory.h"
#include "engine/usi/common_options.h"
#include "engine/usi/game_engine.h"
#include "engine/usi/own_book.h"

namespace joseki::usi {

// The common part of all games' engines: the search, its options and the own book. Kit supplies a
// game's playing and parsing (engine/search/shogi/kit.h).
template <typename Kit>
class SearchEngine : public GameEngine {
 public:
  // `book` may be null: no book.
  SearchEngine(const Protocol& protocol, const CommonOptions& options,
               std::unique_ptr<OwnBook> book)
      : protocol_(protocol),
        common_(options),
        search_(TableBytes()),
        own_book_(std::move(book)),
        chance_(static_cast<uint64_t>(book_.seed)) {
    Apply();
  }

  const Rules& rules() const final { return Kit::rules(); }

  std::string DeclareOptions() const override {
    return DeclareCommonOptions(protocol_, Kit::kMostMoves);
  }

  absl::Status SetOption(std::string_view name, std::string_view value,
                         std::string& remark) override {
    if (IsBookOption(protocol_, name)) return SetOwnBook(name, value, remark);
    CommonOptions common = common_;
    typename Kit::Options engine = engine_;
    if (CommonOptions::Has(protocol_, name)) {
      RETURN_IF_ERROR(common.Set(protocol_, name, value, Kit::kMostMoves));
    } else {
      RETURN_IF_ERROR(engine.Set(name, value));
    }
    // On an error the table stays as it is.
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
    std::optional<Position> before;
    Move last;
    for (size_t i = 0; i < moves.size(); ++i) {
      ASSIGN_OR_RETURN(last, Kit::ParseMove(parsed.position, moves[i]));
      if (i + 1 == moves.size()) before = parsed.position;
      typename Game::Undo undo;
      parsed.position.Do(last, undo);
    }
    position_ = std::move(parsed.position);
    before_ = std::move(before);
    last_ = last;
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

  void NewGame() final {
    search_.NewGame();
    from_book_.clear();
  }
  // BookAvoidLosses: the last book move of a lost game is not played again. The loss need not be
  // its fault; where all moves of a position have been lost with, the one before is next.
  void GameOver(bool lost) final {
    if (lost && book_.avoid_losses && !from_book_.empty()) lost_with_.push_back(from_book_.back());
    from_book_.clear();
  }

  std::string TakeRoot(bool /*for_mate*/) override {
    root_ = position_;
    root_before_ = before_;
    root_last_ = last_;
    root_ply_ = ply_;
    return "";
  }
  // No reply for a position that has occurred before, so that the book never causes a repetition.
  std::optional<BookReply> AskBook() final {
    if (own_book_ == nullptr || !Kit::Packs(root_) ||
        Game::CheckRepetition(search_.evaluator(), root_, 0) != Repetition::kNone) {
      return std::nullopt;
    }
    typename Game::MoveList moves;
    root_.template Generate<GenType::kAll>(moves);
    const PackedPosition packed = Kit::Pack(root_);
    std::vector<Move> legal(moves.begin(), moves.end());
    std::erase_if(legal, [&](Move move) {
      const BookMove played = {.position = packed, .move = move};
      return std::find(lost_with_.begin(), lost_with_.end(), played) != lost_with_.end();
    });
    if (legal.empty()) return std::nullopt;
    std::optional<BookReply> reply =
        own_book_->Ask(packed, legal, root_ply_, book_, chance_.Next());
    if (reply) from_book_.push_back({.position = packed, .move = reply->move});
    if (!reply || !reply->ponder) return reply;
    Position next = root_;
    typename Game::Undo undo;
    next.Do(reply->move, undo);
    if (!next.IsLegal(reply->ponder)) reply->ponder = Move();
    return reply;
  }
  SearchResult Search(const SearchLimits& limits, const SearchObserver& observer) final {
    SearchLimits own = limits;
    own.plies_before = root_ply_ - 1;
    return search_.Run(root_, own, observer);
  }
  // TACOS's predictive search. The expected reply is searched for PonderMs, and then so are
  // PonderReplies further ones that short searches expect. The expected one has the rest of the
  // time. The table then knows each of these replies.
  SearchResult Ponder(const SearchLimits& limits, const SearchObserver& observer,
                      const ReplyObserver& on_reply) final {
    if (common_.ponder_replies == 0 || !root_before_.has_value()) return Search(limits, observer);
    constexpr uint64_t kGuessNodes = 10'000;
    SearchLimits timed = limits;
    timed.hard_ms = common_.ponder_ms;
    Search(timed, observer);
    timed.excluded = {};
    timed.lines = 1;
    std::vector<Move> looked = {root_last_};
    for (int i = 0; i < common_.ponder_replies && !search_.stopping(); ++i) {
      SearchLimits guess;
      guess.nodes = kGuessNodes;
      guess.excluded = looked;
      guess.ponder = true;
      const Move reply = search_.Run(*root_before_, guess).best;
      if (!reply) break;
      on_reply(reply);
      looked.push_back(reply);
      Position next = *root_before_;
      typename Game::Undo undo;
      next.Do(reply, undo);
      search_.Run(next, timed);
    }
    return Search(limits, observer);
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
  // Separate from root_, because a "position" line may arrive while root_ is searched.
  Position position_;
  std::optional<Position> before_;  // before the last move; none without one
  Move last_;
  int ply_ = 1;
  Position root_;
  std::optional<Position> root_before_;
  Move root_last_;
  int root_ply_ = 1;
  CommonOptions common_;
  typename Kit::Options engine_;
  joseki::Search<Game> search_;

 private:
  absl::Status SetOwnBook(std::string_view name, std::string_view value, std::string& remark) {
    const BookOptions before = book_;
    RETURN_IF_ERROR(SetBookOption(protocol_, name, value, book_));
    if (book_.seed != before.seed) chance_ = Rng(static_cast<uint64_t>(book_.seed));
    if (book_.file == before.file || own_book_ == nullptr) return absl::OkStatus();
    absl::Status opened = own_book_->Open(book_.file);
    if (opened.ok()) {
      remark = own_book_->Remark();
    } else {
      book_.file = BookOptions().file;
    }
    return opened;
  }

  void Apply() {
    engine_.ApplyTo(search_);
    search_.SetThreads(common_.threads);
  }

  struct BookMove {
    PackedPosition position;
    Move move;
    bool operator==(const BookMove&) const = default;
  };

  std::unique_ptr<OwnBook> own_book_;
  BookOptions book_;
  std::vector<BookMove> from_book_;  // played in this game
  std::vector<BookMove> lost_with_;  // not to be played again
  Rng chance_;
};

}  // namespace joseki::usi
