#include "coordinator/offline/export_json.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "book/openings/openings.h"
#include "coordinator/model/opponent_spec.h"
#include "coordinator/model/run_spec.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {
namespace {

using Json = nlohmann::ordered_json;

// `written`: the move in a book of columns; null if it is left out there.
Json JsonOf(const ExportBook::Move& move, const book::DbMove* written, const Rules& rules,
            bool in_run) {
  Json json;
  json["move"] = rules.Text(move.move);
  json["weight"] = move.weight;
  json["n"] = move.evidence.played();
  json["wins"] = move.evidence.wins;
  json["draws"] = move.evidence.draws;
  json["losses"] = move.evidence.losses;
  if (in_run) {
    json["distinct"] = move.evidence.games();
    json["value"] = written != nullptr ? Json(written->value) : Json();
    json["depth"] = written != nullptr ? Json(written->depth) : Json();
    json["count"] = written != nullptr ? Json(written->count) : Json();
    json["worth"] = move.worth;
    json["imported"] =
        move.value.has_value() ? Json{{"value", *move.value}, {"depth", move.depth}} : Json();
    json["searched"] = move.searched;
    json["expected"] = move.expected.has_value() ? Json(*move.expected) : Json();
    json["trials"] = move.trials;
    json["evaluation"] = move.evaluation.has_value() ? Json(*move.evaluation) : Json();
    json["origin"] = move.origin ? Json(Name(*move.origin)) : Json();
    json["decided_by"] = move.decided_by ? Json(Name(*move.decided_by)) : Json();
  } else {
    json["games"] = move.games;
    json["count"] = move.book_count;
    json["value"] = move.value.has_value() ? Json(*move.value) : Json();
    json["depth"] = move.value.has_value() ? Json(move.depth) : Json();
  }
  if (move.turned.has_value()) {
    json["turned"] = {{"n", move.turned->played()},
                      {"wins", move.turned->wins},
                      {"draws", move.turned->draws},
                      {"losses", move.turned->losses}};
  }
  json["low"] = move.low;
  json["high"] = move.high;
  json["prior"] = move.prior;
  json["answer"] = move.answer;
  json["ponder"] = move.ponder ? Json(rules.Text(move.ponder)) : Json();
  if (move.bad) json["mark"] = "bad";
  return json;
}

Json JsonOf(const ExportBook::Run& run) {
  Json profile;
  profile["engine"] = run.spec.play.engine_id;
  profile["signature"] = absl::StrCat(absl::Hex(run.spec.play.engine_signature, absl::kZeroPad16));
  profile["options"] = run.spec.play.engine_options;
  profile["nodes"] = run.spec.play.nodes;
  profile["jitter_percent"] = run.spec.play.jitter_percent;
  profile["pairing"] = PairingOf(run.spec.play);
  Json json;
  json["run"] = run.run;
  json["snapshot"] = run.snapshot;
  json["commit_seq"] = run.commit_seq;
  json["games"] = run.games;
  json["profile"] = std::move(profile);
  json["spec"] = Json::parse(SpecToJson(run.spec));
  return json;
}

}  // namespace

std::string ExportJson(const ExportBook& book, const Rules& rules) {
  Json head;
  head["schema"] = 1;
  head["game"] = rules.game();
  head["run"] = book.run.has_value() ? JsonOf(*book.run) : Json();
  head["answer_rule"] = book.answer_rule;
  head["interval"] = 0.95;
  std::string text = head.dump();
  text.pop_back();
  text += ",\"positions\":[";
  const char* separator = "\n";
  for (const ExportBook::Position& position : book.positions) {
    Json json;
    json["position"] = rules.Text(position.packed, position.ply);
    if (const auto opening = book::OpeningAt(rules.game(), position.packed)) {
      json["opening"] = {
          {"code", opening->code}, {"name", opening->name}, {"english", opening->english}};
    }
    json["moves"] = Json::array();
    const book::DbPosition written =
        book.run.has_value() ? DbOf(position, true, book::BookFormat::kJson) : book::DbPosition();
    for (const ExportBook::Move& move : position.moves) {
      const auto at = std::find_if(written.moves.begin(), written.moves.end(),
                                   [&](const book::DbMove& m) { return m.move == move.move; });
      json["moves"].push_back(
          JsonOf(move, at == written.moves.end() ? nullptr : &*at, rules, book.run.has_value()));
    }
    absl::StrAppend(&text, separator, json.dump());
    separator = ",\n";
  }
  text += "\n]}\n";
  return text;
}

}  // namespace joseki::coordinator
