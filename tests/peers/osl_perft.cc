// Counts sequences of legal moves with libosl (BSD), for comparison with our own. The last ply's
// moves are counted without being played, and every non-promotion is generated.
//   osl_perft DEPTH [SFEN]     prints the count
#include <osl/numEffectState.h>
#include <osl/usi.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

namespace {

uint64_t Count(osl::NumEffectState& state, int depth);

// Called between a move and its taking back.
struct Below {
  osl::NumEffectState* state;
  int depth;
  uint64_t nodes = 0;
  void operator()(osl::Square) { nodes += Count(*state, depth); }
};

uint64_t Count(osl::NumEffectState& state, int depth) {
  osl::MoveVector moves;
  state.generateWithFullUnpromotions(moves);
  if (depth == 1) return moves.size();
  uint64_t nodes = 0;
  for (const osl::Move move : moves) {
    Below below{&state, depth - 1};
    state.makeUnmakeMove(move, below);
    nodes += below.nodes;
  }
  return nodes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || std::atoi(argv[1]) < 1) {
    std::cerr << "usage: osl_perft DEPTH [SFEN]\n";
    return 2;
  }
  try {
    osl::NumEffectState state;
    osl::usi::parse(argc > 2 ? "sfen " + std::string(argv[2]) : "startpos", state);
    std::cout << Count(state, std::atoi(argv[1])) << std::endl;
  } catch (const std::exception& error) {
    std::cerr << "osl_perft: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
