#include "cli/context.h"

#include <ostream>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/games.h"

namespace joseki::cli {

Json ErrorJson(const absl::Status& error) {
  const Problem problem = ProblemOf(error);
  Json fields;
  fields["code"] = problem.code;
  fields["file"] = problem.file;
  fields["line"] = problem.line;
  fields["found"] = problem.found;
  fields["expected"] = problem.expected;
  fields["message"] = std::string(error.message());
  Json object;
  object["schema"] = 1;
  object["error"] = std::move(fields);
  return object;
}

absl::Status Context::UseGame(std::string_view game) {
  ASSIGN_OR_RETURN(rules_, RulesOf(game));
  return absl::OkStatus();
}

absl::Status Context::NameGame(const std::string& game) {
  RETURN_IF_ERROR(UseGame(game));
  game_ = game;
  return absl::OkStatus();
}

void Context::Finish(const absl::Status& status, int status_if_bad) {
  if (status.ok()) return;
  exit_status_ = ProblemOf(status).code == "usage" ? kBadUsage : status_if_bad;
  if (json_) {
    out_ << ErrorJson(status).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    err_ << "joseki: " << status.message() << "\n";
  }
}

void Context::PrintJson(const Json& object) {
  Json whole;
  whole["schema"] = 1;
  whole.update(object);
  out_ << whole.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace joseki::cli
