#include "base/certificates/authority.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/certificates/revocations.h"
#include "base/certificates/table.h"
#include "base/certificates/token.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "proto/limits.h"

namespace joseki::certificates {
namespace {

constexpr mode_t kSecretMode = 0600;
constexpr mode_t kPublicMode = 0644;
constexpr mode_t kFolderMode = 0700;
constexpr absl::Duration kAuthorityLife = absl::Hours(24 * 3650);
// Tolerance for clocks that differ within a cluster.
constexpr absl::Duration kSlack = absl::Minutes(10);
constexpr std::string_view kAnyone = "*";
constexpr std::string_view kUnused = "-";

absl::Status MakeFolder(const std::string& path) {
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!above.empty()) std::filesystem::create_directories(above, error);
  if (error) return FileProblem(error.value(), path, "a folder that can be written");
  if (mkdir(path.c_str(), kFolderMode) != 0 && errno != EEXIST)
    return FileProblem(errno, path, "a folder that can be written");
  return absl::OkStatus();
}

// A lock for one change of a folder at a time, across processes.
class Turn {
 public:
  static absl::StatusOr<Turn> Take(const std::string& folder) {
    const std::string path = folder + "/.lock";
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kSecretMode);
    if (fd < 0) return FileProblem(errno, path, "a folder that can be written");
    while (flock(fd, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      close(fd);
      return FileProblem(error, path, "a folder that can be locked");
    }
    return Turn(fd);
  }
  ~Turn() {
    if (fd_ >= 0) close(fd_);
  }
  Turn(Turn&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Turn& operator=(Turn&&) = delete;

 private:
  explicit Turn(int fd) : fd_(fd) {}
  int fd_;
};

std::string TextOf(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

// The time in a table; an unreadable one counts as past.
absl::Time TimeOf(const std::string& text) {
  absl::Time time;
  std::string error;
  const bool ok = absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", text, absl::UTCTimeZone(), &time, &error);
  return ok ? time : absl::InfinitePast();
}

// The columns of the two tables.
enum IssuedColumn : size_t { kSerial, kRole, kName, kNotAfter, kIssuedColumns };
enum TokenColumn : size_t { kHash, kUntil, kWorker, kUsedBy, kTokenColumns };

// The last row of each token, or of the one with that hash: a used token gets another row.
absl::StatusOr<std::vector<Words>> ReadTokens(const std::string& path, std::string_view hash = "") {
  ASSIGN_OR_RETURN(std::vector<Words> rows, ReadTable(path, kTokenColumns, hash));
  std::vector<Words> tokens;
  absl::flat_hash_map<std::string, size_t> at;
  for (Words& row : rows) {
    const auto [found, fresh] = at.try_emplace(row[kHash], tokens.size());
    if (fresh) {
      tokens.push_back(std::move(row));
    } else {
      tokens[found->second] = std::move(row);
    }
  }
  return tokens;
}

absl::Status WritePair(const std::string& folder, const std::string& certificate,
                       const std::string& key) {
  RETURN_IF_ERROR(WriteFileAtomically(folder + "/key.pem", key, kSecretMode));
  return WriteFileAtomically(folder + "/cert.pem", certificate, kPublicMode);
}

absl::Status CheckName(const std::string& name) {
  if (IsHolderName(name)) return absl::OkStatus();
  return MakeProblem({.code = "bad_name", .found = Quote(name), .expected = kNameWords});
}

// One message for all cases, so that a stranger learns nothing.
absl::Status BadToken() {
  return MakeProblem({.code = "bad_token",
                      .found = "a token that is unknown, used, at its end, or another worker's",
                      .expected = "one of `joseki certs token` that no other node has used"},
                     absl::StatusCode::kPermissionDenied);
}

}  // namespace

absl::StatusOr<Authority> Authority::Create(const std::string& folder, absl::Time now) {
  RETURN_IF_ERROR(MakeFolder(folder));
  Authority authority(folder);
  {
    ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder));
    if (std::filesystem::exists(authority.File("ca.pem"))) {
      return MakeProblem({.code = "authority_exists",
                          .file = authority.File("ca.pem"),
                          .found = "an authority",
                          .expected = "a folder without one: every certificate of the old one "
                                      "would be worthless"},
                         absl::StatusCode::kFailedPrecondition);
    }
    ASSIGN_OR_RETURN(const Signer signer, MakeAuthority({now - kSlack, now + kAuthorityLife}));
    for (const char* const name : {"issued", "tokens"}) {
      RETURN_IF_ERROR(WriteFileAtomically(authority.File(name), "", kSecretMode));
    }
    RETURN_IF_ERROR(WriteFileAtomically(authority.File("revoked"), "", kPublicMode));
    // The coordinator's certificate comes last: where it exists, everything does.
    RETURN_IF_ERROR(WriteFileAtomically(authority.File("ca.key"), signer.key, kSecretMode));
    RETURN_IF_ERROR(WriteFileAtomically(authority.File("ca.pem"), signer.certificate, kPublicMode));
  }
  RETURN_IF_ERROR(authority.RenewServer(now, kLife));
  return authority;
}

absl::StatusOr<Authority> Authority::Open(const std::string& folder) {
  Authority authority(folder);
  RETURN_IF_ERROR(authority.ReadSigner().status());
  return authority;
}

absl::StatusOr<Authority> Authority::OpenRecords(const std::string& folder) {
  Authority authority(folder);
  for (const char* const name : {"ca.pem", "issued"}) {
    RETURN_IF_ERROR(authority.ReadPart(name).status());
  }
  return authority;
}

absl::StatusOr<std::string> Authority::ReadPart(const std::string& name) const {
  absl::StatusOr<std::string> read = ReadFile(File(name));
  if (read.ok()) return read;
  return MakeProblem({.code = "no_authority",
                      .file = File(name),
                      .found = ProblemOf(read.status()).found,
                      .expected = "the folder of an authority, as `joseki certs init` makes it"},
                     absl::StatusCode::kFailedPrecondition);
}

absl::StatusOr<Signer> Authority::ReadSigner() const {
  Signer signer;
  for (const auto& [name, text] :
       {std::pair("ca.pem", &signer.certificate), std::pair("ca.key", &signer.key)}) {
    ASSIGN_OR_RETURN(*text, ReadPart(name));
  }
  return signer;
}

absl::Status Authority::RenewServer(absl::Time now, absl::Duration life) const {
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  ASSIGN_OR_RETURN(const std::string key, MakeKey());
  ASSIGN_OR_RETURN(const std::string certificate,
                   SignServer(signer, key, {now - kSlack, now + life}));
  return WritePair(folder_, certificate, key);
}

absl::Status Authority::Record(const Identity& identity, absl::Time not_after) const {
  return AppendToTable(
      File("issued"),
      {{identity.serial, std::string(NameOf(identity.role)), identity.name, TextOf(not_after)}},
      kSecretMode);
}

absl::StatusOr<std::string> Authority::Issue(Role role, const std::string& name, absl::Time now,
                                             absl::Duration life) const {
  RETURN_IF_ERROR(CheckName(name));
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  ASSIGN_OR_RETURN(const std::string key, MakeKey());
  Identity identity{role, name, ""};
  ASSIGN_OR_RETURN(identity.serial, MakeSerial());
  ASSIGN_OR_RETURN(const std::string certificate,
                   SignClient(signer, key, identity, {now - kSlack, now + life}));
  // Record before writing: a certificate that exists can then be revoked.
  RETURN_IF_ERROR(Record(identity, now + life));
  const std::string holders = absl::StrCat(folder_, "/", std::string(NameOf(role)), "s");
  const std::string folder = absl::StrCat(holders, "/", name);
  RETURN_IF_ERROR(MakeFolder(holders));
  RETURN_IF_ERROR(MakeFolder(folder));
  RETURN_IF_ERROR(WriteFileAtomically(folder + "/ca.pem", signer.certificate, kPublicMode));
  RETURN_IF_ERROR(WritePair(folder, certificate, key));
  return folder;
}

absl::StatusOr<std::vector<std::string>> Authority::MakeTokens(const std::string& worker, int count,
                                                               absl::Time now,
                                                               absl::Duration life) const {
  if (!worker.empty()) RETURN_IF_ERROR(CheckName(worker));
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  ASSIGN_OR_RETURN(std::vector<Words> tokens, ReadTokens(File("tokens")));
  const std::string until = TextOf(now + life);
  std::vector<Words> added;
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const std::string secret, MakeSecret());
    added.push_back({HashOfSecret(secret), until, worker.empty() ? std::string(kAnyone) : worker,
                     std::string(kUnused)});
    texts.push_back(certificates::TextOf({secret, signer.certificate}, worker, until));
  }
  const size_t ended =
      std::erase_if(tokens, [&](const Words& token) { return TimeOf(token[kUntil]) < now; });
  if (ended <= tokens.size()) {
    RETURN_IF_ERROR(AppendToTable(File("tokens"), added, kSecretMode));
  } else {
    tokens.insert(tokens.end(), added.begin(), added.end());
    RETURN_IF_ERROR(WriteTable(File("tokens"), tokens, kSecretMode));
  }
  return texts;
}

absl::StatusOr<std::string> Authority::Enroll(std::string_view secret, const std::string& worker,
                                              std::string_view request, absl::Time now) const {
  RETURN_IF_ERROR(CheckName(worker));
  ASSIGN_OR_RETURN(const std::string key, KeyOfRequest(request));
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  const std::string hash = HashOfSecret(secret);
  ASSIGN_OR_RETURN(std::vector<Words> tokens, ReadTokens(File("tokens"), hash));
  const auto token = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const Words& row) { return row[kHash] == hash; });
  const bool anyone = token != tokens.end() && (*token)[kWorker] == kAnyone;
  const bool used = token != tokens.end() && (*token)[kUsedBy] != kUnused;
  if (token == tokens.end() || TimeOf((*token)[kUntil]) < now ||
      (!anyone && (*token)[kWorker] != worker) || (used && (*token)[kUsedBy] != key)) {
    return BadToken();
  }
  if (anyone) {
    const std::string part =
        absl::StrCat(" ", std::string(NameOf(Role::kWorker)), " ", worker, " ");
    ASSIGN_OR_RETURN(const std::vector<Issued> issued, ListIssued(part));
    for (const Issued& other : issued) {
      if (!other.revoked && other.not_after >= now) {
        return MakeProblem({.code = "name_taken",
                            .found = Quote(worker),
                            .expected = "a name that no worker has, or a token for this one"},
                           absl::StatusCode::kAlreadyExists);
      }
    }
  }
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  Identity identity{Role::kWorker, worker, ""};
  ASSIGN_OR_RETURN(identity.serial, MakeSerial());
  ASSIGN_OR_RETURN(const std::string certificate,
                   SignRequest(signer, request, identity, {now - kSlack, now + kLife}));
  // The token now belongs to this key and this name: a later request with it comes from the same
  // node.
  (*token)[kUsedBy] = key;
  (*token)[kWorker] = worker;
  RETURN_IF_ERROR(AppendToTable(File("tokens"), {*token}, kSecretMode));
  RETURN_IF_ERROR(Record(identity, now + kLife));
  return certificate;
}

absl::StatusOr<int> Authority::Revoke(Role role, const std::string& name, absl::Time now) const {
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const std::vector<Issued> issued, List());
  ASSIGN_OR_RETURN(std::string text, ReadRevoked());
  if (!text.empty() && text.back() != '\n') text += '\n';
  int count = 0;
  for (const Issued& one : issued) {
    const Identity& holder = one.identity;
    if (holder.role != role || holder.name != name || one.revoked || one.not_after < now) continue;
    absl::StrAppend(&text, holder.serial, " ", std::string(NameOf(role)), " ", name, " ",
                    TextOf(now), "\n");
    ++count;
  }
  ASSIGN_OR_RETURN(std::vector<Words> tokens, ReadTokens(File("tokens")));
  const size_t waiting = role != Role::kWorker ? 0 : std::erase_if(tokens, [&](const Words& token) {
    return token[kWorker] == name;
  });
  if (count == 0 && waiting == 0) {
    return MakeProblem({.code = "unknown_holder",
                        .found = absl::StrCat("no certificate of the ", std::string(NameOf(role)),
                                              " ", Quote(name)),
                        .expected = "one that is listed by `joseki certs list` as valid"},
                       absl::StatusCode::kNotFound);
  }
  if (waiting > 0) RETURN_IF_ERROR(WriteTable(File("tokens"), tokens, kSecretMode));
  RETURN_IF_ERROR(WriteFileAtomically(File("revoked"), text, kPublicMode));
  RETURN_IF_ERROR(CheckRevoked(role, name, now));
  RETURN_IF_ERROR(MarkRevoked());
  return count;
}

// An authority that signs has a list beside its certificates, even if empty. If the list is gone,
// the revoked certificates are unknown here, and a new list would restore their rights.
absl::StatusOr<std::string> Authority::ReadRevoked() const {
  absl::StatusOr<std::string> text = ReadFile(File("revoked"));
  if (!absl::IsNotFound(text.status())) return text;
  ASSIGN_OR_RETURN(const std::vector<Words> issued, ReadTable(File("issued"), kIssuedColumns));
  if (issued.empty()) return std::string();
  return MakeProblem(
      {.code = "no_revocations",
       .file = File("revoked"),
       .found = absl::StrCat("no such file, and ", issued.size(), " certificates that were issued"),
       .expected = "the list as it was; an empty file says that none was revoked"},
      absl::StatusCode::kFailedPrecondition);
}

// Marks revoked certificates in `issued` as well, in case the list is emptied or cut by accident.
absl::Status Authority::MarkRevoked() const {
  ASSIGN_OR_RETURN(const std::vector<Words> rows, ReadTable(File("issued"), kIssuedColumns));
  ASSIGN_OR_RETURN(const std::string text, ReadRevoked());
  ASSIGN_OR_RETURN(auto unmarked, ParseRevocations(text, File("revoked")));
  for (const Words& row : rows) {
    if (row[kRole] == kRevokedMark) unmarked.erase(row[kSerial]);
  }
  std::vector<Words> marks;
  for (const Words& row : rows) {
    if (unmarked.erase(row[kSerial]) == 0) continue;
    marks.push_back({row[kSerial], std::string(kRevokedMark), row[kName], row[kNotAfter]});
  }
  return marks.empty() ? absl::OkStatus() : AppendToTable(File("issued"), marks, kSecretMode);
}

// Reads the list as a coordinator does.
absl::Status Authority::CheckRevoked(Role role, const std::string& name, absl::Time now) const {
  ASSIGN_OR_RETURN(const auto revocations, Revocations::Load(File("revoked")));
  ASSIGN_OR_RETURN(const std::vector<Issued> issued, List());
  for (const auto& [holder, not_after, revoked] : issued) {
    if (holder.role != role || holder.name != name || not_after < now) continue;
    if (revoked && revocations->Contains(holder.serial)) continue;
    return MakeProblem({.code = "not_revoked",
                        .file = File("revoked"),
                        .found = absl::StrCat("no line of the certificate ", holder.serial),
                        .expected = "the line that was written just now"},
                       absl::StatusCode::kInternal);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Authority::Issued>> Authority::List() const { return ListIssued(""); }

absl::StatusOr<std::vector<Authority::Issued>> Authority::ListIssued(std::string_view part) const {
  ASSIGN_OR_RETURN(const std::vector<Words> rows, ReadTable(File("issued"), kIssuedColumns, part));
  ASSIGN_OR_RETURN(const std::string text, ReadRevoked());
  ASSIGN_OR_RETURN(const auto serials, ParseRevocations(text, File("revoked")));
  absl::flat_hash_set<std::string> marked;
  for (const Words& row : rows) {
    if (row[kRole] == kRevokedMark) marked.insert(row[kSerial]);
  }
  RETURN_IF_ERROR(CheckNoneLost(marked, serials, File("revoked")));
  std::vector<Issued> issued;
  for (const Words& row : rows) {
    const std::optional<Role> role = RoleOf(row[kRole]);
    if (!role) continue;
    issued.push_back({{*role, row[kName], row[kSerial]},
                      TimeOf(row[kNotAfter]),
                      serials.contains(row[kSerial])});
  }
  return issued;
}

}  // namespace joseki::certificates
