#include "cli/run/start_moves.h"

#include <algorithm>
#include <ostream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace joseki::cli {
namespace {

using coordinator::MoveEvidence;
using coordinator::PositionEvidence;

const MoveEvidence* Find(const PositionEvidence& position, Move move) {
  for (const MoveEvidence& one : position.moves) {
    if (one.move == move) return &one;
  }
  return nullptr;
}

const MoveEvidence* AnswerOf(const PositionEvidence& position) {
  const auto it = std::find_if(position.moves.begin(), position.moves.end(),
                               [](const MoveEvidence& move) { return move.answer; });
  return it == position.moves.end() ? nullptr : &*it;
}

// The strongest of the other moves that the answer's interval does not lie above; null if there is
// none.
const MoveEvidence* RivalOf(const PositionEvidence& position, const MoveEvidence& answer) {
  const MoveEvidence* rival = nullptr;
  for (const MoveEvidence& move : position.moves) {
    if (move.move == answer.move || move.score_high < answer.score_low) continue;
    if (rival == nullptr || move.score_high > rival->score_high) rival = &move;
  }
  return rival;
}

std::string IntervalText(const MoveEvidence& move) {
  return absl::StrFormat("%.1f-%.1f %%", move.score_low * 100, move.score_high * 100);
}

// "n = 12, 95 % interval 30-70 %"
std::string EvidenceText(const MoveEvidence& move) {
  return absl::StrCat("n = ", move.evidence.decided(), ", ", IntervalText(move));
}

}  // namespace

void PrintStartMoves(const PositionEvidence& before, const PositionEvidence& after,
                     const Rules& rules, std::ostream& out) {
  out << absl::StreamFormat("  %-6s %10s %10s %7s %9s %6s %6s %6s %7s  %s\n", "move", "before",
                            "after", "games", "different", "wins", "draws", "losses", "score",
                            "95 % interval");
  for (const MoveEvidence& move : after.moves) {
    const MoveEvidence* const was = Find(before, move.move);
    const book::Evidence& evidence = move.evidence;
    const std::string score =
        evidence.decided() == 0
            ? "-"
            : absl::StrFormat("%.1f %%", 100.0 * evidence.wins / evidence.decided());
    std::string note;
    if (move.answer) note = "  <- the book's move";
    if (was != nullptr && was->answer && !move.answer) note = "  (the book's move before)";
    out << absl::StreamFormat("  %-6s %10g %10g %7d %9d %6d %6d %6d %7s  %s%s\n",
                              rules.Text(move.move), was == nullptr ? 0.0 : was->weight,
                              move.weight, evidence.played(), evidence.games(), evidence.wins,
                              evidence.draws, evidence.losses, score, IntervalText(move), note);
  }
}

bool AnswerStandsOut(const PositionEvidence& after) {
  const MoveEvidence* const answer = AnswerOf(after);
  return answer != nullptr && after.moves.size() > 1 && RivalOf(after, *answer) == nullptr;
}

std::string Verdict(const PositionEvidence& after, const Rules& rules) {
  const MoveEvidence* const answer = AnswerOf(after);
  if (answer == nullptr) return "The book has no move at this position.";
  const std::string best = rules.Text(answer->move);
  if (after.moves.size() == 1) return "The book has one move here: there was nothing to choose.";
  if (answer->evidence.decided() == 0) {
    return absl::StrCat("So few games prove nothing: no decided game went through ", best, ".");
  }
  const MoveEvidence* const rival = RivalOf(after, *answer);
  if (rival == nullptr) {
    return absl::StrCat("The interval of ", best, " (", EvidenceText(*answer),
                        ") lies above those of all other moves, under this engine and limit.");
  }
  return absl::StrCat("So few games prove nothing: the intervals of ", best, " (",
                      EvidenceText(*answer), ") and ", rules.Text(rival->move), " (",
                      EvidenceText(*rival), ") overlap.");
}

Json StartMovesJson(const PositionEvidence& before, const PositionEvidence& after,
                    const Rules& rules) {
  Json moves = Json::array();
  for (const MoveEvidence& move : after.moves) {
    const MoveEvidence* const was = Find(before, move.move);
    Json json;
    json["move"] = rules.Text(move.move);
    json["weight_before"] = was == nullptr ? 0.0 : was->weight;
    json["weight"] = move.weight;
    json["games"] = move.evidence.played();
    json["wins"] = move.evidence.wins;
    json["draws"] = move.evidence.draws;
    json["losses"] = move.evidence.losses;
    json["distinct"] = move.evidence.games();
    json["score_low"] = move.score_low;
    json["score_high"] = move.score_high;
    json["answer_before"] = was != nullptr && was->answer;
    json["answer"] = move.answer;
    moves.push_back(std::move(json));
  }
  Json object;
  object["position"] = after.position;
  object["moves"] = std::move(moves);
  object["answer_stands_out"] = AnswerStandsOut(after);
  object["verdict"] = Verdict(after, rules);
  return object;
}

}  // namespace joseki::cli
