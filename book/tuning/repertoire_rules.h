#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace joseki::book {

// Rules of a repertoire: where it spends its nodes, and which opponents it prepares for. Node
// counts are those of a search.
struct RepertoireRules {
  // Nodes of an answer's first search; n lines justify n times as many.
  uint64_t least_nodes = 2'000;
  double heard_trials = 12;          // k: after t trials the nodes are multiplied by k / (k + t)
  uint64_t most_nodes = 10'000'000;  // bound for any search
  // An answer's search has up to this percentage more nodes, by chance. Equal searches of one
  // position would give all repertoires the same answer.
  uint32_t jitter_percent = 0;
  // An answer is deepened only if its worth exceeds this part of its deepest search.
  double least_lack = 0.25;
  uint64_t reply_nodes = 400;  // an opponent's limit for each move
  // Part of the searched lines in which the opponent is patient: it has `patience` times the nodes
  // for each move, though at most `most_nodes`. Our answers there are worth at least
  // `patient_answers` times `least_nodes`: the opponent, and our side after the book, remember
  // their earlier searches, so a search that begins with nothing needs more. The run's first lines
  // have no patient opponent: with few lines patience costs more than it brings.
  double patient = 0.2;
  uint64_t patience = 10;
  uint64_t patient_answers = 25;
  uint32_t impatient_lines = 30'000;
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
  double scale = 800;         // as in ExpectedResult (candidate_values.h)
  double spread = 0.12;       // initial standard deviation of trials around their candidate's mean
  double spread_trials = 64;  // number of trials that `spread` counts for
  double evaluation_trials = 5;  // number of trials that an evaluation counts for
  // Number of trials that shrink a position's evaluation error towards the common one.
  double error_trials = 4;
  uint32_t widening = 16;      // w: a candidate is added after w, 3 w, 7 w, ... trials
  uint64_t widening_part = 8;  // the search for it has the position's nodes divided by this
  uint32_t candidates = 6;     // bound of the candidates of one position
  // A move that its position's deepest search did not choose loses up to `unchosen` of expected
  // score. It loses nothing if that search had `least_nodes`, and all of it from 16 times as many
  // on.
  double unchosen = 0.12;

  // Use of the game records. A move loses `rarity` of expected score for each factor of e by which
  // it is rarer than the most frequent move. The deduction holds whatever trials say: they see only
  // what the engine sees at its limit. Moves with at least `usual` of a position's weight become
  // candidates without a search, `unsearched` centipawns below the best.
  bool book_only = false;  // all book moves, and no others, are candidates in this way
  double rarity = 0.01;
  double usual = 0.125;
  int unsearched = 20;

  // Sets k for a run of so many games' worth in all. With more nodes it pays to search answers
  // deeper where trials speak (docs/laboratory/tuning.md).
  void PlanFor(uint64_t games) {
    constexpr uint64_t kFew = 5'000;
    constexpr uint64_t kMany = 20'000;
    constexpr double kTrialsOfFew = 12;
    constexpr double kTrialsOfMany = 60;
    const double part = static_cast<double>(std::clamp(games, kFew, kMany) - kFew) / (kMany - kFew);
    heard_trials = kTrialsOfFew + part * (kTrialsOfMany - kTrialsOfFew);
  }

  // Sets the rules for a book that is played at its run's limit alone. Trials then replace the
  // choice of deep searches sooner, and answers with trials are deepened less
  // (docs/laboratory/tuning.md).
  void TuneForOwnLimit() {
    unchosen = 0.04;
    heard_trials = 4;
  }
};

}  // namespace joseki::book
