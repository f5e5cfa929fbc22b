#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "base/certificates/authority.h"
#include "base/certificates/token.h"
#include "base/file.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/commands.h"

namespace joseki::cli {
namespace {

using certificates::Authority;
using certificates::Role;

struct CertsArguments {
  std::string folder;
  std::string name;
  int days = static_cast<int>(Authority::kLife / absl::Hours(24));
  int hours = static_cast<int>(Authority::kTokenLife / absl::Hours(1));
  std::string worker;
  int count = 1;
  std::string out;
  std::string role = "worker";

  absl::Duration life() const { return absl::Hours(24 * days); }
};

std::string Text(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

// Prints the files that were made: {"files": [...]}, or one per line.
void ShowFiles(const std::vector<std::string>& files, const std::string& what, Context& context) {
  if (context.json()) {
    Json object;
    object["files"] = files;
    return context.PrintJson(object);
  }
  context.out() << what << "\n";
  for (const std::string& file : files) context.out() << "  " << file << "\n";
}

absl::Status Init(const CertsArguments& arguments, Context& context) {
  const absl::Time now = absl::Now();
  ASSIGN_OR_RETURN(const Authority authority, Authority::Create(arguments.folder, now));
  std::vector<std::string> folders{arguments.folder};
  for (const auto& [role, name] :
       {std::pair(Role::kOperator, "operator-1"), std::pair(Role::kReader, "reader-1"),
        std::pair(Role::kWorker, "worker-1")}) {
    ASSIGN_OR_RETURN(folders.emplace_back(), authority.Issue(role, name, now, arguments.life()));
  }
  ShowFiles(folders,
            "The coordinator's folder, and one for each of its first clients (--tls):", context);
  return absl::OkStatus();
}

absl::Status Issue(const CertsArguments& arguments, Role role, Context& context) {
  ASSIGN_OR_RETURN(const Authority authority, Authority::Open(arguments.folder));
  ASSIGN_OR_RETURN(const std::string folder,
                   authority.Issue(role, arguments.name, absl::Now(), arguments.life()));
  ShowFiles({folder}, "Its folder (--tls):", context);
  return absl::OkStatus();
}

absl::Status RenewServer(const CertsArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const Authority authority, Authority::Open(arguments.folder));
  RETURN_IF_ERROR(authority.RenewServer(absl::Now(), arguments.life()));
  ShowFiles({arguments.folder},
            "Renewed; a coordinator that uses this folder takes it within a second:", context);
  return absl::OkStatus();
}

absl::Status MakeTokens(const CertsArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const Authority authority, Authority::Open(arguments.folder));
  const std::string folder = arguments.out.empty() ? arguments.folder + "/joins" : arguments.out;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::vector<std::string> files;
  ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                   authority.MakeTokens(arguments.worker, arguments.count, absl::Now(),
                                        absl::Hours(arguments.hours)));
  for (const std::string& text : texts) {
    // A unique name that says nothing about the token's contents.
    std::string name = arguments.worker;
    if (name.empty()) {
      ASSIGN_OR_RETURN(const std::string serial, certificates::MakeSerial());
      name = absl::StrCat("join-", serial.substr(0, 12));
    }
    files.push_back(absl::StrCat(folder, "/", name, ".token"));
    RETURN_IF_ERROR(WriteFileAtomically(files.back(), text, 0600));
  }
  ShowFiles(files,
            absl::StrCat("Good for one worker each, for ", arguments.hours,
                         " hours (joseki-worker --tls DIR --token-file FILE):"),
            context);
  return absl::OkStatus();
}

absl::Status Revoke(const CertsArguments& arguments, Context& context) {
  const std::optional<Role> role = certificates::RoleOf(arguments.role);
  ASSIGN_OR_RETURN(const Authority authority, Authority::OpenRecords(arguments.folder));
  ASSIGN_OR_RETURN(const int revoked, authority.Revoke(*role, arguments.name, absl::Now()));
  if (context.json()) {
    Json object;
    object["revoked"] = revoked;
    context.PrintJson(object);
  } else {
    context.out() << revoked << (revoked == 1 ? " certificate" : " certificates")
                  << " revoked; a coordinator that uses this folder knows "
                  << "within a second\n";
  }
  return absl::OkStatus();
}

absl::Status List(const CertsArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const Authority authority, Authority::OpenRecords(arguments.folder));
  ASSIGN_OR_RETURN(const std::vector<Authority::Issued> issued, authority.List());
  const absl::Time now = absl::Now();
  const auto state = [now](const Authority::Issued& one) {
    return one.revoked ? "revoked" : one.not_after < now ? "expired" : "valid";
  };
  if (!context.json()) {
    for (const Authority::Issued& one : issued) {
      context.out() << absl::StreamFormat(
          "%-8s %-24s %-8s until %s %s\n", std::string(certificates::NameOf(one.identity.role)),
          one.identity.name, state(one), Text(one.not_after), one.identity.serial);
    }
    return absl::OkStatus();
  }
  Json certificates = Json::array();
  for (const Authority::Issued& one : issued) {
    Json json;
    json["role"] = std::string(certificates::NameOf(one.identity.role));
    json["name"] = one.identity.name;
    json["serial"] = one.identity.serial;
    json["state"] = state(one);
    json["not_after"] = Text(one.not_after);
    certificates.push_back(std::move(json));
  }
  Json object;
  object["certificates"] = std::move(certificates);
  context.PrintJson(object);
  return absl::OkStatus();
}

CLI::App* AddCommand(CLI::App& group, const std::string& name, const std::string& help,
                     CertsArguments& arguments) {
  CLI::App* const command = group.add_subcommand(name, help);
  command->add_option("--dir", arguments.folder, "the folder that `joseki certs init` made")
      ->type_name("DIR")
      ->required();
  return command;
}

void AddDays(CLI::App& command, CertsArguments& arguments) {
  command.add_option("--days", arguments.days, "how long the certificate is valid")
      ->check(Within(1, 3650))
      ->capture_default_str();
}

}  // namespace

void AddCerts(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<CertsArguments>();
  CLI::App* const group =
      app.add_subcommand("certs", "Certificates and join tokens of a coordinator with TLS");
  group->require_subcommand(1);
  group->fallthrough();

  CLI::App* const init = group->add_subcommand(
      "init",
      "Makes an authority, the coordinator's certificate, and one for a first operator, "
      "reader and worker");
  init->add_option("dir", arguments->folder, "a new folder")->type_name("DIR")->required();
  AddDays(*init, *arguments);
  init->callback([arguments, &context] { context.Finish(Init(*arguments, context)); });

  for (const Role role : {Role::kWorker, Role::kOperator, Role::kReader}) {
    const std::string name(certificates::NameOf(role));
    CLI::App* const command =
        AddCommand(*group, name, absl::StrCat("Makes a certificate for one ", name), *arguments);
    command->add_option("name", arguments->name, absl::StrCat("the ", name, "'s name"))->required();
    AddDays(*command, *arguments);
    command->callback(
        [arguments, role, &context] { context.Finish(Issue(*arguments, role, context)); });
  }

  CLI::App* const server =
      AddCommand(*group, "server", "Renews the coordinator's certificate", *arguments);
  AddDays(*server, *arguments);
  server->callback([arguments, &context] { context.Finish(RenewServer(*arguments, context)); });

  CLI::App* const token =
      AddCommand(*group, "token", "Makes files with which nodes get certificates", *arguments);
  CLI::Option* const worker =
      token->add_option("--worker", arguments->worker, "for the worker of this name");
  token->add_option("--count", arguments->count, "so many, for any new workers")
      ->check(Within(1, 100'000))
      ->excludes(worker);
  token->add_option("--hours", arguments->hours, "how long they are good")
      ->check(Within(1, 24 * 365))
      ->capture_default_str();
  token->add_option("--out", arguments->out, "where to put them (default: joins in the folder)")
      ->type_name("DIR");
  token->callback([arguments, &context] { context.Finish(MakeTokens(*arguments, context)); });

  CLI::App* const revoke =
      AddCommand(*group, "revoke", "Takes back the certificates of one name", *arguments);
  revoke->add_option("name", arguments->name, "whose")->required();
  revoke->add_option("--role", arguments->role, "worker, operator or reader")
      ->check(OneOf({"worker", "operator", "reader"}))
      ->capture_default_str();
  revoke->callback([arguments, &context] { context.Finish(Revoke(*arguments, context)); });

  CLI::App* const list = AddCommand(*group, "list", "Every certificate there is", *arguments);
  list->callback([arguments, &context] { context.Finish(List(*arguments, context)); });
}

}  // namespace joseki::cli
