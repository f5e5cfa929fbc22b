#include "coordinator/model/opponent_spec.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "book/play_fields.h"

namespace joseki::coordinator {
namespace {

using Choice = book::PlayRules::Choice;

absl::Status BadOpponentField(std::string_view key, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_run_spec",
                      .file = absl::StrCat("opponent.", std::string(key)),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

}  // namespace

absl::Status CheckOpponent(const PlaySpec& play, bool match) {
  if (!play.opponent) return absl::OkStatus();
  const Opponent& opponent = *play.opponent;
  if (!play.re_entry && !match) {
    return BadOpponentField(
        "", "without re_entry",
        "re_entry: after the opponent's own moves the book goes on where it can");
  }
  if (match) return absl::OkStatus();
  if (opponent.rules.deviation != 0) {
    return BadOpponentField("deviation", absl::StrCat(opponent.rules.deviation),
                            "0, in a match to 1");
  }
  if (opponent.rules.max_plies != 0) {
    return BadOpponentField("max_book_plies", absl::StrCat(opponent.rules.max_plies),
                            "0, in a match to 500");
  }
  return absl::OkStatus();
}

std::optional<Color> OwnSideOf(const std::optional<Opponent>& opponent, LeaseId lease,
                               uint32_t slot) {
  if (!opponent) return std::nullopt;
  switch (opponent->side) {
    case Opponent::Side::kBlack:
      return Color::kFirst;
    case Opponent::Side::kWhite:
      return Color::kSecond;
    case Opponent::Side::kBoth:
      break;
  }
  return (lease + slot) % 2 == 0 ? Color::kFirst : Color::kSecond;
}

std::string PairingOf(const PlaySpec& play) {
  if (!play.opponent) return "self";
  const Opponent& opponent = *play.opponent;
  return absl::StrCat(
      std::string(NameIn(book::kSideNames, opponent.side)), " against ",
      opponent.book.empty() ? "none" : absl::BytesToHexString(opponent.book).substr(0, 12), "@",
      opponent.engine_id, "/", opponent.engine_signature, " at ",
      opponent.move_ms > 0 ? absl::StrCat(opponent.move_ms, " ms")
                           : absl::StrCat(opponent.nodes, " nodes"),
      opponent.engine_options.empty() ? "" : " with ",
      absl::StrJoin(opponent.engine_options, ",", absl::PairFormatter("=")),
      opponent.rules.choice == Choice::kAnswer
          ? ""
          : absl::StrCat(", choice ", opponent.rules.choice == Choice::kShare
                                          ? "share"
                                          : absl::StrCat("range ", opponent.rules.range)));
}

}  // namespace joseki::coordinator
