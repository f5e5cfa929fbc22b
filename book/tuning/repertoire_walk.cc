// Lines of a repertoire, up to what is to be searched or tried there.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "book/tuning/repertoire.h"

namespace joseki::book {

// Walks one line until it finds a task.
class Repertoire::Walk {
 public:
  Walk(Repertoire& owner, bool trial, Rng& rng, const IsClosed& closed)
      : owner_(owner), trial_(trial), rng_(rng), closed_(closed), state_(owner.Start()) {
    task_.own = rng.Below(2) == 0 ? Color::kFirst : Color::kSecond;
    const double opponent = rng.Unit();
    patient_ = !trial && HasPatientOpponents() && rng.Unit() < owner.limits_.patient;
    evenly_ = opponent >= owner.limits_.by_weight;
    has_book_ = opponent < owner.limits_.by_weight + owner.limits_.evenly;
  }

  // Nullopt if the line leads to nothing that can be done now.
  std::optional<LineTask> Take() {
    while (task_.line.size() < owner_.limits_.most_plies && !state_->ending() &&
           seen_.insert(state_->key()).second) {
      if (closed_ && closed_(state_->key())) {
        // A trial would begin with the search that fails.
        if (trial_) return std::nullopt;
        break;
      }
      Node& node = owner_.NodeOf(owner_.PlaceOf(*state_));
      const bool ours = state_->side_to_move() == task_.own;
      if (ours) forbidden_ = owner_.records_.ForbiddenAt(node.packed);
      if (ours && !HasAnswers(node)) break;
      if (!ours) MeetOpponent();
      if (!trial_ && (ours ? IsDue(node) : IsUnknown(node))) return task_;
      const std::optional<Move> move = ours ? OurMove(node) : TheirMove(node);
      // A search of this unknown position is in flight; the line cannot go on without its result.
      if (!move && !trial_) return std::nullopt;
      if (!move) break;
      if (!state_->Play(*move)) return std::nullopt;
      if (!HasRoom()) break;
      task_.line.push_back(*move);
    }
    if (trial_) return Trial();
    if (lacking_ != nullptr) {
      task_.line.resize(lacking_plies_);
      Deepen(*lacking_);
      return task_;
    }
    // The line ends in a reply, so no answer can be deepened: other replies lead to other lines.
    if (!unsure_plies_) return std::nullopt;
    task_.line.resize(*unsure_plies_);
    Sample();
    return task_;
  }

 private:
  bool HasPatientOpponents() const {
    const Node& start = owner_.NodeOf(owner_.PlaceOf(*state_));
    return start.lines + start.passed >= owner_.limits_.impatient_lines;
  }

  // Whether the position is known, or may become so.
  bool HasRoom() const {
    return owner_.nodes_.size() < owner_.limits_.most_positions ||
           owner_.Find(state_->key()) != nullptr;
  }

  // Whether our side may answer the position at all.
  bool HasAnswers(const Node& node) const {
    if (node.nodes > 0) return true;
    if (owner_.answers_ >= owner_.limits_.most_answers) return false;
    return owner_.records_.MayAnswer(node.packed) && !IsExhausted(0);
  }

  // Whether so many candidates are all that our side may play here.
  bool IsExhausted(size_t candidates) const {
    if (candidates == 0 && forbidden_.empty()) return false;
    return candidates + forbidden_.size() >= state_->LegalMoves().size();
  }

  std::optional<LineTask> Trial() {
    if (state_->ending() || task_.line.empty()) return std::nullopt;
    task_.kind = TaskKind::kTrial;
    return task_;
  }

  // Returns whether an answer is due for a search here; if so, makes the task.
  bool IsDue(Node& node) {
    if (node.in_flight > 0) return false;
    if (2 * node.nodes <= WorthOf(node)) {
      Deepen(node);
      return true;
    }
    if (const size_t known = node.CountingCandidates();
        !owner_.limits_.book_only && known < node.WantedCandidates(owner_.limits_) &&
        !IsExhausted(known)) {
      task_.excluded = forbidden_;
      for (const Candidate& candidate : node.candidates) {
        if (candidate.counts()) task_.excluded.push_back(candidate.move);
      }
      task_.nodes = std::max(owner_.limits_.least_nodes, node.nodes / owner_.limits_.widening_part);
      return true;
    }
    const double lack = static_cast<double>(WorthOf(node)) / static_cast<double>(node.nodes);
    if (lack > std::max(lack_, owner_.limits_.least_lack) &&
        2 * node.nodes <= owner_.limits_.most_nodes) {
      lacking_ = &node;
      lack_ = lack;
      lacking_plies_ = task_.line.size();
    }
    return false;
  }

  // Searches with up to twice the nodes that the position is worth now, so that the answer lasts
  // for some time; and with a few more by chance (jitter_percent). Were they fewer, the next search
  // could have as many as the last one.
  void Deepen(const Node& node) {
    const RepertoireRules& limits = owner_.limits_;
    const uint64_t most = std::max(2 * WorthOf(node), 2 * node.nodes);
    const bool once = node.nodes == 0 && node.lines < 2 && !patient_;
    task_.excluded = owner_.records_.ForbiddenAt(node.packed);
    task_.nodes = limits.least_nodes;
    while (!once && 2 * task_.nodes <= std::min(most, limits.most_nodes)) task_.nodes *= 2;
    if (limits.jitter_percent == 0) return;
    // A user may ask for a first search beyond the bound.
    const uint64_t room = limits.most_nodes - std::min(limits.most_nodes, task_.nodes);
    task_.nodes += rng_.Below(std::min(task_.nodes * limits.jitter_percent / 100, room) + 1);
  }

  // Asks the opponent's book here; once it has no move, the opponent plays on its own.
  void MeetOpponent() {
    book_move_.reset();
    if (has_book_ && !searched_from_) {
      book_move_ = owner_.records_.BookMove(state_->key(), evenly_, rng_);
    }
    if (!book_move_ && !searched_from_) searched_from_ = static_cast<uint32_t>(task_.line.size());
  }

  // Returns whether too few of the opponent's replies are known here; if so, makes the task.
  bool IsUnknown(Node& node) {
    if (book_move_) return false;
    const Node::Replies& replies = RepliesAt(node);
    const uint32_t samples = replies.trusted + replies.in_flight;
    if (samples >= node.WantedSamples(owner_.limits_, patient_)) {
      if (samples < std::min(owner_.limits_.replies, least_samples_)) {
        least_samples_ = samples;
        unsure_plies_ = task_.line.size();
      }
      return false;
    }
    Sample();
    return true;
  }

  // Makes the task of a reply at the end of the line.
  void Sample() {
    task_.kind = TaskKind::kReply;
    task_.searched_from = *searched_from_;
    task_.nodes = ReplyNodes();
  }

  std::optional<Move> OurMove(const Node& node) {
    const Candidate* const candidate = owner_.values_.Sample(node, rng_);
    if (candidate == nullptr) return std::nullopt;
    return candidate->move;
  }

  std::optional<Move> TheirMove(Node& node) {
    if (book_move_) return book_move_;
    return RepliesAt(node).Sample(rng_);
  }

  uint64_t WorthOf(const Node& node) const { return node.Worth(owner_.limits_, patient_); }

  // The opponent's limit for each move.
  uint64_t ReplyNodes() const {
    const RepertoireRules& limits = owner_.limits_;
    if (!patient_) return limits.reply_nodes;
    return std::max(limits.reply_nodes,
                    std::min(limits.patience * limits.reply_nodes, limits.most_nodes));
  }

  Node::Replies& RepliesAt(Node& node) const {
    return node.RepliesSince(*searched_from_, ReplyNodes());
  }

  Repertoire& owner_;
  bool trial_;
  Rng& rng_;
  const IsClosed& closed_;
  std::unique_ptr<GameState> state_;
  LineTask task_;
  bool has_book_ = false;
  bool evenly_ = false;
  bool patient_ = false;
  std::vector<Move> forbidden_;    // at our side's last position
  std::optional<Move> book_move_;  // of the opponent, at the current position
  std::optional<uint32_t> searched_from_;
  absl::flat_hash_set<Key, std::hash<Key>> seen_;
  // The answer on the line with the largest lack.
  const Node* lacking_ = nullptr;
  double lack_ = 0;
  size_t lacking_plies_ = 0;
  // Length of the line to the opponent's position with the fewest known replies.
  std::optional<size_t> unsure_plies_;
  uint32_t least_samples_ = UINT32_MAX;
};

std::optional<LineTask> Repertoire::Next(bool trial, Rng& rng, const IsClosed& closed) {
  constexpr int kTries = 64;
  for (int i = 0; i < kTries; ++i) {
    std::optional<LineTask> task = Walk(*this, trial, rng, closed).Take();
    if (!task) continue;
    Reopen(*task);
    return task;
  }
  return std::nullopt;
}

}  // namespace joseki::book
