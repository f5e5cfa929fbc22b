#include "coordinator/page/answer_json.h"

namespace joseki::coordinator {

Json AnswerJson(const ExportBook::Move& move, const Rules& rules) {
  return {{"move", rules.Text(move.move)},
          {"wins", move.evidence.wins},
          {"draws", move.evidence.draws},
          {"losses", move.evidence.losses},
          {"low", move.low},
          {"high", move.high},
          {"worth", move.worth},
          {"trials", move.trials},
          {"searched", move.searched},
          {"origin", move.origin ? Json(Name(*move.origin)) : Json()},
          {"decided_by", move.decided_by ? Json(Name(*move.decided_by)) : Json()}};
}

}  // namespace joseki::coordinator
