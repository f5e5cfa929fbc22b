#include "cli/experiment/experiments.h"

namespace joseki::cli {
namespace {

constexpr Experiment kExperiments[] = {
    {"E1", "the base book, and the moves of the start position", BaseBook},
    {"E2", "Type-1 to Type-5c of it", Types},
    {"E3", "result-driven tuning in five stages, Type-6", ResultDrivenTuning},
    {"E4", "reinforcement learning, Type-7, and other policies", ReinforcementLearning},
    {"E5", "each book against Type-1", AgainstType1},
    {"E6", "second tournament: random ranges by gap; the best books", SecondTournament},
    {"E7", "an engine of another make as opponent", ExternalOpponent}};

}  // namespace

std::span<const Experiment> Experiments() { return kExperiments; }

}  // namespace joseki::cli
