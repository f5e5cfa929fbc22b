#include "coordinator/runs/run_calibration.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "book/tuning/candidate_values.h"
#include "book/tuning/trial.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/evaluation_intake.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kGroupPlies = 4;

double PointsOfFirst(Result result) {
  return result == Result::kDraw ? 0.5 : result == WinFor(Color::kFirst) ? 1 : 0;
}

}  // namespace

double ScoreScale(uint32_t calibration) {
  constexpr std::array<double, 1> kScales = {800};
  return kScales[calibration - 1];
}

RunCalibration::RunCalibration(const RunSpec& spec, const book::Graph& graph, book::NodeId start) {
  if (!spec.line_searches.wanted()) return;
  scale_ = ScoreScale(spec.line_searches.calibration);
  mover_ = graph.edge(graph.node(start).first).mover;
}

void RunCalibration::Add(const GameRow& game) {
  if (!measures() || full()) return;
  ++added_;
  if (game.scores.size() < book::kTrialPlies) return;
  const auto score = TrialScore(std::span(game.scores).first(book::kTrialPlies));
  if (!score || !seen_.insert(game.moves_hash).second) return;
  // The score is for the side to move after the line.
  const Color asked = game.book_plies % 2 == 0 ? mover_ : ~mover_;
  const double expected = book::ExpectedResult(asked == Color::kFirst ? *score : -*score, scale_);
  const size_t plies = std::min<size_t>(kGroupPlies, game.book_plies);
  const std::vector<Move> first(game.moves.begin(),
                                game.moves.begin() + static_cast<std::ptrdiff_t>(plies));
  measured_.Add(Hash64(EncodeMoves(first)), expected, PointsOfFirst(game.ending.result));
}

std::string_view RunCalibration::WhyNoTrials() const {
  return measured_.misleads() ? "results do not follow the engine's scores" : "";
}

}  // namespace joseki::coordinator
