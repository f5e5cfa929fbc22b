// The fuzzers of requests.

#include "tests/fuzz/replay.h"

extern "C" {
int FuzzOperatorRequest(const uint8_t* data, size_t size);
int FuzzReaderRequest(const uint8_t* data, size_t size);
int FuzzWorkerRequest(const uint8_t* data, size_t size);
}

namespace joseki::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Requests, ReplayTest,
    ::testing::Values(Fuzzer{"operator", FuzzOperatorRequest, {"fuzz/seeds/operator_request"}},
                      Fuzzer{"reader", FuzzReaderRequest, {"fuzz/seeds/reader_request"}},
                      Fuzzer{"worker", FuzzWorkerRequest, {"fuzz/seeds/worker_request"}}),
    NameOf);

}  // namespace
}  // namespace joseki::testing
