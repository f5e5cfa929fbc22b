#include "cli/cluster/online.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/progress_words.h"
#include "cli/progress.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
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

std::string LimitWords(const coordinator::PlaySpec& play, const Voice& voice) {
  return play.move_ms > 0 ? voice.Say(phrase::kMilliseconds, play.move_ms)
                          : voice.Say(phrase::kNodes, play.nodes);
}

std::string RunLine(const coordinator::RunStatus& run, const Voice& voice) {
  std::string line = voice.Say(phrase::kRun, run.run);
  if (!run.spec.name.empty()) absl::StrAppend(&line, " ", Quote(run.spec.name));
  absl::StrAppend(&line, ": ", WordText(voice, run.state));
  if (!run.reason.empty()) absl::StrAppend(&line, " (", SentenceText(voice, run.reason), ")");
  if (run.stages > 0) {
    line += voice.Say(phrase::kStage, std::min(run.stage, run.stages), run.stages);
  }
  absl::StrAppend(&line, voice.Say(phrase::kComma), ProgressWords(run, voice));
  if (run.games_per_second > 0) {
    line += voice.Say(phrase::kRate, absl::StrFormat("%.1f", run.games_per_second));
  }
  if (run.eta_seconds >= 0 && run.state == "running") {
    line += voice.Say(phrase::kLeft, DurationText(voice, absl::Seconds(run.eta_seconds)));
  }
  if (const std::string expected = ExpectedWords(run, voice); !expected.empty()) {
    absl::StrAppend(&line, voice.Say(phrase::kComma), expected);
  }
  return line;
}

std::string BudgetWords(const coordinator::RunSpec& spec, const Voice& voice) {
  std::vector<std::string> limits;
  if (spec.games > 0) limits.push_back(voice.Say(phrase::kBudgetGames, spec.games));
  if (spec.seconds > 0) limits.push_back(DurationText(voice, absl::Seconds(spec.seconds)));
  return limits.empty() ? voice.Say(phrase::kNoLimit)
                        : absl::StrJoin(limits, voice.Say(phrase::kOr));
}

std::string TakenOverWords(const coordinator::RunSpec& spec, const Voice& voice) {
  if (!spec.taken_over) return "";
  const std::vector<coordinator::RunId>& runs = spec.taken_over->runs;
  std::string words =
      voice.Say(runs.size() == 1 ? phrase::kWhatGamesSay : phrase::kWhatGamesOfRunsSay,
                spec.taken_over->games, absl::StrJoin(runs, ", "));
  if (const uint64_t searches = spec.taken_over->searches; searches > 0) {
    absl::StrAppend(&words, voice.Say(phrase::kAndSearchesSay, searches));
  }
  if (const auto& left_out = spec.taken_over->games_only; !left_out.empty()) {
    absl::StrAppend(&words, voice.Say(phrase::kSearchesLeftOut, absl::StrJoin(left_out, ", ")));
  }
  return words;
}

std::string RegardlessWords(const coordinator::RunSpec& spec, const Voice& voice) {
  if (!spec.extension || !spec.extension->regardless) return "";
  return voice.Say(phrase::kRegardless);
}

}  // namespace joseki::cli
