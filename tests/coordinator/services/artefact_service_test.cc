#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "coordinator/services/server.h"
#include "gtest/gtest.h"
#include "joseki/v1/artefact.grpc.pb.h"
#include "proto/grpc_status.h"
#include "tests/coordinator/artefacts_fixture.h"

namespace joseki::coordinator {
namespace {

Sha256 HashIn(const std::string& bytes) {
  Sha256 sha256{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), sha256.size()), sha256.begin());
  return sha256;
}
std::string BytesOf(const Sha256& sha256) { return {sha256.begin(), sha256.end()}; }

// Over a real connection.
class ArtefactServiceTest : public ArtefactsTest {
 protected:
  void Serve(double mb_per_second) {
    server_ = *Server::Start(
        {.listen = "127.0.0.1:0", .db_path = path_, .artefact_mb_per_second = mb_per_second},
        *coordinator_, rules_);
    stub_ = v1::ArtefactService::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  }
  absl::StatusOr<v1::Manifest> ManifestOf(const v1::ManifestRequest& request) {
    grpc::ClientContext context;
    v1::Manifest manifest;
    const grpc::Status status = stub_->GetManifest(&context, request, &manifest);
    if (!status.ok()) return FromGrpc(status);
    return manifest;
  }
  absl::StatusOr<std::vector<v1::ArtefactChunk>> Fetch(const std::string& sha256, uint64_t offset) {
    grpc::ClientContext context;
    v1::FetchRequest request;
    request.set_sha256(sha256);
    request.set_offset(offset);
    const auto reader = stub_->Fetch(&context, request);
    std::vector<v1::ArtefactChunk> chunks;
    for (v1::ArtefactChunk chunk; reader->Read(&chunk);) chunks.push_back(chunk);
    const grpc::Status status = reader->Finish();
    if (!status.ok()) return FromGrpc(status);
    return chunks;
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::ArtefactService::Stub> stub_;
};

TEST_F(ArtefactServiceTest, SendsASnapshotInChunksFromAnyOffset) {
  std::string bytes(600'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  const Sha256 sha256 = Put(bytes);
  Serve(0);
  v1::ManifestRequest request;
  request.set_worker("w");
  request.set_sha256(BytesOf(sha256));
  const auto manifest = ManifestOf(request);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(HashIn(manifest->sha256()), sha256);
  EXPECT_EQ(manifest->size(), bytes.size());
  EXPECT_EQ(manifest->start_after_ms(), 0u);
  for (const uint64_t offset : {0, 1, 262'144, 599'999, 600'000}) {
    const auto chunks = Fetch(manifest->sha256(), offset);
    ASSERT_TRUE(chunks.ok()) << chunks.status();
    std::string got;
    for (const v1::ArtefactChunk& chunk : *chunks) {
      EXPECT_EQ(chunk.offset(), offset + got.size());
      EXPECT_LE(chunk.data().size(), 262'144u);
      got += chunk.data();
    }
    EXPECT_EQ(got, bytes.substr(offset));
  }
  EXPECT_TRUE(absl::IsOutOfRange(Fetch(manifest->sha256(), 600'001).status()));
}

TEST_F(ArtefactServiceTest, SendsWhatARunNeeds) {
  Serve(1000);
  v1::ManifestRequest request;
  request.set_worker("w");
  request.mutable_weights()->set_run(run_);
  request.mutable_weights()->set_version(1);
  const auto manifest = ManifestOf(request);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  const auto chunks = Fetch(manifest->sha256(), 0);
  ASSERT_TRUE(chunks.ok()) << chunks.status();
  ASSERT_EQ(chunks->size(), 1u);
  EXPECT_EQ(Sha256Of(chunks->at(0).data()), HashIn(manifest->sha256()));
  request.mutable_weights()->set_version(9);
  EXPECT_TRUE(absl::IsNotFound(ManifestOf(request).status()));
  EXPECT_TRUE(absl::IsNotFound(Fetch(std::string(32, 'x'), 0).status()));
}

TEST_F(ArtefactServiceTest, RefusesFieldsOutOfBounds) {
  Serve(0);
  const auto field_of = [&](auto change) {
    v1::ManifestRequest request;
    request.set_worker("w");
    request.set_sha256(std::string(32, 'x'));
    change(request);
    const absl::Status status = ManifestOf(request).status();
    EXPECT_EQ(CodeOf(status), "bad_field") << status;
    return ProblemOf(status).file;
  };
  using M = v1::ManifestRequest;
  EXPECT_EQ(field_of([](M& m) { m.set_worker("../w"); }), "worker");
  EXPECT_EQ(field_of([](M& m) { m.clear_worker(); }), "worker");
  EXPECT_EQ(field_of([](M& m) { m.set_sha256("../../etc/passwd"); }), "sha256");
  EXPECT_EQ(field_of([](M& m) { m.clear_sha256(); }), "name");
  EXPECT_EQ(field_of([](M& m) { m.mutable_weights()->set_version(1); }), "weights.run");
  EXPECT_EQ(field_of([](M& m) { m.mutable_weights()->set_run(1); }), "weights.version");
  EXPECT_EQ(field_of([](M& m) {
              m.mutable_weights()->set_run(1);
              m.mutable_weights()->set_version(1);
              m.mutable_weights()->set_have(2);
            }),
            "weights.have");
  EXPECT_EQ(ProblemOf(Fetch("short", 0).status()).file, "sha256");
}

TEST_F(ArtefactServiceTest, ACallerThatHangsUpWhileItIsHeldBackIsForgotten) {
  const Sha256 sha256 = Put(std::string(8 << 20, 'n'));
  Serve(0.001);  // a chunk takes minutes
  grpc::ClientContext context;
  v1::FetchRequest request;
  request.set_sha256(BytesOf(sha256));
  const auto reader = stub_->Fetch(&context, request);
  v1::ArtefactChunk chunk;
  ASSERT_TRUE(reader->Read(&chunk)) << "the burst";
  context.TryCancel();
  while (reader->Read(&chunk)) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  server_->Shutdown(absl::Hours(1));  // would wait for a stream that is still there
}

}  // namespace
}  // namespace joseki::coordinator
