#include "base/certificates/certificate.h"

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "proto/limits.h"

namespace joseki::certificates {
namespace {

constexpr std::string_view kScheme = "joseki://";
constexpr size_t kSerialBytes = 16;
constexpr std::array<Role, 3> kRoles = {Role::kWorker, Role::kOperator, Role::kReader};

template <auto free>
struct Freer {
  template <typename T>
  void operator()(T* pointer) const {
    free(pointer);
  }
};
using Bio = std::unique_ptr<BIO, Freer<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>>;
using X509Ptr = std::unique_ptr<X509, Freer<X509_free>>;
using Request = std::unique_ptr<X509_REQ, Freer<X509_REQ_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freer<X509_EXTENSION_free>>;
using BigNumber = std::unique_ptr<BIGNUM, Freer<BN_free>>;
using TrustStore = std::unique_ptr<X509_STORE, Freer<X509_STORE_free>>;
using TrustCheck = std::unique_ptr<X509_STORE_CTX, Freer<X509_STORE_CTX_free>>;

// The library's last error; clears this thread's error queue.
absl::Status LibraryFailed(std::string_view what) {
  char text[256] = "unknown error";
  if (const unsigned long error = ERR_peek_last_error(); error != 0) {
    ERR_error_string_n(error, text, sizeof text);
  }
  ERR_clear_error();
  return absl::InternalError(absl::StrCat(std::string(what), ": ", text));
}

absl::Status BadPem(std::string code, const std::string& place, std::string expected) {
  ERR_clear_error();
  return MakeProblem({.code = std::move(code),
                      .file = place,
                      .found = "something else",
                      .expected = std::move(expected)});
}

Bio Reader(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string TextOf(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return std::string(data, static_cast<size_t>(size));
}

// Keeps the library from asking for a password on the terminal.
int NoPassword(char*, int, int, void*) { return 0; }

Key ReadKey(std::string_view pem) {
  return Key(PEM_read_bio_PrivateKey(Reader(pem).get(), nullptr, NoPassword, nullptr));
}

X509Ptr ReadX509(std::string_view pem) {
  return X509Ptr(PEM_read_bio_X509(Reader(pem).get(), nullptr, NoPassword, nullptr));
}

absl::StatusOr<std::string> PemOf(X509* certificate) {
  const Bio memory(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(memory.get(), certificate) != 1) return LibraryFailed("certificate");
  return TextOf(memory.get());
}

absl::Time TimeOf(const ASN1_TIME* time) {
  std::tm fields{};
  if (ASN1_TIME_to_tm(time, &fields) != 1) return absl::InfinitePast();
  return absl::FromTM(fields, absl::UTCTimeZone());
}

// The URIs among the alternative names.
std::vector<std::string> UrisOf(const X509* certificate) {
  std::vector<std::string> uris;
  auto* const names = static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  if (names == nullptr) return uris;
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) {
    const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names, i);
    if (name->type != GEN_URI) continue;
    const ASN1_IA5STRING* const uri = name->d.uniformResourceIdentifier;
    uris.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(uri)),
                      static_cast<size_t>(ASN1_STRING_length(uri)));
  }
  GENERAL_NAMES_free(names);
  return uris;
}

absl::Status AddExtension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  if (extension == nullptr || X509_add_ext(certificate, extension.get(), -1) != 1) {
    return LibraryFailed("extension");
  }
  return absl::OkStatus();
}

// The contents that differ between certificates.
struct Contents {
  std::string common_name;
  std::string serial;
  std::string constraints;
  std::string usage;
  std::string extended_usage;    // may be empty
  std::string alternative_name;  // may be empty
  Validity validity;
};

absl::Status SetTime(ASN1_TIME* field, absl::Time time) {
  // The library chooses the encoding: years up to 2049 have one, later years another.
  if (ASN1_TIME_set(field, absl::ToTimeT(time)) == nullptr) return LibraryFailed("time");
  return absl::OkStatus();
}

// A certificate signed by `issuer`, or by itself where that is null.
absl::StatusOr<std::string> Sign(const Contents& contents, EVP_PKEY* subject_key, X509* issuer,
                                 EVP_PKEY* issuer_key) {
  const X509Ptr certificate(X509_new());
  X509* const made = certificate.get();
  BIGNUM* number = nullptr;
  BN_hex2bn(&number, contents.serial.c_str());
  const BigNumber serial(number);
  X509_NAME* const subject = X509_get_subject_name(made);
  const auto* const common_name = reinterpret_cast<const uint8_t*>(contents.common_name.c_str());
  if (X509_set_version(made, X509_VERSION_3) != 1 ||
      BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(made)) == nullptr ||
      X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_ASC,
                                 reinterpret_cast<const uint8_t*>("Joseki"), -1, -1, 0) != 1 ||
      X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common_name, -1, -1, 0) != 1 ||
      X509_set_issuer_name(made, issuer == nullptr ? subject : X509_get_subject_name(issuer)) !=
          1 ||
      X509_set_pubkey(made, subject_key) != 1) {
    return LibraryFailed("certificate");
  }
  RETURN_IF_ERROR(SetTime(X509_getm_notBefore(made), contents.validity.not_before));
  RETURN_IF_ERROR(SetTime(X509_getm_notAfter(made), contents.validity.not_after));
  X509* const by = issuer == nullptr ? made : issuer;
  RETURN_IF_ERROR(AddExtension(made, by, NID_basic_constraints, contents.constraints));
  RETURN_IF_ERROR(AddExtension(made, by, NID_key_usage, contents.usage));
  RETURN_IF_ERROR(AddExtension(made, by, NID_subject_key_identifier, "hash"));
  RETURN_IF_ERROR(AddExtension(made, by, NID_authority_key_identifier, "keyid"));
  if (!contents.extended_usage.empty()) {
    RETURN_IF_ERROR(AddExtension(made, by, NID_ext_key_usage, contents.extended_usage));
  }
  if (!contents.alternative_name.empty()) {
    RETURN_IF_ERROR(AddExtension(made, by, NID_subject_alt_name, contents.alternative_name));
  }
  if (X509_sign(made, issuer_key, EVP_sha256()) == 0) return LibraryFailed("signature");
  return PemOf(made);
}

absl::StatusOr<std::string> SignBy(const Signer& authority, const Contents& contents,
                                   EVP_PKEY* subject_key) {
  const X509Ptr issuer = ReadX509(authority.certificate);
  const Key issuer_key = ReadKey(authority.key);
  if (issuer == nullptr || issuer_key == nullptr) {
    return BadPem("bad_authority", "", "an authority's certificate and key in PEM form");
  }
  if (X509_check_private_key(issuer.get(), issuer_key.get()) != 1) {
    return BadPem("key_mismatch", "", "the key of the authority's certificate");
  }
  return Sign(contents, subject_key, issuer.get(), issuer_key.get());
}

Contents ClientContents(const Identity& identity, Validity validity) {
  return {// With a space, so that no name of a holder can be taken for that of a host.
          .common_name =
              absl::StrCat(std::string(NameOf(identity.role)), " ", identity.name.substr(0, 40)),
          .serial = identity.serial,
          .constraints = "critical,CA:FALSE",
          .usage = "critical,digitalSignature",
          .extended_usage = "clientAuth",
          .alternative_name = "URI:" + UriOf(identity),
          .validity = validity};
}

absl::StatusOr<Key> KeyFrom(const std::string& pem) {
  Key key = ReadKey(pem);
  if (key == nullptr) return BadPem("bad_key", "", "a private key in PEM form");
  return key;
}

// The request's key, after a check that it has signed the request.
absl::StatusOr<Key> KeyFromRequest(std::string_view text) {
  const Request request(PEM_read_bio_X509_REQ(Reader(text).get(), nullptr, NoPassword, nullptr));
  Key key(request == nullptr ? nullptr : X509_REQ_get_pubkey(request.get()));
  char group[32] = "";
  size_t length = 0;
  if (key == nullptr || EVP_PKEY_get_group_name(key.get(), group, sizeof group, &length) != 1 ||
      std::string_view(group) != "prime256v1" || X509_REQ_verify(request.get(), key.get()) != 1) {
    return BadPem("bad_request", "request",
                  "a certificate request in PEM form for a P-256 key, signed by it");
  }
  return key;
}

// `certificate`: the one at fault, the holder's or its authority's.
absl::Status NotTrusted(int error, const X509* certificate, bool authority,
                        const std::string& place, absl::Time now) {
  const char* const whose = authority ? "an authority's certificate that " : "a certificate that ";
  const auto at = [](absl::Time time) {
    return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
  };
  Problem problem{.code = "certificate_not_trusted",
                  .file = place,
                  .found = X509_verify_cert_error_string(error),
                  .expected = "a certificate that this cluster's authority has signed"};
  if (error == X509_V_ERR_CERT_HAS_EXPIRED) {
    problem.code = "certificate_expired";
    problem.found = absl::StrCat(whose, "ended ", at(TimeOf(X509_get0_notAfter(certificate))));
    problem.expected = absl::StrCat("one that is valid now, ", at(now));
  } else if (error == X509_V_ERR_CERT_NOT_YET_VALID) {
    problem.code = "certificate_not_yet_valid";
    problem.found = absl::StrCat(whose, "begins ", at(TimeOf(X509_get0_notBefore(certificate))));
    problem.expected =
        absl::StrCat("one that is valid now, ", at(now), ", by this machine's clock");
  }
  return MakeProblem(std::move(problem), absl::StatusCode::kFailedPrecondition);
}

}  // namespace

std::string_view NameOf(Role role) {
  switch (role) {
    case Role::kWorker:
      return "worker";
    case Role::kOperator:
      return "operator";
    case Role::kReader:
      return "reader";
  }
  return "";
}

std::optional<Role> RoleOf(std::string_view name) {
  for (const Role role : kRoles) {
    if (NameOf(role) == name) return role;
  }
  return std::nullopt;
}

bool IsHolderName(std::string_view name) { return IsName(name) && name != "." && name != ".."; }

bool IsSerial(std::string_view text) {
  return text.size() == 2 * kSerialBytes && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

std::string UriOf(const Identity& identity) {
  return absl::StrCat(std::string(kScheme), std::string(NameOf(identity.role)), "/", identity.name,
                      "/", identity.serial);
}

std::optional<Identity> IdentityOf(std::string_view uri) {
  if (uri.substr(0, kScheme.size()) != kScheme) return std::nullopt;
  const std::vector<std::string> parts =
      absl::StrSplit(std::string(uri.substr(kScheme.size())), '/');
  if (parts.size() != 3) return std::nullopt;
  const std::optional<Role> role = RoleOf(parts[0]);
  if (!role || !IsHolderName(parts[1]) || !IsSerial(parts[2])) {
    return std::nullopt;
  }
  return Identity{*role, parts[1], parts[2]};
}

absl::StatusOr<Certificate> ReadCertificate(std::string_view pem, const std::string& place) {
  const X509Ptr certificate = ReadX509(pem);
  if (certificate == nullptr) return BadPem("bad_certificate", place, "a certificate in PEM form");
  Certificate read;
  // Two URIs would be ambiguous.
  if (const std::vector<std::string> uris = UrisOf(certificate.get()); uris.size() == 1) {
    read.identity = IdentityOf(uris.front());
  }
  read.authority = X509_check_ca(certificate.get()) == 1;
  read.not_before = TimeOf(X509_get0_notBefore(certificate.get()));
  read.not_after = TimeOf(X509_get0_notAfter(certificate.get()));
  return read;
}

absl::StatusOr<std::string> MakeKey() {
  const Key key(EVP_EC_gen("P-256"));
  const Bio memory(BIO_new(BIO_s_mem()));
  if (key == nullptr || PEM_write_bio_PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0,
                                                 nullptr, nullptr) != 1) {
    return LibraryFailed("key");
  }
  return TextOf(memory.get());
}

absl::StatusOr<std::string> MakeSerial() {
  std::array<uint8_t, kSerialBytes> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return LibraryFailed("chance");
  bytes[0] &= 0x7f;  // a positive number
  return Hex(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

absl::StatusOr<Signer> MakeAuthority(Validity validity) {
  Signer authority;
  ASSIGN_OR_RETURN(authority.key, MakeKey());
  ASSIGN_OR_RETURN(const Key key, KeyFrom(authority.key));
  ASSIGN_OR_RETURN(const std::string serial, MakeSerial());
  ASSIGN_OR_RETURN(authority.certificate,
                   Sign({.common_name = "Joseki authority " + serial.substr(0, 8),
                         .serial = serial,
                         .constraints = "critical,CA:TRUE,pathlen:0",
                         .usage = "critical,keyCertSign,cRLSign",
                         .validity = validity},
                        key.get(), nullptr, key.get()));
  return authority;
}

absl::StatusOr<std::string> SignServer(const Signer& authority, const std::string& key,
                                       Validity validity) {
  ASSIGN_OR_RETURN(const Key subject, KeyFrom(key));
  ASSIGN_OR_RETURN(const std::string serial, MakeSerial());
  return SignBy(authority,
                {.common_name = std::string(kServerName),
                 .serial = serial,
                 .constraints = "critical,CA:FALSE",
                 .usage = "critical,digitalSignature",
                 .extended_usage = "serverAuth",
                 .alternative_name = "DNS:" + std::string(kServerName),
                 .validity = validity},
                subject.get());
}

absl::StatusOr<std::string> SignClient(const Signer& authority, const std::string& key,
                                       const Identity& identity, Validity validity) {
  ASSIGN_OR_RETURN(const Key subject, KeyFrom(key));
  return SignBy(authority, ClientContents(identity, validity), subject.get());
}

absl::StatusOr<std::string> MakeRequest(const std::string& key) {
  ASSIGN_OR_RETURN(const Key subject, KeyFrom(key));
  const Request request(X509_REQ_new());
  const Bio memory(BIO_new(BIO_s_mem()));
  if (X509_REQ_set_pubkey(request.get(), subject.get()) != 1 ||
      X509_REQ_sign(request.get(), subject.get(), EVP_sha256()) == 0 ||
      PEM_write_bio_X509_REQ(memory.get(), request.get()) != 1) {
    return LibraryFailed("request");
  }
  return TextOf(memory.get());
}

absl::StatusOr<std::string> KeyOfRequest(std::string_view request) {
  ASSIGN_OR_RETURN(const Key key, KeyFromRequest(request));
  uint8_t* bytes = nullptr;
  const int size = i2d_PUBKEY(key.get(), &bytes);
  if (size <= 0) return LibraryFailed("key");
  const std::string encoded(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  OPENSSL_free(bytes);
  return Hex(Sha256Of(encoded));
}

absl::StatusOr<std::string> SignRequest(const Signer& authority, std::string_view request,
                                        const Identity& identity, Validity validity) {
  ASSIGN_OR_RETURN(const Key subject, KeyFromRequest(request));
  return SignBy(authority, ClientContents(identity, validity), subject.get());
}

absl::Status CheckCertificate(std::string_view authority, std::string_view certificate,
                              std::string_view key, End end, absl::Time now,
                              const std::string& place) {
  const X509Ptr issuer = ReadX509(authority);
  const X509Ptr holder = ReadX509(certificate);
  if (issuer == nullptr || holder == nullptr) {
    return BadPem("bad_certificate", place, "a certificate in PEM form, and its authority's");
  }
  if (!key.empty()) {
    const Key own = ReadKey(key);
    if (own == nullptr || X509_check_private_key(holder.get(), own.get()) != 1) {
      ERR_clear_error();
      return MakeProblem({.code = "key_mismatch",
                          .file = place,
                          .found = own == nullptr ? "no private key" : "another private key",
                          .expected = "the private key of the certificate"},
                         absl::StatusCode::kFailedPrecondition);
    }
  }
  const TrustStore store(X509_STORE_new());
  const TrustCheck check(X509_STORE_CTX_new());
  if (X509_STORE_add_cert(store.get(), issuer.get()) != 1 ||
      X509_STORE_CTX_init(check.get(), store.get(), holder.get(), nullptr) != 1 ||
      X509_STORE_CTX_set_default(check.get(), end == End::kServer ? "ssl_server" : "ssl_client") !=
          1) {
    return LibraryFailed("check");
  }
  X509_STORE_CTX_set_time(check.get(), 0, absl::ToTimeT(now));
  if (X509_verify_cert(check.get()) == 1) return absl::OkStatus();
  const int error = X509_STORE_CTX_get_error(check.get());
  ERR_clear_error();
  const X509* const at_fault = X509_STORE_CTX_get_current_cert(check.get());
  const bool authority_at_fault = at_fault != nullptr && X509_cmp(at_fault, issuer.get()) == 0;
  return NotTrusted(error, authority_at_fault ? issuer.get() : holder.get(), authority_at_fault,
                    place, now);
}

}  // namespace joseki::certificates
