#include "engine/usi/xiangqi/xiangqi_engine.h"

#include <utility>

#include "engine/search/xiangqi/kit.h"
#include "engine/usi/option_lines.h"
#include "engine/usi/search_engine.h"

namespace joseki::usi {
namespace {

class XiangqiEngine final : public SearchEngine<XiangqiKit> {
 public:
  using SearchEngine::SearchEngine;

  std::string DeclareOptions() const override {
    const xiangqi::EngineOptions defaults;
    return SearchEngine::DeclareOptions() +
           ComboLine(protocol_, xiangqi::kRepetitionOption, Name(defaults.repetition),
                     kRepetitionNames) +
           TableLines(protocol_, xiangqi::EvaluationOptionTable(), defaults.evaluation) +
           TableLines(protocol_, SearchOptionTable(), defaults.search) +
           DeclareBookOptions(protocol_);
  }
};

}  // namespace

std::unique_ptr<GameEngine> MakeXiangqiEngine(const Protocol& protocol,
                                              const CommonOptions& options,
                                              std::unique_ptr<OwnBook> book) {
  return std::make_unique<XiangqiEngine>(protocol, options, std::move(book));
}

}  // namespace joseki::usi
