// Bytes as an SFEN: refused with the rule that they break, or a sound position that reads back as
// itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::shogi;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = ParseSfen(text);
  if (!parsed.ok()) {
    const joseki::Problem problem = joseki::ProblemOf(parsed.status());
    if (problem.code.empty() || problem.expected.empty()) std::abort();
    for (const char c : std::string(parsed.status().message())) {
      if (c < ' ' || c > '~') std::abort();  // what is shown to a user can be shown
    }
    return 0;
  }
  const Position& position = parsed->position;
  if (*position.Flaw() != '\0' || position.key() != position.ComputeKey()) std::abort();
  const std::string written = ToSfen(position, parsed->ply);
  const auto again = ParseSfen(written);
  if (!again.ok() || again->position.key() != position.key()) std::abort();
  if (ToSfen(again->position, again->ply) != written) std::abort();
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
  if (ToSfen(played, parsed->ply) != written) std::abort();
  if (position.king(joseki::shogi::kBlack) == kNoSquare ||
      position.king(joseki::shogi::kWhite) == kNoSquare) {
    return 0;  // only mate problems; they are not packed
  }
  const auto unpacked = Unpack(Pack(position));
  if (!unpacked.ok() || ToSfen(*unpacked, parsed->ply) != written) std::abort();
  return 0;
}
