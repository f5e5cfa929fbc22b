#include "engine/search/bench.h"

#include "base/rng.h"
#include "engine/search/shogi_game.h"
#include "engine/shogi/sfen.h"

namespace joseki {
namespace {

// From games of this engine against itself. Changing them changes the signature.
constexpr const char* kPositions[] = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
};

constexpr size_t kTableBytes = size_t{4} << 20;

uint64_t Fold(uint64_t hash, uint64_t value) { return Rng(hash ^ value).Next(); }

}  // namespace

std::span<const char* const> BenchPositions() { return kPositions; }

BenchResult RunBench(uint64_t nodes) {
  Search<Shogi> search(kTableBytes);
  BenchResult bench;
  for (const char* text : kPositions) {
    const absl::StatusOr<shogi::SfenPosition> start = shogi::ParseSfen(text);
    if (!start.ok()) continue;  // a test reads every position
    search.NewGame();
    SearchLimits limits;
    limits.nodes = nodes;
    const SearchResult result = search.Run(start->position, limits);
    bench.nodes += result.nodes;
    bench.signature = Fold(bench.signature, result.nodes);
    bench.signature = Fold(bench.signature, static_cast<uint64_t>(result.depth));
    bench.signature = Fold(bench.signature, result.best.raw());
    bench.signature = Fold(bench.signature, static_cast<uint64_t>(int64_t{result.value}));
  }
  bench.signature = (bench.signature & ((uint64_t{1} << 48) - 1)) | 1;
  return bench;
}

uint64_t BenchSignature() { return RunBench(kSignatureNodes).signature; }

}  // namespace joseki
