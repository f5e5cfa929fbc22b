#include "tests/engine/search/spsa.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/rng.h"

namespace joseki {
namespace {

constexpr double kGainExponent = 0.602;
constexpr double kReachExponent = 0.101;
constexpr uint64_t kSigns = 1;  // streams of an iteration's generator
constexpr uint64_t kRounding = 2;

Rng Stream(uint64_t seed, uint64_t iteration, uint64_t stream, size_t knob) {
  return Rng(seed).Split(iteration).Split(stream).Split(knob);
}

}  // namespace

Spsa::Spsa(SpsaPlan plan) : plan_(std::move(plan)) {
  for (const SpsaKnob& knob : plan_.knobs) values_.push_back(knob.start);
}

Spsa::Probe Spsa::Next(uint64_t ahead) const {
  const uint64_t iteration = learned_ + ahead;
  Probe probe;
  for (size_t i = 0; i < values_.size(); ++i) {
    const SpsaKnob& knob = plan_.knobs[i];
    const double move = Sign(iteration, i) * Reach(iteration) * knob.step;
    const double up = Stream(plan_.seed, iteration, kRounding, i).Unit();
    const auto side = [&](double value) {
      return static_cast<int>(std::floor(std::clamp(value, knob.low, knob.high) + up));
    };
    probe.a.push_back(std::min(side(values_[i] + move), static_cast<int>(knob.high)));
    probe.b.push_back(std::min(side(values_[i] - move), static_cast<int>(knob.high)));
  }
  return probe;
}

void Spsa::Learn(double result) {
  for (size_t i = 0; i < values_.size(); ++i) {
    const SpsaKnob& knob = plan_.knobs[i];
    const double change = Gain(learned_) * Reach(learned_) * knob.step * result * Sign(learned_, i);
    values_[i] = std::clamp(values_[i] + change, knob.low, knob.high);
  }
  ++learned_;
}

double Spsa::Reach(uint64_t iteration) const {
  const auto last = static_cast<double>(plan_.iterations);
  const double now = std::min(static_cast<double>(iteration + 1), last);
  return std::pow(last / now, kReachExponent);
}

double Spsa::Gain(uint64_t iteration) const {
  const auto last = static_cast<double>(plan_.iterations);
  const double now = std::min(static_cast<double>(iteration + 1), last);
  const double gain = plan_.rate * std::pow(1.1 * last / (0.1 * last + now), kGainExponent);
  return gain / (Reach(iteration) * Reach(iteration));
}

int Spsa::Sign(uint64_t iteration, size_t knob) const {
  return (Stream(plan_.seed, iteration, kSigns, knob).Next() & 1) != 0 ? 1 : -1;
}

}  // namespace joseki
