// The built-in weights: the bytes of the file JOSEKI_WEIGHTS.
#include <cstddef>
#include <string_view>

#include "base/hash.h"
#include "engine/shogi/eval/network.h"

asm(".pushsection .rodata\n"
    ".balign 64\n"
    ".global joseki_built_in_weights\n"
    "joseki_built_in_weights:\n"
    ".incbin \"" JOSEKI_WEIGHTS
    "\"\n"
    ".global joseki_built_in_weights_end\n"
    "joseki_built_in_weights_end:\n"
    ".popsection\n");

extern "C" {
extern const char joseki_built_in_weights[];
extern const char joseki_built_in_weights_end[];
}

namespace joseki::shogi {

const Network& BuiltInNetwork() {
  static const Network network = [] {
    const std::string_view bytes(
        joseki_built_in_weights,
        static_cast<size_t>(joseki_built_in_weights_end - joseki_built_in_weights));
    // Terminates the program with the problem's text if the file was faulty at build time.
    return Network(ReadWeights(bytes, "built-in weights").value(), Hex(Sha256Of(bytes)));
  }();
  return network;
}

}  // namespace joseki::shogi
