#include "book/tuning/repertoire.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/choosing.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

double WeightOf(const Graph::Edge& edge) {
  return std::max(0.0, static_cast<double>(edge.base_weight));
}

bool SameSide(size_t ply, size_t end) { return (end - ply) % 2 == 0; }

// The newest matching one among the last entries; the end if none matches. A source usually returns
// soon; one that returns later gets another entry.
template <typename Entry, typename Matches>
typename std::vector<Entry>::iterator Recent(std::vector<Entry>& entries, const Matches& matches) {
  constexpr size_t kRecent = 32;
  const auto end =
      entries.rbegin() + static_cast<std::ptrdiff_t>(std::min(entries.size(), kRecent));
  const auto at = std::find_if(entries.rbegin(), end, matches);
  return at == end ? entries.end() : std::prev(at.base());
}

}  // namespace

double ExpectedResult(int centipawns, double scale) {
  return 1 / (1 + std::exp(-centipawns / scale));
}

void Repertoire::Tally::Add(double value, uint32_t source) {
  trials += 1;
  sum += value;
  squares += value * value;
  const auto at = Recent(by_source, [&](const Tried& earlier) { return earlier.source == source; });
  Tried& tried = at == by_source.end() ? by_source.emplace_back(Tried{source}) : *at;
  tried.trials += 1;
  tried.sum += value;
  tried.squares += value * value;
}

void Repertoire::Tally::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  trials = 0;
  sum = 0;
  squares = 0;
  for (const Tried& tried : by_source) {
    if (distrusted(tried.source)) continue;
    trials += tried.trials;
    sum += tried.sum;
    squares += tried.squares;
  }
}

void Repertoire::Scatter::Count(const Tally& tally, int sign) {
  if (tally.trials < 2) return;
  squares += sign * (tally.squares - tally.sum * tally.sum / tally.trials);
  freedom += sign * (tally.trials - 1);
}

Repertoire::Repertoire(const Rules& rules, std::string start, std::shared_ptr<const Graph> book,
                       const RepertoireRules& limits)
    : rules_(&rules), start_(std::move(start)), book_(std::move(book)), limits_(limits) {}

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

double Repertoire::TrialsAt(const Node& node) {
  double trials = 0;
  for (const Candidate& candidate : node.candidates) trials += candidate.tally.trials;
  return trials;
}

uint64_t Repertoire::Worth(const Node& node) const {
  const double heard = limits_.heard_trials / (limits_.heard_trials + TrialsAt(node));
  const double worth = static_cast<double>(limits_.least_nodes) * std::max(1.0, node.lines * heard);
  return static_cast<uint64_t>(std::min(static_cast<double>(limits_.most_nodes), worth));
}

uint32_t Repertoire::WantedSamples(const Node& node) const {
  const auto root = static_cast<uint32_t>(std::sqrt(static_cast<double>(node.passed)));
  return std::min(limits_.replies, 1 + root);
}

uint32_t Repertoire::WantedCandidates(const Node& node) const {
  const auto more = static_cast<uint32_t>(std::log2(1 + TrialsAt(node) / limits_.widening));
  return std::min(limits_.candidates, 1 + more);
}

Repertoire::Replies& Repertoire::RepliesOf(Node& node, uint32_t searched_from) {
  // An opponent that searches from ply 0 or 1 has had no book.
  return node.replies[searched_from < 2 ? 0 : 1];
}

void Repertoire::Replies::Count(Move move, uint32_t times) {
  trusted += times;
  const auto at = std::find_if(moves.begin(), moves.end(),
                               [&](const ReplyCount& known) { return known.move == move; });
  if (at == moves.end()) {
    moves.push_back({move, times});
  } else {
    at->times += times;
  }
}

void Repertoire::Replies::Add(Move move, uint32_t source) {
  Count(move, 1);
  const auto at =
      Recent(all, [&](const Reply& reply) { return reply.source == source && reply.move == move; });
  if (at == all.end()) {
    all.push_back({move, source, 1});
  } else {
    ++at->times;
  }
}

void Repertoire::Replies::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  trusted = 0;
  moves.clear();
  for (const Reply& reply : all) {
    if (!distrusted(reply.source)) Count(reply.move, reply.times);
  }
}

std::optional<Move> Repertoire::SampledReply(const Replies& replies, Rng& rng) {
  if (replies.trusted == 0) return std::nullopt;
  const auto times = [&](size_t i) { return static_cast<double>(replies.moves[i].times); };
  return replies.moves[ChooseInProportion(replies.moves.size(), rng, times)].move;
}

std::optional<Move> Repertoire::BookMove(const Key& key, bool evenly, Rng& rng) const {
  const NodeId id = book_->Find(key);
  if (id == kNoNode) return std::nullopt;
  const std::span<const Graph::Edge> moves = book_->moves(id);
  const auto weight = [&](size_t i) {
    const double weighed = WeightOf(moves[i]);
    return evenly && weighed > 0 ? 1.0 : weighed;
  };
  double sum = 0;
  for (size_t i = 0; i < moves.size(); ++i) sum += weight(i);
  if (sum == 0) return std::nullopt;
  return moves[ChooseInProportion(moves.size(), rng, weight)].move;
}

double Repertoire::Expected(int centipawns) const {
  return ExpectedResult(centipawns, limits_.scale);
}

double Repertoire::Expected(const Candidate& candidate) const {
  return Expected(candidate.centipawns.value_or(0));
}

double Repertoire::Spread() const {
  const double before = limits_.spread_trials;
  return std::sqrt((limits_.spread * limits_.spread * before + scatter_.squares) /
                   (before + scatter_.freedom));
}

double Repertoire::ErrorOf(const Node& node) const {
  double trials = limits_.error_trials;
  double sum = trials * errors_.sum / (errors_.trials + limits_.error_trials);
  for (const Candidate& candidate : node.candidates) {
    trials += candidate.tally.trials;
    sum += candidate.tally.sum - candidate.tally.trials * Expected(candidate);
  }
  return sum / trials;
}

double Repertoire::Unchosen(const Node& node, const Candidate& candidate) const {
  constexpr double kDoublings = 4;
  if (node.choice == Move() || candidate.move == node.choice) return 0;
  const double part = static_cast<double>(node.nodes) / static_cast<double>(limits_.least_nodes);
  return limits_.unchosen * std::clamp(std::log2(part) / kDoublings, 0.0, 1.0);
}

double Repertoire::ValueOf(const Node& node, const Candidate& candidate, double error) const {
  const double before = limits_.evaluation_trials;
  return (candidate.tally.sum + before * (Expected(candidate) + error)) /
             (candidate.tally.trials + before) -
         candidate.rarity - Unchosen(node, candidate);
}

bool Repertoire::IsSupported(const Key& key, const Node& node, const Candidate& candidate) const {
  if (limits_.trusting || !witnesses_.several()) return true;
  std::optional<uint32_t> first;
  const auto is_second = [&](uint32_t source) {
    const std::optional<uint32_t> worker = witnesses_.WorkerOf(source);
    if (!worker) return false;
    if (witnesses_.vouched_for(*worker)) return true;
    if (!first) first = worker;
    return *worker != *first;
  };
  for (const Found& found : node.searches) {
    if (found.move != candidate.move || !found.centipawns) continue;
    if (is_second(found.source)) return true;
  }
  for (const Tried& tried : candidate.tally.by_source) {
    if (is_second(tried.source)) return true;
  }
  const auto at = confirmations_.find(key);
  if (at == confirmations_.end()) return false;
  return std::any_of(at->second.begin(), at->second.end(), [&](const Confirmation& confirmed) {
    if (confirmed.move != candidate.move) return false;
    if (!witnesses_.WorkerOf(confirmed.source) || !witnesses_.WorkerOf(confirmed.again))
      return false;
    return is_second(confirmed.source) || is_second(confirmed.again);
  });
}

const Repertoire::Candidate* Repertoire::Best(const Key& key, const Node& node) const {
  const double error = ErrorOf(node);
  const Candidate* best = nullptr;
  double most = 0;
  for (const Candidate& candidate : node.candidates) {
    if (!candidate.counts() || !IsSupported(key, node, candidate)) continue;
    const double value = ValueOf(node, candidate, error);
    if (best != nullptr && value <= most) continue;
    best = &candidate;
    most = value;
  }
  return best;
}

const Repertoire::Candidate* Repertoire::Sampled(const Node& node, Rng& rng) const {
  const double error = ErrorOf(node);
  const double spread = Spread();
  const Candidate* best = nullptr;
  double most = 0;
  for (const Candidate& candidate : node.candidates) {
    if (!candidate.counts()) continue;
    const double sd = spread / std::sqrt(candidate.tally.trials + limits_.evaluation_trials);
    const double value = ValueOf(node, candidate, error) + sd * Normal(rng);
    if (best != nullptr && value <= most) continue;
    best = &candidate;
    most = value;
  }
  return best;
}

uint32_t* Repertoire::InFlight(Node& node, const LineTask& task) {
  switch (task.kind) {
    case TaskKind::kAnswer:
      return &node.in_flight;
    case TaskKind::kReply:
      return &RepliesOf(node, task.searched_from).in_flight;
    case TaskKind::kTrial:
      break;
  }
  return nullptr;
}

void Repertoire::Reopen(const LineTask& task) {
  Node* const node = End(task.line);
  if (node == nullptr) return;
  if (uint32_t* const in_flight = InFlight(*node, task)) ++*in_flight;
  CountLine(task, 1);
}

void Repertoire::GiveBack(const LineTask& task) {
  Node* const node = End(task.line);
  if (node == nullptr) return;
  if (uint32_t* const in_flight = InFlight(*node, task)) --*in_flight;
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
    if (uint32_t* const in_flight = InFlight(NodeOf(*state), *planned)) --*in_flight;
  } else {
    if (planned != nullptr) GiveBack(*planned);
    CountLine(task, 1);
  }
  witnesses_.Add(finding.source, finding.worker);
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
  witnesses_.Add(again.source, again.worker);
  witnesses_.Confirm(source, again.source);
  const std::unique_ptr<GameState> state = Start();
  const auto note = [&](Move move) {
    confirmations_[state->key()].push_back({move, source, again.source});
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
      RepliesOf(NodeOf(*state), task.searched_from).Add(task.line[ply], finding.source);
    }
    state->Play(task.line[ply]);
  }
  RepliesOf(NodeOf(*state), task.searched_from).Add(finding.best, finding.source);
}

void Repertoire::AddTrial(const LineFinding& finding) {
  if (!finding.centipawns) return;
  const LineTask& task = finding.task;
  const std::unique_ptr<GameState> state = Start();
  const bool ours_ends = (state->side_to_move() == task.own) == (task.line.size() % 2 == 0);
  const double value = Expected(ours_ends ? *finding.centipawns : -*finding.centipawns);
  const Candidate* last = nullptr;
  for (const Move move : task.line) {
    if (state->side_to_move() == task.own) {
      for (Candidate& candidate : NodeOf(*state).candidates) {
        if (candidate.move != move) continue;
        scatter_.Count(candidate.tally, -1);
        candidate.tally.Add(value, finding.source);
        scatter_.Count(candidate.tally, 1);
        last = &candidate;
      }
    }
    state->Play(move);
  }
  if (last == nullptr) return;
  errors_.Add(value - Expected(*last), finding.source);
  course_.Add(value, finding.source);
}

void Repertoire::Judge(Node& node) {
  if (node.nodes > 0) --answers_;
  node.nodes = 0;
  node.choice = Move();
  for (Candidate& candidate : node.candidates) candidate.nodes = 0;
  bool searched = false;
  std::optional<int> best;
  for (const Found& found : node.searches) {
    if (found.distrusted) continue;
    searched = true;
    const bool may_answer = MayAnswer(node, found.move);
    if (!found.widened && found.nodes > node.nodes) {
      node.nodes = found.nodes;
      node.choice = may_answer ? found.move : Move();
    }
    if (!may_answer) {
      if (found.centipawns) best = std::max(best.value_or(-INT_MAX), *found.centipawns);
      continue;
    }
    auto at = std::find_if(node.candidates.begin(), node.candidates.end(),
                           [&](const Candidate& c) { return c.move == found.move; });
    if (at == node.candidates.end()) {
      at = node.candidates.insert(at, Candidate{.move = found.move});
    }
    if (found.nodes <= at->nodes) continue;
    at->nodes = found.nodes;
    at->centipawns = found.centipawns;
  }
  if (node.nodes > 0) ++answers_;
  for (const Candidate& candidate : node.candidates) {
    if (candidate.nodes == 0 || !candidate.centipawns) continue;
    best = std::max(best.value_or(-INT_MAX), *candidate.centipawns);
  }
  HearRecords(node, searched, best);
}

bool Repertoire::MayAnswer(const Node& node, Move move) const {
  if (!limits_.book_only) return true;
  const NodeId id = book_->FindPacked(node.packed);
  return id != kNoNode && book_->FindMove(id, move) != kNoEdge;
}

bool Repertoire::HasAnswers(const Node& node) const {
  if (node.nodes > 0) return true;
  if (answers_ >= limits_.most_answers) return false;
  return !limits_.book_only || book_->FindPacked(node.packed) != kNoNode;
}

void Repertoire::HearRecords(Node& node, bool searched, std::optional<int> best) const {
  const NodeId id = book_->FindPacked(node.packed);
  if (id == kNoNode) return;
  double sum = 0;
  double most = 0;
  for (const Graph::Edge& edge : book_->moves(id)) {
    sum += WeightOf(edge);
    most = std::max(most, WeightOf(edge));
  }
  if (sum == 0 && !limits_.book_only) return;
  for (Candidate& candidate : node.candidates) candidate.usual = false;
  if (!searched) return;  // as if the position had never been visited
  const double least = limits_.book_only ? 0 : limits_.usual * sum;
  for (const Graph::Edge& edge : book_->moves(id)) {
    if (WeightOf(edge) < least) continue;
    auto usual = std::find_if(node.candidates.begin(), node.candidates.end(),
                              [&](const Candidate& c) { return c.move == edge.move; });
    if (usual == node.candidates.end()) {
      usual = node.candidates.insert(usual, Candidate{.move = edge.move});
    }
    usual->usual = true;
    if (usual->nodes > 0) continue;
    usual->centipawns.reset();  // its score may come from a source that is no longer trusted
    if (best) usual->centipawns = *best - limits_.unsearched;
  }
  for (Candidate& candidate : node.candidates) {
    const EdgeId edge = book_->FindMove(id, candidate.move);
    const double played = edge == kNoEdge ? 0 : WeightOf(book_->edge(edge));
    candidate.rarity = limits_.rarity * std::log((most + 1) / (played + 1));
  }
}

void Repertoire::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  witnesses_.Distrust(distrusted);
  errors_.Distrust(distrusted);
  course_.Distrust(distrusted);
  scatter_ = {};
  for (auto& [key, node] : nodes_) {
    for (Found& found : node.searches) found.distrusted = distrusted(found.source);
    for (Candidate& candidate : node.candidates) {
      candidate.tally.Distrust(distrusted);
      scatter_.Count(candidate.tally, 1);
    }
    for (Replies& replies : node.replies) replies.Distrust(distrusted);
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
  if (best != nullptr && node.nodes > 0) return AnswerBy(node, *best, ErrorOf(node));
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
          .mean = candidate.tally.trials > 0 ? candidate.tally.sum / candidate.tally.trials : 0,
          .value = ValueOf(node, candidate, error)};
}

Repertoire::Answer Repertoire::AnswerAt(const Key& key) const {
  const auto at = nodes_.find(key);
  return at == nodes_.end() ? Answer{} : AnswerOf(key, at->second);
}

std::vector<Repertoire::Answer> Repertoire::CandidatesAt(const Key& key) const {
  std::vector<Answer> found;
  const auto at = nodes_.find(key);
  if (at == nodes_.end() || at->second.nodes == 0) return found;
  const double error = ErrorOf(at->second);
  for (const Candidate& candidate : at->second.candidates) {
    if (!candidate.counts() || !IsSupported(key, at->second, candidate)) continue;
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
