// The fuzzers of requests.

#include "tests/fuzz/replay.h"

extern "C" {
int fuzz_operator_request(const uint8_t* data, size_t size);
int fuzz_reader_request(const uint8_t* data, size_t size);
int fuzz_worker_request(const uint8_t* data, size_t size);
}

namespace joseki::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Requests, ReplayTest,
    ::testing::Values(Fuzzer{"operator", fuzz_operator_request, {"fuzz/seeds/operator_request"}},
                      Fuzzer{"reader", fuzz_reader_request, {"fuzz/seeds/reader_request"}},
                      Fuzzer{"worker", fuzz_worker_request, {"fuzz/seeds/worker_request"}}),
    NameOf);

}  // namespace
}  // namespace joseki::testing
