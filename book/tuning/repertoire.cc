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

void AddTo(uint32_t& count, int by) { count = static_cast<uint32_t>(static_cast<int>(count) + by); }

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

Repertoire::Node& Repertoire::NodeOf(const Place& place) {
  const auto [at, fresh] = places_.try_emplace(place.key, static_cast<uint32_t>(nodes_.size()));
  if (fresh) {
    if (renewed()) ++renewed_;
    Node& node = nodes_.emplace_back();
    node.key = place.key;
    node.packed = place.packed;
    node.ply = place.ply;
  }
  return nodes_[at->second];
}

const Repertoire::Node* Repertoire::Find(const Key& key) const {
  const auto at = places_.find(key);
  return at == places_.end() ? nullptr : &nodes_[at->second];
}

Repertoire::Place Repertoire::PlaceOf(const GameState& state) const {
  Place place{.key = state.key(), .to_move = state.side_to_move(), .packed = {}, .ply = 0};
  if (!places_.contains(place.key)) {
    place.packed = state.packed();
    place.ply = static_cast<uint16_t>(state.plies() + 1);
  }
  return place;
}

Repertoire::Path Repertoire::Follow(std::span<const Move> line, GameState& state) const {
  Path path;
  path.reserve(line.size() + 1);
  path.push_back(PlaceOf(state));
  for (const Move move : line) {
    if (state.ending() || !state.Play(move)) break;
    path.push_back(PlaceOf(state));
  }
  return path;
}

const Repertoire::Candidate* Repertoire::Best(const Node& node) const {
  const double error = values_.ErrorAt(node);
  const Candidate* best = nullptr;
  double most = 0;
  for (const Candidate& candidate : node.candidates) {
    if (!candidate.counts() || !support_.IsSupported(node, candidate)) continue;
    const double value = values_.ValueOf(node, candidate, error);
    if (best != nullptr && value <= most) continue;
    best = &candidate;
    most = value;
  }
  return best;
}

void Repertoire::Reopen(const LineTask& task) { Open(task, 1); }

void Repertoire::GiveBack(const LineTask& task) { Open(task, -1); }

void Repertoire::Open(const LineTask& task, int by) {
  const Path path = Follow(task.line, *Start());
  if (path.size() <= task.line.size()) return;
  if (uint32_t* const in_flight = NodeOf(path.back()).InFlight(task)) AddTo(*in_flight, by);
  CountLine(task, path, by);
}

void Repertoire::CountLine(const LineTask& task, const Path& path, int by) {
  // A search ends where our side is to move, a reply where the opponent is.
  const bool reply = task.kind == TaskKind::kReply;
  for (size_t ply = 0; ply < path.size(); ++ply) {
    const bool ours = task.kind == TaskKind::kTrial ? path[ply].to_move == task.own
                                                    : SameSide(ply, task.line.size()) != reply;
    Node& node = NodeOf(path[ply]);
    if (!ours) {
      AddTo(node.passed, by);
    } else if (!reply) {
      // A line that ended at an unknown reply is walked again once the reply is known.
      AddTo(node.lines, by);
    }
  }
}

absl::StatusOr<Key> Repertoire::Add(const LineFinding& finding, const LineTask* planned) {
  const LineTask& task = finding.task;
  const std::unique_ptr<GameState> state = Start();
  const Path path = Follow(task.line, *state);
  if (path.size() <= task.line.size()) {
    return MakeProblem({.code = "illegal_move",
                        .found = Quote(absl::StrCat(rules_->Text(task.line[path.size() - 1]),
                                                    " at ply ", path.size())),
                        .expected = "a line of legal moves"});
  }
  if (task.kind != TaskKind::kTrial) {
    const std::vector<Move> legal = state->LegalMoves();
    if (std::find(legal.begin(), legal.end(), finding.best) == legal.end()) {
      return MakeProblem({.code = "illegal_move",
                          .found = Quote(rules_->Text(finding.best)),
                          .expected = "a legal move at the end of the line"});
    }
  }
  if (planned != nullptr && planned->line == task.line) {
    // The line was counted when the task was given out.
    if (uint32_t* const in_flight = NodeOf(path.back()).InFlight(*planned)) --*in_flight;
  } else {
    if (planned != nullptr) GiveBack(*planned);
    CountLine(task, path, 1);
  }
  support_.Add(finding.source, finding.worker);
  if (task.kind == TaskKind::kTrial) {
    AddTrial(finding, path);
  } else if (task.kind == TaskKind::kReply) {
    AddReplies(finding, path);
  } else {
    Node& node = NodeOf(path.back());
    const bool widened = std::any_of(task.excluded.begin(), task.excluded.end(), [&](Move move) {
      return !records_.IsForbidden(node.packed, move);
    });
    node.searches.push_back(
        {finding.best, finding.centipawns, task.nodes, finding.source, widened, false});
    Judge(node);
  }
  return path.back().key;
}

void Repertoire::Confirm(const LineFinding& again, uint32_t source) {
  const LineTask& task = again.task;
  // Replies have no scores.
  if (!again.centipawns || task.kind == TaskKind::kReply) return;
  support_.Confirm(source, again.source, again.worker);
  const Path path = Follow(task.line, *Start());
  const auto note = [&](size_t ply, Move move) {
    support_.ConfirmMove(path[ply].key, move, source, again.source);
  };
  const size_t known = std::min(path.size(), task.line.size());
  for (size_t ply = 0; ply < known; ++ply) {
    if (task.kind == TaskKind::kTrial && path[ply].to_move == task.own) note(ply, task.line[ply]);
  }
  if (task.kind == TaskKind::kAnswer && path.size() > task.line.size()) {
    note(task.line.size(), again.best);
  }
}

// Each move of an opponent that followed the line counts as its reply.
void Repertoire::AddReplies(const LineFinding& finding, const Path& path) {
  const LineTask& task = finding.task;
  for (size_t ply = 0; ply < task.line.size(); ++ply) {
    if (ply >= task.searched_from && SameSide(ply, task.line.size())) {
      NodeOf(path[ply])
          .RepliesSince(task.searched_from, task.nodes)
          .Add(task.line[ply], finding.source);
    }
  }
  NodeOf(path.back())
      .RepliesSince(task.searched_from, task.nodes)
      .Add(finding.best, finding.source);
}

void Repertoire::AddTrial(const LineFinding& finding, const Path& path) {
  if (!finding.centipawns) return;
  const LineTask& task = finding.task;
  const bool ours_ends = path.back().to_move == task.own;
  const double score = values_.Expected(ours_ends ? *finding.centipawns : -*finding.centipawns);
  const Candidate* last = nullptr;
  for (size_t ply = 0; ply < task.line.size(); ++ply) {
    if (path[ply].to_move != task.own) continue;
    Node& node = NodeOf(path[ply]);
    if (!renewed()) Renew(node, distrusted_);  // its error is that of a trusted evaluation
    if (Candidate* const candidate = node.Find(task.line[ply])) {
      values_.Add(*candidate, score, finding.source);
      last = candidate;
    }
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
    // An earlier run may have found a move that is forbidden since.
    if (found.distrusted || records_.IsForbidden(node.packed, found.move)) continue;
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
    candidate.source = found.source;
  }
  if (node.nodes > 0) ++answers_;
  for (const Candidate& candidate : node.candidates) {
    if (candidate.nodes == 0 || !candidate.centipawns) continue;
    best = std::max(best.value_or(-INT_MAX), *candidate.centipawns);
  }
  records_.Apply(node, searched, best);
}

void Repertoire::Distrust(std::function<bool(uint32_t source)> distrusted) {
  distrusted_ = std::move(distrusted);
  support_.Distrust(distrusted_);
  values_.Distrust(distrusted_);
  course_.Distrust(distrusted_);
  renewed_ = 0;
}

bool Repertoire::Renew(size_t most) {
  size_t judged = 0;
  const std::function<bool(uint32_t)> distrusted = [&](uint32_t source) {
    ++judged;
    return distrusted_(source);
  };
  while (judged < most && !renewed()) {
    ++judged;
    Renew(nodes_[renewed_++], distrusted);
  }
  return renewed();
}

void Repertoire::Renew(Node& node, const std::function<bool(uint32_t source)>& distrusted) {
  for (Node::Search& found : node.searches) found.distrusted = distrusted(found.source);
  for (Candidate& candidate : node.candidates) values_.Distrust(candidate, distrusted);
  for (Node::Replies& replies : node.replies) replies.Distrust(distrusted);
  Judge(node);
}

Repertoire::Answer Repertoire::AnswerOf(const Node& node) const {
  const Candidate* const best = Best(node);
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
  const Node* const node = Find(key);
  return node == nullptr ? Answer{} : AnswerOf(*node);
}

std::vector<Repertoire::Answer> Repertoire::CandidatesAt(const Key& key) const {
  std::vector<Answer> found;
  const Node* const node = Find(key);
  if (node == nullptr || node->nodes == 0) return found;
  const double error = values_.ErrorAt(*node);
  for (const Candidate& candidate : node->candidates) {
    if (!candidate.counts() || !support_.IsSupported(*node, candidate)) continue;
    found.push_back(AnswerBy(*node, candidate, error));
  }
  // Ties as in Best: the first among equals.
  std::stable_sort(found.begin(), found.end(),
                   [](const Answer& a, const Answer& b) { return a.value > b.value; });
  return found;
}

void Repertoire::ForEachAnswer(const std::function<void(const Key&, const PackedPosition&, int ply,
                                                        const Answer&)>& visit) const {
  for (const Node& node : nodes_) {
    const Answer answer = AnswerOf(node);
    if (answer.nodes > 0) visit(node.key, node.packed, node.ply, answer);
  }
}

}  // namespace joseki::book
