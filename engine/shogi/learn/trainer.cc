#include "engine/shogi/learn/trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::learn {
namespace {

using shogi::kBesideInputs;
using shogi::kBuckets;
using shogi::kHoldings;
using shogi::kInputs;
using shogi::kKingPlaces;
using shogi::kOutputPoints;
using shogi::kOutputStages;
using shogi::kPlainTerms;
using shogi::kWidth;

// A piece type at a distance from the own king: files and ranks between -8 and 8.
constexpr size_t kDistances = size_t{2} * shogi::kKinds * 17 * 17;
constexpr size_t kNoDistance = kDistances;

struct Balances {
  uint8_t bucket[kKingPlaces] = {};
  // Distance class of an input for a king's place; kNoDistance for pieces in hand.
  std::vector<uint16_t> distance;
};
const Balances& BalanceTables() {
  static const Balances tables = [] {
    Balances made;
    made.distance.assign(size_t{kKingPlaces} * kInputs, kNoDistance);
    made.bucket[kKingPlaces - 1] = kBuckets - 1;
    for (int place = 0; place + 1 < kKingPlaces; ++place) {
      made.bucket[place] = shogi::ViewOf(shogi::kBlack, place).bucket;
      for (int input = 0; input < shogi::kPlacements; ++input) {
        const int kind = input / shogi::kSquareCount;
        const int square = input % shogi::kSquareCount;
        const int files = shogi::FileOf(square) - shogi::FileOf(place) + 8;
        const int ranks = shogi::RankOf(square) - shogi::RankOf(place) + 8;
        made.distance[static_cast<size_t>(place) * kInputs + static_cast<size_t>(input)] =
            static_cast<uint16_t>((kind * 17 + files) * 17 + ranks);
      }
    }
    return made;
  }();
  return tables;
}

// Offsets of the groups of parameters in their common array.
constexpr size_t kEverywhere = 0;
constexpr size_t kHere = kEverywhere + size_t{kInputs} * kWidth;
constexpr size_t kArea = kHere + size_t{kBuckets} * kInputs * kWidth;
constexpr size_t kBalance = kArea + size_t{2} * kBesideInputs * kWidth;
constexpr size_t kBalanceHere = kBalance + kInputs;
constexpr size_t kBalanceDistance = kBalanceHere + size_t{kBuckets} * kInputs;
constexpr size_t kSafety = kBalanceDistance + kDistances;
constexpr size_t kStart = kSafety + size_t{kHoldings} * kBesideInputs;
constexpr size_t kOutput = kStart + kWidth;
constexpr size_t kBias = kOutput + size_t{kOutputStages} * 2 * kWidth;
constexpr size_t kPlain = kBias + kOutputStages;
constexpr size_t kParameters = kPlain + size_t{kOutputStages} * kPlainTerms;

// Layout of gradients and of the summed weights that samples use: rows and balances are already
// sums.
constexpr size_t kRows = 0;
constexpr size_t kRowArea = kRows + size_t{kBuckets} * kInputs * kWidth;
constexpr size_t kRowBalance = kRowArea + size_t{2} * kBesideInputs * kWidth;
constexpr size_t kRowSafety = kRowBalance + size_t{kKingPlaces} * kInputs;
constexpr size_t kRowStart = kRowSafety + size_t{kHoldings} * kBesideInputs;
constexpr size_t kRowOutput = kRowStart + kWidth;
constexpr size_t kRowBias = kRowOutput + size_t{kOutputStages} * 2 * kWidth;
constexpr size_t kRowPlain = kRowBias + kOutputStages;
constexpr size_t kSummed = kRowPlain + size_t{kOutputStages} * kPlainTerms;
// The layouts of parameters and of gradients agree from here on.
static_assert(kParameters - kSafety == kSummed - kRowSafety);

constexpr float kMostHere = 127.0F / shogi::kUnit;
constexpr float kMostOutput = 127.0F / shogi::kOutputUnit;

// Calls row(where) with the begin of each row of `side`'s accumulators.
template <typename F>
void ForEachRow(const Encoded& sample, int side, F&& row) {
  const size_t bucket = size_t{sample.bucket[side]} * kInputs;
  for (int i = 0; i < sample.count; ++i) {
    row(kRows + (bucket + sample.inputs[side][i]) * kWidth);
  }
  for (const int king : {0, 1}) {
    const size_t first = king == 0 ? 0 : kBesideInputs;
    for (const uint16_t input : sample.beside[king == 0 ? side : 1 - side]) {
      row(kRowArea + (first + input) * kWidth);
    }
  }
}

// Computes the kWidth accumulators of one side.
void SumRows(const float* summed, const Encoded& sample, int side, float* __restrict out) {
  std::copy_n(summed + kRowStart, kWidth, out);
  ForEachRow(sample, side, [&](size_t where) {
    const float* __restrict row = summed + where;
    for (int j = 0; j < kWidth; ++j) out[j] += row[j];
  });
}

float BalanceOf(const float* summed, const Encoded& sample, int side) {
  const float* balance = summed + kRowBalance + size_t{sample.place[side]} * kInputs;
  float sum = 0;
  for (int i = 0; i < sample.count; ++i) sum += balance[sample.inputs[side][i]];
  return sum;
}

float SafetyOf(const float* summed, const Encoded& sample, int side) {
  const float* safety = summed + kRowSafety + size_t{sample.holding[side]} * kBesideInputs;
  float sum = 0;
  for (const uint16_t input : sample.beside[side]) sum += safety[input];
  return sum;
}

float Aim(const Encoded& sample, float result_share) {
  return result_share * sample.result + (1 - result_share) * sample.score;
}

// Adds the sample's gradient to `gradient`, unless that is null; returns its loss.
float Learn(const float* summed, const Encoded& sample, float aim, float* gradient) {
  float sums[2][kWidth];
  float bounded[2][kWidth];
  const float* output = summed + kRowOutput + size_t{sample.stage} * 2 * kWidth;
  const float* plain = summed + kRowPlain + size_t{sample.stage} * kPlainTerms;
  float value = summed[kRowBias + sample.stage] +
                (BalanceOf(summed, sample, 0) - BalanceOf(summed, sample, 1)) / 2 +
                SafetyOf(summed, sample, 0) - SafetyOf(summed, sample, 1);
  for (int i = 0; i < kPlainTerms; ++i) value += plain[i] * sample.plain[i];
  constexpr int kLanes = 8;  // independent partial sums, for vectorisation
  float lanes[kLanes] = {};
  for (int side = 0; side < 2; ++side) {
    SumRows(summed, sample, side, sums[side]);
    for (int j = 0; j < kWidth; ++j) {
      bounded[side][j] = std::min(std::max(sums[side][j], 0.0F), 1.0F);
    }
    for (int j = 0; j < kWidth; j += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        const float b = bounded[side][j + lane];
        lanes[lane] += b * b * output[side * kWidth + j + lane];
      }
    }
  }
  for (const float lane : lanes) value += lane;
  const float expected = Sigmoid(value);
  const float error = expected - aim;
  if (gradient == nullptr) return error * error;

  const float slope = 2 * error * expected * (1 - expected);
  gradient[kRowBias + sample.stage] += slope;
  for (size_t i = 0; i < kPlainTerms; ++i) {
    gradient[kRowPlain + size_t{sample.stage} * kPlainTerms + i] += slope * sample.plain[i];
  }
  float* __restrict output_gradient = gradient + kRowOutput + size_t{sample.stage} * 2 * kWidth;
  for (int side = 0; side < 2; ++side) {
    float back[kWidth];
    float* __restrict start = gradient + kRowStart;
    for (int j = 0; j < kWidth; ++j) {
      const float b = bounded[side][j];
      output_gradient[side * kWidth + j] += slope * b * b;
      // The slope is zero at both clamps, where the sum does not change the output.
      back[j] = b < 1.0F ? slope * output[side * kWidth + j] * 2 * b : 0.0F;
      start[j] += back[j];
    }
    ForEachRow(sample, side, [&](size_t where) {
      float* __restrict row = gradient + where;
      for (int j = 0; j < kWidth; ++j) row[j] += back[j];
    });
    const float own = side == 0 ? slope : -slope;
    float* balances = gradient + kRowBalance + size_t{sample.place[side]} * kInputs;
    for (int i = 0; i < sample.count; ++i) balances[sample.inputs[side][i]] += own / 2;
    float* safety = gradient + kRowSafety + size_t{sample.holding[side]} * kBesideInputs;
    for (const uint16_t input : sample.beside[side]) safety[input] += own;
  }
  return error * error;
}

// Calls work(part) for every part, each on its own thread.
template <typename Work>
void InThreads(size_t parts, const Work& work) {
  std::vector<std::thread> helpers;
  for (size_t part = 1; part < parts; ++part) helpers.emplace_back(work, part);
  work(0);
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace

struct Trainer::Impl {
  explicit Impl(const TrainerOptions& given)
      : options(given),
        weights(kParameters),
        first(kParameters),
        second(kParameters),
        base(size_t{kKingPlaces} * kInputs),
        balances(kSafety - kBalance),
        summed(kSummed),
        gradients(static_cast<size_t>(given.threads), std::vector<float>(kSummed)) {
    Rng rng(options.seed);
    for (size_t i = kEverywhere; i < kHere; ++i) {
      weights[i] = static_cast<float>(rng.Unit() - 0.5) * 0.2F;
    }
    std::fill_n(&weights[kStart], kWidth, 0.3F);
    std::fill_n(&weights[kPlain], size_t{kOutputStages} * kPlainTerms, 1.0F);
    for (size_t i = kOutput; i < kBias; ++i) {
      weights[i] = static_cast<float>(rng.Unit() - 0.5) * 0.2F;
    }
    SumUp();
  }

  // Computes `summed` from the weights.
  void SumUp() {
    SumRowsOf(0, kInputs);
    std::copy_n(&weights[kArea], kBalance - kArea, &summed[kRowArea]);
    SumBalances();
    std::copy(weights.begin() + kSafety, weights.end(), summed.begin() + kRowSafety);
  }

  // Sums the rows of inputs [begin, end) for all buckets.
  void SumRowsOf(size_t begin, size_t end) {
    for (size_t b = 0; b < kBuckets; ++b) {
      const size_t block = b * kInputs * kWidth;
      for (size_t i = begin * kWidth; i < end * kWidth; ++i) {
        summed[kRows + block + i] = weights[kEverywhere + i] + weights[kHere + block + i];
      }
    }
  }

  void SumBalances() {
    for (size_t p = 0; p < kKingPlaces; ++p) {
      for (size_t i = 0; i < kInputs; ++i) summed[kRowBalance + p * kInputs + i] = BalanceAt(p, i);
    }
  }

  // The balance of an input with the king at `place`.
  float BalanceAt(size_t place, size_t input) const {
    const Balances& tables = BalanceTables();
    const size_t distance = tables.distance[place * kInputs + input];
    return base[place * kInputs + input] + weights[kBalance + input] +
           weights[kBalanceHere + tables.bucket[place] * size_t{kInputs} + input] +
           (distance == kNoDistance ? 0.0F : weights[kBalanceDistance + distance]);
  }

  // Adds up the gradients [begin, begin + count) of all threads, in order, and clears them.
  void Take(size_t begin, size_t count, float* __restrict out) {
    std::fill_n(out, count, 0.0F);
    for (std::vector<float>& gradient : gradients) {
      float* __restrict from = gradient.data() + begin;
      for (size_t k = 0; k < count; ++k) {
        out[k] += from[k];
        from[k] = 0;
      }
    }
  }

  // Computes the gradients of the three parts of the balances from those by place.
  void GatherBalances() {
    std::fill(balances.begin(), balances.end(), 0.0F);
    const Balances& tables = BalanceTables();
    std::vector<float> row(kInputs);
    for (size_t p = 0; p < kKingPlaces; ++p) {
      Take(kRowBalance + p * kInputs, kInputs, row.data());
      for (size_t i = 0; i < kInputs; ++i) {
        balances[i] += row[i];
        balances[kBalanceHere - kBalance + tables.bucket[p] * size_t{kInputs} + i] += row[i];
        const size_t distance = tables.distance[p * kInputs + i];
        if (distance != kNoDistance) balances[kBalanceDistance - kBalance + distance] += row[i];
      }
    }
  }

  // Rate of a step and bound of the weights.
  struct Pace {
    float rate;
    float most;
    float decay = 0;
  };

  // Adam's step for the parameters [begin, begin + count). `g` holds gradient sums; `scale` is one
  // over the batch size.
  void Step(size_t begin, size_t count, const float* __restrict g, float scale, Pace pace) {
    const auto caution = static_cast<float>(options.caution);
    constexpr float kFirst = 0.9F;
    constexpr float kSecond = 0.999F;
    float* __restrict w = &weights[begin];
    float* __restrict m = &first[begin];
    float* __restrict v = &second[begin];
    for (size_t k = 0; k < count; ++k) {
      const float slope = g[k] * scale;
      m[k] = kFirst * m[k] + (1 - kFirst) * slope;
      v[k] = kSecond * v[k] + (1 - kSecond) * slope * slope;
      const float moved =
          w[k] - pace.rate * (m[k] / (std::sqrt(v[k]) + caution) + pace.decay * w[k]);
      w[k] = std::min(std::max(moved, -pace.most), pace.most);
    }
  }

  // Steps the weights of inputs [begin, end).
  void StepInputs(size_t begin, size_t end, float scale, Pace everywhere, Pace here) {
    float row[kWidth];
    float total[kWidth];
    for (size_t input = begin; input < end; ++input) {
      std::fill_n(total, kWidth, 0.0F);
      for (size_t b = 0; b < kBuckets; ++b) {
        const size_t at = (b * kInputs + input) * kWidth;
        Take(kRows + at, kWidth, row);
        for (int j = 0; j < kWidth; ++j) total[j] += row[j];
        Step(kHere + at, kWidth, row, scale, here);
      }
      Step(kEverywhere + input * kWidth, kWidth, total, scale, everywhere);
    }
    SumRowsOf(begin, end);
  }

  // Steps all parameters that are not rows of inputs.
  void StepOthers(float scale, Pace free, Pace here) {
    std::vector<float> taken(std::max(kBalance - kArea, kParameters - kSafety));
    Take(kRowArea, kBalance - kArea, taken.data());
    Step(kArea, kBalance - kArea, taken.data(), scale, free);
    std::copy_n(&weights[kArea], kBalance - kArea, &summed[kRowArea]);

    GatherBalances();
    const float* g = balances.data();
    Step(kBalance, kInputs, g, scale, free);
    Step(kBalanceHere, kBalanceDistance - kBalanceHere, g + (kBalanceHere - kBalance), scale,
         {.rate = here.rate, .most = free.most, .decay = here.decay});
    Step(kBalanceDistance, kDistances, g + (kBalanceDistance - kBalance), scale,
         {.rate = free.rate, .most = free.most, .decay = here.decay});
    SumBalances();

    Take(kRowSafety, kParameters - kSafety, taken.data());
    Step(kSafety, kOutput - kSafety, taken.data(), scale, free);
    Step(kOutput, kBias - kOutput, taken.data() + (kOutput - kSafety), scale,
         {.rate = free.rate, .most = kMostOutput});
    Step(kBias, kParameters - kBias, taken.data() + (kBias - kSafety), scale, free);
    std::copy(weights.begin() + kSafety, weights.end(), summed.begin() + kRowSafety);
  }

  void Update(double rate, size_t size) {
    ++steps;
    const double correction = std::sqrt(1 - std::pow(0.999, static_cast<double>(steps))) /
                              (1 - std::pow(0.9, static_cast<double>(steps)));
    const auto r = static_cast<float>(rate * correction);
    const auto slow = static_cast<float>(rate * correction * options.here_rate);
    const float scale = 1 / static_cast<float>(size);
    constexpr float kMostEverywhere = 120.0F;
    constexpr float kFree = 1e9F;
    const Pace everywhere = {.rate = r, .most = kMostEverywhere};
    const Pace here = {.rate = slow, .most = kMostHere, .decay = static_cast<float>(options.decay)};
    const size_t parts = gradients.size();
    InThreads(parts, [&](size_t part) {
      StepInputs(kInputs * part / parts, kInputs * (part + 1) / parts, scale, everywhere, here);
      if (part + 1 == parts) StepOthers(scale, {.rate = r, .most = kFree}, here);
    });
  }

  TrainerOptions options;
  std::vector<float> weights;
  std::vector<float> first;  // Adam's moments
  std::vector<float> second;
  std::vector<float> base;      // initial balances, to which the learned parts are added
  std::vector<float> balances;  // gradients of the parts of the balances
  std::vector<float> summed;
  std::vector<std::vector<float>> gradients;  // by thread
  uint64_t steps = 0;
  int epoch = 0;
};

Trainer::Trainer(const TrainerOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Trainer::~Trainer() = default;

void Trainer::BeginWith(const shogi::Weights& given) {
  Impl& impl = *impl_;
  auto take = [](const auto& from, float unit, float* out) {
    for (const auto value : from) *out++ = static_cast<float>(value) / unit;
  };
  constexpr auto kPoints = static_cast<float>(kOutputPoints * shogi::kBalanceUnit);
  std::vector<float>& to = impl.weights;
  take(given.everywhere, shogi::kUnit, &to[kEverywhere]);
  take(given.here, shogi::kUnit, &to[kHere]);
  take(given.area, shogi::kUnit, &to[kArea]);
  take(given.balance, kPoints, impl.base.data());
  take(given.safety, kPoints, &to[kSafety]);
  take(given.start, shogi::kUnit, &to[kStart]);
  take(given.output, shogi::kOutputUnit, &to[kOutput]);
  take(given.bias, shogi::kUnit * shogi::kOutputUnit, &to[kBias]);
  take(given.plain, shogi::kPlainUnit, &to[kPlain]);
  impl.SumUp();
}

int Trainer::epoch() const { return impl_->epoch; }

Loss Trainer::Epoch(std::span<const Encoded> samples) {
  Impl& impl = *impl_;
  const TrainerOptions& options = impl.options;
  std::vector<uint32_t> order(samples.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<uint32_t>(i);
  Rng rng = Rng(options.seed).Split(static_cast<uint64_t>(impl.epoch) + 1);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.Below(i)]);

  const auto threads = static_cast<size_t>(options.threads);
  const auto share = static_cast<float>(options.result_share);
  Loss loss;
  for (size_t begin = 0; begin < order.size(); begin += options.batch) {
    const size_t size = std::min(options.batch, order.size() - begin);
    std::vector<double> sums(threads);
    InThreads(threads, [&](size_t t) {
      float* const gradient = impl.gradients[t].data();
      double sum = 0;
      for (size_t i = size * t / threads; i < size * (t + 1) / threads; ++i) {
        const Encoded& sample = samples[order[begin + i]];
        sum += static_cast<double>(Learn(impl.summed.data(), sample, Aim(sample, share), gradient));
      }
      sums[t] = sum;
    });
    for (const double sum : sums) loss.mean += sum;
    const double done =
        (impl.epoch + static_cast<double>(begin) / static_cast<double>(order.size())) /
        std::max(options.epochs, 1);
    const double fall = (1 + std::cos(std::numbers::pi * std::min(done, 1.0))) / 2;
    impl.Update(options.rate * (0.02 + 0.98 * fall), size);
  }
  ++impl.epoch;
  loss.count = samples.size();
  loss.mean /= static_cast<double>(std::max<size_t>(loss.count, 1));
  return loss;
}

Loss Trainer::Measure(std::span<const Encoded> samples) const {
  const auto share = static_cast<float>(impl_->options.result_share);
  Loss loss{.count = samples.size()};
  for (const Encoded& sample : samples) {
    loss.mean +=
        static_cast<double>(Learn(impl_->summed.data(), sample, Aim(sample, share), nullptr));
  }
  loss.mean /= static_cast<double>(std::max<size_t>(loss.count, 1));
  return loss;
}

double Trainer::MeasurePlain(std::span<const Encoded> samples) const {
  const auto share = static_cast<float>(impl_->options.result_share);
  double sum = 0;
  for (const Encoded& sample : samples) {
    float plain = 0;
    for (const float term : sample.plain) plain += term;
    const double error = static_cast<double>(Sigmoid(plain) - Aim(sample, share));
    sum += error * error;
  }
  return sum / static_cast<double>(std::max<size_t>(samples.size(), 1));
}

shogi::Weights Trainer::Rounded() const {
  const std::vector<float>& from = impl_->weights;
  auto rounded = [](float value, float unit, long least, long most) {
    return std::clamp(std::lround(value * unit), least, most);
  };
  shogi::Weights to;
  for (size_t i = 0; i < kWidth; ++i) {
    to.start[i] = static_cast<int16_t>(rounded(from[kStart + i], shogi::kUnit, -32767, 32767));
  }
  for (size_t i = 0; i < to.everywhere.size(); ++i) {
    to.everywhere[i] =
        static_cast<int16_t>(rounded(from[kEverywhere + i], shogi::kUnit, -32000, 32000));
  }
  for (size_t i = 0; i < to.here.size(); ++i) {
    to.here[i] = static_cast<int8_t>(rounded(from[kHere + i], shogi::kUnit, -127, 127));
  }
  for (size_t i = 0; i < to.balance.size(); ++i) {
    to.balance[i] = static_cast<int16_t>(
        rounded(impl_->BalanceAt(i / kInputs, i % kInputs),
                static_cast<float>(kOutputPoints * shogi::kBalanceUnit), -32767, 32767));
  }
  for (size_t i = 0; i < to.area.size(); ++i) {
    to.area[i] = static_cast<int16_t>(rounded(from[kArea + i], shogi::kUnit, -32767, 32767));
  }
  for (size_t i = 0; i < to.safety.size(); ++i) {
    to.safety[i] = static_cast<int16_t>(rounded(
        from[kSafety + i], static_cast<float>(kOutputPoints * shogi::kBalanceUnit), -32767, 32767));
  }
  for (size_t i = 0; i < to.output.size(); ++i) {
    to.output[i] = static_cast<int16_t>(rounded(from[kOutput + i], shogi::kOutputUnit, -127, 127));
  }
  for (size_t i = 0; i < kOutputStages; ++i) {
    to.bias[i] = static_cast<int32_t>(
        rounded(from[kBias + i], shogi::kUnit * shogi::kOutputUnit, -(1L << 30), 1L << 30));
  }
  for (size_t i = 0; i < to.plain.size(); ++i) {
    to.plain[i] = static_cast<int32_t>(
        rounded(from[kPlain + i], shogi::kPlainUnit, 0, 4L * shogi::kPlainUnit));
  }
  return to;
}

namespace {
constexpr std::string_view kTrainerMagic = "JOSEKITR";
}  // namespace

std::string Trainer::Save() const {
  std::string bytes(kTrainerMagic);
  auto append = [&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const auto epoch = static_cast<uint64_t>(impl_->epoch);
  append(&epoch, sizeof(epoch));
  append(&impl_->steps, sizeof(impl_->steps));
  for (const auto* part : {&impl_->weights, &impl_->first, &impl_->second, &impl_->base}) {
    append(part->data(), part->size() * sizeof(float));
  }
  return bytes;
}

absl::Status Trainer::Restore(std::string_view bytes, const std::string& name) {
  const size_t floats = 3 * kParameters + size_t{kKingPlaces} * kInputs;
  const size_t expected = kTrainerMagic.size() + 16 + floats * sizeof(float);
  if (bytes.size() != expected || bytes.substr(0, kTrainerMagic.size()) != kTrainerMagic) {
    return MakeProblem({.code = "bad_training_state",
                        .file = name,
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = absl::StrCat(expected, " bytes of a training of this shape")});
  }
  bytes.remove_prefix(kTrainerMagic.size());
  auto take = [&](void* data, size_t size) {
    std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  uint64_t epoch = 0;
  take(&epoch, sizeof(epoch));
  take(&impl_->steps, sizeof(impl_->steps));
  for (auto* part : {&impl_->weights, &impl_->first, &impl_->second, &impl_->base}) {
    take(part->data(), part->size() * sizeof(float));
  }
  impl_->epoch = static_cast<int>(epoch);
  impl_->SumUp();
  return absl::OkStatus();
}

}  // namespace joseki::learn
