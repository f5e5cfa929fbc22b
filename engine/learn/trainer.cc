#include "engine/learn/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/eval/plain.h"
#include "engine/shogi/packed.h"

namespace joseki::learn {
namespace {

using shogi::kBuckets;
using shogi::kInputs;
using shogi::kKingPlaces;
using shogi::kOutputPoints;
using shogi::kOutputStages;
using shogi::kWidth;

// A kind of piece at a distance from the own king: files and ranks between -8 and 8.
constexpr size_t kBesides = size_t{2} * shogi::kKinds * 17 * 17;
constexpr size_t kNotBeside = kBesides;

struct Balances {
  uint8_t bucket[kKingPlaces] = {};
  // Of an input with the king at a place; kNotBeside for what is held.
  std::vector<uint16_t> beside;
};
const Balances& BalanceTables() {
  static const Balances tables = [] {
    Balances made;
    made.beside.assign(size_t{kKingPlaces} * kInputs, kNotBeside);
    made.bucket[kKingPlaces - 1] = kBuckets - 1;
    for (int place = 0; place + 1 < kKingPlaces; ++place) {
      made.bucket[place] = shogi::ViewOf(shogi::kBlack, place).bucket;
      for (int input = 0; input < shogi::kPlacements; ++input) {
        const int kind = input / shogi::kSquareCount;
        const int square = input % shogi::kSquareCount;
        const int files = shogi::FileOf(square) - shogi::FileOf(place) + 8;
        const int ranks = shogi::RankOf(square) - shogi::RankOf(place) + 8;
        made.beside[static_cast<size_t>(place) * kInputs + static_cast<size_t>(input)] =
            static_cast<uint16_t>((kind * 17 + files) * 17 + ranks);
      }
    }
    return made;
  }();
  return tables;
}

// Where each group of parameters begins in the one array of them.
constexpr size_t kEverywhere = 0;
constexpr size_t kHere = kEverywhere + size_t{kInputs} * kWidth;
constexpr size_t kBalance = kHere + size_t{kBuckets} * kInputs * kWidth;
constexpr size_t kBalanceHere = kBalance + kInputs;
constexpr size_t kBalanceBeside = kBalanceHere + size_t{kBuckets} * kInputs;
constexpr size_t kStart = kBalanceBeside + kBesides;
constexpr size_t kOutput = kStart + kWidth;
constexpr size_t kBias = kOutput + size_t{kOutputStages} * 2 * kWidth;
constexpr size_t kPlain = kBias + kOutputStages;
constexpr size_t kParameters = kPlain + kOutputStages;

// The same for gradients and for the weights that samples meet: rows and balances already summed.
constexpr size_t kRows = 0;
constexpr size_t kRowBalance = kRows + size_t{kBuckets} * kInputs * kWidth;
constexpr size_t kRowStart = kRowBalance + size_t{kKingPlaces} * kInputs;
constexpr size_t kRowOutput = kRowStart + kWidth;
constexpr size_t kRowBias = kRowOutput + size_t{kOutputStages} * 2 * kWidth;
constexpr size_t kRowPlain = kRowBias + kOutputStages;
constexpr size_t kSummed = kRowPlain + kOutputStages;

constexpr float kMostHere = 127.0F / shogi::kUnit;
constexpr float kMostOutput = 127.0F / shogi::kOutputUnit;

float Sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// What kWidth accumulators hold for one side.
void SumRows(const float* summed, const Encoded& sample, int side, float* out) {
  std::copy_n(summed + kRowStart, kWidth, out);
  const size_t bucket = size_t{sample.bucket[side]} * kInputs;
  for (int i = 0; i < sample.count; ++i) {
    const float* row = summed + kRows + (bucket + sample.inputs[side][i]) * kWidth;
    for (int j = 0; j < kWidth; ++j) out[j] += row[j];
  }
}

float BalanceOf(const float* summed, const Encoded& sample, int side) {
  const float* balance = summed + kRowBalance + size_t{sample.place[side]} * kInputs;
  float sum = 0;
  for (int i = 0; i < sample.count; ++i) sum += balance[sample.inputs[side][i]];
  return sum;
}

float Aim(const Encoded& sample, float result_share) {
  return result_share * sample.result +
         (1 - result_share) * Sigmoid(sample.score / static_cast<float>(kOutputPoints));
}

// Adds the sample's gradient to `gradient`, unless that is null; returns its loss.
float Learn(const float* summed, const Encoded& sample, float aim, float* gradient) {
  float sums[2][kWidth];
  float bounded[2][kWidth];
  const float* output = summed + kRowOutput + size_t{sample.stage} * 2 * kWidth;
  float value = summed[kRowBias + sample.stage] + summed[kRowPlain + sample.stage] * sample.plain +
                (BalanceOf(summed, sample, 0) - BalanceOf(summed, sample, 1)) / 2;
  for (int side = 0; side < 2; ++side) {
    SumRows(summed, sample, side, sums[side]);
    float part = 0;
    for (int j = 0; j < kWidth; ++j) {
      bounded[side][j] = std::min(std::max(sums[side][j], 0.0F), 1.0F);
      part += bounded[side][j] * bounded[side][j] * output[side * kWidth + j];
    }
    value += part;
  }
  const float expected = Sigmoid(value);
  const float error = expected - aim;
  if (gradient == nullptr) return error * error;

  const float slope = 2 * error * expected * (1 - expected);
  gradient[kRowBias + sample.stage] += slope;
  gradient[kRowPlain + sample.stage] += slope * sample.plain;
  float* output_gradient = gradient + kRowOutput + size_t{sample.stage} * 2 * kWidth;
  for (int side = 0; side < 2; ++side) {
    float back[kWidth];
    for (int j = 0; j < kWidth; ++j) {
      const float b = bounded[side][j];
      output_gradient[side * kWidth + j] += slope * b * b;
      // Zero at both bounds: there the sum does not change the output.
      back[j] = b < 1.0F ? slope * output[side * kWidth + j] * 2 * b : 0.0F;
      gradient[kRowStart + static_cast<size_t>(j)] += back[j];
    }
    const float balance = side == 0 ? slope / 2 : -slope / 2;
    const size_t bucket = size_t{sample.bucket[side]} * kInputs;
    const size_t places = kRowBalance + size_t{sample.place[side]} * kInputs;
    for (int i = 0; i < sample.count; ++i) {
      const size_t input = bucket + sample.inputs[side][i];
      gradient[places + sample.inputs[side][i]] += balance;
      float* row = gradient + kRows + input * kWidth;
      for (int j = 0; j < kWidth; ++j) row[j] += back[j];
    }
  }
  return error * error;
}

}  // namespace

absl::StatusOr<Encoded> Encode(const Sample& sample) {
  ASSIGN_OR_RETURN(const shogi::Position position, shogi::Unpack(sample.position));
  Encoded encoded{};
  const Color us = position.side_to_move();
  encoded.stage = static_cast<uint8_t>(shogi::OutputStageOf(position.occupied().Count()));
  encoded.plain =
      static_cast<float>(shogi::EvaluatePlain(position)) / static_cast<float>(kOutputPoints);
  encoded.score = sample.score;
  encoded.result = static_cast<float>(sample.result + 1) / 2;
  for (const int side : {0, 1}) {
    const Color seer = side == 0 ? us : ~us;
    const shogi::KingView view = shogi::ViewOf(seer, position.king(seer));
    encoded.bucket[side] = view.bucket;
    encoded.place[side] = view.place;
    int count = 0;
    auto add = [&](int input) {
      if (count < shogi::kMostInputs) {
        encoded.inputs[side][count++] = static_cast<uint16_t>(input);
      }
    };
    for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
      const shogi::Piece piece = position.piece(s);
      if (piece != shogi::kNoPiece) add(shogi::PlacementInput(seer, view.mirrored, piece, s));
    }
    for (const Color owner : {shogi::kBlack, shogi::kWhite}) {
      for (int i = shogi::kPawn; i <= shogi::kGold; ++i) {
        const auto t = static_cast<shogi::PieceType>(i);
        for (int nth = 1; nth <= position.hand(owner).Count(t); ++nth) {
          add(shogi::HeldInput(seer, owner, t, nth));
        }
      }
    }
    encoded.count = static_cast<uint8_t>(count);
  }
  return encoded;
}

struct Trainer::Impl {
  explicit Impl(const TrainerOptions& given)
      : options(given),
        weights(kParameters),
        first(kParameters),
        second(kParameters),
        balances(kStart - kBalance),
        summed(kSummed),
        gradients(static_cast<size_t>(given.threads), std::vector<float>(kSummed)) {
    Rng rng(options.seed);
    for (size_t i = kEverywhere; i < kHere; ++i) {
      weights[i] = static_cast<float>(rng.Unit() - 0.5) * 0.2F;
    }
    std::fill_n(&weights[kStart], kWidth, 0.3F);
    std::fill_n(&weights[kPlain], kOutputStages, 1.0F);
    for (size_t i = kOutput; i < kBias; ++i) {
      weights[i] = static_cast<float>(rng.Unit() - 0.5) * 0.2F;
    }
    SumUp();
  }

  // summed, from weights.
  void SumUp() {
    const size_t block = size_t{kInputs} * kWidth;
    for (size_t b = 0; b < kBuckets; ++b) {
      const float* here = &weights[kHere + b * block];
      float* out = &summed[kRows + b * block];
      for (size_t i = 0; i < block; ++i) out[i] = weights[kEverywhere + i] + here[i];
    }
    for (size_t p = 0; p < kKingPlaces; ++p) {
      for (size_t i = 0; i < kInputs; ++i) summed[kRowBalance + p * kInputs + i] = BalanceAt(p, i);
    }
    std::copy(weights.begin() + kStart, weights.end(), summed.begin() + kRowStart);
  }

  // Of an input with the king at `place`.
  float BalanceAt(size_t place, size_t input) const {
    const Balances& tables = BalanceTables();
    const size_t beside = tables.beside[place * kInputs + input];
    return weights[kBalance + input] +
           weights[kBalanceHere + tables.bucket[place] * size_t{kInputs} + input] +
           (beside == kNotBeside ? 0.0F : weights[kBalanceBeside + beside]);
  }

  // The gradients of the three parts of the balances, from those by place.
  void GatherBalances() {
    std::fill(balances.begin(), balances.end(), 0.0F);
    const Balances& tables = BalanceTables();
    for (size_t p = 0; p < kKingPlaces; ++p) {
      for (size_t i = 0; i < kInputs; ++i) {
        const float g = gradients[0][kRowBalance + p * kInputs + i];
        balances[i] += g;
        balances[kBalanceHere - kBalance + tables.bucket[p] * size_t{kInputs} + i] += g;
        const size_t beside = tables.beside[p * kInputs + i];
        if (beside != kNotBeside) balances[kBalanceBeside - kBalance + beside] += g;
      }
    }
  }

  // Adds all threads' gradients up in the first's, in the order of the threads.
  void Gather() {
    for (size_t t = 1; t < gradients.size(); ++t) {
      for (size_t i = 0; i < kSummed; ++i) gradients[0][i] += gradients[t][i];
    }
  }

  // Adam's step for the parameters [begin, begin + count), whose gradient `of` gives.
  template <typename Of>
  void Step(size_t begin, size_t count, float rate, float most, Of&& of, float decay = 0) {
    const auto caution = static_cast<float>(options.caution);
    constexpr float kFirst = 0.9F;
    constexpr float kSecond = 0.999F;
    for (size_t k = 0; k < count; ++k) {
      const size_t i = begin + k;
      const float g = of(k);
      first[i] = kFirst * first[i] + (1 - kFirst) * g;
      second[i] = kSecond * second[i] + (1 - kSecond) * g * g;
      float w =
          weights[i] - rate * (first[i] / (std::sqrt(second[i]) + caution) + decay * weights[i]);
      weights[i] = std::clamp(w, -most, most);
    }
  }

  void Update(double rate, size_t size) {
    ++steps;
    const double correction = std::sqrt(1 - std::pow(0.999, static_cast<double>(steps))) /
                              (1 - std::pow(0.9, static_cast<double>(steps)));
    const auto r = static_cast<float>(rate * correction);
    const auto here = static_cast<float>(rate * correction * options.here_rate);
    const auto decay = static_cast<float>(options.decay);
    const float scale = 1 / static_cast<float>(size);
    const float* g = gradients[0].data();
    const size_t block = size_t{kInputs} * kWidth;
    constexpr float kFree = 1e9F;
    Step(kEverywhere, block, r, 120.0F, [&](size_t k) {
      float sum = 0;
      for (size_t b = 0; b < kBuckets; ++b) sum += g[kRows + b * block + k];
      return sum * scale;
    });
    Step(
        kHere, kBuckets * block, here, kMostHere, [&](size_t k) { return g[kRows + k] * scale; },
        decay);
    GatherBalances();
    auto balance = [&](size_t begin) {
      return [&, begin](size_t k) { return balances[begin - kBalance + k] * scale; };
    };
    Step(kBalance, kInputs, r, kFree, balance(kBalance));
    Step(kBalanceHere, size_t{kBuckets} * kInputs, here, kFree, balance(kBalanceHere), decay);
    Step(kBalanceBeside, kBesides, r, kFree, balance(kBalanceBeside), decay);
    Step(kStart, kWidth, r, kFree, [&](size_t k) { return g[kRowStart + k] * scale; });
    Step(kOutput, kBias - kOutput, r, kMostOutput,
         [&](size_t k) { return g[kRowOutput + k] * scale; });
    Step(kBias, kOutputStages, r, kFree, [&](size_t k) { return g[kRowBias + k] * scale; });
    Step(kPlain, kOutputStages, r, kFree, [&](size_t k) { return g[kRowPlain + k] * scale; });
  }

  TrainerOptions options;
  std::vector<float> weights;
  std::vector<float> first;  // Adam's moments
  std::vector<float> second;
  std::vector<float> balances;  // gradients of the parts of the balances
  std::vector<float> summed;
  std::vector<std::vector<float>> gradients;  // of each thread
  uint64_t steps = 0;
  int epoch = 0;
};

Trainer::Trainer(const TrainerOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Trainer::~Trainer() = default;

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
    auto work = [&](size_t t) {
      std::vector<float>& gradient = impl.gradients[t];
      std::fill(gradient.begin(), gradient.end(), 0.0F);
      for (size_t i = size * t / threads; i < size * (t + 1) / threads; ++i) {
        const Encoded& sample = samples[order[begin + i]];
        sums[t] += static_cast<double>(
            Learn(impl.summed.data(), sample, Aim(sample, share), gradient.data()));
      }
    };
    std::vector<std::thread> helpers;
    for (size_t t = 1; t < threads; ++t) helpers.emplace_back(work, t);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    for (const double sum : sums) loss.mean += sum;
    impl.Gather();
    const double done =
        (impl.epoch + static_cast<double>(begin) / static_cast<double>(order.size())) /
        std::max(options.epochs, 1);
    const double fall = (1 + std::cos(std::numbers::pi * std::min(done, 1.0))) / 2;
    impl.Update(options.rate * (0.02 + 0.98 * fall), size);
    impl.SumUp();
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
    const double error = static_cast<double>(Sigmoid(sample.plain) - Aim(sample, share));
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
  for (size_t i = 0; i < to.output.size(); ++i) {
    to.output[i] = static_cast<int16_t>(rounded(from[kOutput + i], shogi::kOutputUnit, -127, 127));
  }
  for (size_t i = 0; i < kOutputStages; ++i) {
    to.bias[i] = static_cast<int32_t>(
        rounded(from[kBias + i], shogi::kUnit * shogi::kOutputUnit, -(1L << 30), 1L << 30));
  }
  for (size_t i = 0; i < kOutputStages; ++i) {
    to.plain[i] = static_cast<int32_t>(
        rounded(from[kPlain + i], shogi::kPlainUnit, 0, 4L * shogi::kPlainUnit));
  }
  return to;
}

namespace {
constexpr std::string_view kStateMagic = "JOSEKITR";
}  // namespace

std::string Trainer::Save() const {
  std::string bytes(kStateMagic);
  auto append = [&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const auto epoch = static_cast<uint64_t>(impl_->epoch);
  append(&epoch, sizeof(epoch));
  append(&impl_->steps, sizeof(impl_->steps));
  for (const auto* part : {&impl_->weights, &impl_->first, &impl_->second}) {
    append(part->data(), part->size() * sizeof(float));
  }
  return bytes;
}

absl::Status Trainer::Restore(std::string_view bytes, const std::string& name) {
  const size_t expected = kStateMagic.size() + 16 + 3 * kParameters * sizeof(float);
  if (bytes.size() != expected || bytes.substr(0, kStateMagic.size()) != kStateMagic) {
    return MakeProblem({.code = "bad_training_state",
                        .file = name,
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = absl::StrCat(expected, " bytes of a training of this shape")});
  }
  bytes.remove_prefix(kStateMagic.size());
  auto take = [&](void* data, size_t size) {
    std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  uint64_t epoch = 0;
  take(&epoch, sizeof(epoch));
  take(&impl_->steps, sizeof(impl_->steps));
  for (auto* part : {&impl_->weights, &impl_->first, &impl_->second}) {
    take(part->data(), part->size() * sizeof(float));
  }
  impl_->epoch = static_cast<int>(epoch);
  impl_->SumUp();
  return absl::OkStatus();
}

}  // namespace joseki::learn
