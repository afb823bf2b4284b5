// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/ranks.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "alembert/base/error.hpp"
#include "alembert/ensemble/open_mpi.hpp"

namespace alembert::ensemble {

namespace {

int number_from_environment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

[[noreturn]] void cannot_connect(const std::string& why) {
  throw Error("U025", "mpirun started " + std::to_string(announced_size()) +
                          " ranks, and this one cannot reach the others: " + why +
                          ". Install openmpi-bin, or run without mpirun.");
}

/// The library, with the symbols of its own plug-ins visible to them.
void* library() {
  void* const found = ::dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
  if (found == nullptr) cannot_connect(::dlerror());
  return found;
}

class Mpi final : public Ranks {
 public:
  Mpi() : library_(library()) {
    const auto version_of = load<open_mpi::GetLibraryVersion>("MPI_Get_library_version");
    char version[open_mpi::longest_version] = {};
    int length = 0;
    version_of(version, &length);
    if (!std::string_view(version).starts_with("Open MPI")) cannot_connect("it is not Open MPI");
    if (load<open_mpi::Init>("MPI_Init")(nullptr, nullptr) != 0) cannot_connect("MPI_Init failed");
    load<open_mpi::CommQuery>("MPI_Comm_rank")(world_, &rank_);
    load<open_mpi::CommQuery>("MPI_Comm_size")(world_, &size_);
  }
  ~Mpi() override { load<open_mpi::Finalize>("MPI_Finalize")(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, const std::vector<std::uint64_t>& words) override {
    send_(words.data(), static_cast<int>(words.size() * sizeof words[0]), byte_, to, 0, world_);
  }

  std::optional<Message> receive() override {
    int there = 0, size = 0;
    open_mpi::Status status = {};
    probe_(open_mpi::any, open_mpi::any, world_, &there, &status);
    if (there == 0) return std::nullopt;
    count_(&status, byte_, &size);
    Message message;
    message.from = status.source;
    message.words.resize(static_cast<std::size_t>(size) / sizeof(std::uint64_t));
    receive_(message.words.data(), size, byte_, status.source, status.tag, world_, &status);
    return message;
  }

  [[noreturn]] void abort(int exit_code) override {
    load<open_mpi::Abort>("MPI_Abort")(world_, exit_code);
    std::_Exit(exit_code);
  }

 private:
  template <class T>
  T load(const char* name) const {
    void* const symbol = ::dlsym(library_, name);
    if (symbol == nullptr) cannot_connect(std::string("the MPI library lacks ") + name);
    return reinterpret_cast<T>(symbol);
  }

  void* library_;
  open_mpi::Handle world_ = load<open_mpi::Handle>("ompi_mpi_comm_world");
  open_mpi::Handle byte_ = load<open_mpi::Handle>("ompi_mpi_byte");
  open_mpi::Send send_ = load<open_mpi::Send>("MPI_Send");
  open_mpi::Receive receive_ = load<open_mpi::Receive>("MPI_Recv");
  open_mpi::Probe probe_ = load<open_mpi::Probe>("MPI_Iprobe");
  open_mpi::GetCount count_ = load<open_mpi::GetCount>("MPI_Get_count");
  int rank_ = 0;
  int size_ = 1;
};

class Alone final : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void send(int, const std::vector<std::uint64_t>&) override {
    ensure(false, "one rank has nobody to send to");
  }
  std::optional<Message> receive() override { return std::nullopt; }
  [[noreturn]] void abort(int exit_code) override { std::_Exit(exit_code); }
};

}  // namespace

int announced_rank() { return number_from_environment("OMPI_COMM_WORLD_RANK", 0); }
int announced_size() {
  return number_from_environment("OMPI_COMM_WORLD_SIZE", number_from_environment("PMI_SIZE", 1));
}

std::unique_ptr<Ranks> connect_ranks() {
  if (announced_size() <= 1) return std::make_unique<Alone>();
  return std::make_unique<Mpi>();
}

}  // namespace alembert::ensemble
