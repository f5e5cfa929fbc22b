#include "engine/search/shogi/bench.h"

#include "engine/search/bench_inl.h"
#include "engine/search/shogi/kit.h"

namespace joseki {
namespace {

// Positions from this engine's games against itself. A change of them changes the signature.
constexpr const char* kPositions[] = {
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "ln1gk3l/1r1sgs3/ppppppnpp/6p2/7P1/2P6/PP1PPPP1P/3S1S1R1/LN1GKG1NL b Bb 1",
    "lns1kg1nl/4g4/p1ppppspp/6p2/7P1/1rP6/P1NPPPP1P/3S3R1/L1G1KGSNL b BPbp 1",
    "l2k3nl/2gsgs3/p1npppbp1/2r3p1p/1p5P1/3P2P2/PPB1PPN1P/2GSGS1R1/LN1K4L b Pp "
    "1",
    "ln2k3l/3sggs2/p1ppp1np1/4rp2p/1P7/2b1P2PB/PpNPSPP1P/2G1G2R1/LS1K3NL b Pp "
    "1",
    "l2gkp2+R/3s1g3/pPnpp2+B1/2p1s1p2/4N2P1/1+r7/P1NPPPP1P/3SGS3/L2GK2+b1 b "
    "3Pn2lp 1",
    "ln1gkB2l/3s2G2/p1pppp2p/9/1p2r2p1/2P1N1p2/PP1PPPP1P/7R1/LN1GKG1NL b BS2sp "
    "1",
    "l5k1l/1r3sg2/p1n2gspp/2p1P1p2/1p2NS1P1/2PG1PP1P/PP1P1G3/3BKS1R1/L7L w "
    "B2P2np 1",
    "ln3gknl/4g1s2/2p1pp1p1/p5P1p/2P6/P6PP/2+b1PP3/4GGS2/L+rBR2KNL w SPsn4p 1",
    "lnr3knl/5gg2/p2+N1p3/2p2sppp/1p1p5/2P2PP1P/PPSPPS3/3G2R2/LNKG4+b b SPblp "
    "1",
    "ln5kl/1r2g1g2/p1ppbp+Bpp/4p1p2/1p1P1P3/2P1PsP1P/PP1S3P1/3RGGS2/LN3K2L b "
    "S2n 1",
    "kn5nl/lsr1g4/pppp2bpp/4+B1p2/7P1/P1PPP4/1P1G2P1P/2KS2Rs1/LN1G2sNL b G2Pp "
    "1",
    "3+P3nl/1+BP2gk2/+N7b/4p1ppp/p3gpS2/6n1P/PP1P1P1P1/4G1R2/L1+r1P2KL w "
    "G2SL3Psn 1",
    "l5knl/3s1gg2/1p1pppsp1/2r5p/pn3P1P1/2pS2S1P/PP1PP1N2/2GG3R1/LNK5L b B2Pbp "
    "1",
    "6k1l/3+BPsg2/1p3pnpp/+Ss7/p5pP1/2pB5/PP1P1nP1P/2G6/LN1KG2+r+s b GNL2Prl2p "
    "1",
    "ln3k1nl/3sgsg2/p1p1ppbp1/1r6p/P5p2/2P6/3SPPP1P/1BG1G2R1/LNSK3NL b 3P2p 1",
    "lnB2gs1l/1Br3k2/p1pgs1np1/4p1p2/1p3p2p/2P1P4/PPG1SPPPP/6K1L/L+r3GSN1 b "
    "Pnp 1",
    "ln4S1l/1skgg3r/pppp2npp/4+Bpp2/3Np2P1/2P2PP1P/PP1PP1N1R/2KSG2s1/L2G2b1L b "
    "- 1",
    "l+L6+R/9/1BrpggsPp/p1p2ppk1/5l2N/P1P1p1PpP/1P1PP4/2GSG4/L2K3+b1 b N2s2n2p "
    "1",
    "2K5G/2G+SP2+SG/9/8p/4lp1+R1/8P/2+b1+pP1p+r/2+p3+l2/7k1 b SNPbgs3n2l9p 1",
};

// Positions from lost games.
constexpr const char* kMatePositions[] = {
    "+R2p4l/5k3/pb4np1/1r2pPp1p/P2Pn4/9/1PN1PsPPP/2+bS3K1/L4G1NL w "
    "GLS2g4ps 1",
    "kn2g3l/lsG4b1/pppp1P+R1p/3bp1p2/P2N5/2P5P/sP1P5/2GG5/LKS4+rL b NSn5p "
    "1",
};
constexpr Bench<ShogiKit> kBench(kPositions, kMatePositions);

}  // namespace

std::span<const char* const> BenchPositions() { return kPositions; }

BenchResult RunBench(uint64_t nodes, const shogi::EngineOptions& options) {
  return kBench.Run(nodes, options);
}
KillerRates RunKillerBench(uint64_t nodes, std::span<const shogi::Position> positions) {
  return kBench.RunKillers(nodes, positions);
}
TableBench RunTableBench(int depth, size_t bytes, int scheme) {
  return kBench.RunTable(depth, bytes, scheme);
}
uint64_t BenchSignature() { return RunBench(kSignatureNodes).signature; }

}  // namespace joseki
