#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "book/tuning/trial_course.h"
#include "book/tuning/witnesses.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Expected result of a score: 1 / (1 + exp(-centipawns / scale)).
double ExpectedResult(int centipawns, double scale);

// Rules of a repertoire: where it spends its nodes, and which opponents it prepares for. Node
// counts are those of a search.
struct RepertoireRules {
  // Nodes of an answer's first search; n lines justify n times as many.
  uint64_t least_nodes = 2'000;
  double heard_trials = 12;          // k: after t trials the nodes are multiplied by k / (k + t)
  uint64_t most_nodes = 10'000'000;  // bound for any search
  // An answer is deepened only if its worth exceeds this part of its deepest search.
  double least_lack = 0.25;
  uint64_t reply_nodes = 400;       // an opponent's limit for each move
  uint32_t replies = 16;            // bound of the samples of an opponent's replies at one position
  uint32_t most_plies = 40;         // bound of a line's length
  size_t most_answers = 1'000'000;  // at this number, lines end at positions without an answer
  size_t most_positions = 2'000'000;  // of both sides; at this number, lines end before new ones
  // Whether an answer may rest on the unverified scores of one of several workers.
  bool trusting = false;

  // Probabilities of the opponent of a line; with the remaining probability it has no book.
  double by_weight = 0.4;  // plays the book's moves by weight
  double evenly = 0.2;     // plays the book's moves with equal probability

  // Weights of trials against evaluations.
  double scale = 800;         // as in ExpectedResult
  double spread = 0.12;       // initial standard deviation of trials around their candidate's mean
  double spread_trials = 64;  // number of trials that `spread` counts for
  double evaluation_trials = 5;  // number of trials that an evaluation counts for
  // Number of trials that shrink a position's evaluation error towards the common one.
  double error_trials = 4;
  uint32_t widening = 16;      // w: a candidate is added after w, 3 w, 7 w, ... trials
  uint64_t widening_part = 8;  // the search for it has the position's nodes divided by this
  uint32_t candidates = 6;     // bound of the candidates of one position
  // A move that its position's deepest search did not choose loses up to `unchosen` of expected
  // score: nothing where that search had `least_nodes`, all of it from 16 times as many on.
  double unchosen = 0.12;

  // Use of the game records. A move loses `rarity` of expected score for each factor of e by which
  // it is rarer than the most frequent move. The deduction holds whatever trials say: they see only
  // what the engine sees at its limit. Moves with at least `usual` of a position's weight become
  // candidates without a search, `unsearched` centipawns below the best.
  bool book_only = false;  // all book moves, and no others, are candidates in this way
  double rarity = 0.01;
  double usual = 0.125;
  int unsearched = 20;
};

enum class TaskKind : uint8_t {
  kAnswer = 0,  // search for our side's move
  kReply = 1,   // sample of an opponent's own move
  kTrial = 2,   // a game of the engine against itself from there
};
inline constexpr size_t kTaskKinds = 3;

// Work at the end of `line`, which begins at the repertoire's start.
//
// An opponent has searched since ply `searched_from` (0-based) in each of its positions, and
// remembers what it saw. A reply therefore takes a search of all of these in turn, each with its
// limit. If the opponent leaves the line on the way, that move is the reply.
struct LineTask {
  std::vector<Move> line;
  TaskKind kind = TaskKind::kAnswer;
  uint64_t nodes = 0;          // of all searches together; ignored for a trial
  uint32_t searched_from = 0;  // for a reply
  std::vector<Move> excluded;  // for an answer: the candidates known so far
  Color own = Color::kFirst;   // for a trial: our side
  bool operator==(const LineTask&) const = default;
};

struct LineFinding {
  LineTask task;                  // the task, with the line as far as it was followed
  Move best;                      // unused for a trial
  std::optional<int> centipawns;  // for the side to move; nullopt: the engine gave none
  uint32_t source = 0;            // the owner's number of who found it
  uint32_t worker = 0;            // the owner's number of the source's worker
};

// The answers of both sides along the lines that are likely to be played, inside the book and
// beyond it (ours). Each line is walked for a random side, which plays one of the position's
// candidates. The opponent plays book moves, by weight or evenly, while there are any; in some
// lines it has no book. Without a book move it plays as the engine does, by samples of the engine's
// moves there.
//
// A search ends its line at the first position that needs it. This is a position without an answer;
// one whose answer rests on at most half of the nodes that the lines through it justify; one whose
// trials call for another candidate; or an opponent's with too few samples. If no position needs a
// search, the answer with the largest lack is deepened (least_lack), or the replies with the fewest
// samples are sampled. Nodes thus go where games will go, and the tree grows by itself. Nodes in
// proportion to lines are optimal if each doubling of an answer's nodes has the same worth. The
// worth falls with the number of trials through the position (docs/reference/tuning.md).
//
// A trial follows the line until it leaves what is known, and then becomes a game. Evaluations err
// by more than searches reveal, in the same direction along a line, and a search picks the largest
// error. Results of trials are therefore weighed against the candidates' evaluations. The trials
// through a position estimate the error of its evaluations (docs/reference/tuning.md). Candidates
// are drawn by Thompson sampling (Thompson 1933); their number grows with the trials (progressive
// widening, Coulom 2007).
//
// Once two workers are trusted, no answer rests on the unverified scores of one. A candidate is
// supported if scores of two workers stand behind it, or of one that others vouch for
// (Witnesses), or if a second worker found one of its scores again. Lines try the others as well.
// RepertoireRules::trusting switches this off.
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

  // Whether lines end at the position, for this caller.
  using IsClosed = std::function<bool(const Key& position)>;
  // The next search or trial; in flight until Add or GiveBack. Nullopt if every line tried leads to
  // a task in flight. `closed` may be null: no position is closed.
  std::optional<LineTask> Next(bool trial, Rng& rng, const IsClosed& closed = nullptr);
  // Adds a finding. `planned` is the task that Next gave out; null if the task is from before a
  // restart. InvalidArgument, without any change, if a move is illegal.
  absl::Status Add(const LineFinding& finding, const LineTask* planned);
  // Notes that the source of `again`, for the same task, found the same as `source` did before.
  void Confirm(const LineFinding& again, uint32_t source);
  // Cancels a task that Next gave out.
  void GiveBack(const LineTask& task);
  // Resumes a task from before a restart, as if Next had given it out.
  void Reopen(const LineTask& task);
  // Ignores findings of these sources; replaces the set of the previous call.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  // The best supported candidate at the position with this key; nodes are 0 if there is none.
  Answer AnswerAt(const Key& key) const;
  // The position's supported candidates, best first: the answer is the first. `nodes` are those of
  // the position's deepest search of all moves.
  std::vector<Answer> CandidatesAt(const Key& key) const;
  // Visits every position with an answer, in no particular order. `ply` counts from 1.
  void ForEachAnswer(const std::function<void(const Key&, const PackedPosition&, int ply,
                                              const Answer&)>& visit) const;

  // The score to which trials convert an evaluation in centipawns.
  double Expected(int centipawns) const;
  // Standard deviation of a trial's score around its candidate's mean.
  double Spread() const;
  // The course of the trials that passed through an answer of ours.
  const TrialCourse& course() const { return course_; }

  size_t positions() const { return nodes_.size(); }
  size_t answers() const { return answers_; }
  uint64_t trials() const { return static_cast<uint64_t>(errors_.trials); }

 private:
  struct Found {
    Move move;
    std::optional<int> centipawns;
    uint64_t nodes = 0;
    uint32_t source = 0;
    bool widened = false;  // the search excluded other candidates
    bool distrusted = false;
  };
  // An opponent's move and the source that saw it.
  struct Reply {
    Move move;
    uint32_t source = 0;
    uint32_t times = 0;
  };
  struct Tried {
    uint32_t source = 0;
    double trials = 0;
    double sum = 0;
    double squares = 0;
  };
  // Trials by source, and the sums over trusted sources.
  struct Tally {
    double trials = 0;
    double sum = 0;
    double squares = 0;
    std::vector<Tried> by_source;

    void Add(double value, uint32_t source);
    void Distrust(const std::function<bool(uint32_t source)>& distrusted);
  };
  // Spread of trials around the means of their candidates, over all candidates.
  struct Scatter {
    double squares = 0;
    double freedom = 0;  // degrees of freedom

    // Adds the tally for `sign` 1, removes it for -1.
    void Count(const Tally& tally, int sign);
  };
  struct Candidate {
    Move move;
    std::optional<int> centipawns;
    uint64_t nodes = 0;  // 0: no trusted source has found it
    bool usual = false;  // one of the book's usual moves
    double rarity = 0;   // deduction from its score for being rarely played
    Tally tally;         // of our side's scores

    bool counts() const { return nodes > 0 || usual; }
  };
  // A move and the number of its trusted samples.
  struct ReplyCount {
    Move move;
    uint32_t times = 0;
  };
  // The opponent's own moves at a position. A source that returns late has another entry in `all`.
  struct Replies {
    uint32_t in_flight = 0;
    uint32_t trusted = 0;  // samples, summed over `moves`
    std::vector<ReplyCount> moves;
    std::vector<Reply> all;

    void Add(Move move, uint32_t source);
    void Distrust(const std::function<bool(uint32_t source)>& distrusted);

   private:
    void Count(Move move, uint32_t times);
  };
  struct Node {
    PackedPosition packed;
    uint16_t ply = 1;
    uint32_t lines = 0;   // lines with our side to move here
    uint32_t passed = 0;  // lines with the opponent to move here
    uint32_t in_flight = 0;
    uint64_t nodes = 0;  // of the deepest trusted search of all moves
    Move choice;         // of that search
    std::vector<Found> searches;
    std::vector<Candidate> candidates;
    // Replies of opponents that never had a book, and of those that have left one. The two remember
    // different searches, so their replies differ.
    std::array<Replies, 2> replies;
  };
  // A score of the move, and who found it again.
  struct Confirmation {
    Move move;
    uint32_t source = 0;
    uint32_t again = 0;
  };
  class Walk;

  Repertoire(const Rules& rules, std::string start, std::shared_ptr<const Graph> book,
             const RepertoireRules& limits);

  Node& NodeOf(const GameState& state);
  // Whether the position is known, or may become so.
  bool HasRoomFor(const GameState& state) const;
  static double TrialsAt(const Node& node);
  uint64_t Worth(const Node& node) const;
  uint32_t WantedSamples(const Node& node) const;
  uint32_t WantedCandidates(const Node& node) const;
  static Replies& RepliesOf(Node& node, uint32_t searched_from);
  static std::optional<Move> SampledReply(const Replies& replies, Rng& rng);
  std::optional<Move> BookMove(const Key& key, bool evenly, Rng& rng) const;

  double Expected(const Candidate& candidate) const;
  // Estimated excess of trials at the node over its evaluations.
  double ErrorOf(const Node& node) const;
  double ValueOf(const Node& node, const Candidate& candidate, double error) const;
  // Deduction from the value of a candidate that the deepest search did not choose.
  double Unchosen(const Node& node, const Candidate& candidate) const;
  bool IsSupported(const Key& key, const Node& node, const Candidate& candidate) const;
  // The best supported candidate; null if there is none.
  const Candidate* Best(const Key& key, const Node& node) const;
  const Candidate* Sampled(const Node& node, Rng& rng) const;
  Answer AnswerOf(const Key& key, const Node& node) const;
  Answer AnswerBy(const Node& node, const Candidate& candidate, double error) const;

  void AddTrial(const LineFinding& finding);
  void AddReplies(const LineFinding& finding);
  // Recomputes the node from its searches by trusted sources.
  void Judge(Node& node);
  // Whether our side may answer the position at all, and whether by this move.
  bool HasAnswers(const Node& node) const;
  bool MayAnswer(const Node& node, Move move) const;
  // Makes the book's usual moves candidates, and applies what the records say to all of them.
  // `searched`: whether a trusted search was here; `best`: score of the best move by searches.
  void HearRecords(Node& node, bool searched, std::optional<int> best) const;
  // The node at the end of the line; null if the rules refuse the line.
  Node* End(const std::vector<Move>& line);
  // Counter of tasks of this kind in flight at the node; null if they are not counted.
  static uint32_t* InFlight(Node& node, const LineTask& task);
  // Adds `by` to the line counts of the positions on the line.
  void CountLine(const LineTask& task, int by);
  std::unique_ptr<GameState> Start() const;

  const Rules* rules_;
  std::string start_;
  std::shared_ptr<const Graph> book_;
  RepertoireRules limits_;
  absl::flat_hash_map<Key, Node, std::hash<Key>> nodes_;
  size_t answers_ = 0;
  Tally errors_;  // of trials: their score minus the last evaluation on their line
  Scatter scatter_;
  TrialCourse course_;
  Witnesses witnesses_;
  // Few searches are made again, so few positions have any.
  absl::flat_hash_map<Key, std::vector<Confirmation>, std::hash<Key>> confirmations_;
};

}  // namespace joseki::book
