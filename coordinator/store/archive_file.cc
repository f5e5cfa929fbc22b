#include "coordinator/store/archive_file.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/model/slot_codec.h"

namespace joseki::coordinator {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

std::string Line(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string Hash(uint64_t hash) { return absl::StrFormat("%016x", hash); }

OrderedJson TotalsJson(const ArchiveTotals& totals) {
  return {{"games", totals.games},
          {"first_wins", totals.first_wins},
          {"second_wins", totals.second_wins},
          {"draws", totals.draws},
          {"faults", totals.faults},
          {"plies", totals.plies}};
}

OrderedJson GameLine(const GameRow& game, const Rules& rules) {
  std::string moves;
  for (const Move move : game.moves) {
    if (!moves.empty()) moves += ' ';
    moves += rules.Text(move);
  }
  OrderedJson json = {{"commit_seq", game.commit_seq},
                      {"lease", game.lease},
                      {"slot", game.slot},
                      {"stage", game.stage},
                      {"worker", game.worker},
                      {"result", std::string(Name(game.ending.result))},
                      {"termination", std::string(Name(game.ending.termination))},
                      {"book_plies", game.book_plies},
                      {"stale", game.stale},
                      {"nodes", game.nodes},
                      {"think_ms", game.think_ms},
                      {"accepted_ms", game.accepted_ms},
                      {"payload_hash", Hash(game.payload_hash)},
                      {"moves_hash", Hash(game.moves_hash)},
                      {"resign_check", static_cast<int>(game.resign_check)},
                      {"fault", game.fault},
                      {"scores", game.scores},
                      {"bits", Hex(MoveBytes(game.moves))},
                      {"moves", std::move(moves)}};
  return json;
}

std::optional<std::string> Unhex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]);
    const int low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

// Reads the fields of one line one by one; keeps the name of the first that is wrong.
class Fields {
 public:
  explicit Fields(const OrderedJson& json) : json_(json) {}

  template <typename T>
  T Number(const char* name, int64_t low, int64_t high) {
    const OrderedJson* const value = Find(name);
    if (value == nullptr) return T{};
    if (value->is_number_unsigned() && value->get<uint64_t>() <= static_cast<uint64_t>(high) &&
        (low <= 0 || value->get<uint64_t>() >= static_cast<uint64_t>(low))) {
      return static_cast<T>(value->get<uint64_t>());
    }
    if (value->is_number_integer() && !value->is_number_unsigned() &&
        value->get<int64_t>() >= low && value->get<int64_t>() <= high) {
      return static_cast<T>(value->get<int64_t>());
    }
    Fail(name);
    return T{};
  }
  // Any 64 bits; the database stores them as signed numbers.
  uint64_t Wide(const char* name) {
    const OrderedJson* const value = Find(name);
    if (value != nullptr && !value->is_number_unsigned()) Fail(name);
    return value != nullptr && value->is_number_unsigned() ? value->get<uint64_t>() : 0;
  }
  std::string Text(const char* name) {
    const OrderedJson* const value = Find(name);
    if (value != nullptr && !value->is_string()) Fail(name);
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
  }
  bool Flag(const char* name) {
    const OrderedJson* const value = Find(name);
    if (value != nullptr && !value->is_boolean()) Fail(name);
    return value != nullptr && value->is_boolean() && value->get<bool>();
  }
  uint64_t HashOf(const char* name) {
    const std::string text = Text(name);
    uint64_t hash = 0;
    if (text.size() != 16 || !absl::SimpleHexAtoi(text, &hash)) Fail(name);
    return hash;
  }
  std::vector<int16_t> Scores(const char* name) {
    std::vector<int16_t> scores;
    const OrderedJson* const value = Find(name);
    if (value == nullptr) return scores;
    if (!value->is_array()) Fail(name);
    for (const OrderedJson& score : *value) {
      const bool fits = score.is_number_integer() && score.get<int64_t>() >= INT16_MIN &&
                        score.get<int64_t>() <= INT16_MAX;
      if (!fits) {
        Fail(name);
        break;
      }
      scores.push_back(score.get<int16_t>());
    }
    return scores;
  }
  std::vector<Move> Moves(const char* name) {
    const std::optional<std::string> bytes = Unhex(Text(name));
    absl::StatusOr<std::vector<Move>> moves = DecodeMoves(bytes.value_or(std::string("?")));
    if (!moves.ok()) {
      Fail(name);
      return {};
    }
    return *std::move(moves);
  }
  void Fail(const char* name) {
    if (wrong_.empty()) wrong_ = name;
  }
  // The name of the first wrong field; empty if there is none.
  const std::string& wrong() const { return wrong_; }

 private:
  const OrderedJson* Find(const char* name) {
    if (json_.is_object()) {
      const auto found = json_.find(name);
      if (found != json_.end()) return &*found;
    }
    Fail(name);
    return nullptr;
  }

  const OrderedJson& json_;
  std::string wrong_;
};

Result ResultOf(const std::string& name) {
  for (const Result result : {Result::kFirstWins, Result::kSecondWins, Result::kDraw}) {
    if (name == Name(result)) return result;
  }
  return Result::kNone;
}

GameRow GameOf(Fields& fields, RunId run) {
  GameRow game;
  game.run = run;
  game.commit_seq = fields.Number<uint64_t>("commit_seq", 1, kMost);
  game.lease = fields.Number<uint64_t>("lease", 0, kMost);
  game.slot = fields.Number<uint32_t>("slot", 0, UINT32_MAX);
  game.stage = fields.Number<int>("stage", 0, 1'000'000);
  game.worker = fields.Text("worker");
  const std::string result = fields.Text("result");
  game.ending.result = ResultOf(result);
  if (result != Name(game.ending.result)) fields.Fail("result");
  const std::optional<Termination> termination = TerminationOf(fields.Text("termination"));
  if (!termination) fields.Fail("termination");
  game.ending.termination = termination.value_or(Termination::kNone);
  game.book_plies = fields.Number<uint32_t>("book_plies", 0, UINT32_MAX);
  game.stale = fields.Flag("stale");
  game.nodes = fields.Wide("nodes");
  game.think_ms = fields.Number<uint32_t>("think_ms", 0, UINT32_MAX);
  game.accepted_ms = fields.Number<int64_t>("accepted_ms", -kMost, kMost);
  game.payload_hash = fields.HashOf("payload_hash");
  game.moves_hash = fields.HashOf("moves_hash");
  game.resign_check =
      fields.Number<ResignCheck>("resign_check", 0, static_cast<int64_t>(ResignCheck::kWrong));
  game.fault = fields.Text("fault");
  game.scores = fields.Scores("scores");
  game.moves = fields.Moves("bits");
  return game;
}

absl::Status Bad(std::string_view file, int line, std::string found, std::string expected) {
  return MakeProblem({.code = "bad_archive",
                      .file = std::string(file),
                      .line = line,
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     absl::StatusCode::kDataLoss);
}

}  // namespace

void ArchiveTotals::Add(const GameRow& game) {
  ++games;
  plies += game.moves.size();
  if (IsFault(game.ending.termination)) {
    ++faults;
  } else if (game.ending.result == Result::kDraw) {
    ++draws;
  } else if (game.ending.result == Result::kFirstWins) {
    ++first_wins;
  } else if (game.ending.result == Result::kSecondWins) {
    ++second_wins;
  }
}

std::string WriteArchive(const std::string& epoch, const RunSpec& spec,
                         std::span<const GameRow> games, const Rules& rules) {
  const RunId run = games.empty() ? 0 : games.front().run;
  std::string text = Line({{"joseki_archive", kFormat},
                           {"epoch", epoch},
                           {"run", run},
                           {"start", spec.start},
                           {"spec", ParseJson<OrderedJson>(SpecToJson(spec))}});
  ArchiveTotals totals;
  for (const GameRow& game : games) {
    totals.Add(game);
    text += Line(GameLine(game, rules));
  }
  OrderedJson seal = TotalsJson(totals);
  seal["sha256"] = Hex(Sha256Of(text));
  return text + Line({{"seal", std::move(seal)}});
}

absl::StatusOr<ArchiveText> ParseArchive(std::string_view text, std::string_view file) {
  ArchiveText archive;
  bool sealed = false;
  size_t at = 0;
  int line = 0;
  while (at < text.size()) {
    ++line;
    const size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return Bad(file, line, "no end of the line", "whole lines");
    const OrderedJson json = ParseJson<OrderedJson>(text.substr(at, end - at));
    if (sealed) return Bad(file, line, "a line", "nothing after the seal");
    Fields fields(json);
    if (line == 1) {
      if (fields.Number<int>("joseki_archive", kFormat, kFormat) != kFormat) {
        return Bad(file, line, Quote(text.substr(at, std::min<size_t>(end - at, 60))),
                   "an archive of games of this version");
      }
      archive.epoch = fields.Text("epoch");
      archive.run = fields.Number<uint64_t>("run", 0, kMost);
    } else if (json.is_object() && json.contains("seal")) {
      Fields seal(json["seal"]);
      const auto count = [&seal](const char* name) {
        return seal.Number<uint64_t>(name, 0, kMost);
      };
      const ArchiveTotals told = {count("games"), count("first_wins"), count("second_wins"),
                                  count("draws"), count("faults"),     count("plies")};
      if (seal.Text("sha256") != Hex(Sha256Of(text.substr(0, at)))) {
        return Bad(file, line, "another SHA-256 of the lines before", "that of the seal");
      }
      if (!seal.wrong().empty() || told != archive.totals) {
        return Bad(file, line, "other totals than those of its games", "those of its games");
      }
      sealed = true;
    } else {
      GameRow game = GameOf(fields, archive.run);
      if (!archive.games.empty() && game.commit_seq <= archive.games.back().commit_seq) {
        fields.Fail("commit_seq");
      }
      archive.totals.Add(game);
      archive.games.push_back(std::move(game));
    }
    if (!fields.wrong().empty()) {
      return Bad(file, line, absl::StrCat("a wrong field ", Quote(fields.wrong())),
                 "a line of an archive");
    }
    at = end + 1;
  }
  if (!sealed) return Bad(file, line, "no seal", "one at the end");
  return archive;
}

}  // namespace joseki::coordinator
