#include "engine/eval_command.h"

#include <iomanip>
#include <memory>
#include <ostream>

#include "absl/status/statusor.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/by_game.h"
#include "engine/shogi/eval/formations.h"
#include "engine/shogi/eval/knowledge.h"
#include "engine/shogi/eval/learned.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/sfen.h"
#include "engine/xiangqi/eval/evaluator.h"
#include "engine/xiangqi/eval/material.h"
#include "engine/xiangqi/fen.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

void Print(std::ostream& out, const Json& json) { out << json.dump() << std::endl; }

// Prints the evaluation term by term, for the side to move.
absl::Status EvaluateShogi(const EvalArguments& arguments, std::ostream& out) {
  ASSIGN_OR_RETURN(const shogi::SfenPosition start, shogi::ParseSfen(arguments.position));
  const shogi::PlainTerms plain = shogi::ExplainPlain(start.position);
  std::unique_ptr<const shogi::Network> loaded;
  if (!arguments.weights.empty()) {
    ASSIGN_OR_RETURN(loaded, shogi::LoadNetwork(arguments.weights));
  }
  const shogi::Network& network = loaded != nullptr ? *loaded : shogi::BuiltInNetwork();
  const Color us = start.position.side_to_move();
  const shogi::LearnedTerms learned = shogi::LearnedEvaluator(network).Explain(start.position);
  if (arguments.json) {
    auto side = [](const shogi::PlainTerms::Side& s) {
      return Json{{"placed", s.placed}, {"guard", s.guard}, {"danger_to_other", s.danger}};
    };
    Json terms = Json::object();
    for (const shogi::KnowledgeTerm& term : shogi::KnowledgeTerms()) {
      terms[term.name] = {{"own", term.of(start.position, us)},
                          {"other", term.of(start.position, ~us)}};
    }
    Print(out, {{"schema", 1},
                {"value", plain.total},
                {"plain",
                 {{"own", side(plain.own)}, {"other", side(plain.other)}, {"total", plain.total}}},
                {"learned",
                 {{"plain", learned.plain},
                  {"balance", learned.balance},
                  {"safety", learned.safety},
                  {"output", learned.output},
                  {"stage", learned.stage},
                  {"total", learned.total},
                  {"weights_sha256", network.sha256()}}},
                {"terms", terms},
                {"formations",
                 {{"own", shogi::FormationNearest(start.position, us).name},
                  {"other", shogi::FormationNearest(start.position, ~us).name}}}});
    return absl::OkStatus();
  }
  auto row = [&](const char* name, int own, int other) {
    out << std::left << std::setw(34) << name << std::right << std::setw(7) << own << std::setw(7)
        << other << "\n";
  };
  out << plain.total << " (hundredths of a pawn, from the side to move)\n\n"
      << std::left << std::setw(34) << "plain"
      << "    own  other\n";
  row("material, places, mobility", plain.own.placed, plain.other.placed);
  row("guard of the own king", plain.own.guard, plain.other.guard);
  row("danger to the other king", plain.own.danger, plain.other.danger);
  out << "total                             " << std::setw(7) << plain.total
      << "\n\nlearned, weights " << network.sha256() << "\nthe plain evaluation, as it counts "
      << std::setw(6) << learned.plain << "\npieces and places by king        " << std::setw(8)
      << learned.balance << "\nsquares beside the kings         " << std::setw(8) << learned.safety
      << "\nnetwork, stage " << learned.stage << "                 " << std::setw(8)
      << learned.output << "\ntotal                             " << std::setw(7) << learned.total
      << "\n\n"
      << std::left << std::setw(34) << "by options"
      << "    own  other\n";
  for (const shogi::KnowledgeTerm& term : shogi::KnowledgeTerms()) {
    row(term.name, term.of(start.position, us), term.of(start.position, ~us));
  }
  for (const Color side : {us, ~us}) {
    const shogi::RecognisedFormation formation = shogi::FormationNearest(start.position, side);
    out << (side == us ? "own formation    " : "other's formation ") << formation.name << ", "
        << formation.in_place << " of " << formation.pieces << " in place, towards "
        << formation.goal << "\n";
  }
  out << std::flush;
  return absl::OkStatus();
}

absl::Status EvaluateXiangqi(const EvalArguments& arguments, std::ostream& out) {
  if (!arguments.weights.empty()) {
    return MakeProblem(
        {.code = "usage", .found = "--weights", .expected = "shogi, whose weights are files"});
  }
  ASSIGN_OR_RETURN(const xiangqi::FenPosition start, xiangqi::ParseFen(arguments.position));
  const Value value = xiangqi::Evaluator().Evaluate(start.position);
  const Value material = xiangqi::MaterialBalance(start.position);
  if (arguments.json) {
    Print(out, {{"schema", 1}, {"value", value}, {"material", material}});
  } else {
    out << value << " (hundredths of a pawn, from the side to move)\nmaterial " << material
        << std::endl;
  }
  return absl::OkStatus();
}

constexpr ByGame<decltype(&RunEval)> kEvaluations[] = {{"shogi", EvaluateShogi},
                                                       {"xiangqi", EvaluateXiangqi}};

}  // namespace

absl::Status RunEval(const EvalArguments& arguments, std::ostream& out) {
  ASSIGN_OR_RETURN(const auto run, Chosen(arguments.game, kEvaluations));
  return run(arguments, out);
}

}  // namespace joseki
