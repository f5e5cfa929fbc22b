// The fuzzers of what reads foreign text and bytes.

#include "tests/fuzz/replay.h"

extern "C" {
int FuzzCsa(const uint8_t* data, size_t size);
int FuzzDb(const uint8_t* data, size_t size);
int FuzzEngine(const uint8_t* data, size_t size);
int FuzzKif(const uint8_t* data, size_t size);
int FuzzPacked(const uint8_t* data, size_t size);
int FuzzSfen(const uint8_t* data, size_t size);
int FuzzUsi(const uint8_t* data, size_t size);
int FuzzUsiMove(const uint8_t* data, size_t size);
int FuzzWeightsDelta(const uint8_t* data, size_t size);
}

namespace joseki::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Readers, ReplayTest,
    ::testing::Values(Fuzzer{"csa", FuzzCsa, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"db", FuzzDb, {"data/books"}},
                      Fuzzer{"engine", FuzzEngine, {"fuzz/seeds/engine"}},
                      Fuzzer{"kif", FuzzKif, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"packed", FuzzPacked, {"fuzz/seeds/packed"}},
                      Fuzzer{"sfen", FuzzSfen, {"fuzz/seeds/sfen"}},
                      Fuzzer{"usi", FuzzUsi, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"usi_move", FuzzUsiMove, {"fuzz/seeds/usi_move"}},
                      Fuzzer{"weights_delta", FuzzWeightsDelta, {"fuzz/seeds/weights_delta"}}),
    NameOf);

}  // namespace
}  // namespace joseki::testing
