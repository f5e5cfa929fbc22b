#include "proto/server_tls.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki {
namespace {

// gRPC's C++ layer supports certificates that are read once, or files that it trusts unchecked.
// Only its C layer asks for a certificate at each handshake. The following classes are the part of
// the C++ layer that is needed on top.

// A client's facts from a connection, without a copy.
class PeerContext final : public grpc::AuthContext {
 public:
  explicit PeerContext(grpc_auth_context* context) : context_(context) {}

  bool IsPeerAuthenticated() const override {
    return grpc_auth_context_peer_is_authenticated(context_) != 0;
  }
  std::vector<grpc::string_ref> GetPeerIdentity() const override {
    return All(grpc_auth_context_peer_identity(context_));
  }
  std::string GetPeerIdentityPropertyName() const override {
    const char* const name = grpc_auth_context_peer_identity_property_name(context_);
    return name == nullptr ? "" : name;
  }
  std::vector<grpc::string_ref> FindPropertyValues(const std::string& name) const override {
    return All(grpc_auth_context_find_properties_by_name(context_, name.c_str()));
  }
  grpc::AuthPropertyIterator begin() const override { return End(); }
  grpc::AuthPropertyIterator end() const override { return End(); }
  void AddProperty(const std::string& key, const grpc::string_ref& value) override {
    grpc_auth_context_add_property(context_, key.c_str(), value.data(), value.size());
  }
  bool SetPeerIdentityPropertyName(const std::string& name) override {
    return grpc_auth_context_set_peer_identity_property_name(context_, name.c_str()) != 0;
  }

 private:
  // An empty iterator: processors look up properties by name.
  struct End final : grpc::AuthPropertyIterator {};

  static std::vector<grpc::string_ref> All(grpc_auth_property_iterator at) {
    std::vector<grpc::string_ref> values;
    while (const grpc_auth_property* const property = grpc_auth_property_iterator_next(&at)) {
      values.emplace_back(property->value, property->value_length);
    }
    return values;
  }

  grpc_auth_context* const context_;
};

grpc::string_ref ViewOf(const grpc_slice& slice) {
  return {reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(slice)), GRPC_SLICE_LENGTH(slice)};
}

// Owned by gRPC's credentials, which destroy it with their processor.
struct Hooks {
  std::shared_ptr<ServerTls> tls;
  std::shared_ptr<grpc::AuthMetadataProcessor> processor;
  Mutex mutex;
  uint64_t given ABSL_GUARDED_BY(mutex) = 0;  // version

  static grpc_ssl_certificate_config_reload_status Fetch(
      void* hooks, grpc_ssl_server_certificate_config** config) {
    auto& self = *static_cast<Hooks*>(hooks);
    const ServerTls::Served served = self.tls->served();
    const ScopedLock lock(self.mutex);
    if (served.version == self.given) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    self.given = served.version;
    const grpc_ssl_pem_key_cert_pair pair{served.texts.key.c_str(),
                                          served.texts.certificate.c_str()};
    *config = grpc_ssl_server_certificate_config_create(served.texts.authority.c_str(), &pair, 1);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  static void Process(void* hooks, grpc_auth_context* context, const grpc_metadata* metadata,
                      size_t count, grpc_process_auth_metadata_done_cb done, void* user_data) {
    const auto& self = *static_cast<Hooks*>(hooks);
    grpc::AuthMetadataProcessor::InputMetadata input;
    for (size_t i = 0; i < count; ++i) {
      input.emplace(ViewOf(metadata[i].key), ViewOf(metadata[i].value));
    }
    PeerContext peer(context);
    grpc::AuthMetadataProcessor::OutputMetadata consumed;
    grpc::AuthMetadataProcessor::OutputMetadata response;
    const grpc::Status status = self.processor->Process(input, &peer, &consumed, &response);
    done(user_data, nullptr, 0, nullptr, 0, static_cast<grpc_status_code>(status.error_code()),
         status.error_message().c_str());
  }

  static void Destroy(void* hooks) { delete static_cast<Hooks*>(hooks); }
};

class ServerEnd final : public grpc::ServerCredentials {
 public:
  ServerEnd(std::shared_ptr<ServerTls> tls,
            std::shared_ptr<grpc::AuthMetadataProcessor> processor) {
    auto* const hooks = new Hooks{std::move(tls), std::move(processor), {}, 0};
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(
            GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY, Hooks::Fetch, hooks));
    grpc_server_credentials_set_auth_metadata_processor(credentials_,
                                                        {Hooks::Process, Hooks::Destroy, hooks});
  }
  ~ServerEnd() override { grpc_server_credentials_release(credentials_); }

  // Does nothing: Credentials passes the processor, whose owner holds the certificates too.
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  grpc_server_credentials* credentials_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<ServerTls>> ServerTls::Load(const certificates::TlsFiles& files,
                                                           absl::Time now) {
  std::shared_ptr<ServerTls> tls(new ServerTls(files));
  tls->taken_ = tls->StampsNow();
  RETURN_IF_ERROR(tls->Take(now));
  return tls;
}

ServerTls::Stamps ServerTls::StampsNow() const {
  return {StampOf(files_.authority), StampOf(files_.certificate), StampOf(files_.key)};
}

absl::Status ServerTls::Take(absl::Time now) {
  ASSIGN_OR_RETURN(TlsTexts texts, ReadTls(files_, certificates::End::kServer, now));
  if (texts.certificate.empty()) {
    return MakeProblem({.code = "tls_files",
                        .file = files_.authority,
                        .found = "no certificate of the coordinator's",
                        .expected = "one with its key"},
                       absl::StatusCode::kFailedPrecondition);
  }
  ASSIGN_OR_RETURN(const certificates::Certificate authority,
                   certificates::ReadCertificate(texts.authority, files_.authority));
  ASSIGN_OR_RETURN(const certificates::Certificate own,
                   certificates::ReadCertificate(texts.certificate, files_.certificate));
  const ScopedLock lock(mutex_);
  not_after_ = std::min(own.not_after, authority.not_after);
  served_.texts = std::move(texts);
  ++served_.version;
  return absl::OkStatus();
}

absl::StatusOr<bool> ServerTls::Refresh(absl::Time now) {
  // Take the stamps before reading: a concurrent change is then seen by the next call.
  const Stamps stamps = StampsNow();
  if (stamps == taken_) return false;
  const absl::Status taken = Take(now);
  if (!taken.ok() && stamps != failed_) {
    failed_ = stamps;
    return false;
  }
  taken_ = stamps;
  RETURN_IF_ERROR(taken);
  return true;
}

absl::Time ServerTls::not_after() const {
  const ScopedLock lock(mutex_);
  return not_after_;
}

ServerTls::Served ServerTls::served() const {
  const ScopedLock lock(mutex_);
  return served_;
}

std::shared_ptr<grpc::ServerCredentials> ServerTls::Credentials(
    std::shared_ptr<grpc::AuthMetadataProcessor> processor) {
  return std::make_shared<ServerEnd>(shared_from_this(), std::move(processor));
}

}  // namespace joseki
