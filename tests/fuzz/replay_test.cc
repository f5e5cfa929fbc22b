// The fuzzers of what reads foreign text and bytes.

#include "tests/fuzz/replay.h"

#include <filesystem>
#include <set>
#include <string>

#include "tests/support/data.h"

extern "C" {
int fuzz_binary_book(const uint8_t* data, size_t size);
int fuzz_csa(const uint8_t* data, size_t size);
int fuzz_db(const uint8_t* data, size_t size);
int fuzz_eleeye(const uint8_t* data, size_t size);
int fuzz_engine(const uint8_t* data, size_t size);
int fuzz_engine_loop(const uint8_t* data, size_t size);
int fuzz_fen(const uint8_t* data, size_t size);
int fuzz_jkf(const uint8_t* data, size_t size);
int fuzz_json_book(const uint8_t* data, size_t size);
int fuzz_ki2(const uint8_t* data, size_t size);
int fuzz_kif(const uint8_t* data, size_t size);
int fuzz_obk(const uint8_t* data, size_t size);
int fuzz_packed(const uint8_t* data, size_t size);
int fuzz_pgn(const uint8_t* data, size_t size);
int fuzz_probe_file(const uint8_t* data, size_t size);
int fuzz_sbk(const uint8_t* data, size_t size);
int fuzz_sfen(const uint8_t* data, size_t size);
int fuzz_snapshot(const uint8_t* data, size_t size);
int fuzz_ucci(const uint8_t* data, size_t size);
int fuzz_usi(const uint8_t* data, size_t size);
int fuzz_usi_move(const uint8_t* data, size_t size);
int fuzz_weights_delta(const uint8_t* data, size_t size);
int fuzz_xiangqi_move(const uint8_t* data, size_t size);
int fuzz_xqf(const uint8_t* data, size_t size);
}

namespace joseki::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Readers, ReplayTest,
    ::testing::Values(Fuzzer{"binary_book", fuzz_binary_book, {"fuzz/seeds/binary_book"}},
                      Fuzzer{"csa", fuzz_csa, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"db", fuzz_db, {"data/books"}},
                      Fuzzer{"eleeye", fuzz_eleeye, {"fuzz/seeds/eleeye"}},
                      Fuzzer{"engine", fuzz_engine, {"fuzz/seeds/engine"}},
                      Fuzzer{"engine_loop", fuzz_engine_loop, {"fuzz/seeds/engine_loop"}},
                      Fuzzer{"fen", fuzz_fen, {"fuzz/seeds/fen"}},
                      Fuzzer{"jkf", fuzz_jkf, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"json_book", fuzz_json_book, {"fuzz/seeds/json_book"}},
                      Fuzzer{"ki2", fuzz_ki2, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"kif", fuzz_kif, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"obk", fuzz_obk, {"fuzz/seeds/obk"}},
                      Fuzzer{"packed", fuzz_packed, {"fuzz/seeds/packed"}},
                      Fuzzer{"pgn", fuzz_pgn, {"fuzz/seeds/pgn"}},
                      Fuzzer{"probe_file", fuzz_probe_file, {"fuzz/seeds/probe_file"}},
                      Fuzzer{"sbk", fuzz_sbk, {"fuzz/seeds/sbk"}},
                      Fuzzer{"sfen", fuzz_sfen, {"fuzz/seeds/sfen"}},
                      Fuzzer{"snapshot", fuzz_snapshot, {"fuzz/seeds/snapshot"}},
                      Fuzzer{"ucci", fuzz_ucci, {"fuzz/seeds/ucci"}},
                      Fuzzer{"usi", fuzz_usi, {"data/records/good", "data/records/broken"}},
                      Fuzzer{"usi_move", fuzz_usi_move, {"fuzz/seeds/usi_move"}},
                      Fuzzer{"weights_delta", fuzz_weights_delta, {"fuzz/seeds/weights_delta"}},
                      Fuzzer{"xiangqi_move", fuzz_xiangqi_move, {"fuzz/seeds/xiangqi_move"}},
                      Fuzzer{"xqf", fuzz_xqf, {"data/xqf"}}),
    NameOf);

// The books of other programs that readers are measured by, and damaged ones of each.
TEST(ReplayFixtures, TakesEveryFixtureAndDamagedOnes) {
  constexpr int kDamaged = 150;
  const std::filesystem::path folder = SharedData("books/importer_fixtures");
  JOSEKI_REQUIRE_SHARED_DATA(folder);
  std::set<std::filesystem::path> paths;  // in an order that does not depend on the file system
  for (const auto& file : std::filesystem::directory_iterator(folder)) paths.insert(file.path());
  Rng rng(2);
  std::string other;
  for (const std::filesystem::path& path : paths) {
    const std::string kind = path.extension().string();
    const auto run = kind == ".db" ? fuzz_db : kind == ".sbk" ? fuzz_sbk : fuzz_binary_book;
    const std::string bytes = ReadFile(path.string()).value();
    const auto take = [&](const std::string& input) {
      EXPECT_EQ(run(reinterpret_cast<const uint8_t*>(input.data()), input.size()), 0) << path;
    };
    take(bytes);
    for (int i = 0; i < kDamaged; ++i) take(Damaged(bytes, other, rng));
    other = bytes;
  }
}

}  // namespace
}  // namespace joseki::testing
