#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/large_array.h"
#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/shogi/eval/king_area.h"
#include "engine/shogi/types.h"

// The learned evaluation's weights: what they mean, and the file that holds them.
//
// A position is seen from each side in turn: turned round for White, and mirrored if the side's own
// king stands left of the middle, since the rules are the same in a mirror. What stands on each
// square and what is held are its inputs, one each; where the own king stands chooses which of
// kBuckets sets of weights they are looked up in. The sums of an input's weights over all inputs
// are the side's accumulator (kWidth numbers). Its balance is one number, the sum of the values
// that pieces have by their place and the exact place of the own king. From both accumulators,
// bounded and squared, one linear layer, chosen by how many pieces are held, adds to half the
// difference of the balances.
//
// What attacks the squares beside each king (engine/shogi/eval/king_area.h) is worth a number for
// each square by what the other side holds, and has weights in both accumulators too.
//
// Efficiently updatable networks: Y. Nasu, 2018.
namespace joseki::shogi {

inline constexpr int kKinds = 11;  // of pieces; golds and what moves as one, but for the pawn
inline constexpr int kPlacements = 2 * kKinds * kSquareCount;
inline constexpr int kHeld = 38;  // the first pawn held, the second, ..., the second rook
inline constexpr int kInputs = kPlacements + 2 * kHeld;
inline constexpr int kBuckets = 10;
inline constexpr int kKingPlaces = 46;  // the first five files, and no king
inline constexpr int kWidth = 64;
inline constexpr int kOutputStages = 8;
inline constexpr int kPlainTerms = 3;   // of the plain evaluation: placed and tempo, guard, danger
inline constexpr int kMostInputs = 40;  // that a legal position has

// The own king's place, as the side sees it: its set of weights, its place, by file and then rank,
// and whether the board is mirrored.
struct KingView {
  uint8_t bucket = kBuckets - 1;
  uint8_t place = kKingPlaces - 1;
  bool mirrored = false;
  bool operator==(const KingView&) const = default;
};

namespace network_internal {

// Golds and what moves as one share a plane; a promoted pawn, which is worth only a pawn to the
// other side, has its own.
inline constexpr int kKindOf[kPieceTypeCount] = {0, 0, 1, 2, 3, 5, 6, 4, 7, 8, 4, 4, 4, 9, 10};
inline constexpr int kHeldBefore[kHandTypeCount] = {0, 0, 18, 22, 26, 30, 32, 34};

struct Tables {
  // A square as a side sees it, turned round for White, and then mirrored or not.
  uint8_t seen[2][2][kSquareCount] = {};
  // The first input of a piece for a side.
  int16_t plane[2][kPieceCount + 1] = {};
  KingView view[2][kSquareCount + 1] = {};  // the last: no king
};

constexpr int BucketOf(int file, int rank) {  // the file is one of the first five
  switch (rank) {
    case 9:
      return file < 4 ? file - 1 : 3;
    case 8:
      return file <= 2 ? 4 : file == 3 ? 5 : 6;
    case 7:
      return 7;
    default:
      return rank >= 4 ? 8 : 9;
  }
}

constexpr Tables MakeTables() {
  Tables tables;
  for (const Color side : {kBlack, kWhite}) {
    const int c = Index(side);
    for (Square s = 0; s < kSquareCount; ++s) {
      const Square seen = side == kBlack ? s : kSquareCount - 1 - s;
      const int file = FileOf(seen);
      tables.seen[c][0][s] = static_cast<uint8_t>(seen);
      tables.seen[c][1][s] = static_cast<uint8_t>(MakeSquare(10 - file, RankOf(seen)));
      tables.view[c][s].mirrored = file > 5;
      const int near = file > 5 ? 10 - file : file;
      tables.view[c][s].bucket = static_cast<uint8_t>(BucketOf(near, RankOf(seen)));
      tables.view[c][s].place = static_cast<uint8_t>(MakeSquare(near, RankOf(seen)));
    }
    for (const Color owner : {kBlack, kWhite}) {
      for (int t = kPawn; t < kPieceTypeCount; ++t) {
        const int kinds = (owner == side ? 0 : kKinds) + kKindOf[t];
        tables.plane[c][MakePiece(owner, static_cast<PieceType>(t))] =
            static_cast<int16_t>(kinds * kSquareCount);
      }
    }
  }
  return tables;
}
inline constexpr Tables kTables = MakeTables();

}  // namespace network_internal

// `king`: kNoSquare if it has none.
inline KingView ViewOf(Color side, Square king) {
  return network_internal::kTables.view[Index(side)][king];
}
// The input that a piece on `s` is for `side`. REQUIRES: a piece.
inline int PlacementInput(Color side, bool mirrored, Piece piece, Square s) {
  const auto& tables = network_internal::kTables;
  return tables.plane[Index(side)][piece] + tables.seen[Index(side)][mirrored ? 1 : 0][s];
}
// The input that the `nth` piece (from 1) of kind `t` held by `owner` is for `side`.
inline int HeldInput(Color side, Color owner, PieceType t, int nth) {
  return kPlacements + (owner == side ? 0 : kHeld) + network_internal::kHeldBefore[t] + nth - 1;
}
// Index of the output layer, by the number of occupied squares.
constexpr int OutputStageOf(int occupied) {
  const int held = 40 - occupied;
  return held <= 1 ? 0 : held >= 2 * kOutputStages ? kOutputStages - 1 : held / 2;
}

// Numbers of the file are whole; their units:
inline constexpr int kUnit = 255;          // 1 in an accumulator
inline constexpr int kOutputUnit = 64;     // 1 in an output weight
inline constexpr int kBalanceUnit = 8;     // a point (a hundredth of a pawn) in a balance, an area
inline constexpr int kPlainUnit = 1024;    // a term of the plain evaluation counted once
inline constexpr int kOutputPoints = 600;  // points that an output of 1 is worth

// The weights as a file has them: those of an input in a bucket are the sum of what it has in all
// and what it has there more.
struct Weights {
  std::array<int16_t, kWidth> start{};  // of an accumulator without inputs
  std::vector<int16_t> everywhere;      // [kInputs][kWidth]
  std::vector<int8_t> here;             // [kBuckets][kInputs][kWidth]
  std::vector<int16_t> balance;         // [kKingPlaces][kInputs]
  std::vector<int16_t> area;            // [own king, the other's][kBesideInputs][kWidth]
  std::vector<int16_t> safety;          // [kHoldings][kBesideInputs]: what it is worth to the king
  std::array<int16_t, size_t{kOutputStages} * 2 * kWidth>
      output{};                               // own accumulator, then the other's
  std::array<int32_t, kOutputStages> bias{};  // in 1 / (kUnit * kOutputUnit)
  // [kOutputStages][kPlainTerms]: how much each counts.
  std::array<int32_t, size_t{kOutputStages} * kPlainTerms> plain{};

  Weights()
      : everywhere(size_t{kInputs} * kWidth),
        here(size_t{kBuckets} * kInputs * kWidth),
        balance(size_t{kKingPlaces} * kInputs),
        area(size_t{2} * kBesideInputs * kWidth),
        safety(size_t{kHoldings} * kBesideInputs) {}
};

// The file: a header with its version, these sizes and the SHA-256 of what follows, then the
// weights, little-endian.
std::string WriteWeights(const Weights& weights);
// InvalidArgument with a problem in `name`: "bad_weights" (no such file), "weights_version",
// "weights_shape", "weights_truncated" or "weights_checksum".
absl::StatusOr<Weights> ReadWeights(std::string_view bytes, const std::string& name);

// Weights as the evaluation reads them.
class Network {
 public:
  explicit Network(const Weights& weights, std::string sha256);

  // Lower-case hexadecimal SHA-256 of the file.
  const std::string& sha256() const { return sha256_; }
  const int16_t* start() const { return start_.data(); }
  // A set of weights: kInputs rows of kWidth.
  const int16_t* rows(int bucket) const {
    return rows_.get() + static_cast<size_t>(bucket) * kInputs * kWidth;
  }
  // Balances of a king's place: one for each input.
  const int16_t* balances(int place) const {
    return balance_.data() + static_cast<size_t>(place) * kInputs;
  }
  // Weights of the own king or of the other side's: kBesideInputs rows of kWidth.
  const int16_t* area(bool own) const {
    return area_.get() + (own ? size_t{0} : size_t{kBesideInputs} * kWidth);
  }
  // By what the other side holds: one for each input.
  const int16_t* safety(int holding) const {
    return safety_.data() + static_cast<size_t>(holding) * kBesideInputs;
  }
  const int16_t* output(int stage) const {
    return output_.data() + size_t{2} * kWidth * static_cast<size_t>(stage);
  }
  int32_t bias(int stage) const { return bias_[static_cast<size_t>(stage)]; }
  // kPlainTerms of them.
  const int32_t* plain(int stage) const {
    return plain_.data() + static_cast<size_t>(stage) * kPlainTerms;
  }

 private:
  std::string sha256_;
  std::array<int16_t, kWidth> start_;
  LargeArray<int16_t> rows_;
  std::vector<int16_t> balance_;
  LargeArray<int16_t> area_;
  std::vector<int16_t> safety_;
  std::array<int16_t, size_t{kOutputStages} * 2 * kWidth> output_;
  std::array<int32_t, kOutputStages> bias_;
  std::array<int32_t, size_t{kOutputStages} * kPlainTerms> plain_;
};

// Reads a file of weights whole. ReadFile's errors, or ReadWeights'.
absl::StatusOr<std::unique_ptr<const Network>> LoadNetwork(const std::string& path);

// The network that this program was built with. The same through the life of a process.
const Network& BuiltInNetwork();

}  // namespace joseki::shogi
