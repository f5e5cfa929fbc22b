// Feeds USI, UCI and UCCI input to an engine that plays the first legal move. The loop must end,
// and all its output must be lines of the protocol without foreign bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "engine/games.h"
#include "engine/usi/common_options.h"
#include "engine/usi/engine_loop.h"

namespace {

// Without searches, so that an input takes no time.
class FirstMoveEngine final : public joseki::usi::GameEngine {
 public:
  explicit FirstMoveEngine(const joseki::usi::Protocol& protocol)
      : protocol_(protocol), rules_(**joseki::RulesOf(protocol.game)) {
    if (!SetPosition("startpos", {}).ok()) std::abort();
  }

  const joseki::Rules& rules() const override { return rules_; }
  std::string DeclareOptions() const override {
    return joseki::usi::DeclareCommonOptions(protocol_, kMostLines);
  }
  absl::Status SetOption(std::string_view name, std::string_view value,
                         std::string& remark) override {
    if (!joseki::usi::CommonOptions::Has(protocol_, name)) {
      remark = "no such option";
      return absl::OkStatus();
    }
    return options_.Set(protocol_, name, value, kMostLines);
  }
  bool ponders() const override { return options_.ponder; }
  int lines() const override { return options_.lines; }

  absl::Status SetPosition(std::string_view start, const std::vector<std::string>& moves) override {
    auto state = rules_.Start(start, joseki::MatchRules());
    if (!state.ok()) return state.status();
    for (const std::string& text : moves) {
      const auto move = (*state)->ParseMove(text);
      if (!move.ok()) return move.status();
      if (!(*state)->Play(*move)) std::abort();
    }
    state_ = *std::move(state);
    return absl::OkStatus();
  }
  joseki::Color side_to_move() const override { return state_->side_to_move(); }
  absl::StatusOr<joseki::Move> ParseMove(std::string_view text) const override {
    return state_->ParseMove(text);
  }
  std::vector<joseki::Move> LegalMoves() const override { return state_->LegalMoves(); }

  void NewGame() override {}
  void GameOver(bool /*lost*/) override {}
  std::string TakeRoot(bool /*for_mate*/) override {
    root_moves_ = state_->LegalMoves();
    return "";
  }
  std::optional<joseki::usi::BookReply> AskBook() override { return std::nullopt; }
  joseki::SearchResult Search(const joseki::SearchLimits& limits,
                              const joseki::SearchObserver& observer) override {
    joseki::SearchResult result;
    for (const joseki::Move move : root_moves_) {
      const auto excluded = limits.excluded;
      if (std::find(excluded.begin(), excluded.end(), move) == excluded.end()) result.best = move;
    }
    joseki::SearchInfo info;
    info.pv = {&result.best, result.best ? size_t{1} : size_t{0}};
    observer(info);
    return result;
  }
  joseki::SearchResult Ponder(const joseki::SearchLimits& limits,
                              const joseki::SearchObserver& observer,
                              const ReplyObserver& on_reply) override {
    if (!root_moves_.empty()) on_reply(root_moves_.front());
    return Search(limits, observer);
  }
  joseki::MateResult FindMate(int64_t /*ms*/) override { return {}; }
  void Stop() override {}
  void ClearStop() override {}

 private:
  static constexpr int kMostLines = 500;

  const joseki::usi::Protocol& protocol_;
  const joseki::Rules& rules_;
  joseki::usi::CommonOptions options_;
  std::unique_ptr<joseki::GameState> state_;
  std::vector<joseki::Move> root_moves_;
};

bool StartsWithWord(const std::string& line) {
  for (const char* word : {"info ", "bestmove ", "nobestmove", "checkmate ", "id ", "option ",
                           "usiok", "uciok", "ucciok", "readyok", "bye"}) {
    if (line.rfind(word, 0) == 0) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
  std::ostringstream out;
  joseki::usi::EngineLoop(in, out, [](const joseki::usi::Protocol& protocol) {
    return std::make_unique<FirstMoveEngine>(protocol);
  }).Run();
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) {
    const bool plain =
        std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!StartsWithWord(line) || !plain) std::abort();
  }
  return 0;
}
