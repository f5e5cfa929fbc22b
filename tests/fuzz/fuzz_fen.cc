// Feeds bytes as a FEN of xiangqi, and as packed positions. They are refused with the broken rule,
// or give a valid position that reads back as itself.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"

namespace {

void ExpectSoundXiangqi(const joseki::xiangqi::Position& position) {
  using namespace joseki::xiangqi;  // NOLINT(google-build-using-namespace)
  if (*position.Flaw() != '\0' || position.key() != position.ComputeKey()) std::abort();
  // Every move of it can be played and taken back.
  MoveList moves;
  position.Generate<joseki::GenType::kAll>(moves);
  Position played = position;
  for (const joseki::Move move : moves) {
    Undo undo;
    played.Do(move, undo);
    if (*played.Flaw() != '\0') std::abort();
    played.TakeBack(move, undo);
  }
  if (ToFen(played, 1) != ToFen(position, 1)) std::abort();
  const auto unpacked = Unpack(Pack(position));
  if (!unpacked.ok() || unpacked->key() != position.key()) std::abort();
}

void ReadFen(std::string_view text) {
  using namespace joseki::xiangqi;  // NOLINT(google-build-using-namespace)
  const auto parsed = ParseFen(text);
  if (!parsed.ok()) {
    const joseki::Problem problem = joseki::ProblemOf(parsed.status());
    if (problem.code.empty() || problem.expected.empty()) std::abort();
    for (const char c : std::string(parsed.status().message())) {
      if (c < ' ' || c > '~') std::abort();  // what is shown to a user can be shown
    }
    return;
  }
  const std::string written = ToFen(parsed->position, parsed->ply);
  const auto again = ParseFen(written);
  if (!again.ok() || ToFen(again->position, again->ply) != written) std::abort();
  ExpectSoundXiangqi(parsed->position);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::xiangqi;  // NOLINT(google-build-using-namespace)
  ReadFen({reinterpret_cast<const char*>(data), size});
  for (; size >= 32; data += 32, size -= 32) {
    joseki::PackedPosition packed;
    std::copy(data, data + 32, packed.bytes.begin());
    const auto position = Unpack(packed);
    if (!position.ok()) continue;
    if (Pack(*position) != packed) std::abort();
    ExpectSoundXiangqi(*position);
  }
  return 0;
}
