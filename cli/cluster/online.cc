#include "cli/cluster/online.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/progress_words.h"
#include "cli/progress.h"
#include "coordinator/model/opponent_spec.h"

namespace joseki::cli {

CLI::Option* AddCoordinatorOption(CLI::App& command, Connection& connection) {
  AddTlsOptions(command, connection.tls);
  return command.add_option("--coordinator", connection.address, "where the coordinator listens")
      ->type_name("HOST:PORT")
      ->capture_default_str();
}

void AddTlsOptions(CLI::App& command, certificates::TlsFiles& files) {
  CLI::Option* const folder = command.add_option_function<std::string>(
      "--tls",
      [&files](const std::string& path) {
        const bool http_proxy = files.http_proxy;
        files = certificates::TlsFiles::In(path);
        files.http_proxy = http_proxy;
      },
      "a folder of `joseki certs`: ca.pem, cert.pem, key.pem");
  folder->type_name("DIR");
  for (CLI::Option* const option :
       {command.add_option("--tls-ca", files.authority, "the authority's certificate (PEM)"),
        command.add_option("--tls-cert", files.certificate, "one's own certificate (PEM)"),
        command.add_option("--tls-key", files.key, "its private key (PEM)")}) {
    option->type_name("FILE")->excludes(folder);
  }
  command.add_flag("--http-proxy", files.http_proxy,
                   "go through the HTTP proxy that the environment names");
}

absl::StatusOr<std::unique_ptr<Cluster>> Reach(Context& context, const Connection& connection) {
  ASSIGN_OR_RETURN(std::unique_ptr<Cluster> cluster, Cluster::Reach(connection));
  const std::string game(cluster->rules().game());
  if (!context.game().empty() && context.game() != game) {
    return MakeProblem({.code = "other_game",
                        .file = connection.address,
                        .found = absl::StrCat("a coordinator of ", game),
                        .expected = context.game()});
  }
  RETURN_IF_ERROR(context.UseGame(game));
  return cluster;
}

std::string LimitWords(const coordinator::PlaySpec& play) {
  return play.move_ms > 0 ? absl::StrCat(play.move_ms, " ms") : absl::StrCat(play.nodes, " nodes");
}

std::string RunLine(const coordinator::RunStatus& run) {
  std::string line = absl::StrCat("run ", run.run);
  if (!run.spec.name.empty()) absl::StrAppend(&line, " ", Quote(run.spec.name));
  absl::StrAppend(&line, ": ", run.state);
  if (!run.reason.empty()) absl::StrAppend(&line, " (", run.reason, ")");
  if (run.stages > 0) {
    absl::StrAppend(&line, ", stage ", std::min(run.stage, run.stages), " of ", run.stages);
  }
  absl::StrAppend(&line, ", ", ProgressWords(run));
  if (run.games_per_second > 0)
    absl::StrAppendFormat(&line, ", %.1f games/s", run.games_per_second);
  if (run.eta_seconds >= 0 && run.state == "running") {
    absl::StrAppend(&line, ", ", Words(absl::Seconds(run.eta_seconds)), " left");
  }
  if (const std::string expected = ExpectedWords(run); !expected.empty()) {
    absl::StrAppend(&line, ", ", expected);
  }
  return line;
}

std::string BudgetWords(const coordinator::RunSpec& spec) {
  std::vector<std::string> limits;
  if (spec.games > 0) limits.push_back(absl::StrCat(spec.games, " games"));
  if (spec.seconds > 0) limits.push_back(Words(absl::Seconds(spec.seconds)));
  return limits.empty() ? "no limit" : absl::StrJoin(limits, " or ");
}

std::string TakenOverWords(const coordinator::RunSpec& spec) {
  if (!spec.taken_over) return "";
  const std::vector<coordinator::RunId>& runs = spec.taken_over->runs;
  return absl::StrCat("what ", spec.taken_over->games, " games of run",
                      runs.size() == 1 ? " " : "s ", absl::StrJoin(runs, ", "), " say");
}

std::string RegardlessWords(const coordinator::RunSpec& spec) {
  if (!spec.extension || !spec.extension->regardless) return "";
  return "; nothing was left worth a game, and it plays them regardless of --stop-gain";
}

}  // namespace joseki::cli
