#include "tests/engine/search/option_games.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string_view>

#include "engine/shogi/sfen.h"
#include "engine/usi/time_control.h"
#include "engine/usi/usi_text.h"

namespace joseki {
namespace {

// Time left on both clocks, in nanoseconds.
class Clocks {
 public:
  explicit Clocks(int64_t ms) : left_{ms * kMs, ms * kMs} {}

  bool Over(Color side) const { return left_[Index(side)] < kMs; }
  void Spend(Color side, std::chrono::nanoseconds time) { left_[Index(side)] -= time.count(); }

  // Limits of a move of `side`, as under USI's `go`.
  SearchLimits Limits(Color side) const {
    usi::GoCommand go;
    go.has_clock = true;
    for (size_t i = 0; i < left_.size(); ++i) go.clock.remaining[i] = left_[i] / kMs;
    return usi::LimitsFor(go, side);
  }

 private:
  static constexpr int64_t kMs = 1'000'000;
  std::array<int64_t, 2> left_;
};

}  // namespace

bool ReadOptions(const std::string& text, shogi::EngineOptions& options) {
  if (text == "-") return true;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const size_t equals = part.find('=');
    const std::string value = equals == std::string::npos ? "true" : part.substr(equals + 1);
    const absl::Status status = options.Set(part.substr(0, equals), value);
    if (!status.ok()) {
      std::cerr << status.message() << std::endl;
      return false;
    }
  }
  return true;
}

std::vector<shogi::Position> ReadStarts(const std::string& path) {
  std::vector<shogi::Position> starts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string_view> words = usi::Words(line);
    if (!words.empty() && words[0] == "position") words.erase(words.begin());
    const auto command = usi::ParsePosition(words);
    if (!command.ok()) continue;
    auto start = shogi::ParseSfen(command->start);
    if (!start.ok()) continue;
    bool legal = true;
    for (const std::string& text : command->moves) {
      const auto move = shogi::ParseMove(start->position, text);
      legal = legal && move.ok();
      if (!legal) break;
      shogi::Undo undo;
      start->position.Do(*move, undo);
    }
    if (legal) starts.push_back(start->position);
  }
  return starts;
}

int PlayOptions(const shogi::Position& start, const Sides& sides, bool a_first, Counts& counts) {
  Search<Shogi> searches[2] = {Search<Shogi>(sides.table_bytes), Search<Shogi>(sides.table_bytes)};
  for (int i = 0; i < 2; ++i) sides.options[i].ApplyTo(searches[i]);
  searches[0].SetAlike(sides.alike);
  if (sides.network != nullptr) searches[0].evaluator().UseNetwork(sides.network);
  shogi::Position position = start;
  const Color a = a_first ? start.side_to_move() : ~start.side_to_move();
  int points = 1;
  Clocks clocks(sides.clock_ms);
  while (position.plies() < 320) {
    const Color mover = position.side_to_move();
    const int side = mover == a ? 0 : 1;
    const int win = side == 0 ? 2 : 0;  // of who is to move
    SearchLimits limits;
    if (sides.clock_ms > 0) limits = clocks.Limits(mover);
    limits.nodes = sides.nodes[side];
    if (sides.ms > 0) {
      limits.hard_ms = limits.hard_ms > 0 ? std::min(limits.hard_ms, sides.ms) : sides.ms;
    }
    limits.plies_before = position.plies();
    const auto begin = std::chrono::steady_clock::now();
    const SearchResult result = searches[side].Run(position, limits);
    clocks.Spend(mover, std::chrono::steady_clock::now() - begin);
    if (sides.clock_ms > 0 && clocks.Over(mover)) {
      points = 2 - win;
      break;
    }
    if (result.declare || !result.best) {
      points = result.declare ? win : 2 - win;
      break;
    }
    shogi::Undo undo;
    position.Do(result.best, undo);
    const Repetition repetition = position.CheckRepetition(4);
    if (repetition == Repetition::kNone) continue;
    if (repetition != Repetition::kDraw) {
      points = (repetition == Repetition::kWin) == (position.side_to_move() == a) ? 2 : 0;
    }
    break;
  }
  counts.Add(searches[0].counts());
  return points;
}

}  // namespace joseki
