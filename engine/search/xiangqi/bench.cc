#include "engine/search/xiangqi/bench.h"

#include "engine/search/bench_inl.h"
#include "engine/search/xiangqi/kit.h"

namespace joseki::xiangqi {
namespace {

// The start position and positions of masters' games. A change of them changes the signature.
constexpr const char* kPositions[] = {
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r2akabn1/1r1n5/2c1b2c1/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 0 1",
    "rnbakabr1/9/6Cc1/p3p3p/6p2/2p6/P1c1P1P1P/2N1C1N2/9/R1BAKABR1 w - - 0 1",
    "r1bakabr1/9/n2cc1n2/p1p3p1p/4p4/P1P4C1/4P1P1P/1CN1B3N/9/R1BAKA1R1 w - - 0 1",
    "r2akab2/9/1cn1bcn2/p3p3p/2p3r2/2P2N1R1/P3P3P/1CN1B3C/R8/2BAKA3 w - - 0 1",
    "3akab2/7r1/nCc1b1n2/2p1p1p1p/p8/2P3PN1/c3P4/N3B1C2/9/1RBAKA3 w - - 0 1",
    "2bak2n1/4a4/1cn1b1c2/4p1N1p/2p6/2r3P2/4P3P/N3C4/2C2R3/2BAKAB2 w - - 0 1",
    "3ak1bn1/4a4/bc2n1c2/C7p/3r5/1Cp3PN1/P1P1P3P/2N1B4/9/R1BAKA3 w - - 0 1",
    "2baka3/2r2n2r/4b4/pR4p1p/7R1/3cpNP2/P1n5c/2N1BC3/2C1A4/2BAK4 w - - 0 1",
    "3ak4/4a4/n1c1b3n/prNR5/2p3pc1/7N1/P3P1P2/B8/4C4/3AKAB2 w - - 0 1",
    "2bak4/4a4/C3b4/p3p1R1p/2p6/1N2c4/4r3n/7rN/CR2A4/4KAB2 w - - 0 1",
    "4kabr1/4a4/3cb4/6RCp/9/2P4n1/8P/N8/4A4/2B1KA3 w - - 0 1",
    "3ckab2/9/3ab3c/p1r1pC1np/1R7/9/P3P1P1P/1C2B1N2/4A4/4KAB2 b - - 0 1",
    "3rkab2/4a4/4b1n2/8p/2P1C1p2/5R3/4P1P1P/2R6/3rN4/2BAK1B2 w - - 0 1",
    "3ak2r1/4a4/1c2b1nc1/4p1NRp/2b3P2/r1N1R4/2C5P/4B4/4A4/2B1KA3 w - - 0 1",
    "4kab2/4a4/2N6/9/1Pb1p1p2/8P/4P1c2/3nB1N2/9/4KA3 w - - 0 1",
    "4k4/9/b3b4/1R7/4Pr3/9/3r4p/4B4/4A4/3AK1B2 w - - 0 1",
    "4ka3/3ca4/4b3b/5PP2/9/2N6/6p2/2C6/2n1A4/3K1AB2 w - - 0 1",
    "4kab2/4a4/2c6/P1N4P1/2b3r2/1R7/9/4B4/4A4/3AK1B2 w - - 0 1",
    "R8/3ka4/3nba3/9/2br5/2B3N2/7p1/2pC5/4A4/2B1KA3 w - - 0 1",
};

// Composed mates.
constexpr const char* kMatePositions[] = {
    "2b1ka3/2P6/2c1ba3/7N1/9/7CR/5p3/9/4K4/5rn2 w - - 0 1",
    "2n1k4/3P2r2/4PP3/9/7N1/9/9/9/4K4/9 w - - 0 1",
};
constexpr Bench<XiangqiKit> kBench(kPositions, kMatePositions);

}  // namespace

std::span<const char* const> BenchPositions() { return kPositions; }

BenchResult RunBench(uint64_t nodes, const EngineOptions& options) {
  return kBench.Run(nodes, options);
}
KillerRates RunKillerBench(uint64_t nodes, std::span<const Position> positions) {
  return kBench.RunKillers(nodes, positions);
}
TableBench RunTableBench(int depth, size_t bytes, int scheme) {
  return kBench.RunTable(depth, bytes, scheme);
}
uint64_t BenchSignature() { return RunBench(kSignatureNodes).signature; }

}  // namespace joseki::xiangqi
