#include "cli/online.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "cli/progress.h"
#include "coordinator/model/opponent_spec.h"

namespace joseki::cli {

CLI::Option* AddCoordinatorOption(CLI::App& command, Connection& connection) {
  AddTlsOptions(command, connection.tls);
  return command.add_option("--coordinator", connection.address, "where the coordinator listens")
      ->type_name("HOST:PORT")
      ->capture_default_str();
}

void AddTlsOptions(CLI::App& command, trust::TlsFiles& files) {
  CLI::Option* const folder = command.add_option_function<std::string>(
      "--tls",
      [&files](const std::string& path) {
        const bool http_proxy = files.http_proxy;
        files = trust::TlsFiles::In(path);
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

Json RunJson(const coordinator::RunStatus& run, const coordinator::ClusterStatus& cluster) {
  int workers = 0;
  for (const coordinator::WorkerStatus& worker : cluster.workers) {
    if (worker.state == "active") ++workers;
  }
  Json json;
  json["run"] = run.run;
  json["name"] = run.spec.name;
  json["state"] = run.state;
  json["reason"] = run.reason;
  json["stage"] = run.stage;
  json["stages"] = run.stages;
  json["games_done"] = run.games_done;
  json["games_target"] = run.spec.games;
  json["games_per_second"] = run.games_per_second;
  json["workers"] = workers;
  json["slots"] = run.slots_in_flight;
  json["leases"] = run.leases;
  json["quarantined"] = run.quarantined;
  json["eta_seconds"] = run.eta_seconds < 0 ? Json(nullptr) : Json(run.eta_seconds);
  json["faults"] = run.faults;
  json["draws"] = run.draws;
  json["duplicates"] = run.duplicates;
  json["conflicts"] = run.conflicts;
  json["stale_accepted"] = run.stale_accepted;
  json["poisoned_lines"] = run.poisoned_lines;
  json["resting_lines"] = run.resting_lines;
  json["gain_left"] = run.gain_left ? Json(*run.gain_left) : Json(nullptr);
  json["answers_changed"] = run.answers_changed ? Json(*run.answers_changed) : Json(nullptr);
  json["checks"] = run.checks;
  json["mismatches"] = run.mismatches;
  json["games_excluded"] = run.games_excluded;
  json["verify_off"] = run.verify_off;
  if (run.priors.version > 0) {
    json["priors"] = {{"version", run.priors.version}, {"positions", run.priors.positions},
                      {"done", run.priors.done},       {"unscored", run.priors.unscored},
                      {"failed", run.priors.failed},   {"older", run.priors.older},
                      {"open", run.priors.open},       {"scale", run.priors.scale},
                      {"games", run.priors.games},     {"nodes", run.spec.priors.nodes}};
  }
  json["think_seconds"] = run.think_seconds;
  json["resign_checked"] = run.resign_checked;
  json["resign_wrong"] = run.resign_wrong;
  Json terminations = Json::object();
  for (const auto& [termination, games] : run.terminations) {
    terminations[std::string(Name(termination))] = games;
  }
  json["terminations"] = std::move(terminations);
  json["engine"] = run.spec.play.engine_id;
  json["nodes"] = run.spec.play.nodes;
  json["move_ms"] = run.spec.play.move_ms;
  json["pairing"] = coordinator::PairingOf(run.spec.play);
  json["policy"] = run.spec.policy;
  json["priority"] = run.spec.share.priority;
  json["weight"] = run.spec.share.weight;
  json["servers"] = run.servers;
  if (!run.not_served.empty()) json["not_served"] = run.not_served;
  return json;
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
  absl::StrAppend(&line, ", ", run.games_done);
  if (run.spec.games > 0) {
    absl::StrAppendFormat(&line, " of %d games (%d %%)", run.spec.games,
                          run.games_done * 100 / run.spec.games);
  } else {
    absl::StrAppend(&line, " games");
  }
  if (run.games_per_second > 0)
    absl::StrAppendFormat(&line, ", %.1f games/s", run.games_per_second);
  if (run.eta_seconds >= 0 && run.state == "running") {
    absl::StrAppend(&line, ", ", Words(absl::Seconds(run.eta_seconds)), " left");
  }
  return line;
}

}  // namespace joseki::cli
