#include "cli/run/start_moves.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/move_table.h"
#include "cli/words/phrases.h"

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

// The strongest other move that the answer does not beat by their intervals; null if there is none.
// Only moves with games count.
const MoveEvidence* RivalOf(const PositionEvidence& position, const MoveEvidence& answer) {
  const MoveEvidence* rival = nullptr;
  for (const MoveEvidence& move : position.moves) {
    if (move.move == answer.move || move.evidence.decided() == 0) continue;
    if (move.score_high < answer.score_low) continue;
    if (rival == nullptr || move.score_high > rival->score_high) rival = &move;
  }
  return rival;
}

int64_t UndecidedMoves(const PositionEvidence& position) {
  return std::count_if(position.moves.begin(), position.moves.end(),
                       [](const MoveEvidence& move) { return move.evidence.decided() == 0; });
}

// "7g7f, 51.0 % of 12 decided games (30.1 to 70.2 %)".
std::string EvidenceText(const std::string& move, const MoveEvidence& of, const Voice& voice) {
  return voice.Say(phrase::kMoveIs, move,
                   ScoreWords(of.evidence, of.score_low, of.score_high, voice));
}

double InputOf(const PositionEvidence& position) {
  double sum = 0;
  for (const MoveEvidence& move : position.moves) {
    sum += static_cast<double>(std::max<int64_t>(0, move.base_weight));
  }
  return sum;
}

double InputShare(const MoveEvidence& move, double sum) {
  return sum > 0 ? static_cast<double>(std::max<int64_t>(0, move.base_weight)) / sum : 0;
}

// The input book's answer: the move with the largest base weight. Moves of equal weight were
// equally the answer, so today's is preferred. Null if there is no move.
const MoveEvidence* AnswerBefore(const PositionEvidence& position) {
  const MoveEvidence* before = AnswerOf(position);
  for (const MoveEvidence& move : position.moves) {
    if (before == nullptr || move.base_weight > before->base_weight) before = &move;
  }
  return before;
}

}  // namespace

void PrintStartMoves(const PositionEvidence& after, const coordinator::RunSpec& spec,
                     const Rules& rules, const Voice& voice, std::ostream& out) {
  const double sum = InputOf(after);
  const MoveEvidence* const before = AnswerBefore(after);
  const bool expects = std::any_of(after.moves.begin(), after.moves.end(),
                                   [](const auto& move) { return move.expected.has_value(); });
  std::vector<MoveRow> rows;
  for (const MoveEvidence& move : after.moves) {
    rows.push_back(
        {.move = voice.MoveText(rules, after.position, move.move),
         .answer = move.answer,
         .share = InputShare(move, sum),
         .weight = expects ? move.expected : std::optional(move.weight),
         .evidence = move.evidence,
         .games = move.evidence.played(),
         .low = move.score_low,
         .high = move.score_high,
         .note = &move == before && !move.answer ? voice.Say(phrase::kAnswerBefore) : ""});
  }
  PrintMoveTable(rows, RowsOfRun(spec), voice, out);
}

bool AnswerStandsOut(const PositionEvidence& after) {
  const MoveEvidence* const answer = AnswerOf(after);
  return answer != nullptr && !answer->expected && after.moves.size() > 1 &&
         UndecidedMoves(after) == 0 && RivalOf(after, *answer) == nullptr;
}

std::string Verdict(const PositionEvidence& after, const Rules& rules, const Voice& voice) {
  const MoveEvidence* const answer = AnswerOf(after);
  if (answer == nullptr) return voice.Say(phrase::kNoMoveHere);
  const auto text = [&](const MoveEvidence& move) {
    return voice.MoveText(rules, after.position, move.move);
  };
  const auto with_evidence = [&](const MoveEvidence& move) {
    return EvidenceText(text(move), move, voice);
  };
  const std::string best = text(*answer);
  if (answer->expected) {
    return voice.Say(phrase::kExpectedOnly, best, answer->trials,
                     absl::StrFormat("%.1f", 100 * *answer->expected));
  }
  if (after.moves.size() == 1) return voice.Say(phrase::kOneMoveHere);
  if (answer->evidence.decided() == 0) return voice.Say(phrase::kNoGameOfBest, best);
  if (const MoveEvidence* const rival = RivalOf(after, *answer); rival != nullptr) {
    return voice.Say(phrase::kOverlap, best, with_evidence(*answer), with_evidence(*rival));
  }
  if (const int64_t without = UndecidedMoves(after); without > 0) {
    return voice.Say(phrase::kSomeWithoutGames, best, with_evidence(*answer), without,
                     after.moves.size());
  }
  return voice.Say(phrase::kProvenBest, with_evidence(*answer));
}

Json StartMovesJson(const PositionEvidence& before, const PositionEvidence& after,
                    const Rules& rules) {
  Json moves = Json::array();
  const double sum = InputOf(after);
  const MoveEvidence* const answer_before = AnswerBefore(after);
  for (const MoveEvidence& move : after.moves) {
    const MoveEvidence* const was = Find(before, move.move);
    Json json;
    json["move"] = rules.Text(move.move);
    json["input_share"] = InputShare(move, sum);
    json["weight_before"] = was == nullptr ? 0.0 : was->weight;
    json["weight"] = move.weight;
    json["games"] = move.evidence.played();
    json["wins"] = move.evidence.wins;
    json["draws"] = move.evidence.draws;
    json["losses"] = move.evidence.losses;
    json["distinct"] = move.evidence.games();
    json["score_low"] = move.score_low;
    json["score_high"] = move.score_high;
    json["answer_before"] = &move == answer_before;
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
