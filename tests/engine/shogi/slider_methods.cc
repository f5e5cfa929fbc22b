// Ways to find what a slider attacks on 81 squares, measured side by side; docs/laboratory/rules.md
// says which is used and why. Without arguments: checks that all agree on every sample, and prints
// the nanoseconds of a call for each, the best of several rounds. Exit status 1 if two differ. With
// the name of one: runs it alone, as often as ROUNDS says, to be counted by callgrind.
//   slider_methods [METHOD ROUNDS]

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {
namespace {

struct Sample {
  Square square;
  Bitboard occupied;
};

// Squares of bishops, rooks and their promoted kinds in random games.
std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  Rng rng(4);
  while (samples.size() < 20000) {
    Position position;
    for (int ply = 0; ply < 200; ++ply) {
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.empty()) break;
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
      for (const PieceType t : {kBishop, kRook, kHorse, kDragon}) {
        ForEach(position.pieces(t), [&](Square s) { samples.push_back({s, position.occupied()}); });
      }
    }
  }
  return samples;
}

// 1. Step by step until a piece stands there.
Bitboard Walk(Square s, Bitboard occupied, int first, int last) {
  Bitboard reached;
  for (int d = first; d <= last; ++d) {
    int file = FileOf(s) + kFileStep[d];
    int rank = RankOf(s) + kRankStep[d];
    for (; file >= 1 && file <= 9 && rank >= 1 && rank <= 9;
         file += kFileStep[d], rank += kRankStep[d]) {
      const Square to = MakeSquare(file, rank);
      reached |= Bit(to);
      if (Has(occupied, to)) break;
    }
  }
  return reached;
}
Bitboard WalkBishop(Square s, Bitboard occupied) {
  return Walk(s, occupied, kNorthEast, kSouthEast);
}
Bitboard WalkRook(Square s, Bitboard occupied) { return Walk(s, occupied, kNorth, kWest); }

// Whether squares grow along `d`, so that the nearest blocker is the lowest bit.
constexpr bool Ascends(Direction d) {
  return d == kSouth || d == kWest || d == kSouthWest || d == kNorthWest;
}

// 2. Ray by ray in general registers: subtract 1 from the blockers, those that descend with their
// bytes reversed.
template <Direction d>
Bitboard Ray(Square s, Bitboard occupied) {
  const Bitboard ray = kAttacks.ray[d][s];
  if constexpr (Ascends(d)) {
    const Bitboard blockers = ray & occupied;
    const uint64_t lo = blockers.lo() - 1;
    const uint64_t hi = blockers.hi() - (blockers.lo() == 0 ? 1 : 0);
    return ray & Bitboard(lo ^ blockers.lo(), hi ^ blockers.hi());
  } else if constexpr (d == kNorth) {
    const bool low = s < kLowSquares;
    const uint64_t lane = low ? ray.lo() : ray.hi();
    const uint64_t end = lane & (0 - lane);
    const uint64_t blockers = (lane & (low ? occupied.lo() : occupied.hi())) | end | 1;
    const uint64_t reach = lane & (~uint64_t{0} << (63 - std::countl_zero(blockers)));
    return low ? Bitboard(reach, 0) : Bitboard(0, reach);
  } else {
    const uint64_t blockers_lo = __builtin_bswap64(ray.hi() & occupied.hi());
    const uint64_t blockers_hi = __builtin_bswap64(ray.lo() & occupied.lo());
    const uint64_t lo = blockers_lo - 1;
    const uint64_t hi = blockers_hi - (blockers_lo == 0 ? 1 : 0);
    return ray & Bitboard(__builtin_bswap64(hi ^ blockers_hi), __builtin_bswap64(lo ^ blockers_lo));
  }
}
Bitboard RaysBishop(Square s, Bitboard occupied) {
  return Ray<kNorthEast>(s, occupied) | Ray<kSouthWest>(s, occupied) |
         Ray<kNorthWest>(s, occupied) | Ray<kSouthEast>(s, occupied);
}
Bitboard RaysRook(Square s, Bitboard occupied) {
  return Ray<kNorth>(s, occupied) | Ray<kSouth>(s, occupied) | Ray<kEast>(s, occupied) |
         Ray<kWest>(s, occupied);
}

// 3. The engine's: both rays of a line at once in vector registers, the file by a table.
Bitboard LinesBishop(Square s, Bitboard occupied) { return BishopAttacks(s, Occupancy(occupied)); }
Bitboard LinesRook(Square s, Bitboard occupied) { return RookAttacks(s, Occupancy(occupied)); }

// 4. A table for each line, with blockers gathered by pext (BMI2). It is fast on new processors,
// slow on some older ones that have pext, and needs 330 KB of tables.
struct LineTable {
  Bitboard mask;  // without the ends, which stop nothing
  std::vector<Bitboard> reached;
};
struct Gathered {
  std::vector<LineTable> lines[4];  // file, rank, two diagonals
  Gathered() {
    constexpr int kFirst[4] = {kNorth, kEast, kNorthEast, kNorthWest};
    for (int line = 0; line < 4; ++line) {
      for (Square s = 0; s < kSquareCount; ++s) {
        LineTable table;
        for (const int d : {kFirst[line], kFirst[line] + 1}) {
          const Bitboard ray = kAttacks.ray[d][s];
          ForEach(ray, [&](Square to) {
            if (ray & kAttacks.ray[d][to]) table.mask |= Bit(to);
          });
        }
        const int bits = table.mask.Count();
        for (int index = 0; index < 1 << bits; ++index) {
          Bitboard occupied;
          int i = 0;
          ForEach(table.mask, [&](Square to) {
            if ((index >> i++ & 1) != 0) occupied |= Bit(to);
          });
          table.reached.push_back(Walk(s, occupied, kFirst[line], kFirst[line] + 1));
        }
        lines[line].push_back(table);
      }
    }
  }
};
const Gathered& Tables() {
  static const Gathered tables;
  return tables;
}
__attribute__((target("bmi2"))) Bitboard Gather(const LineTable& table, Bitboard occupied) {
  const uint64_t low = _pext_u64(occupied.lo(), table.mask.lo());
  const uint64_t high = _pext_u64(occupied.hi(), table.mask.hi());
  return table.reached[low | high << std::popcount(table.mask.lo())];
}
__attribute__((target("bmi2"))) Bitboard GatherBishop(Square s, Bitboard occupied) {
  const Gathered& tables = Tables();
  const auto at = static_cast<size_t>(s);
  return Gather(tables.lines[2][at], occupied) | Gather(tables.lines[3][at], occupied);
}
__attribute__((target("bmi2"))) Bitboard GatherRook(Square s, Bitboard occupied) {
  const Gathered& tables = Tables();
  const auto at = static_cast<size_t>(s);
  return Gather(tables.lines[0][at], occupied) | Gather(tables.lines[1][at], occupied);
}

struct Method {
  const char* name;
  Bitboard (*bishop)(Square, Bitboard);
  Bitboard (*rook)(Square, Bitboard);
};
constexpr Method kMethods[] = {{"walk", WalkBishop, WalkRook},
                               {"rays", RaysBishop, RaysRook},
                               {"lines", LinesBishop, LinesRook},
                               {"pext", GatherBishop, GatherRook}};

bool Runs(const Method& method) {
  return std::string_view(method.name) != "pext" || __builtin_cpu_supports("bmi2");
}

// The sum keeps the calls from being left out.
uint64_t RunAll(Bitboard (*attacks)(Square, Bitboard), const std::vector<Sample>& samples) {
  uint64_t sum = 0;
  for (const Sample& sample : samples) {
    const Bitboard reached = attacks(sample.square, sample.occupied);
    sum += reached.lo() ^ reached.hi();
  }
  return sum;
}

double Nanoseconds(Bitboard (*attacks)(Square, Bitboard), const std::vector<Sample>& samples) {
  double best = 1e9;
  volatile uint64_t sink = 0;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    sink = RunAll(attacks, samples);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() * 1e9 / static_cast<double>(samples.size()));
  }
  static_cast<void>(sink);
  return best;
}

int Main(int argc, char** argv) {
  const std::vector<Sample> samples = Samples();
  if (argc == 3) {
    uint64_t sum = 0;
    for (const Method& method : kMethods) {
      if (method.name != std::string_view(argv[1])) continue;
      for (int round = std::atoi(argv[2]); round > 0; --round) {
        sum += RunAll(method.bishop, samples) + RunAll(method.rook, samples);
      }
    }
    std::cout << sum << "\n";
    return 0;
  }
  for (const Method& method : kMethods) {
    if (!Runs(method)) continue;
    for (const Sample& sample : samples) {
      if (method.bishop(sample.square, sample.occupied) !=
              WalkBishop(sample.square, sample.occupied) ||
          method.rook(sample.square, sample.occupied) != WalkRook(sample.square, sample.occupied)) {
        std::cout << method.name << " is wrong on square " << sample.square << "\n";
        return 1;
      }
    }
    std::cout << method.name << ": bishop " << Nanoseconds(method.bishop, samples) << " ns, rook "
              << Nanoseconds(method.rook, samples) << " ns\n";
  }
  return 0;
}

}  // namespace
}  // namespace joseki::shogi

int main(int argc, char** argv) { return joseki::shogi::Main(argc, argv); }
