#include "engine/shogi/eval/king_area.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/network.h"

namespace joseki::shogi {
namespace {

// Squares beside a king are numbered in board order: three on the preceding file, two on its own,
// three on the following. A set of them is a byte; eight counts are eight bytes.
constexpr int Number(int files, int ranks) {
  const int n = (files + 1) * 3 + ranks + 1;
  return n > 4 ? n - 1 : n;
}

// Pieces that step onto a square beside the king are at most two files and three ranks away from
// it.
constexpr int kFarthest = 2 * 9 + 3;
constexpr int kSpread = 2 * kFarthest + 1;

struct Step {
  int8_t files;
  int8_t ranks;  // as Black moves
};
constexpr Step kPawnSteps[] = {{0, -1}};
constexpr Step kKnightSteps[] = {{-1, -2}, {1, -2}};
constexpr Step kSilverSteps[] = {{0, -1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
constexpr Step kGoldSteps[] = {{0, -1}, {-1, -1}, {1, -1}, {-1, 0}, {1, 0}, {0, 1}};

// Three groups of three bits of a bitboard make a set of such squares.
constexpr int kBefore = 0;
constexpr int kOwnFile = 9;  // the bit in the middle is the king
constexpr int kBehind = 18;

struct Tables {
  // [piece][its square - the king's square + kFarthest]: the squares beside the king that the piece
  // attacks by a step. 0 for sliders, including those that also step.
  uint8_t step[kPieceCount][kSpread] = {};
  uint64_t spread[256] = {};  // 1 in the byte of each square of a set
  uint64_t before[8] = {};    // the same for three bits
  uint64_t own_file[8] = {};
  uint64_t behind[8] = {};
  uint64_t here[kSquareCount + 1] = {};  // 255 for each square beside the king that is on the board
  // First input of each square, by owner and by whether the board is mirrored.
  alignas(16) uint16_t first[2][2][kBeside] = {};
};

template <size_t n>
constexpr void SetSteps(Tables& tables, PieceType t, const Step (&steps)[n]) {
  for (const Color c : {kBlack, kWhite}) {
    const int turn = c == kBlack ? 1 : -1;
    for (int files = -2; files <= 2; ++files) {
      for (int ranks = -3; ranks <= 3; ++ranks) {
        for (const Step& step : steps) {
          const int f = files + turn * step.files;
          const int r = ranks + turn * step.ranks;
          if (f < -1 || f > 1 || r < -1 || r > 1 || (f == 0 && r == 0)) continue;
          uint8_t& set = tables.step[MakePiece(c, t)][files * 9 + ranks + kFarthest];
          set = static_cast<uint8_t>(set | 1 << Number(f, r));
        }
      }
    }
  }
}

constexpr Tables MakeTables() {
  Tables tables;
  SetSteps(tables, kPawn, kPawnSteps);
  SetSteps(tables, kKnight, kKnightSteps);
  SetSteps(tables, kSilver, kSilverSteps);
  for (const PieceType t : {kGold, kProPawn, kProLance, kProKnight, kProSilver}) {
    SetSteps(tables, t, kGoldSteps);
  }
  for (int set = 0; set < 256; ++set) {
    for (int i = 0; i < kBeside; ++i) {
      tables.spread[set] |= uint64_t{static_cast<unsigned>(set >> i & 1)} << (8 * i);
    }
  }
  for (unsigned three = 0; three < 8; ++three) {
    tables.before[three] = tables.spread[three];
    tables.own_file[three] = tables.spread[(three & 1) << 3 | (three & 4) << 2];
    tables.behind[three] = tables.spread[three << 5];
  }
  for (int files = -1; files <= 1; ++files) {
    for (int ranks = -1; ranks <= 1; ++ranks) {
      if (files == 0 && ranks == 0) continue;
      for (Square king = 0; king < kSquareCount; ++king) {
        const int file = FileOf(king) + files;
        const int rank = RankOf(king) + ranks;
        if (file < 1 || file > 9 || rank < 1 || rank > 9) continue;
        tables.here[king] |= uint64_t{255} << (8 * Number(files, ranks));
      }
      for (const int owner : {0, 1}) {
        const int turn = owner == 0 ? 1 : -1;
        for (const int mirrored : {0, 1}) {
          const int seen = Number(mirrored == 1 ? -turn * files : turn * files, turn * ranks);
          tables.first[owner][mirrored][Number(files, ranks)] =
              static_cast<uint16_t>(seen * kBesideClasses);
        }
      }
    }
  }
  return tables;
}
constexpr Tables kTables = MakeTables();

// A king and the squares beside it.
struct Around {
  explicit Around(Square k)
      : king(k),
        squares(k == kNoSquare ? Bitboard() : StepAttacks(kBlack, kKing, k)),
        joined(k >= kFile7),
        turn(joined ? k - kFile6 - 10 : k - 10) {}

  // 1 in the byte of each square beside the king that is in `set`.
  uint64_t Count(Bitboard set) const {
    set &= squares;
    if (!set) return 0;
    // The low lane, or from file 6 on both lanes joined, rotated so that the first square is bit 0.
    const uint64_t lane =
        joined ? set.lo() >> kFile6 | set.hi() << (kLowSquares - kFile6) : set.lo();
    const uint64_t window = std::rotr(lane, turn);
    return kTables.before[window >> kBefore & 7] + kTables.own_file[window >> kOwnFile & 7] +
           kTables.behind[window >> kBehind & 7];
  }

  static constexpr Square kFile6 = MakeSquare(6, 1);
  static constexpr Square kFile7 = MakeSquare(7, 1);  // squares before it lie in the low lane only
  const Square king;
  const Bitboard squares;
  const bool joined;
  const int turn;
};

// Step attacks of `piece` on `s` beside a king, in bytes.
uint64_t StepsOf(Piece piece, Square s, Square king) {
  return kTables.spread[kTables.step[piece][s - king + kFarthest]];
}

AttackCounts StepsBeside(const Position& position, Square king) {
  AttackCounts steps;
  if (king == kNoSquare) return steps;
  const auto k = static_cast<size_t>(king);
  for (const Color c : {kBlack, kWhite}) {
    ForEach(position.occupied(c) & kAttacks.reach[static_cast<size_t>(Index(c))][k], [&](Square s) {
      const Piece piece = position.piece(s);
      steps.Add(piece, StepsOf(piece, s, king));
    });
  }
  return steps;
}

int HoldingOf(Hand hand) {
  int count = 0;
  for (int t = kLance; t <= kGold; ++t) count += hand.Count(static_cast<PieceType>(t));
  return std::min(count, kHoldings - 1);
}

}  // namespace

StepCounts CollectSteps(const Position& position) {
  return {StepsBeside(position, position.king(kBlack)),
          StepsBeside(position, position.king(kWhite))};
}

void AdvanceSteps(const Position& position, const Changes& changes,
                  const std::array<Square, 2>& kings_before, StepCounts& steps) {
  for (const Color owner : {kBlack, kWhite}) {
    const auto i = static_cast<size_t>(Index(owner));
    const Square king = position.king(owner);
    if (king != kings_before[i]) {
      steps[i] = StepsBeside(position, king);
      continue;
    }
    if (king == kNoSquare) continue;
    const auto near = [&](Piece piece, Square s) {
      return piece != kNoPiece &&
             Has(kAttacks
                     .reach[static_cast<size_t>(Index(ColorOf(piece)))][static_cast<size_t>(king)],
                 s);
    };
    for (const Change& change : changes) {
      const Square s = change.square;
      if (near(change.before, s)) steps[i].Remove(change.before, StepsOf(change.before, s, king));
      if (near(change.after, s)) steps[i].Add(change.after, StepsOf(change.after, s, king));
    }
  }
}

std::array<KingArea, 2> KingAreas(const Position& position) {
  return KingAreas(position, CollectSteps(position), Sights(position));
}

std::array<KingArea, 2> KingAreas(const Position& position, const StepCounts& steps,
                                  const Sights& sights) {
  const Around around[2] = {Around(position.king(kBlack)), Around(position.king(kWhite))};
  StepCounts attacks = steps;
  // Step 1: lances near each king.
  for (const int owner : {0, 1}) {
    const Square king = around[owner].king;
    if (king == kNoSquare) continue;
    ForEach(position.pieces(kLance) & kAttacks.near_files[static_cast<size_t>(king)],
            [&](Square s) {
              const Piece piece = position.piece(s);
              const Bitboard reached = LanceAttacks(ColorOf(piece), s, position.occupied());
              attacks[static_cast<size_t>(owner)].Add(piece, around[owner].Count(reached));
            });
  }
  // Step 2: the other sliders, which may reach both kings.
  for (const Sight& sight : sights) {
    const Bitboard reached = sight.lines() | StepAttacks(ColorOf(sight.piece), TypeOf(sight.piece),
                                                         Square{sight.square});
    for (const int owner : {0, 1}) {
      attacks[static_cast<size_t>(owner)].Add(sight.piece, around[owner].Count(reached));
    }
  }

  // Step 3: combine the counts into a class for each square.
  std::array<KingArea, 2> areas;
  const auto bytes = [](uint64_t x) { return _mm_cvtsi64_si128(static_cast<int64_t>(x)); };
  for (const Color owner : {kBlack, kWhite}) {
    const auto i = static_cast<size_t>(Index(owner));
    const __m128i threats = _mm_min_epu8(bytes(attacks[i].Of(~owner)), _mm_set1_epi8(3));
    const __m128i guards = _mm_min_epu8(bytes(attacks[i].Of(owner)), _mm_set1_epi8(2));
    const __m128i counted =
        _mm_add_epi8(_mm_add_epi8(threats, threats), _mm_add_epi8(threats, guards));
    // Steps off the board were counted too and are masked out here.
    const uint64_t here = kTables.here[around[i].king];
    const uint64_t own = around[i].Count(position.occupied(owner));
    const uint64_t other = around[i].Count(position.occupied(~owner));
    const __m128i classes = _mm_add_epi8(
        _mm_and_si128(counted, bytes(here)),
        bytes(own * 12 + other * 24 + (~here & kTables.spread[255] * (kBesideClasses - 1))));
    const bool mirrored = ViewOf(owner, around[i].king).mirrored;
    const __m128i first =
        _mm_load_si128(reinterpret_cast<const __m128i*>(kTables.first[i][mirrored ? 1 : 0]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(areas[i].inputs.data()),
                     _mm_add_epi16(first, _mm_unpacklo_epi8(classes, _mm_setzero_si128())));
    areas[i].holding = static_cast<uint8_t>(HoldingOf(position.hand(~owner)));
  }
  return areas;
}

}  // namespace joseki::shogi
