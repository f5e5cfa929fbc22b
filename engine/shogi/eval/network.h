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

// The learned evaluation's weights: their meaning and their file.
//
// A position is seen from each side in turn. It is rotated for White, and mirrored if the side's
// own king is left of the middle, since the rules are symmetric. Each piece on a square and each
// piece held is an input. The own king's place selects one of kBuckets sets of weights for them.
// The sum of the inputs' weights is the side's accumulator (kWidth numbers). Its balance is a
// single number: the sum of the pieces' values, by their squares and the exact place of the own
// king. One linear layer, selected by the number of pieces held, is applied to both accumulators
// after clamping and squaring. Its output is added to half the difference of the balances.
//
// Attacks on the squares beside each king (engine/shogi/eval/king_area.h) contribute a number for
// each square, by the pieces that the other side holds. They have weights in both accumulators too.
//
// Efficiently updatable networks: Y. Nasu, 2018.
namespace joseki::shogi {

// Piece types; golds and the promoted pieces that move like them are one, except promoted pawns.
inline constexpr int kKinds = 11;
inline constexpr int kPlacements = 2 * kKinds * kSquareCount;
inline constexpr int kHeld = 38;  // first pawn held, second pawn held, ..., second rook held
inline constexpr int kInputs = kPlacements + 2 * kHeld;
inline constexpr int kBuckets = 10;
inline constexpr int kKingPlaces = 46;  // the first five files, and no king
inline constexpr int kWidth = 64;
inline constexpr int kOutputStages = 8;
// Terms of the plain evaluation: placement with tempo, guard, danger.
inline constexpr int kPlainTerms = 3;
inline constexpr int kMostInputs = 40;  // bound for a legal position

// The own king as the side sees it: its set of weights, its place (by file, then rank), and whether
// the board is mirrored.
struct KingView {
  uint8_t bucket = kBuckets - 1;
  uint8_t place = kKingPlaces - 1;
  bool mirrored = false;
  bool operator==(const KingView&) const = default;
};

namespace network_internal {

// Plane of each piece type. Golds and the pieces that move like them share one; a promoted pawn,
// worth only a pawn to its captor, has its own.
inline constexpr int kKindOf[kPieceTypeCount] = {0, 0, 1, 2, 3, 5, 6, 4, 7, 8, 4, 4, 4, 9, 10};
inline constexpr int kHeldBefore[kHandTypeCount] = {0, 0, 18, 22, 26, 30, 32, 34};

struct Tables {
  // [color][mirrored][square]: the square as the side sees it.
  uint8_t seen[2][2][kSquareCount] = {};
  // First input of a piece for a side.
  int16_t plane[2][kPieceCount + 1] = {};
  KingView view[2][kSquareCount + 1] = {};  // the last entry: no king
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

// `king`: kNoSquare if the side has none.
inline KingView ViewOf(Color side, Square king) {
  return network_internal::kTables.view[Index(side)][king];
}
// Input for `side` of a piece on `s`. REQUIRES: piece is not kNoPiece.
inline int PlacementInput(Color side, bool mirrored, Piece piece, Square s) {
  const auto& tables = network_internal::kTables;
  return tables.plane[Index(side)][piece] + tables.seen[Index(side)][mirrored ? 1 : 0][s];
}
// Input for `side` of the `nth` piece (from 1) of type `t` held by `owner`.
inline int HeldInput(Color side, Color owner, PieceType t, int nth) {
  return kPlacements + (owner == side ? 0 : kHeld) + network_internal::kHeldBefore[t] + nth - 1;
}
// Index of the output layer, by the number of occupied squares.
constexpr int OutputStageOf(int occupied) {
  const int held = 40 - occupied;
  return held <= 1 ? 0 : held >= 2 * kOutputStages ? kOutputStages - 1 : held / 2;
}

// The file's numbers are integers in these units.
inline constexpr int kUnit = 255;          // 1 in an accumulator
inline constexpr int kOutputUnit = 64;     // 1 in an output weight
inline constexpr int kBalanceUnit = 8;     // a hundredth of a pawn in a balance or an area
inline constexpr int kPlainUnit = 1024;    // a term of the plain evaluation with weight 1
inline constexpr int kOutputPoints = 600;  // points of an output of 1

// The weights as stored in a file. The weights of an input in a bucket are the sum of a common part
// and the bucket's own part.
struct Weights {
  std::array<int16_t, kWidth> start{};  // accumulator without inputs
  std::vector<int16_t> everywhere;      // [kInputs][kWidth]
  std::vector<int8_t> here;             // [kBuckets][kInputs][kWidth]
  std::vector<int16_t> balance;         // [kKingPlaces][kInputs]
  std::vector<int16_t> area;            // [own king, the other's][kBesideInputs][kWidth]
  std::vector<int16_t> safety;          // [kHoldings][kBesideInputs]: value for the king's side
  std::array<int16_t, size_t{kOutputStages} * 2 * kWidth>
      output{};                               // own accumulator, then the other's
  std::array<int32_t, kOutputStages> bias{};  // in units of 1 / (kUnit * kOutputUnit)
  // [kOutputStages][kPlainTerms]: weight of each term.
  std::array<int32_t, size_t{kOutputStages} * kPlainTerms> plain{};

  Weights()
      : everywhere(size_t{kInputs} * kWidth),
        here(size_t{kBuckets} * kInputs * kWidth),
        balance(size_t{kKingPlaces} * kInputs),
        area(size_t{2} * kBesideInputs * kWidth),
        safety(size_t{kHoldings} * kBesideInputs) {}
};

// Layout of the file: a header with version, these sizes and the SHA-256 of the rest, then the
// weights, little-endian.
std::string WriteWeights(const Weights& weights);
// InvalidArgument, naming `name`: "bad_weights" (no such file), "weights_version", "weights_shape",
// "weights_truncated" or "weights_checksum".
absl::StatusOr<Weights> ReadWeights(std::string_view bytes, const std::string& name);

// Weights in the layout that the evaluation reads.
class Network {
 public:
  explicit Network(const Weights& weights, std::string sha256);

  // Lower-case hexadecimal SHA-256 of the file.
  const std::string& sha256() const { return sha256_; }
  const int16_t* start() const { return start_.data(); }
  // Weights of a bucket: kInputs rows of kWidth.
  const int16_t* rows(int bucket) const {
    return rows_.get() + static_cast<size_t>(bucket) * kInputs * kWidth;
  }
  // Balances for a place of the king: one for each input.
  const int16_t* balances(int place) const {
    return balance_.data() + static_cast<size_t>(place) * kInputs;
  }
  // Weights of the own king's area or of the other's: kBesideInputs rows of kWidth.
  const int16_t* area(bool own) const {
    return area_.get() + (own ? size_t{0} : size_t{kBesideInputs} * kWidth);
  }
  // Values by the pieces that the other side holds: one for each input.
  const int16_t* safety(int holding) const {
    return safety_.data() + static_cast<size_t>(holding) * kBesideInputs;
  }
  const int16_t* output(int stage) const {
    return output_.data() + size_t{2} * kWidth * static_cast<size_t>(stage);
  }
  int32_t bias(int stage) const { return bias_[static_cast<size_t>(stage)]; }
  // The kPlainTerms weights of a stage.
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

// Reads a file of weights. Errors of ReadFile or ReadWeights.
absl::StatusOr<std::unique_ptr<const Network>> LoadNetwork(const std::string& path);

// The network built into this program. Constant for the life of a process.
const Network& BuiltInNetwork();

}  // namespace joseki::shogi
