// The fuzzers of what reads foreign text and bytes.

#include "tests/fuzz/replay.h"

extern "C" {
int fuzz_binary_book(const uint8_t* data, size_t size);
int fuzz_csa(const uint8_t* data, size_t size);
int fuzz_db(const uint8_t* data, size_t size);
int fuzz_engine(const uint8_t* data, size_t size);
int fuzz_jkf(const uint8_t* data, size_t size);
int fuzz_ki2(const uint8_t* data, size_t size);
int fuzz_kif(const uint8_t* data, size_t size);
int fuzz_packed(const uint8_t* data, size_t size);
int fuzz_probe_file(const uint8_t* data, size_t size);
int fuzz_sbk(const uint8_t* data, size_t size);
int fuzz_sfen(const uint8_t* data, size_t size);
int fuzz_usi(const uint8_t* data, size_t size);
int fuzz_usi_move(const uint8_t* data, size_t size);
int fuzz_weights_delta(const uint8_t* data, size_t size);
}

namespace joseki::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Readers, ReplayTest,
    ::testing::Values(Fuzzer{"binary_book", fuzz_binary_book, {"fuzz/seeds/binary_book"}},
                      Fuzzer{"csa", fuzz_csa, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"db", fuzz_db, {"data/books"}},
                      Fuzzer{"engine", fuzz_engine, {"fuzz/seeds/engine"}},
                      Fuzzer{"jkf", fuzz_jkf, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"ki2", fuzz_ki2, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"kif", fuzz_kif, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"packed", fuzz_packed, {"fuzz/seeds/packed"}},
                      Fuzzer{"probe_file", fuzz_probe_file, {"fuzz/seeds/probe_file"}},
                      Fuzzer{"sbk", fuzz_sbk, {"fuzz/seeds/sbk"}},
                      Fuzzer{"sfen", fuzz_sfen, {"fuzz/seeds/sfen"}},
                      Fuzzer{"usi", fuzz_usi, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"usi_move", fuzz_usi_move, {"fuzz/seeds/usi_move"}},
                      Fuzzer{"weights_delta", fuzz_weights_delta, {"fuzz/seeds/weights_delta"}}),
    NameOf);

}  // namespace
}  // namespace joseki::testing
