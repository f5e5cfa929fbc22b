#include "engine/shogi/learn/bonanza.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/learned.h"
#include "engine/shogi/eval/material.h"
#include "engine/shogi/eval/see.h"

namespace joseki::learn {
namespace {

using shogi::kBalanceUnit;
using shogi::kInputs;
using shogi::kKinds;
using shogi::kKingPlaces;
using shogi::kPlacements;
using shogi::Position;
using shogi::Square;

// Groups of weights: by piece type on the board (the king's is 0), by type in hand, and beside a
// king for pieces of either side.
constexpr size_t kBoard = 0;
constexpr size_t kHand = kBoard + kKinds;
constexpr size_t kBeside = kHand + shogi::kHandTypeCount;
constexpr size_t kReach = 17;  // files and ranks between -8 and 8
constexpr size_t kCount = kBeside + size_t{2} * kKinds * kReach * kReach;
constexpr int kKingKind = shogi::network_internal::kKindOf[shogi::kKing];

constexpr int kLeafPlies = 8;
constexpr Value kMateLike = 15000;  // values beyond this say nothing about weights

// The weights that an input contributes to, for a side with its king at `place`. Own pieces add,
// the other's subtract.
struct Touched {
  std::array<size_t, 2> weights;
  int count;
  int sign;  // of the first weight: material counts for its owner, places beside a king as they are
};
Touched TouchedBy(int place, int input) {
  if (input >= kPlacements) {
    const int held = (input - kPlacements) % shogi::kHeld;
    int t = shogi::kPawn;
    for (int i = shogi::kPawn; i <= shogi::kGold; ++i) {
      const int before = shogi::network_internal::kHeldBefore[i];
      if (held >= before && held < before + shogi::kFullSet[i]) t = i;
    }
    return {{kHand + static_cast<size_t>(t), 0}, 1, input - kPlacements < shogi::kHeld ? 1 : -1};
  }
  const int kinds = input / shogi::kSquareCount;
  const int square = input % shogi::kSquareCount;
  const bool own = kinds < kKinds;
  const int kind = own ? kinds : kinds - kKinds;
  const auto on_board = static_cast<size_t>(kind);
  Touched touched = {{kBoard + on_board, 0}, 1, own ? 1 : -1};
  if (kind == kKingKind) return {{}, 0, 1};
  if (place + 1 < kKingPlaces) {
    const int files = shogi::FileOf(square) - shogi::FileOf(place) + 8;
    const int ranks = shogi::RankOf(square) - shogi::RankOf(place) + 8;
    const int beside =
        (kinds * static_cast<int>(kReach) + files) * static_cast<int>(kReach) + ranks;
    touched.weights[1] = kBeside + size_t{static_cast<unsigned>(beside)};
    touched.count = 2;
  }
  return touched;
}

// Calls found(weight, amount) with the coefficient, in halves, of each weight in the evaluation for
// the side to move.
template <typename Found>
void ForEachWeight(const Position& position, const Found& found) {
  const Color us = position.side_to_move();
  for (const Color seer : {us, ~us}) {
    const int half = seer == us ? 1 : -1;
    const shogi::KingView view = shogi::ViewOf(seer, position.king(seer));
    auto add = [&](int input) {
      const Touched touched = TouchedBy(view.place, input);
      if (touched.count > 0) found(touched.weights[0], half * touched.sign);
      if (touched.count > 1) found(touched.weights[1], half);
    };
    shogi::ForEach(position.occupied(), [&](Square s) {
      add(shogi::PlacementInput(seer, view.mirrored, position.piece(s), s));
    });
    for (const Color owner : {shogi::kBlack, shogi::kWhite}) {
      for (int i = shogi::kPawn; i <= shogi::kGold; ++i) {
        const auto t = static_cast<shogi::PieceType>(i);
        for (int nth = 1; nth <= position.hand(owner).Count(t); ++nth) {
          add(shogi::HeldInput(seer, owner, t, nth));
        }
      }
    }
  }
}

// Quiescence search that also returns the position that its value comes from.
class LeafSearch {
 public:
  explicit LeafSearch(shogi::LearnedEvaluator& evaluator) : evaluator_(evaluator) {}

  // The value for the side to move. `leaf` receives the end of the line, `turned` whether the other
  // side moves there.
  Value Run(Position& position, Position& leaf, bool& turned) {
    std::vector<Move> line;
    const Value value = Search(position, 0, -kValueInfinite, kValueInfinite, line);
    leaf = position;
    for (const Move move : line) {
      shogi::Undo undo;
      leaf.Do(move, undo);
    }
    turned = line.size() % 2 != 0;
    return value;
  }

 private:
  Value Search(Position& position, int ply, Value alpha, Value beta, std::vector<Move>& line) {
    line.clear();
    const bool in_check = position.InCheck();
    Value best = -kValueMate + ply;
    if (!in_check || ply >= kLeafPlies) {
      best = evaluator_.Evaluate(position);
      if (best >= beta || ply >= kLeafPlies) return best;
      alpha = std::max(alpha, best);
    }
    shogi::MoveList moves;
    position.Generate<GenType::kCaptures>(moves);
    std::vector<std::pair<Value, Move>> ordered;
    for (const Move move : moves) {
      Value gain = 0;
      if (!move.is_drop()) {
        gain = shogi::CaptureValue(shogi::TypeOf(position.piece(move.to())));
        const shogi::PieceType mover = shogi::TypeOf(position.piece(move.from()));
        if (move.promotes()) gain += shogi::PromotionGain(mover);
        gain -= shogi::kPieceValue[mover] / 16;
      }
      if (!in_check && (best + gain + 200 <= alpha || !shogi::SeeAtLeast(position, move, 0))) {
        continue;
      }
      ordered.emplace_back(-gain, move);
    }
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Move> below;
    for (const auto& [order, move] : ordered) {
      shogi::Undo undo;
      position.Do(move, undo);
      const Value value = -Search(position, ply + 1, -beta, -alpha, below);
      position.TakeBack(move, undo);
      if (value <= best) continue;
      best = value;
      line.assign(1, move);
      line.insert(line.end(), below.begin(), below.end());
      alpha = std::max(alpha, value);
      if (alpha >= beta) break;
    }
    return best;
  }

  shogi::LearnedEvaluator& evaluator_;
};

}  // namespace

struct BonanzaLearner::Impl {
  explicit Impl(const BonanzaOptions& given)
      : options(given), weights(kCount), step(given.first_step) {}

  shogi::Weights Whole() const {
    shogi::Weights whole;
    whole.plain.fill(shogi::kPlainUnit);
    for (int place = 0; place < kKingPlaces; ++place) {
      for (int input = 0; input < kInputs; ++input) {
        const Touched touched = TouchedBy(place, input);
        int64_t sum = 0;
        if (touched.count > 0) sum += touched.sign * weights[touched.weights[0]];
        if (touched.count > 1) sum += weights[touched.weights[1]];
        whole.balance[static_cast<size_t>(place) * kInputs + static_cast<size_t>(input)] =
            static_cast<int16_t>(std::clamp<int64_t>(sum, -32767, 32767));
      }
    }
    return whole;
  }

  void Teach(const Lesson& lesson, shogi::LearnedEvaluator& evaluator, bool learn,
             BonanzaSums& sums) const {
    struct Tried {
      Value value;
      Position leaf;
      int sign;
    };
    Position position = lesson.position;
    shogi::MoveList moves;
    position.Generate<GenType::kSearch>(moves);
    LeafSearch search(evaluator);
    auto attempt = [&](Move move) {
      Tried tried;
      shogi::Undo undo;
      position.Do(move, undo);
      bool turned = false;
      tried.value = -search.Run(position, tried.leaf, turned);
      tried.sign = turned ? 1 : -1;
      position.TakeBack(move, undo);
      return tried;
    };
    const Tried recorded = attempt(lesson.move);
    if (std::abs(recorded.value) > kMateLike) return;
    ++sums.positions;
    bool best = true;
    std::vector<int32_t> difference;
    std::vector<size_t> changed;
    if (learn) difference.assign(kCount, 0);
    for (const Move move : moves) {
      if (move == lesson.move) continue;
      const Tried tried = attempt(move);
      const Value more = tried.value - recorded.value;
      best = best && more < 0;
      const double rise = 1 / (1 + std::exp(-more / options.width));
      sums.objective += std::llround(rise * kSlopeUnit);
      if (!learn || std::abs(more) > options.window) continue;
      const int64_t slope = std::llround(rise * (1 - rise) * kSlopeUnit);
      auto count = [&](const Tried& of, int sign) {
        ForEachWeight(of.leaf, [&](size_t weight, int halves) {
          if (difference[weight] == 0) changed.push_back(weight);
          difference[weight] += sign * of.sign * halves;
        });
      };
      changed.clear();
      count(tried, 1);
      count(recorded, -1);
      for (const size_t weight : changed) {
        sums.gradient[weight] += slope * difference[weight];
        sums.asked[weight] += slope * std::abs(difference[weight]);
        difference[weight] = 0;
      }
    }
    sums.agreed += best ? 1 : 0;
  }

  BonanzaSums Ask(std::span<const Lesson> lessons, Share share, bool learn) const {
    const shogi::Network network(Whole(), "");
    const auto threads = static_cast<size_t>(std::max(options.threads, 1));
    BonanzaSums none;
    if (learn) {
      none.gradient.resize(kCount);
      none.asked.resize(kCount);
    }
    std::vector<BonanzaSums> sums(threads, none);
    auto work = [&](size_t t) {
      shogi::LearnedEvaluator evaluator(network);
      for (size_t i = share.index + share.count * t; i < lessons.size();
           i += share.count * threads) {
        Teach(lessons[i], evaluator, learn, sums[t]);
      }
    };
    std::vector<std::thread> helpers;
    for (size_t t = 1; t < threads; ++t) helpers.emplace_back(work, t);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    for (size_t t = 1; t < threads; ++t) sums[0].Add(sums[t]);
    return std::move(sums[0]);
  }

  void Step(const BonanzaSums& sums) {
    int64_t before = 0;
    for (size_t i = kBoard; i < kHand; ++i) before += weights[i];
    const int64_t bound = int64_t{options.most_bound} * kBalanceUnit;
    for (size_t i = 0; i < kCount; ++i) {
      if (sums.asked[i] == 0) continue;
      double slope = static_cast<double>(sums.gradient[i]);
      // Material has no penalty.
      if (i >= kBeside) {
        slope += 2 * options.penalty * static_cast<double>(sums.asked[i]) *
                 static_cast<double>(weights[i]);
      }
      if (slope == 0) continue;
      weights[i] = std::clamp(weights[i] - (slope > 0 ? step : -step), -bound, bound);
    }
    // Keeps the sum over piece types constant by distributing the excess evenly.
    int64_t over = -before;
    for (size_t i = kBoard; i < kHand; ++i) over += weights[i];
    for (size_t i = kBoard; over != 0; i = i + 1 < kHand ? i + 1 : kBoard) {
      if (static_cast<int>(i - kBoard) == kKingKind) continue;
      weights[i] -= over > 0 ? 1 : -1;
      over -= over > 0 ? 1 : -1;
    }
  }

  BonanzaOptions options;
  std::vector<int64_t> weights;  // in 1 / kBalanceUnit points
  int64_t step;
  int64_t rounds = 0;
  double least = 1e300;  // smallest J so far
};

BonanzaLearner::BonanzaLearner(const BonanzaOptions& options)
    : impl_(std::make_unique<Impl>(options)) {}
BonanzaLearner::~BonanzaLearner() = default;

BonanzaMeans MeansOf(const BonanzaSums& sums) {
  const auto positions = static_cast<double>(std::max<uint64_t>(sums.positions, 1));
  return {.objective = static_cast<double>(sums.objective) / kSlopeUnit / positions,
          .agreement = static_cast<double>(sums.agreed) / positions,
          .positions = sums.positions};
}

BonanzaSums BonanzaLearner::Ask(std::span<const Lesson> lessons, Share share) const {
  return impl_->Ask(lessons, share, true);
}

BonanzaSums BonanzaLearner::Measure(std::span<const Lesson> lessons, Share share) const {
  return impl_->Ask(lessons, share, false);
}

int BonanzaLearner::Step(const BonanzaSums& sums) {
  const double objective = MeansOf(sums).objective;
  if (objective >= impl_->least) impl_->step /= 2;
  impl_->least = std::min(impl_->least, objective);
  if (impl_->step > 0) impl_->Step(sums);
  ++impl_->rounds;
  return static_cast<int>(impl_->step);
}

bool BonanzaLearner::done() const { return impl_->step == 0; }
int BonanzaLearner::rounds() const { return static_cast<int>(impl_->rounds); }
shogi::Weights BonanzaLearner::Rounded() const { return impl_->Whole(); }

namespace {
constexpr std::string_view kBonanzaMagic = "JOSEKIBZ";
}  // namespace

std::string BonanzaLearner::Save() const {
  std::string bytes(kBonanzaMagic);
  auto append = [&](const void* data, size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  append(&impl_->rounds, sizeof(impl_->rounds));
  append(&impl_->step, sizeof(impl_->step));
  append(&impl_->least, sizeof(impl_->least));
  append(impl_->weights.data(), kCount * sizeof(int64_t));
  return bytes;
}

absl::Status BonanzaLearner::Restore(std::string_view bytes, const std::string& name) {
  const size_t expected = kBonanzaMagic.size() + 24 + kCount * sizeof(int64_t);
  if (bytes.size() != expected || bytes.substr(0, kBonanzaMagic.size()) != kBonanzaMagic) {
    return MakeProblem({.code = "bad_training_state",
                        .file = name,
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = absl::StrCat(expected, " bytes of learning from moves")});
  }
  bytes.remove_prefix(kBonanzaMagic.size());
  auto take = [&](void* data, size_t size) {
    std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  take(&impl_->rounds, sizeof(impl_->rounds));
  take(&impl_->step, sizeof(impl_->step));
  take(&impl_->least, sizeof(impl_->least));
  take(impl_->weights.data(), kCount * sizeof(int64_t));
  return absl::OkStatus();
}

}  // namespace joseki::learn
