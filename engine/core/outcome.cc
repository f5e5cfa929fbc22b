#include "engine/core/outcome.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace joseki {
namespace {

using Row = std::pair<Termination, std::string_view>;
constexpr std::array<Row, 16> kTerminations = {{
    {Termination::kNone, "none"},
    {Termination::kNoLegalMove, "no_legal_move"},
    {Termination::kRepetition, "repetition"},
    {Termination::kPerpetualCheck, "perpetual_check"},
    {Termination::kDeclaration, "declaration"},
    {Termination::kMaxPlies, "max_plies"},
    {Termination::kPerpetualChase, "perpetual_chase"},
    {Termination::kNoCapture, "no_capture"},
    {Termination::kNoAttackers, "no_attackers"},
    {Termination::kResign, "resign"},
    {Termination::kIllegalMove, "illegal_move"},
    {Termination::kCrash, "crash"},
    {Termination::kStall, "stall"},
    {Termination::kDisconnect, "disconnect"},
    {Termination::kTimeForfeit, "time_forfeit"},
    {Termination::kInterrupted, "interrupted"},
}};

}  // namespace

std::string_view Name(Termination termination) {
  for (const auto& [value, name] : kTerminations) {
    if (value == termination) return name;
  }
  return "unknown";
}

std::optional<Termination> TerminationOf(std::string_view name) {
  for (const auto& [value, word] : kTerminations) {
    if (word == name) return value;
  }
  return std::nullopt;
}

std::string_view Name(Result result) {
  switch (result) {
    case Result::kNone:
      return "none";
    case Result::kFirstWins:
      return "first_wins";
    case Result::kSecondWins:
      return "second_wins";
    case Result::kDraw:
      return "draw";
  }
  return "unknown";
}

std::string_view Name(RepetitionRule rule) { return kRepetitionNames[static_cast<size_t>(rule)]; }

std::optional<RepetitionRule> RepetitionRuleOf(std::string_view name) {
  const auto* const at = std::find(std::begin(kRepetitionNames), std::end(kRepetitionNames), name);
  if (at == std::end(kRepetitionNames)) return std::nullopt;
  return static_cast<RepetitionRule>(at - std::begin(kRepetitionNames));
}

}  // namespace joseki
