#include "coordinator/model/opponent_spec.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

using Json = nlohmann::json;
using Choice = book::PlayRules::Choice;

constexpr double kMostRange = 1000;

absl::Status BadOpponentField(std::string_view key, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_run_spec",
                      .file = absl::StrCat("opponent.", std::string(key)),
                      .found = std::move(found),
                      .expected = std::move(expected)});
}

bool IsId(std::string_view id) {
  return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace

std::string_view NameOf(Opponent::Side side) {
  switch (side) {
    case Opponent::Side::kBlack:
      return "black";
    case Opponent::Side::kWhite:
      return "white";
    case Opponent::Side::kBoth:
      break;
  }
  return "both";
}

std::optional<Opponent::Side> SideOf(std::string_view name) {
  for (const auto side : {Opponent::Side::kBlack, Opponent::Side::kWhite, Opponent::Side::kBoth}) {
    if (NameOf(side) == name) return side;
  }
  return std::nullopt;
}

Json OpponentToJson(const Opponent& opponent) {
  Json json = {{"side", std::string(NameOf(opponent.side))},
               {"book", absl::BytesToHexString(opponent.book)},
               {"choice", static_cast<uint64_t>(opponent.choice)},
               {"range", opponent.range},
               {"engine_id", opponent.engine_id},
               {"engine_signature", opponent.engine_signature},
               {"engine_options", Json(opponent.engine_options)},
               {"nodes", opponent.nodes},
               {"move_ms", opponent.move_ms},
               {"engine_name", opponent.engine_name},
               {"weights_sha256", opponent.weights_sha256}};
  // Of matches alone: runs of earlier versions have them not.
  if (opponent.deviation > 0) json["deviation"] = opponent.deviation;
  if (opponent.max_book_plies > 0) json["max_book_plies"] = opponent.max_book_plies;
  return json;
}

absl::StatusOr<Opponent> OpponentFromJson(const Json& json) {
  Opponent opponent;
  // Of JSON that is none of ours the library throws; it stops here.
  try {
    if (json.contains("deviation")) opponent.deviation = json["deviation"].get<double>();
    if (json.contains("max_book_plies")) {
      opponent.max_book_plies = json["max_book_plies"].get<uint32_t>();
    }
    const Json expected = OpponentToJson(opponent);
    for (const auto& item : expected.items()) {
      if (!json.contains(item.key())) return BadOpponentField(item.key(), "nothing", "the key");
      const Json& found = json[item.key()];
      const bool number =
          item.value().is_number_float() ? found.is_number() : found.is_number_unsigned();
      const bool fits = item.value().is_number() ? number : found.type() == item.value().type();
      if (!fits)
        return BadOpponentField(item.key(), Quote(found.dump()), "the type of this version");
    }
    for (const auto& item : json.items()) {
      if (!expected.contains(item.key())) {
        return BadOpponentField(item.key(), "the key", "the keys of this version");
      }
    }
    const auto side = SideOf(json["side"].get<std::string>());
    if (!side)
      return BadOpponentField("side", Quote(json["side"].get<std::string>()),
                              "black, white or both");
    opponent.side = *side;
    opponent.book = absl::HexStringToBytes(json["book"].get<std::string>());
    const auto choice = json["choice"].get<uint64_t>();
    if (choice > static_cast<uint64_t>(Choice::kShare)) {
      return BadOpponentField("choice", absl::StrCat(choice), "0 to 2");
    }
    opponent.choice = static_cast<Choice>(choice);
    opponent.range = json["range"].get<double>();
    opponent.engine_id = json["engine_id"].get<std::string>();
    opponent.engine_signature = json["engine_signature"].get<uint64_t>();
    opponent.engine_options = json["engine_options"].get<std::map<std::string, std::string>>();
    opponent.nodes = json["nodes"].get<uint64_t>();
    opponent.move_ms = json["move_ms"].get<uint32_t>();
    opponent.engine_name = json["engine_name"].get<std::string>();
    opponent.weights_sha256 = json["weights_sha256"].get<std::string>();
    return opponent;
  } catch (const Json::exception& error) {
    return BadOpponentField("", Quote(error.what()), "an opponent");
  }
}

absl::Status CheckOpponent(const PlaySpec& play, bool match) {
  if (!play.opponent) return absl::OkStatus();
  const Opponent& opponent = *play.opponent;
  if (!play.re_entry && !match) {
    return BadOpponentField(
        "", "without re_entry",
        "re_entry: after the opponent's own moves the book goes on where it can");
  }
  if (!opponent.book.empty() && opponent.book.size() != sizeof(Sha256)) {
    return BadOpponentField("book", absl::StrCat(opponent.book.size(), " bytes"),
                            "32 bytes, or none");
  }
  if (opponent.choice > Choice::kShare) {
    return BadOpponentField("choice", absl::StrCat(static_cast<int>(opponent.choice)), "0 to 2");
  }
  if (!(opponent.range >= 0 && opponent.range <= kMostRange)) {
    return BadOpponentField("range", absl::StrCat(opponent.range), "0 to 1000");
  }
  if (!(opponent.deviation >= 0 && opponent.deviation <= (match ? 1 : 0))) {
    return BadOpponentField("deviation", absl::StrCat(opponent.deviation), "0, in a match to 1");
  }
  if (opponent.max_book_plies > (match ? 500 : 0)) {
    return BadOpponentField("max_book_plies", absl::StrCat(opponent.max_book_plies),
                            "0, in a match to 500");
  }
  if (!IsId(opponent.engine_id)) {
    return BadOpponentField("engine_id", Quote(opponent.engine_id), "1 to 64 of a-z 0-9 . _ -");
  }
  if (opponent.move_ms > 600'000) {
    return BadOpponentField("move_ms", absl::StrCat(opponent.move_ms), "0 to 600000");
  }
  if ((opponent.nodes == 0) != (opponent.move_ms > 0) || opponent.nodes > 1'000'000'000) {
    return BadOpponentField("nodes", absl::StrCat(opponent.nodes), "1 to 1e9, or 0 with move_ms");
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
      std::string(NameOf(opponent.side)), " against ",
      opponent.book.empty() ? "none" : absl::BytesToHexString(opponent.book).substr(0, 12), "@",
      opponent.engine_id, "/", opponent.engine_signature, " at ",
      opponent.move_ms > 0 ? absl::StrCat(opponent.move_ms, " ms")
                           : absl::StrCat(opponent.nodes, " nodes"),
      opponent.engine_options.empty() ? "" : " with ",
      absl::StrJoin(opponent.engine_options, ",", absl::PairFormatter("=")),
      opponent.choice == Choice::kAnswer
          ? ""
          : absl::StrCat(", choice ", opponent.choice == Choice::kShare
                                          ? "share"
                                          : absl::StrCat("range ", opponent.range)));
}

}  // namespace joseki::coordinator
