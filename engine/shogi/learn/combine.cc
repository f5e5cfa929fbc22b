#include "engine/shogi/learn/combine.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/packed.h"

namespace joseki::learn {
namespace {

using shogi::Square;

constexpr size_t kHalf = 45;  // squares of the own half and the middle rank
constexpr size_t kPlaces = 8 * kHalf;
constexpr double kPoints = 600;        // width of the sigmoid
constexpr double kResultShare = 0.15;  // weight of the result in the target
constexpr double kDoubt = 1000;        // neutral positions added to each pair
constexpr int kMostValue = 60;

double Expected(double points) { return 1 / (1 + std::exp(-points / kPoints)); }

// Index of a piece type on a square of ranks 5 to 9.
size_t PlaceOf(shogi::PieceType t, int file, int rank) {
  return static_cast<size_t>(t - 1) * kHalf + static_cast<size_t>((file - 1) * 5 + rank - 5);
}
shogi::CombinationPiece PieceAt(size_t place) {
  return {.type = static_cast<shogi::PieceType>(place / kHalf + 1),
          .file = static_cast<uint8_t>(place % kHalf / 5 + 1),
          .rank = static_cast<uint8_t>(place % 5 + 5)};
}
size_t PairOf(size_t a, size_t b) { return std::min(a, b) * kPlaces + std::max(a, b); }

const char* NameOf(shogi::PieceType t) {
  constexpr const char* kNames[] = {"",        "kPawn", "kLance", "kKnight", "kSilver",
                                    "kBishop", "kRook", "kGold",  "kKing"};
  return kNames[t];
}

}  // namespace

CombinationMiner::CombinationMiner() : single_(kPlaces), pair_(kPlaces * kPlaces) {}

absl::Status CombinationMiner::Add(const Sample& sample) {
  if (!sample.quiet) return absl::OkStatus();
  ASSIGN_OR_RETURN(const shogi::Position position, shogi::Unpack(sample.position));
  const double aim = (1 - kResultShare) * Expected(sample.score) +
                     kResultShare * (static_cast<double>(sample.result) + 1) / 2;
  const double residual = aim - Expected(shogi::EvaluatePlain(position));
  ++count_;
  squares_ += residual * residual;
  for (const Color side : {shogi::kBlack, shogi::kWhite}) {
    const Square king = position.king(side);
    if (king == shogi::kNoSquare) continue;
    auto seen = [&](Square s) { return side == shogi::kBlack ? s : shogi::kSquareCount - 1 - s; };
    const bool mirrored = shogi::IsMirrored(king, side);
    std::array<size_t, shogi::kSquareCount> places;
    size_t count = 0;
    shogi::ForEach(position.occupied(side), [&](Square s) {
      const shogi::PieceType t = shogi::TypeOf(position.piece(s));
      const int rank = shogi::RankOf(seen(s));
      if (t > shogi::kKing || rank < 5) return;
      const int file = shogi::FileOf(seen(s));
      places[count++] = PlaceOf(t, mirrored ? 10 - file : file, rank);
    });
    const double own = side == position.side_to_move() ? residual : -residual;
    for (size_t i = 0; i < count; ++i) {
      ++single_[places[i]].count;
      single_[places[i]].residual += own;
      for (size_t j = 0; j < i; ++j) {
        Sum& sum = pair_[PairOf(places[i], places[j])];
        ++sum.count;
        sum.residual += own;
      }
    }
  }
  return absl::OkStatus();
}

std::vector<FoundCombination> CombinationMiner::Found(const CombineOptions& options) const {
  std::vector<FoundCombination> found;
  if (count_ == 0) return found;
  const double deviation = std::sqrt(squares_ / static_cast<double>(count_));
  auto mean = [](const Sum& sum) {
    return sum.count == 0 ? 0 : sum.residual / static_cast<double>(sum.count);
  };
  for (size_t a = 0; a < kPlaces; ++a) {
    for (size_t b = a + 1; b < kPlaces; ++b) {
      const Sum& sum = pair_[a * kPlaces + b];
      if (sum.count < std::max<uint64_t>(options.least_positions, 1)) continue;
      const auto n = static_cast<double>(sum.count);
      const double more = mean(sum) - mean(single_[a]) - mean(single_[b]);
      // The slope of a sigmoid at its centre is 1/4.
      const double points = 4 * kPoints * more * n / (n + kDoubt);
      const int value = std::clamp(static_cast<int>(std::lround(points)), -kMostValue, kMostValue);
      if (std::abs(value) < options.least_value) continue;
      found.push_back({.combination = {.value = value, .pieces = {PieceAt(a), PieceAt(b)}},
                       .positions = sum.count,
                       .sureness = more * std::sqrt(n) / deviation});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundCombination& x, const FoundCombination& y) {
                     return std::abs(x.sureness) > std::abs(y.sureness);
                   });
  if (found.size() > options.most) found.resize(options.most);
  return found;
}

std::string CombinationsHeader(std::span<const FoundCombination> found, const std::string& source) {
  std::string text = absl::StrCat(
      "#pragma once\n\n// Made by `joseki-engine learn combine` from ", source,
      ".\n\n#include \"engine/shogi/eval/combinations.h\"\n\nnamespace joseki::shogi {\n\n"
      "// Value and pieces; the comment: positions, and the value in standard errors.\n"
      "// clang-format off\ninline constexpr Combination kMinedCombinations[] = {\n");
  for (const FoundCombination& one : found) {
    absl::StrAppend(&text, "    {", one.combination.value, ", {");
    for (int i = 0; i < 2; ++i) {
      const shogi::CombinationPiece& piece = one.combination.pieces[i];
      absl::StrAppend(&text, i == 0 ? "" : ", ", "{", NameOf(piece.type), ", ", piece.file, ", ",
                      piece.rank, "}");
    }
    absl::StrAppend(&text, "}},  // ", one.positions, ", ",
                    static_cast<int>(std::lround(one.sureness)), "\n");
  }
  if (found.empty()) absl::StrAppend(&text, "    {0, {}},\n");
  absl::StrAppend(&text, "};\n// clang-format on\n\n}  // namespace joseki::shogi\n");
  return text;
}

}  // namespace joseki::learn
