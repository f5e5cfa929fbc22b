#include "engine/xiangqi/learn/fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "engine/xiangqi/eval/material.h"
#include "engine/xiangqi/eval/terms.h"
#include "engine/xiangqi/packed.h"

namespace joseki::xiangqi {
namespace {

constexpr int kHoldOut = 10;  // one game in this many is held out
constexpr size_t kBatch = 2048;
constexpr double kRate = 3.0;  // initial step, in points

struct Count {
  int16_t feature;
  int16_t times;  // Red's minus Black's
};

// A sample in numerical form.
struct Row {
  uint32_t first;  // first of its counts
  uint32_t last;
  float phase;  // 1: all pieces on the board
  float target;
  float result;  // negative: none
};

struct Table {
  std::vector<Count> counts;
  std::vector<Row> rows;
};

struct Counter {
  std::array<int16_t, kFeatureCount> sum = {};
  void Add(Color c, int feature, int times) {
    sum[static_cast<size_t>(feature)] =
        static_cast<int16_t>(sum[static_cast<size_t>(feature)] + (c == kRed ? times : -times));
  }
};

double Chance(double value, double scale) { return 1 / (1 + std::exp(-value / scale)); }

double Loss(double chance, double target) {
  constexpr double kLeast = 1e-9;
  return -target * std::log(std::max(chance, kLeast)) -
         (1 - target) * std::log(std::max(1 - chance, kLeast));
}

absl::Status AddRow(const Sample& sample, Table& table) {
  absl::StatusOr<Position> position = Unpack(sample.position);
  if (!position.ok()) return position.status();
  Counter counter;
  CollectPlaces(*position, counter);
  CollectRest(*position, counter);
  Row row{};
  row.first = static_cast<uint32_t>(table.counts.size());
  for (size_t i = 0; i < counter.sum.size(); ++i) {
    if (counter.sum[i] != 0) table.counts.push_back({static_cast<int16_t>(i), counter.sum[i]});
  }
  row.last = static_cast<uint32_t>(table.counts.size());
  row.phase = static_cast<float>(PhaseOf(*position)) / kFullPhase;
  row.result = static_cast<float>(sample.result.value_or(-1));
  table.rows.push_back(row);
  return absl::OkStatus();
}

double ValueOf(const Table& table, const Row& row, const Weights& weights) {
  double sum = 0;
  for (uint32_t i = row.first; i < row.last; ++i) {
    const Count count = table.counts[i];
    const auto& weight = weights[static_cast<size_t>(count.feature)];
    sum += count.times * (weight[0] * row.phase + weight[1] * (1 - row.phase));
  }
  return sum;
}

double MeanLoss(const Table& table, const Weights& weights, double scale, float Row::*target) {
  double sum = 0;
  size_t count = 0;
  for (const Row& row : table.rows) {
    if (row.*target < 0) continue;
    sum += Loss(Chance(ValueOf(table, row, weights), scale), static_cast<double>(row.*target));
    ++count;
  }
  return sum / static_cast<double>(std::max<size_t>(count, 1));
}

// Golden section: the loss has a single minimum.
double BestScale(const Table& table, const Weights& weights) {
  double low = 100;
  double high = 5000;
  const auto loss = [&](double scale) { return MeanLoss(table, weights, scale, &Row::result); };
  constexpr double kPart = 0.381966;
  while (high - low > 10) {
    const double a = low + kPart * (high - low);
    const double b = high - kPart * (high - low);
    if (loss(a) < loss(b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return (low + high) / 2;
}

// One number for each feature and phase.
using Both = std::array<std::array<double, 2>, kFeatureCount>;

void Learn(const Table& table, const FitOptions& options, double scale, Weights& weights) {
  const Weights prior = weights;
  Both mean = {};
  Both square = {};
  std::vector<uint32_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), 0);
  Rng rng(1);
  int64_t step = 0;
  for (int round = 0; round < options.rounds; ++round) {
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.Next() % i]);
    // The step shrinks over the rounds, so that the last ones only smooth.
    const double rate = kRate * std::pow(0.05, static_cast<double>(round) / options.rounds);
    for (size_t begin = 0; begin < order.size(); begin += kBatch) {
      const size_t end = std::min(begin + kBatch, order.size());
      Both gradient = {};
      for (size_t i = begin; i < end; ++i) {
        const Row& row = table.rows[order[i]];
        const double off =
            Chance(ValueOf(table, row, weights), scale) - static_cast<double>(row.target);
        for (uint32_t c = row.first; c < row.last; ++c) {
          const Count count = table.counts[c];
          auto& g = gradient[static_cast<size_t>(count.feature)];
          g[0] += off * count.times * row.phase;
          g[1] += off * count.times * (1 - row.phase);
        }
      }
      ++step;
      const double correct1 = 1 - std::pow(0.9, static_cast<double>(step));
      const double correct2 = 1 - std::pow(0.999, static_cast<double>(step));
      for (size_t f = 0; f < weights.size(); ++f) {
        for (size_t p = 0; p < 2; ++p) {
          const double g = gradient[f][p] / static_cast<double>(end - begin) +
                           options.hold * (weights[f][p] - prior[f][p]);
          mean[f][p] = 0.9 * mean[f][p] + 0.1 * g;
          square[f][p] = 0.999 * square[f][p] + 0.001 * g * g;
          weights[f][p] -=
              rate * (mean[f][p] / correct1) / (std::sqrt(square[f][p] / correct2) + 1e-8);
        }
      }
    }
  }
}

}  // namespace

Weights MaterialOnly() {
  Weights weights = {};
  for (int t = kAdviser; t < kPieceTypeCount; ++t) {
    const int material = kMaterial + t;
    weights[static_cast<size_t>(material)] = {static_cast<double>(kYeValue[t].middle()),
                                              static_cast<double>(kYeValue[t].end())};
  }
  for (Square s = 0; s < kSquareCount; ++s) {
    if (!HasCrossedRiver(kRed, s)) continue;
    const int place = kPlace + kPawn * kHalfSquares + HalfSquare(kRed, s);
    weights[static_cast<size_t>(place)] = {kCrossedPawnGain, kCrossedPawnGain};
  }
  return weights;
}

absl::StatusOr<FitResult> Fit(const std::vector<Sample>& samples, const FitOptions& options) {
  Table train;
  Table held;
  FitResult fit;
  const Weights material = MaterialOnly();
  for (const Sample& sample : samples) {
    Table& table = sample.game % kHoldOut == 0 ? held : train;
    if (const absl::Status status = AddRow(sample, table); !status.ok()) return status;
  }
  fit.trained = train.rows.size();
  fit.held_out = held.rows.size();
  if (train.rows.empty() || held.rows.empty()) {
    return MakeProblem({.code = "too_few_samples",
                        .found = absl::StrCat(train.rows.size(), " samples to train with, ",
                                              held.rows.size(), " of games held out"),
                        .expected = "samples of both; every tenth game is held out"});
  }
  fit.scale = options.scale > 0 ? options.scale : BestScale(train, material);
  size_t next[2] = {0, 0};
  for (const Sample& sample : samples) {
    const bool is_held = sample.game % kHoldOut == 0;
    Row& row = (is_held ? held : train).rows[next[is_held]++];
    const double part = !sample.score ? 1 : sample.result ? options.result_part : 0;
    row.target = static_cast<float>(part * sample.result.value_or(0) +
                                    (1 - part) * Chance(sample.score.value_or(0), fit.scale));
  }
  fit.weights = material;
  Learn(train, options, fit.scale, fit.weights);
  fit.loss_material = MeanLoss(held, material, fit.scale, &Row::result);
  fit.loss_learned = MeanLoss(held, fit.weights, fit.scale, &Row::result);
  fit.target_material = MeanLoss(held, material, fit.scale, &Row::target);
  fit.target_learned = MeanLoss(held, fit.weights, fit.scale, &Row::target);
  return fit;
}

}  // namespace joseki::xiangqi
