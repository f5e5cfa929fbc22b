#include "engine/games.h"

#include <string>

#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "engine/shogi/shogi_rules.h"
#include "engine/xiangqi/xiangqi_rules.h"

namespace joseki {
namespace {

std::vector<const Rules*> AllRules() { return {&shogi::ShogiRules(), &xiangqi::XiangqiRules()}; }

}  // namespace

std::vector<std::string> GameNames() {
  std::vector<std::string> names;
  for (const Rules* const rules : AllRules()) names.emplace_back(rules->game());
  return names;
}

absl::StatusOr<const Rules*> RulesOf(std::string_view game) {
  for (const Rules* const rules : AllRules()) {
    if (rules->game() == game) return rules;
  }
  return MakeProblem({.code = "unknown_game",
                      .found = Quote(game),
                      .expected = absl::StrJoin(GameNames(), " or ")});
}

}  // namespace joseki
