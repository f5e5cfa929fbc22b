#include "book/tuning/repertoire.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

bool SameSide(size_t ply, size_t end) { return (end - ply) % 2 == 0; }

}  // namespace

Repertoire::Repertoire(const Rules& rules, std::string start, std::shared_ptr<const Graph> book,
                       const RepertoireRules& limits)
    : rules_(&rules),
      start_(std::move(start)),
      limits_(limits),
      records_(std::move(book), limits),
      values_(limits),
      support_(limits.trusting) {}

absl::StatusOr<Repertoire> Repertoire::Create(const Rules& rules, std::string start,
                                              std::shared_ptr<const Graph> book,
                                              const RepertoireRules& limits) {
  RETURN_IF_ERROR(rules.Start(start, MatchRules{}).status());
  return Repertoire(rules, std::move(start), std::move(book), limits);
}

std::unique_ptr<GameState> Repertoire::Start() const {
  return rules_->Start(start_, MatchRules{}).value();  // Create has checked the position
}

Repertoire::Node& Repertoire::NodeOf(const GameState& state) {
  const auto [at, fresh] = nodes_.try_emplace(state.key());
  if (fresh) {
    at->second.packed = state.packed();
    at->second.ply = static_cast<uint16_t>(state.plies() + 1);
  }
  return at->second;
}

bool Repertoire::HasRoomFor(const GameState& state) const {
  return nodes_.size() < limits_.most_positions || nodes_.contains(state.key());
}

const Repertoire::Candidate* Repertoire::Best(const Key& key, const Node& node) const {
  const double error = values_.ErrorAt(node);
  const Candidate* best = nullptr;
  double most = 0;
  for (const Candidate& candidate : node.candidates) {
    if (!candidate.counts() || !support_.IsSupported(key, node, candidate)) continue;
    const double value = values_.ValueOf(node, candidate, error);
    if (best != nullptr && value <= most) continue;
    best = &candidate;
    most = value;
  }
  return best;
}

void Repertoire::Reopen(const LineTask& task) {
  Node* const node = End(task.line);
  if (node == nullptr) return;
  if (uint32_t* const in_flight = node->InFlight(task)) ++*in_flight;
  CountLine(task, 1);
}

void Repertoire::GiveBack(const LineTask& task) {
  Node* const node = End(task.line);
  if (node == nullptr) return;
  if (uint32_t* const in_flight = node->InFlight(task)) --*in_flight;
  CountLine(task, -1);
}

void Repertoire::CountLine(const LineTask& task, int by) {
  const std::unique_ptr<GameState> state = Start();
  const auto add = [by](uint32_t& lines) {
    lines = static_cast<uint32_t>(static_cast<int>(lines) + by);
  };
  // A search ends where our side is to move, a reply where the opponent is.
  const bool reply = task.kind == TaskKind::kReply;
  for (size_t ply = 0; ply <= task.line.size(); ++ply) {
    const bool ours = task.kind == TaskKind::kTrial ? state->side_to_move() == task.own
                                                    : SameSide(ply, task.line.size()) != reply;
    Node& node = NodeOf(*state);
    if (!ours) {
      add(node.passed);
    } else if (!reply) {
      // A line that ended at an unknown reply is walked again once the reply is known.
      add(node.lines);
    }
    if (ply < task.line.size() && !state->Play(task.line[ply])) return;
  }
}

absl::Status Repertoire::Add(const LineFinding& finding, const LineTask* planned) {
  const LineTask& task = finding.task;
  const std::unique_ptr<GameState> state = Start();
  const size_t played = state->PlayAll(task.line);
  if (played != task.line.size()) {
    return MakeProblem(
        {.code = "illegal_move",
         .found = Quote(absl::StrCat(rules_->Text(task.line[played]), " at ply ", played + 1)),
         .expected = "a line of legal moves"});
  }
  const std::vector<Move> legal = state->LegalMoves();
  if (task.kind != TaskKind::kTrial &&
      std::find(legal.begin(), legal.end(), finding.best) == legal.end()) {
    return MakeProblem({.code = "illegal_move",
                        .found = Quote(rules_->Text(finding.best)),
                        .expected = "a legal move at the end of the line"});
  }
  if (planned != nullptr && planned->line == task.line) {
    // The line was counted when the task was given out.
    if (uint32_t* const in_flight = NodeOf(*state).InFlight(*planned)) --*in_flight;
  } else {
    if (planned != nullptr) GiveBack(*planned);
    CountLine(task, 1);
  }
  support_.Add(finding.source, finding.worker);
  if (task.kind == TaskKind::kTrial) {
    AddTrial(finding);
  } else if (task.kind == TaskKind::kReply) {
    AddReplies(finding);
  } else {
    Node& node = NodeOf(*state);
    node.searches.push_back({finding.best, finding.centipawns, task.nodes, finding.source,
                             !task.excluded.empty(), false});
    Judge(node);
  }
  return absl::OkStatus();
}

void Repertoire::Confirm(const LineFinding& again, uint32_t source) {
  const LineTask& task = again.task;
  // Replies have no scores.
  if (!again.centipawns || task.kind == TaskKind::kReply) return;
  support_.Confirm(source, again.source, again.worker);
  const std::unique_ptr<GameState> state = Start();
  const auto note = [&](Move move) {
    support_.ConfirmMove(state->key(), move, source, again.source);
  };
  for (const Move move : task.line) {
    if (task.kind == TaskKind::kTrial && state->side_to_move() == task.own) note(move);
    if (!state->Play(move)) return;
  }
  if (task.kind == TaskKind::kAnswer) note(again.best);
}

// Each move of an opponent that followed the line counts as its reply.
void Repertoire::AddReplies(const LineFinding& finding) {
  const LineTask& task = finding.task;
  const std::unique_ptr<GameState> state = Start();
  for (size_t ply = 0; ply < task.line.size(); ++ply) {
    if (ply >= task.searched_from && SameSide(ply, task.line.size())) {
      NodeOf(*state).RepliesSince(task.searched_from).Add(task.line[ply], finding.source);
    }
    state->Play(task.line[ply]);
  }
  NodeOf(*state).RepliesSince(task.searched_from).Add(finding.best, finding.source);
}

void Repertoire::AddTrial(const LineFinding& finding) {
  if (!finding.centipawns) return;
  const LineTask& task = finding.task;
  const std::unique_ptr<GameState> state = Start();
  const bool ours_ends = (state->side_to_move() == task.own) == (task.line.size() % 2 == 0);
  const double score = Expected(ours_ends ? *finding.centipawns : -*finding.centipawns);
  const Candidate* last = nullptr;
  for (const Move move : task.line) {
    if (state->side_to_move() == task.own) {
      if (Candidate* const candidate = NodeOf(*state).Find(move)) {
        values_.Add(*candidate, score, finding.source);
        last = candidate;
      }
    }
    state->Play(move);
  }
  if (last == nullptr) return;
  values_.AddError(*last, score, finding.source);
  course_.Add(score, finding.source);
}

void Repertoire::Judge(Node& node) {
  if (node.nodes > 0) --answers_;
  node.nodes = 0;
  node.choice = Move();
  for (Candidate& candidate : node.candidates) candidate.nodes = 0;
  bool searched = false;
  std::optional<int> best;
  for (const Node::Search& found : node.searches) {
    if (found.distrusted) continue;
    searched = true;
    const bool may_answer = records_.MayAnswer(node.packed, found.move);
    if (!found.widened && found.nodes > node.nodes) {
      node.nodes = found.nodes;
      node.choice = may_answer ? found.move : Move();
    }
    if (!may_answer) {
      if (found.centipawns) best = std::max(best.value_or(-INT_MAX), *found.centipawns);
      continue;
    }
    Candidate& candidate = node.FindOrAdd(found.move);
    if (found.nodes <= candidate.nodes) continue;
    candidate.nodes = found.nodes;
    candidate.centipawns = found.centipawns;
  }
  if (node.nodes > 0) ++answers_;
  for (const Candidate& candidate : node.candidates) {
    if (candidate.nodes == 0 || !candidate.centipawns) continue;
    best = std::max(best.value_or(-INT_MAX), *candidate.centipawns);
  }
  records_.Apply(node, searched, best);
}

bool Repertoire::HasAnswers(const Node& node) const {
  if (node.nodes > 0) return true;
  if (answers_ >= limits_.most_answers) return false;
  return records_.MayAnswer(node.packed);
}

void Repertoire::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  support_.Distrust(distrusted);
  values_.Distrust(distrusted);
  course_.Distrust(distrusted);
  for (auto& [key, node] : nodes_) {
    for (Node::Search& found : node.searches) found.distrusted = distrusted(found.source);
    for (Candidate& candidate : node.candidates) values_.Distrust(candidate, distrusted);
    for (Node::Replies& replies : node.replies) replies.Distrust(distrusted);
    Judge(node);
  }
}

Repertoire::Node* Repertoire::End(const std::vector<Move>& line) {
  const std::unique_ptr<GameState> state = Start();
  if (state->PlayAll(line) != line.size()) return nullptr;
  return &NodeOf(*state);
}

Repertoire::Answer Repertoire::AnswerOf(const Key& key, const Node& node) const {
  const Candidate* const best = Best(key, node);
  if (best != nullptr && node.nodes > 0) return AnswerBy(node, *best, values_.ErrorAt(node));
  Answer none;
  none.lines = node.lines;
  return none;
}

Repertoire::Answer Repertoire::AnswerBy(const Node& node, const Candidate& candidate,
                                        double error) const {
  return {.move = candidate.move,
          .centipawns = candidate.centipawns,
          .nodes = node.nodes,
          .chosen = candidate.move == node.choice,
          .lines = node.lines,
          .trials = static_cast<uint32_t>(candidate.tally.trials),
          .mean = candidate.tally.mean(),
          .value = values_.ValueOf(node, candidate, error)};
}

Repertoire::Answer Repertoire::AnswerAt(const Key& key) const {
  const auto at = nodes_.find(key);
  return at == nodes_.end() ? Answer{} : AnswerOf(key, at->second);
}

std::vector<Repertoire::Answer> Repertoire::CandidatesAt(const Key& key) const {
  std::vector<Answer> found;
  const auto at = nodes_.find(key);
  if (at == nodes_.end() || at->second.nodes == 0) return found;
  const double error = values_.ErrorAt(at->second);
  for (const Candidate& candidate : at->second.candidates) {
    if (!candidate.counts() || !support_.IsSupported(key, at->second, candidate)) continue;
    found.push_back(AnswerBy(at->second, candidate, error));
  }
  // Ties as in Best: the first among equals.
  std::stable_sort(found.begin(), found.end(),
                   [](const Answer& a, const Answer& b) { return a.value > b.value; });
  return found;
}

void Repertoire::ForEachAnswer(const std::function<void(const Key&, const PackedPosition&, int ply,
                                                        const Answer&)>& visit) const {
  for (const auto& [key, node] : nodes_) {
    const Answer answer = AnswerOf(key, node);
    if (answer.nodes > 0) visit(key, node.packed, node.ply, answer);
  }
}

}  // namespace joseki::book
