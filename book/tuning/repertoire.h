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
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Where a repertoire spends its nodes, and whom it prepares for. Nodes are those of one search.
struct RepertoireRules {
  uint64_t least_nodes = 2'000;  // of the first search for an answer; n lines are worth n times,
  double heard_trials = 12;      // k, but where t trials say more only k / (k + t) of that
  uint64_t most_nodes = 10'000'000;  // of any search
  double least_lack = 0.25;          // a position that is worth no more than this part of its
                                     // deepest search is searched no deeper
  uint64_t reply_nodes = 400;        // an opponent's limit for a move
  uint32_t replies = 16;             // most samples of what it plays at one position
  uint32_t most_plies = 40;          // no line is longer
  size_t most_answers = 1'000'000;   // with so many, lines end at positions without one

  // Chances of a line's opponent; with what is left it has no book.
  double by_weight = 0.4;  // plays the book's moves as they are weighed
  double evenly = 0.2;     // plays all of them equally often

  // How trials are weighed against evaluations.
  double scale = 800;            // expected score 1 / (1 + exp(-centipawns / scale))
  double spread = 0.12;          // sd of trials around their candidate's mean, before there are any
  double spread_trials = 64;     // this counts as so many of them
  double evaluation_trials = 5;  // an evaluation counts as so many
  double error_trials = 4;       // the error of a position's evaluations is drawn to that of all by
                                 // so many
  uint32_t widening = 16;        // w, 3 w, 7 w, ... trials give one candidate more
  uint64_t widening_part = 8;    // which is searched with this part of the position's nodes
  uint32_t candidates = 6;       // most of one position

  // What the records say. A move is thought to be worth less by `rarity` of a score for every
  // factor of e by which it was played less often than the book's most frequent one, whatever
  // trials say: they see what the engine sees at their limit, and records what it does not. Moves
  // with at least `usual` of a position's weight are candidates without a search, thought
  // `unsearched` centipawns below the best.
  bool book_only = false;  // all of the book's moves are candidates so, and nothing else is
  double rarity = 0.01;
  double usual = 0.125;
  int unsearched = 20;
};

enum class TaskKind : uint8_t {
  kAnswer = 0,  // what our side plays there
  kReply = 1,   // what an opponent plays there by itself
  kTrial = 2,   // how the engine fares from there against itself
};
inline constexpr size_t kTaskKinds = 3;

// Work at the end of `line`, moves from the repertoire's start. An opponent has searched by itself
// from ply `searched_from` (counted from 0) in the positions in which it was to move, and remembers
// what it saw: a reply is asked for by searching all of these in turn, each with its limit. Where
// it chooses something else on the way, that is the reply.
struct LineTask {
  std::vector<Move> line;
  TaskKind kind = TaskKind::kAnswer;
  uint64_t nodes = 0;          // of all the searches; of a trial the owner's affair
  uint32_t searched_from = 0;  // of a reply
  std::vector<Move> excluded;  // of an answer: the candidates that there are
  Color own = Color::kFirst;   // of a trial: our side
  bool operator==(const LineTask&) const = default;
};

struct LineFinding {
  LineTask task;                  // the line as far as it was followed
  Move best;                      // of a trial: nothing
  std::optional<int> centipawns;  // for the side to move; nullopt: the engine gave none
  uint32_t source = 0;            // whoever made it, by a number of the owner's
};

// The answers of both sides along the lines that are likely to be played, in the book and beyond it
// (ours). A line has a side of its own by chance; there it plays one of the position's candidates.
// The other side plays book moves, as they are weighed or evenly, while there are any, or has no
// book; from there on it plays as the engine does, by samples of what it played there.
//
// A search ends its line at the first position that is worth it: one without an answer, one whose
// answer rests on no more than half of the nodes that the lines through it are worth, one whose
// trials call for another candidate, or an opponent's with too few samples; where there is none it
// deepens the answer that lacks most (least_lack), or samples the replies that were seen least. So
// the nodes go where games will go, and the tree grows by itself. Nodes in proportion to the lines
// that come by are the best division where each doubling of an answer's nodes is worth the same; it
// is worth less the more trials have said of the position (docs/reference/tuning.md).
//
// A trial goes on along the line until it leaves what is known, and then is a game. Evaluations err
// by more than searches tell, the same way along a line, and a search chooses the largest error:
// what trials bring is weighed against the evaluations of the candidates on their way, whose error
// at a position is what trials through it say (docs/reference/tuning.md). Candidates are drawn by
// Thompson sampling (Thompson 1933), and grow in number with the trials (progressive widening,
// Coulom 2007).
//
// What it holds is a function of the findings, in the order in which they were added. Not
// thread-safe.
class Repertoire {
 public:
  struct Answer {
    Move move;
    std::optional<int> centipawns;  // for the side that plays it
    uint64_t nodes = 0;             // of the deepest search of the position; 0: there is none
    uint32_t lines = 0;             // that came here
    uint32_t trials = 0;            // with this move
    double mean = 0;                // expected score of its side in them
    double value = 0;               // expected score of its side, by evaluations and trials
  };

  // `rules` outlive the repertoire; `start` as Rules::Start takes it. `book`: base weights are how
  // its players play. Problem of `start`, if it is no position.
  static absl::StatusOr<Repertoire> Create(const Rules& rules, std::string start,
                                           std::shared_ptr<const Graph> book,
                                           const RepertoireRules& limits);

  // Whether lines end at the position, for the one who asks.
  using IsClosed = std::function<bool(const Key& position)>;
  // The next search, or trial; it is in flight until Add or GiveBack. Nullopt where every line that
  // was tried leads to one that is in flight already. `closed`: null where none is.
  std::optional<LineTask> Next(bool trial, Rng& rng, const IsClosed& closed = nullptr);
  // What came of `planned`, a task that Next gave out, or of one of an earlier life (null).
  // InvalidArgument, and nothing is changed, if a move is illegal where it is played.
  absl::Status Add(const LineFinding& finding, const LineTask* planned);
  // A task that Next gave out will bring nothing.
  void GiveBack(const LineTask& task);
  // After a restart: a task of an earlier life goes on, as if Next had given it out.
  void Reopen(const LineTask& task);
  // What only these sources say is forgotten, until another call trusts them again.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);

  // Of the position with this key; nodes are 0 where no search for an answer was.
  Answer AnswerAt(const Key& key) const;
  // What was found there, best first: the answer, and the moves that it was chosen from. Nodes are
  // those of the position's deepest search of all moves.
  std::vector<Answer> CandidatesAt(const Key& key) const;
  // Every position with an answer, in no order. `ply` counts from 1.
  void ForEachAnswer(const std::function<void(const Key&, const PackedPosition&, int ply,
                                              const Answer&)>& visit) const;

  // The expected score that trials take these centipawns for.
  double Expected(int centipawns) const;
  // Standard deviation of a trial's expected score around that of its candidate.
  double Spread() const;
  // Of the trials that came through an answer of ours.
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
    bool widened = false;  // other candidates were excluded
    bool distrusted = false;
  };
  // What was seen, by whom.
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
  // Trials by source, and the sums of those who are trusted.
  struct Tally {
    double trials = 0;
    double sum = 0;
    double squares = 0;
    std::vector<Tried> by_source;

    void Add(double value, uint32_t source);
    void Distrust(const std::function<bool(uint32_t source)>& distrusted);
  };
  // Of trials around the mean of their candidate, over all candidates.
  struct Scatter {
    double squares = 0;
    double freedom = 0;  // degrees of it

    // `sign`: 1, or -1 to take the tally out again.
    void Count(const Tally& tally, int sign);
  };
  struct Candidate {
    Move move;
    std::optional<int> centipawns;
    uint64_t nodes = 0;  // 0: nobody who is trusted has found it
    bool usual = false;  // of the book
    double rarity = 0;   // what its score is thought to lack for being played less
    Tally tally;         // of our side's expected scores

    bool counts() const { return nodes > 0 || usual; }
  };
  // A move and its trusted samples.
  struct ReplyCount {
    Move move;
    uint32_t times = 0;
  };
  // The moves that opponents play at a position by themselves. A source that comes again late has a
  // further entry in `all`.
  struct Replies {
    uint32_t in_flight = 0;
    uint32_t trusted = 0;  // samples, over all `moves`
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
    uint32_t lines = 0;   // in which our side was to move here
    uint32_t passed = 0;  // in which the opponent was
    uint32_t in_flight = 0;
    uint64_t nodes = 0;  // of the deepest trusted search of all moves
    std::vector<Found> searches;
    std::vector<Candidate> candidates;
    // By how the opponent came here: without a book, or with one that it has left. What it
    // remembers of its searches differs, and its replies with it.
    std::array<Replies, 2> replies;
  };
  class Walk;

  Repertoire(const Rules& rules, std::string start, std::shared_ptr<const Graph> book,
             const RepertoireRules& limits);

  Node& NodeOf(const GameState& state);
  static double TrialsAt(const Node& node);
  uint64_t Worth(const Node& node) const;
  uint32_t WantedSamples(const Node& node) const;
  uint32_t WantedCandidates(const Node& node) const;
  static Replies& RepliesOf(Node& node, uint32_t searched_from);
  static std::optional<Move> SampledReply(const Replies& replies, Rng& rng);
  std::optional<Move> BookMove(const Key& key, bool evenly, Rng& rng) const;

  double Expected(const Candidate& candidate) const;
  // How far trials at the node lie above its evaluations.
  double ErrorOf(const Node& node) const;
  double ValueOf(const Candidate& candidate, double error) const;
  // Null where nobody who is trusted has found one.
  const Candidate* Best(const Node& node) const;
  const Candidate* Sampled(const Node& node, Rng& rng) const;
  Answer AnswerOf(const Node& node) const;
  Answer AnswerBy(const Node& node, const Candidate& candidate, double error) const;

  void AddTrial(const LineFinding& finding);
  void AddReplies(const LineFinding& finding);
  // What the node's searches say, by who is trusted.
  void Judge(Node& node);
  // Whether our side may answer the position at all, and by this move.
  bool HasAnswers(const Node& node) const;
  bool MayAnswer(const Node& node, Move move) const;
  // The book's usual moves become candidates, and all have what the records say of them.
  // `searched`: whether a trusted search was here; `best`: what the best move is worth to searches.
  void HearRecords(Node& node, bool searched, std::optional<int> best) const;
  // The node at the end of the line; null if the rules refuse it.
  Node* End(const std::vector<Move>& line);
  // How many tasks of this kind are in flight at the node; null: they are not counted.
  static uint32_t* InFlight(Node& node, const LineTask& task);
  // `by` is added to the lines of the positions on the way.
  void CountLine(const LineTask& task, int by);
  std::unique_ptr<GameState> Start() const;

  const Rules* rules_;
  std::string start_;
  std::shared_ptr<const Graph> book_;
  RepertoireRules limits_;
  absl::flat_hash_map<Key, Node, std::hash<Key>> nodes_;
  size_t answers_ = 0;
  Tally errors_;  // of trials: what came less what the last evaluation on their way said
  Scatter scatter_;
  TrialCourse course_;
};

}  // namespace joseki::book
