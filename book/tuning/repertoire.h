#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "book/tuning/candidate_support.h"
#include "book/tuning/candidate_values.h"
#include "book/tuning/line_task.h"
#include "book/tuning/record_opinion.h"
#include "book/tuning/repertoire_node.h"
#include "book/tuning/repertoire_rules.h"
#include "book/tuning/trial_course.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// The answers of both sides along the lines that are likely to be played, inside the book and
// beyond it (ours). Each line is walked for a random side, which plays one of the position's
// candidates. The opponent plays book moves, by weight or evenly, while there are any; in some
// lines it has no book. Without a book move it plays as the engine does, by samples of the engine's
// moves there.
//
// A search ends its line at the first position that needs it, which is one of these:
//   - a position without an answer;
//   - one whose answer rests on at most half of the nodes that the lines through it justify;
//   - one whose trials call for another candidate;
//   - a position of the opponent with too few samples.
// If no position needs a search, the answer with the largest lack is deepened (least_lack), or the
// replies with the fewest samples are sampled. Nodes thus go where games will go, and the tree
// grows by itself. Nodes in proportion to lines are optimal if each doubling of an answer's nodes
// has the same worth. The worth falls with the number of trials through the position
// (docs/reference/tuning.md).
//
// A trial follows the line until it leaves what is known, and then becomes a game. Evaluations err
// by more than searches reveal, in the same direction along a line, and a search picks the largest
// error. Results of trials are therefore weighed against the candidates' evaluations. The trials
// through a position estimate the error of its evaluations (docs/reference/tuning.md). Candidates
// are drawn by Thompson sampling (Thompson 1933); their number grows with the trials (progressive
// widening, Coulom 2007).
//
// Once two workers are trusted, no answer rests on the unverified scores of one. A candidate is
// supported if scores of two workers stand behind it, or of one that others vouch for (Witnesses).
// It is also supported if a second worker found one of its scores again. Lines try the others as
// well. RepertoireRules::trusting switches this off.
//
// The state is a function of the findings, in the order in which they were added. Not thread-safe.
class Repertoire {
 public:
  struct Answer {
    Move move;
    std::optional<int> centipawns;  // for the side that plays the move
    uint64_t nodes = 0;             // of the deepest search of the position; 0: no search
    bool chosen = false;            // by that search
    uint32_t lines = 0;             // number of lines through the position
    uint32_t trials = 0;            // with this move
    double mean = 0;                // mean score of its side in the trials
    double value = 0;               // expected score of its side, from evaluations and trials
  };

  // `rules` must outlive the repertoire; `start` as in Rules::Start. Base weights of `book` are the
  // frequencies of its players' moves. Fails with the problem of `start` if that is no position.
  static absl::StatusOr<Repertoire> Create(const Rules& rules, std::string start,
                                           std::shared_ptr<const Graph> book,
                                           const RepertoireRules& limits);

  // Shares nodes out from now on as suits a run of so many games' worth in all.
  void PlanFor(uint64_t games) { limits_.PlanFor(games); }

  // Whether lines end at the position, for this caller.
  using IsClosed = std::function<bool(const Key& position)>;
  // The next search or trial; in flight until Add or GiveBack. Nullopt if every line tried leads to
  // a task in flight. `closed` may be null: no position is closed.
  std::optional<LineTask> Next(bool trial, Rng& rng, const IsClosed& closed = nullptr);
  // Adds a finding, and returns the position where its line ends. `planned` is the task that Next
  // gave out; null if the task is from before a restart. InvalidArgument, without any change, if a
  // move is illegal.
  absl::StatusOr<Key> Add(const LineFinding& finding, const LineTask* planned);
  // Notes that the source of `again`, for the same task, found the same as `source` did before.
  void Confirm(const LineFinding& again, uint32_t source);
  // Cancels a task that Next gave out.
  void GiveBack(const LineTask& task);
  // Resumes a task from before a restart, as if Next had given it out.
  void Reopen(const LineTask& task);
  // Ignores findings of these sources; replaces the set of the previous call. Positions follow in
  // pieces, by Renew.
  void Distrust(std::function<bool(uint32_t source)> distrusted);
  // Judges some `most` further findings, position by position, by the sources that are trusted now;
  // true when all are judged.
  bool Renew(size_t most);
  bool renewed() const { return renewed_ == nodes_.size(); }

  // The best supported candidate at the position with this key; nodes are 0 if there is none.
  Answer AnswerAt(const Key& key) const;
  // The position's supported candidates, best first: the answer is the first. `nodes` are those of
  // the position's deepest search of all moves.
  std::vector<Answer> CandidatesAt(const Key& key) const;
  // Visits every position with an answer, in the order in which lines came to them first. `ply`
  // counts from 1.
  void ForEachAnswer(const std::function<void(const Key&, const PackedPosition&, int ply,
                                              const Answer&)>& visit) const;

  // The values of its candidates.
  const CandidateValues& values() const { return values_; }
  // The course of the trials that passed through an answer of ours.
  const TrialCourse& course() const { return course_; }

  size_t positions() const { return nodes_.size(); }
  size_t answers() const { return answers_; }
  uint64_t trials() const { return values_.trials(); }

 private:
  using Node = RepertoireNode;
  using Candidate = RepertoireNode::Candidate;
  class Walk;

  Repertoire(const Rules& rules, std::string start, std::shared_ptr<const Graph> book,
             const RepertoireRules& limits);

  // A position of a line.
  struct Place {
    Key key;
    Color to_move = Color::kFirst;
    // Set only for a position that had no node when the place was made.
    PackedPosition packed;
    uint16_t ply = 0;
  };
  // The positions of a line, its start and end included.
  using Path = std::vector<Place>;

  std::unique_ptr<GameState> Start() const;
  Place PlaceOf(const GameState& state) const;
  // Plays the line from `state` on. If the rules refuse a move, the path ends before it.
  Path Follow(std::span<const Move> line, GameState& state) const;
  // Adds the node if there is none. Nodes keep their addresses.
  Node& NodeOf(const Place& place);
  // Null if there is none.
  const Node* Find(const Key& key) const;

  // The best supported candidate; null if there is none.
  const Candidate* Best(const Node& node) const;
  Answer AnswerOf(const Node& node) const;
  Answer AnswerBy(const Node& node, const Candidate& candidate, double error) const;

  void AddTrial(const LineFinding& finding, const Path& path);
  void AddReplies(const LineFinding& finding, const Path& path);
  // Recomputes the node from its searches by trusted sources.
  void Judge(Node& node);
  // Recomputes all of the node by the sources that are trusted now.
  void Renew(Node& node, const std::function<bool(uint32_t source)>& distrusted);
  // Adds `by` to the counts of the task in flight, and to those of its line.
  void Open(const LineTask& task, int by);
  // Adds `by` to the line counts of the positions on the line.
  void CountLine(const LineTask& task, const Path& path, int by);

  const Rules* rules_;
  std::string start_;
  RepertoireRules limits_;
  RecordOpinion records_;
  std::deque<Node> nodes_;
  absl::flat_hash_map<Key, uint32_t, std::hash<Key>> places_;  // in nodes_
  // Nodes judged by the sources that are trusted now; all of them, except within a change of trust.
  size_t renewed_ = 0;
  std::function<bool(uint32_t source)> distrusted_;  // null: none
  size_t answers_ = 0;
  CandidateValues values_;
  CandidateSupport support_;
  TrialCourse course_;
};

}  // namespace joseki::book
