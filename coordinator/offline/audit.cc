#include "coordinator/offline/audit.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "book/folding.h"
#include "book/reentry.h"
#include "book/tuning/line.h"
#include "book/tuning/tuner.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/offline/checkpoint_audit.h"
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/evaluation_load.h"
#include "coordinator/runs/game_replay.h"
#include "coordinator/runs/run_load.h"
#include "coordinator/runs/taken_over.h"
#include "coordinator/store/archive_store.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/run_store.h"
#include "coordinator/store/weight_store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kShown = 100;
constexpr size_t kCachedLeases = 4096;
constexpr size_t kCachedWeights = 16;

class RunAudit {
 public:
  RunAudit(book::Store& store, RunStore& rows, const Rules& rules, AuditReport& report)
      : store_(store), rows_(rows), rules_(rules), report_(report) {}

  absl::Status Check(const RunRow& run) {
    run_ = &run;
    auto bytes = rows_.runs().ReadSnapshot(run.snapshot);
    if (!bytes.ok()) return Mismatch(absl::StrCat(bytes.status().message()));
    if (Sha256Of(*bytes) != run.snapshot) {
      return Mismatch(absl::StrCat("snapshot ", Hex(run.snapshot), " holds other bytes"));
    }
    absl::StatusOr<book::Graph> graph = book::Graph::Parse(rules_, *bytes);
    if (!graph.ok()) return Mismatch(absl::StrCat(graph.status().message()));
    graph_ = std::make_shared<const book::Graph>(*std::move(graph));
    const auto policy = PolicyOf(run.spec);
    if (!policy.ok()) return Mismatch(absl::StrCat(policy.status().message()));
    const absl::StatusOr<book::NodeId> start = StartNode(rules_, *graph_, run.spec);
    if (!start.ok()) return Mismatch(absl::StrCat(start.status().message()));
    start_ = *start;

    if (run.spec.play.re_entry) {
      ASSIGN_OR_RETURN(versions_, ReadWeightVersions(store_, run.run));
    }
    const absl::StatusOr<Trust> trust = ReadTrust(rows_, run.trust_change);
    if (!trust.ok()) return Mismatch(absl::StrCat(trust.status().message()));
    trust_ = *trust;
    ASSIGN_OR_RETURN(const std::string links, rows_.runs().ReadLinks(run.snapshot));
    if (!links.empty() && links != graph_->SerializeLinks()) {
      RETURN_IF_ERROR(Mismatch("the links of its book are others"));
    }

    absl::StatusOr<book::ImportedValues> imported =
        ReadImportedValues(store_, run.run, graph_->edge_count());
    if (!imported.ok()) return Mismatch(absl::StrCat(imported.status().message()));
    imported_ = std::make_shared<const book::ImportedValues>(*std::move(imported));
    if (HasPriors(run.spec, **policy, *imported_)) {
      const absl::Status read = ReadEvaluations(run);
      if (absl::IsDataLoss(read)) return Mismatch(absl::StrCat(read.message()));
      RETURN_IF_ERROR(read);
    }
    const absl::Status searches = ReadLineSearches(run);
    if (!searches.ok()) return Mismatch(absl::StrCat(searches.message()));
    ASSIGN_OR_RETURN(std::shared_ptr<const book::Orbits> orbits,
                     book::OrbitsFor(rules_, *graph_, run.spec.policy_options));
    book::Tuner tuner(graph_, *policy, /*priors=*/nullptr, std::move(orbits));
    CheckpointAudit checkpoint(run, tuner,
                               [this](const std::string& what) { Mismatch(what).IgnoreError(); });
    const absl::Status stored = checkpoint.Read(rows_);
    if (absl::IsDataLoss(stored)) return Mismatch(absl::StrCat(stored.message()));
    RETURN_IF_ERROR(stored);
    uint64_t last = 0;
    const auto read_all = [&]() -> absl::Status {
      RETURN_IF_ERROR(ForEachTakenOver(rows_, rules_, run.spec, *graph_, start_, trust_,
                                       [&](const book::TunedGame& game) {
                                         checkpoint.TakeOver(game);
                                         tuner.Apply(game);
                                       }));
      return rows_.games().ForEach(run.run, 0, [&](const GameRow& game) {
        checkpoint.Before(game, trust_.Excludes(game.worker, game.lease));
        RETURN_IF_ERROR(CheckPriors(tuner, game.commit_seq));
        RETURN_IF_ERROR(CheckWeights(tuner, game.commit_seq));
        last = game.commit_seq;
        return CheckGameRow(game, tuner);
      });
    };
    const absl::Status read = read_all();
    // Stop reading this run at a row that no coordinator writes, or an archive that is missing or
    // differs from its seal.
    if (absl::IsDataLoss(read) || absl::IsNotFound(read)) {
      return Mismatch(absl::StrCat("after game ", last, ": ", read.message()));
    }
    RETURN_IF_ERROR(read);
    RETURN_IF_ERROR(CheckCopies(run.run));
    RETURN_IF_ERROR(CheckPriors(tuner, std::numeric_limits<uint64_t>::max()));
    RETURN_IF_ERROR(CheckWeights(tuner, std::numeric_limits<uint64_t>::max()));
    checkpoint.End(last);
    report_.weights += graph_->edge_count();
    return absl::OkStatus();
  }

 private:
  absl::Status Mismatch(const std::string& what) {
    ++report_.mismatches;
    if (report_.first.size() < kShown) {
      report_.first.push_back(absl::StrCat("run ", run_->run, ": ", what));
    }
    return absl::OkStatus();
  }
  absl::Status Mismatch(const GameRow& game, const std::string& what) {
    return Mismatch(absl::StrCat("game ", game.commit_seq, " (lease ", game.lease, ", slot ",
                                 game.slot, "): ", what));
  }

  // Null if the game's lease is missing.
  const LeaseRow* LeaseOf(const GameRow& game) {
    const auto known = leases_.find(game.lease);
    if (known != leases_.end()) return &known->second;
    absl::StatusOr<LeaseRow> lease = rows_.leases().Read(game.lease);
    if (!lease.ok()) return nullptr;
    if (leases_.size() >= kCachedLeases) leases_.clear();
    return &leases_.emplace(game.lease, *std::move(lease)).first->second;
  }

  absl::StatusOr<std::shared_ptr<const book::Weights>> WeightsOf(uint32_t version) {
    const auto known = weights_.find(version);
    if (known != weights_.end()) return known->second;
    ASSIGN_OR_RETURN(book::Weights weights, ReadWeights(store_, run_->run, version));
    if (weights.size() != graph_->edge_count()) {
      return absl::DataLossError(absl::StrCat("weights ", version, " are of another book"));
    }
    if (weights_.size() >= kCachedWeights) weights_.erase(weights_.begin());
    return weights_.emplace(version, std::make_shared<const book::Weights>(std::move(weights)))
        .first->second;
  }

  // Checks archives whose games are also in the database: nothing else reads these.
  absl::Status CheckCopies(RunId run) {
    ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives, ReadArchives(store_, run));
    for (const ArchiveRow& archive : archives) {
      if (archive.dropped) continue;
      const auto games = ReadArchivedGames(store_, archive);
      if (!games.ok()) RETURN_IF_ERROR(Mismatch(absl::StrCat(games.status().message())));
    }
    return absl::OkStatus();
  }

  // Checks that the run's evaluations pass intake again, and that the sets of its priors exist.
  absl::Status ReadEvaluations(const RunRow& run) {
    ASSIGN_OR_RETURN(priors_, ReadPriorSets(store_, run.run));
    if (priors_.empty()) return absl::DataLossError("it has no priors to begin with");
    for (size_t i = 0; i < priors_.size(); ++i) {
      if (priors_[i].version == i + 1 && priors_[i].shared == priors_[0].shared) continue;
      RETURN_IF_ERROR(Mismatch(absl::StrCat("priors ", priors_[i].version, " do not follow")));
    }
    RETURN_IF_ERROR(
        ForEachEvaluation(store_, run.run, run.spec, 0,
                          [this](const EvaluationRow& row) { return CheckEvaluationRow(row); }));
    ASSIGN_OR_RETURN(Evaluations evaluations, LoadEvaluations(store_, rules_, run, graph_, start_,
                                                              priors_[0].shared, imported_));
    evaluations_ = std::move(evaluations);
    return absl::OkStatus();
  }

  // Answers are derived from the searches along lines, so only rows can be wrong.
  absl::Status ReadLineSearches(const RunRow& run) {
    return ForEachLineSearch(store_, run.run,
                             [this](const EvaluationRow& row) { return CheckEvaluationRow(row); });
  }

  absl::Status CheckEvaluationRow(const EvaluationRow& row) {
    ++report_.evaluations;
    const std::string problem = ProblemOfEvaluation(row);
    if (problem.empty()) return absl::OkStatus();
    return Mismatch(absl::StrCat("evaluation ", row.seq, " (lease ", row.game.lease, ", slot ",
                                 row.game.slot, "): ", problem));
  }

  // The row's fault; empty if it has none.
  std::string ProblemOfEvaluation(const EvaluationRow& row) {
    const LeaseRow* lease = LeaseOf(row.game);
    if (lease == nullptr) return "its lease is not there, or cannot be read";
    const auto& slots = lease->grant.slots;
    const auto plan = std::find_if(slots.begin(), slots.end(), [&](const PlannedSlot& slot) {
      return slot.slot.slot == row.game.slot;
    });
    if (plan == slots.end() || !IsSearch(plan->slot.kind)) {
      return "its lease has no such evaluation";
    }
    if (lease->grant.worker != row.game.worker) return "its worker is not that of its lease";
    if (row.attempt != plan->failures + 1) return "its attempt is not that of its slot";
    if (row.other_profile) return "its profile is not its run's";
    const std::optional<AlongLine>& along = row.along;
    if (along && (along->kind != plan->slot.kind || along->excluded != plan->slot.excluded ||
                  (along->kind == SlotKind::kTrial && along->own != plan->slot.own) ||
                  along->searched_from != plan->slot.searched_from)) {
      return "it is not what its slot asks for";
    }
    if (along && row.limit != plan->slot.nodes) return "its limit is not that of its slot";
    // A fault keeps all fields but its moves.
    const bool fault = IsFault(row.game.ending.termination);
    const bool searched = row.game.ending.termination == Termination::kNone;
    SubmittedGame sent;
    sent.run = row.game.run;
    sent.lease = row.game.lease;
    sent.slot = row.game.slot;
    sent.moves = along ? along->line : plan->slot.line;
    sent.moves.insert(sent.moves.end(), row.game.moves.begin(), row.game.moves.end());
    sent.claim = row.game.ending;
    sent.nodes = row.game.nodes;
    sent.depth = row.depth;
    if (along && along->kind == SlotKind::kTrial) {
      sent.scores = along->scores;
    } else if (searched) {
      sent.scores = {row.score.value_or(kNoScore)};
    }
    const absl::StatusOr<CheckedEvaluation> checked =
        CheckEvaluation(rules_, run_->spec.play.match, plan->slot, sent);
    if (!checked.ok()) return std::string(checked.status().message());
    if (checked->position != row.position) return "its position is not that of its line";
    if (checked->score != row.score) return "its score is another one";
    if (!fault && checked->payload_hash != row.game.payload_hash) {
      return "its payload hash is another one";
    }
    if (!fault && checked->found_hash != row.game.moves_hash) return "its hash is another one";
    return "";
  }

  absl::StatusOr<std::shared_ptr<const book::Priors>> PriorsAt(uint32_t version) {
    if (version > priors_.size()) {
      return absl::DataLossError(
          absl::StrCat("weights by priors ", version, " that are not there"));
    }
    const PriorSet& set = priors_[version - 1];
    ASSIGN_OR_RETURN(const Trust trust, ReadTrust(rows_, set.trust_change));
    return evaluations_->PriorsOf(set, trust);
  }

  // Checks the models of priors that were made before the game `next` against the games up to then.
  // Models from before a recomputation of evidence cannot be checked, as with weights.
  absl::Status CheckPriors(const book::Tuner& tuner, uint64_t next) {
    for (; checked_priors_ < priors_.size(); ++checked_priors_) {
      const PriorSet& set = priors_[checked_priors_];
      if (set.games_seq >= next) return absl::OkStatus();
      if (set.trust_change != trust_.change()) continue;
      const Assessments assessments = evaluations_->AssessmentsOf(set, trust_);
      PriorSet fitted = set;
      FitModels(assessments, tuner.pooled(), fitted);
      if (fitted != set) {
        RETURN_IF_ERROR(Mismatch(absl::StrCat(
            "priors ", set.version, " are not what the games up to ", set.games_seq, " give")));
      }
    }
    return absl::OkStatus();
  }

  // Checks the versions of weights that were made before the game `next` against the games up to
  // then. Versions from before a recomputation of evidence cannot be checked.
  absl::Status CheckWeights(book::Tuner& tuner, uint64_t next) {
    for (; checked_versions_ < versions_.size(); ++checked_versions_) {
      const WeightVersionRow& row = versions_[checked_versions_];
      if (row.seq >= next) return absl::OkStatus();
      if (row.trust_change != trust_.change()) continue;
      const auto weights = WeightsOf(row.version);
      if (!weights.ok()) {
        RETURN_IF_ERROR(Mismatch(absl::StrCat(weights.status().message())));
        continue;
      }
      if (row.priors != 0) {
        const auto priors = PriorsAt(row.priors);
        if (!priors.ok()) {
          RETURN_IF_ERROR(Mismatch(absl::StrCat(priors.status().message())));
          continue;
        }
        tuner.SetPriors(*priors);
      }
      tuner.ComputeValues();
      // A staged policy has one version per stage.
      const int stage = tuner.policy().stages().empty() ? 0 : static_cast<int>(row.version) - 1;
      if (**weights !=
          (run_->spec.play.opponent ? book::SharesOf(tuner, stage) : book::WeightsOf(tuner))) {
        RETURN_IF_ERROR(Mismatch(absl::StrCat("weights ", row.version,
                                              " are not what the games up to ", row.seq, " give")));
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckGameRow(const GameRow& game, book::Tuner& tuner) {
    ++report_.games;
    const LeaseRow* lease = LeaseOf(game);
    if (lease == nullptr) return Mismatch(game, "its lease is not there, or cannot be read");
    const auto& slots = lease->grant.slots;
    const auto plan = std::find_if(slots.begin(), slots.end(), [&](const PlannedSlot& slot) {
      return slot.slot.slot == game.slot;
    });
    if (plan == slots.end()) return Mismatch(game, "its lease has no such slot");
    SubmittedGame sent;
    sent.run = game.run;
    sent.lease = game.lease;
    sent.slot = game.slot;
    sent.moves = game.moves;
    sent.claim = game.ending;
    sent.nodes = game.nodes;
    sent.fault = game.fault;
    sent.scores = game.scores;
    book::AnswerBook book{graph_, nullptr};
    if (run_->spec.play.re_entry) {
      const auto weights = WeightsOf(plan->slot.weights_version);
      if (!weights.ok()) return Mismatch(game, absl::StrCat(weights.status().message()));
      book.weights = *weights;
    }
    const absl::StatusOr<CheckedGame> checked = CheckGame(
        rules_, run_->spec.play.match, plan->slot, sent, book.weights != nullptr ? &book : nullptr);
    if (!checked.ok()) return Mismatch(game, absl::StrCat(checked.status().message()));
    const size_t book_plies = std::min(plan->slot.line.size(), game.moves.size());
    const std::pair<const char*, bool> agreements[] = {
        {"its result is another one", checked->ending == game.ending},
        {"its payload hash is another one", checked->payload_hash == game.payload_hash},
        {"its moves hash is another one", checked->moves_hash == game.moves_hash},
        {"its check of the resignation rule is another one",
         CheckResignation(run_->spec.play.resign, checked->chooser, game.scores, checked->ending) ==
             game.resign_check},
        {"its line has another length", book_plies == game.book_plies},
        {"its stage is not that of its lease", lease->grant.stage == game.stage},
        {"its worker is not that of its lease", lease->grant.worker == game.worker},
        {"its run is not that of its lease", lease->grant.run == game.run},
    };
    for (const auto& agreement : agreements) {
      if (!agreement.second) RETURN_IF_ERROR(Mismatch(game, agreement.first));
    }
    std::vector<book::EdgeId> edges =
        book::EdgesOf(*graph_, start_, std::span(game.moves).first(book_plies));
    if (edges.size() != book_plies && !run_->spec.match) {
      RETURN_IF_ERROR(Mismatch(game, "its line leaves the frozen book"));
    }
    edges.insert(edges.end(), checked->reentered.begin(), checked->reentered.end());
    book::KeepOwn(*graph_, plan->slot.own, edges);
    if (trust_.Excludes(game.worker, game.lease)) return absl::OkStatus();
    tuner.Apply({edges, checked->ending, lease->grant.stage, checked->moves_hash});
    return absl::OkStatus();
  }

  book::Store& store_;
  RunStore& rows_;
  const Rules& rules_;
  AuditReport& report_;
  const RunRow* run_ = nullptr;
  std::shared_ptr<const book::Graph> graph_;
  book::NodeId start_ = book::kNoNode;
  Trust trust_;  // of the evidence
  std::unordered_map<LeaseId, LeaseRow> leases_;
  std::vector<WeightVersionRow> versions_;  // of a run with re-entry
  size_t checked_versions_ = 0;
  std::shared_ptr<const book::ImportedValues> imported_;
  std::vector<PriorSet> priors_;  // of a run with evaluations
  size_t checked_priors_ = 0;
  std::optional<Evaluations> evaluations_;
  std::map<uint32_t, std::shared_ptr<const book::Weights>> weights_;  // those read last
};

}  // namespace

absl::StatusOr<AuditReport> Audit(book::Store& store, const Rules& rules) {
  RunStore rows(store);
  RETURN_IF_ERROR(rows.BeginRead());
  const auto end_read = absl::MakeCleanup([&rows] { rows.EndRead(); });
  AuditReport report;
  ASSIGN_OR_RETURN(const std::vector<RunRow> runs, rows.runs().ReadAll());
  for (const RunRow& run : runs) {
    RunAudit audit(store, rows, rules, report);
    RETURN_IF_ERROR(audit.Check(run));
  }
  return report;
}

}  // namespace joseki::coordinator
