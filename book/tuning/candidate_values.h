#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/rng.h"
#include "book/tuning/repertoire_node.h"
#include "book/tuning/repertoire_rules.h"

namespace joseki::book {

// Expected result of a score: 1 / (1 + exp(-centipawns / scale)).
double ExpectedResult(int centipawns, double scale);

// Values of a repertoire's candidates: expected scores of our side from evaluations and trials
// (docs/reference/tuning.md). Holds what all positions share: the common error of evaluations and
// the spread of trials. Not thread-safe.
class CandidateValues {
 public:
  explicit CandidateValues(const RepertoireRules& rules) : rules_(rules) {}

  // Adds a trial's score to a candidate of its line.
  void Add(RepertoireNode::Candidate& candidate, double score, uint32_t source);
  // Adds a trial's score to the errors of evaluations; `last` is the last candidate of its line.
  // No error without a trusted evaluation.
  void AddError(const RepertoireNode::Candidate& last, double score, uint32_t source);
  // Ignores trials and evaluations of these sources; replaces the set of the previous call. To be
  // followed by the other Distrust for every candidate.
  void Distrust(const std::function<bool(uint32_t source)>& distrusted);
  void Distrust(RepertoireNode::Candidate& candidate,
                const std::function<bool(uint32_t source)>& distrusted);

  // The score to which trials convert an evaluation in centipawns.
  double Expected(int centipawns) const;
  // Standard deviation of a trial's score around its candidate's mean.
  double Spread() const;
  // Number of trials with an error.
  uint64_t trials() const { return errors_.trials; }

  // Estimated excess of trials at the node over its evaluations.
  double ErrorAt(const RepertoireNode& node) const;
  // The candidate's value, less what the records and the deepest search deduct. `error`: ErrorAt of
  // the node.
  double ValueOf(const RepertoireNode& node, const RepertoireNode::Candidate& candidate,
                 double error) const;
  // The candidate that Thompson sampling draws; null if none counts.
  const RepertoireNode::Candidate* Sample(const RepertoireNode& node, Rng& rng) const;

 private:
  // Spread of trials around the means of their candidates, over all candidates.
  struct Scatter {
    double squares = 0;
    double freedom = 0;  // degrees of freedom

    // Adds the tally for `sign` 1, removes it for -1.
    void Count(const RepertoireNode::Tally& tally, int sign);
  };

  // Trials' scores minus the last evaluations on their lines: each one, and what trusted ones sum
  // up to.
  struct Errors {
    struct Error {
      uint32_t trial = 0;       // source of the score
      uint32_t evaluation = 0;  // source of the evaluation
      double error = 0;
    };
    std::vector<Error> all;
    uint64_t trials = 0;
    double sum = 0;

    void Count(const Error& error);
  };

  double Expected(const RepertoireNode::Candidate& candidate) const;
  // Deduction from the value of a candidate that the deepest search did not choose.
  double Unchosen(const RepertoireNode& node, const RepertoireNode::Candidate& candidate) const;

  RepertoireRules rules_;
  Errors errors_;
  Scatter scatter_;
};

}  // namespace joseki::book
