#include "engine/shogi/eval/network.h"

#include <algorithm>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::shogi {
namespace {

constexpr std::string_view kMagic = "JOSEKINN";
constexpr uint32_t kVersion = 3;
constexpr uint32_t kShape[] = {kInputs,       kBuckets,      kKingPlaces, kWidth,
                               kOutputStages, kBesideInputs, kHoldings,   kPlainTerms};
constexpr size_t kHeaderBytes = 8 + 4 + 4 * std::size(kShape) + 32;
constexpr size_t kPayloadBytes =
    2 * (size_t{kWidth} + size_t{kInputs} * kWidth + size_t{kKingPlaces} * kInputs +
         size_t{2} * kBesideInputs * kWidth + size_t{kHoldings} * kBesideInputs +
         size_t{kOutputStages} * 2 * kWidth) +
    size_t{kBuckets} * kInputs * kWidth + size_t{4} * kOutputStages * (1 + kPlainTerms);

template <typename T>
void Append(const T* values, size_t count, std::string& bytes) {
  for (size_t i = 0; i < count; ++i) {
    auto value = static_cast<std::make_unsigned_t<T>>(values[i]);
    for (size_t b = 0; b < sizeof(T); ++b) {
      bytes.push_back(static_cast<char>(value & 0xff));
      if constexpr (sizeof(T) > 1) value = static_cast<decltype(value)>(value >> 8);
    }
  }
}

template <typename T>
void Take(std::string_view& bytes, T* values, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint32_t value = 0;
    for (size_t b = 0; b < sizeof(T); ++b) {
      value |= uint32_t{static_cast<uint8_t>(bytes[i * sizeof(T) + b])} << (8 * b);
    }
    values[i] = static_cast<T>(value);
  }
  bytes.remove_prefix(count * sizeof(T));
}

}  // namespace

std::string WriteWeights(const Weights& weights) {
  std::string payload;
  payload.reserve(kPayloadBytes);
  Append(weights.start.data(), weights.start.size(), payload);
  Append(weights.everywhere.data(), weights.everywhere.size(), payload);
  Append(weights.here.data(), weights.here.size(), payload);
  Append(weights.balance.data(), weights.balance.size(), payload);
  Append(weights.area.data(), weights.area.size(), payload);
  Append(weights.safety.data(), weights.safety.size(), payload);
  Append(weights.output.data(), weights.output.size(), payload);
  Append(weights.bias.data(), weights.bias.size(), payload);
  Append(weights.plain.data(), weights.plain.size(), payload);
  std::string bytes(kMagic);
  Append(&kVersion, 1, bytes);
  Append(kShape, std::size(kShape), bytes);
  const Sha256 sum = Sha256Of(payload);
  Append(sum.data(), sum.size(), bytes);
  return bytes + payload;
}

absl::StatusOr<Weights> ReadWeights(std::string_view bytes, const std::string& name) {
  auto problem = [&](const char* code, std::string found, std::string expected) {
    return MakeProblem(
        {.code = code, .file = name, .found = std::move(found), .expected = std::move(expected)});
  };
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    return problem("bad_weights", Quote(bytes.substr(0, kMagic.size())), "a file of weights");
  }
  if (bytes.size() < kHeaderBytes) {
    return problem("weights_truncated", absl::StrCat(bytes.size(), " bytes"),
                   absl::StrCat(kHeaderBytes + kPayloadBytes));
  }
  bytes.remove_prefix(kMagic.size());
  uint32_t version = 0;
  Take(bytes, &version, 1);
  if (version != kVersion) {
    return problem("weights_version", absl::StrCat(version), absl::StrCat(kVersion));
  }
  uint32_t shape[std::size(kShape)];
  Take(bytes, shape, std::size(shape));
  if (!std::equal(std::begin(shape), std::end(shape), std::begin(kShape))) {
    auto text = [](std::span<const uint32_t> sizes) { return absl::StrJoin(sizes, " "); };
    return problem("weights_shape", text(shape), text(kShape));
  }
  Sha256 sum;
  Take(bytes, sum.data(), sum.size());
  if (bytes.size() != kPayloadBytes) {
    return problem("weights_truncated", absl::StrCat(bytes.size(), " bytes of weights"),
                   absl::StrCat(kPayloadBytes));
  }
  if (const Sha256 found = Sha256Of(bytes); found != sum) {
    return problem("weights_checksum", Hex(found), Hex(sum));
  }
  Weights weights;
  Take(bytes, weights.start.data(), weights.start.size());
  Take(bytes, weights.everywhere.data(), weights.everywhere.size());
  Take(bytes, weights.here.data(), weights.here.size());
  Take(bytes, weights.balance.data(), weights.balance.size());
  Take(bytes, weights.area.data(), weights.area.size());
  Take(bytes, weights.safety.data(), weights.safety.size());
  Take(bytes, weights.output.data(), weights.output.size());
  Take(bytes, weights.bias.data(), weights.bias.size());
  Take(bytes, weights.plain.data(), weights.plain.size());
  // The kernels multiply in 16 bits.
  for (const int16_t weight : weights.output) {
    if (weight != static_cast<int8_t>(weight)) {
      return problem("weights_range", absl::StrCat("the output weight ", weight), "-128 to 127");
    }
  }
  return weights;
}

Network::Network(const Weights& weights, std::string sha256)
    : sha256_(std::move(sha256)),
      start_(weights.start),
      rows_(MakeLargeArray<int16_t>(weights.here.size())),
      balance_(weights.balance),
      area_(MakeLargeArray<int16_t>(weights.area.size())),
      safety_(weights.safety),
      output_(weights.output),
      bias_(weights.bias),
      plain_(weights.plain) {
  const size_t block = weights.everywhere.size();
  for (size_t i = 0; i < weights.here.size(); ++i) {
    rows_[i] = static_cast<int16_t>(weights.everywhere[i % block] + weights.here[i]);
  }
  std::copy(weights.area.begin(), weights.area.end(), area_.get());
}

absl::StatusOr<std::unique_ptr<const Network>> LoadNetwork(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  ASSIGN_OR_RETURN(const Weights weights, ReadWeights(bytes, path));
  return std::make_unique<const Network>(weights, Hex(Sha256Of(bytes)));
}

}  // namespace joseki::shogi
